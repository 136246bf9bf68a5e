import ComponentKit
import Glibc
import PageKit

/// A page that is shown: its sections with the views that their modules have answered last in its session.
///
/// Each section is asked on its own. A change of a module while it is being asked leads to another question, so that the
/// last answer is always younger than the last change.
actor LivePage {
    /// A section, and how far its question is.
    private struct Slot {
        var plan: SectionPlan
        var section: PageSection
        /// Increases with each plan, so that an answer to an earlier one is not shown.
        var number: Int
        var isAsking = false
        /// Whether the module has changed since it was asked.
        var isOutdated = false
        /// About how many values its view is as payload.
        var size = 0
    }

    /// How many values the views of a page are as payload at most, so that the page is one that can be sent. A section
    /// that is too large for the rest is not shown.
    static let mostValues = 800_000

    nonisolated let key: PageKey
    nonisolated var id: String { key.id }
    nonisolated let conditions: Conditions
    private let center: PageCenter
    private var page: Page
    private var slots: [String: Slot] = [:]
    private var lastNumber = 0
    private var isPlanning = false
    /// Whether another plan follows; true if all sections are to be asked then.
    private var nextPlan: Bool?
    private var isPlanned = false
    private var failure: PageError?
    private var readers: [Int: PageQueue] = [:]
    private var lastReader = 0
    /// How many callers wait for another revision.
    private var waiting = 0
    /// When a caller has asked for another revision last.
    private var lastWait: ContinuousClock.Instant?
    /// Whether the page counts as one that has readers.
    private var isShown = false
    /// Whether something has changed while no one watched.
    private var isOutdated = false
    /// When to read again what is on the page, although nothing has changed; nil for never.
    private var due: ContinuousClock.Instant?
    private var isForgotten = false
    private let waiters = PageWaiters()
    private var lastUse = ContinuousClock.now

    /// How long the first answer waits for the slowest module.
    static let patience = Duration.milliseconds(300)
    /// How long a page without readers is kept.
    static let rest = Duration.seconds(30)
    /// How long a caller that has waited for a revision counts as a reader before it asks for the next one.
    private static let pause = Duration.seconds(2)

    init(_ key: PageKey, _ center: PageCenter) {
        self.key = key
        self.center = center
        conditions = Conditions(of: key.id, center.link, timeout: center.timeout) { center.report($0, $1) }
        page = Page(id: key.id, title: key.id, revision: LivePage.firstRevision, sections: [])
    }

    /// The first revision: later than those of earlier compositions, as long as a page does not change a thousand times
    /// in a millisecond.
    private static var firstRevision: Int {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return (now.tv_sec * 1000 + now.tv_nsec / 1_000_000) * 1000
    }

    // MARK: - Reading

    /// Asks all modules, and returns the page with what they have answered in time.
    func current() async throws -> Page {
        lastUse = .now
        isOutdated = false
        plan(askingAll: true)
        await waiters.wait(for: .settled, LivePage.patience)
        // Without a plan there is no page, however long that takes; files and conditions have limits of their own.
        while !isPlanned {
            if Task.isCancelled { throw LinkError(.cancelled) }
            await waiters.wait(for: .planned, .seconds(60))
        }
        lastUse = .now
        if let failure { throw failure }
        return page
    }

    /// Returns the page once it has another revision than this one, at the latest after the time.
    func page(after revision: Int, within time: Duration) async throws -> Page {
        if !isPlanned { return try await current() }
        waiting += 1
        noteReaders()
        bringUpToDate()
        if page.revision == revision, failure == nil { await waiters.wait(for: .changed, time) }
        waiting -= 1
        lastUse = .now
        lastWait = .now
        if let failure { throw failure }
        return page
    }

    /// Adds a reader of updates.
    func join() async throws -> PageReading {
        _ = try await current()
        lastReader += 1
        center.hold(self)
        let number = lastReader
        let queue = PageQueue()
        queue.add(.page(page), page)
        readers[number] = queue
        noteReaders()
        // Something may have changed before the reader counted.
        bringUpToDate()
        return PageReading(queue) { [weak self] in
            guard let self else { return }
            center.release(self)
            Task { await self.leave(number) }
        }
    }

    private func leave(_ number: Int) {
        lastUse = .now
        if readers.removeValue(forKey: number) != nil { noteReaders() }
    }

    /// Tells that the page has readers in its session, or none any more. This is also called from time to time, because a
    /// caller that asks for one revision after the other does not say when it stops.
    func noteReaders() {
        let hasReaders = isWatched && !isForgotten
        guard hasReaders != isShown else { return }
        isShown = hasReaders
        if hasReaders { center.readers.appeared(id) } else { center.readers.disappeared(id) }
    }

    /// Whether a reader follows the page, or will ask for the next revision soon.
    private var isWatched: Bool {
        !readers.isEmpty || waiting > 0 || lastWait.map { $0.duration(to: .now) < LivePage.pause } ?? false
    }

    /// The page is no longer kept: the next request for it gets another one.
    func forgotten() {
        isForgotten = true
        noteReaders()
    }

    /// Whether there is something to keep: the page can be shown, or a reader still waits for it.
    var isKept: Bool { !readers.isEmpty || !waiters.isEmpty || (isPlanned && failure == nil) }

    /// Whether the page has not been shown for a while.
    var isIdle: Bool { !isShown && readers.isEmpty && waiters.isEmpty && lastUse.duration(to: .now) > LivePage.rest }

    /// The plan of a section, and its view, as they were answered last.
    func section(named name: String) -> (plan: SectionPlan, section: PageSection)? {
        slots[name].map { ($0.plan, $0.section) }
    }

    /// Asks everything again if it has changed while no one watched, or has no such section.
    func bringUpToDate(for section: String) async throws {
        if isOutdated || slots[section] == nil { _ = try await current() }
    }

    /// Reads again what is on a page that somebody watches, if a component was late.
    func planIfDue() {
        guard let due, due <= .now else { return }
        self.due = nil
        if isWatched { bringUpToDate() }
    }

    private func bringUpToDate() {
        guard isOutdated else { return }
        isOutdated = false
        plan(askingAll: true)
    }

    /// Ends all sequences.
    func end() {
        for reader in readers.values { reader.end() }
        readers = [:]
        waiters.wakeAll()
    }

    // MARK: - Planning

    /// Reads again what is on the page because something has changed; later, if no one watches. Every browser has its own
    /// pages, most of which are not open any more.
    ///
    /// - Parameter askingAll: Whether sections that stay are asked again.
    func changed(askingAll: Bool) {
        guard isWatched || !waiters.isEmpty else {
            isOutdated = true
            return
        }
        plan(askingAll: askingAll)
    }

    /// Reads again what is on the page.
    ///
    /// - Parameter askingAll: Whether sections that stay are asked again.
    func plan(askingAll: Bool) {
        guard !isPlanning else {
            nextPlan = (nextPlan ?? false) || askingAll
            return
        }
        isPlanning = true
        Task {
            // The cause of this may be in another session.
            let result = await Session.with(key.session) {
                await center.plan(of: id, conditions) { [weak self] in
                    Task { await self?.changed(askingAll: false) }
                }
            }
            self.follow(result, askingAll: askingAll)
        }
    }

    private func follow(_ result: Result<PagePlan, PageError>, askingAll: Bool) {
        isPlanning = false
        switch result {
        case .success(let plan):
            failure = nil
            arrange(plan, askingAll: askingAll)
        case .failure(.notYetKnown) where isPlanned && failure == nil:
            // The page stays as it was last known, until the component that is late has been asked again.
            isOutdated = true
            due = .now + PageLibrary.rest
            if askingAll { for name in slots.keys { ask(name) } }
        case .failure(let error):
            failure = error
            if isPlanned, !slots.isEmpty || !readers.isEmpty, case .unknownPage = error { failure = .deleted(id: id) }
            slots = [:]
            for reader in readers.values { reader.end(failure) }
            readers = [:]
            waiters.wake(.changed)
        }
        isPlanned = true
        waiters.wake(.planned)
        if let all = nextPlan {
            nextPlan = nil
            self.plan(askingAll: all)
        }
        wakeIfSettled()
    }

    private func arrange(_ plan: PagePlan, askingAll: Bool) {
        var arranged: [String: Slot] = [:]
        for section in plan.all {
            if var slot = slots[section.name], slot.plan.continues(section) {
                slot.plan = section
                slot.section.title = section.title
                slot.section.layout = section.layout
                arranged[section.name] = slot
            } else {
                lastNumber += 1
                arranged[section.name] = Slot(plan: section, section: section.loading, number: lastNumber)
            }
        }
        let former = slots
        slots = arranged
        for section in plan.all where askingAll || former[section.name]?.plan != section {
            ask(section.name)
        }
        var next = page
        next.frame = plan.frame.flatMap { slots[$0.name]?.section }
        next.sections = plan.sections.compactMap { slots[$0.name]?.section }
        next.title = next.frame?.pageTitle ?? plan.title
        next.revision += 1
        show(next, plan.title)
    }

    /// The title in the file, for a frame that has none of its own.
    private var plainTitle = ""

    private func show(_ next: Page, _ title: String) {
        plainTitle = title
        for update in PageUpdate.updates(from: page, to: next) {
            send(update)
        }
    }

    // MARK: - Asking

    /// Asks the modules with a name again.
    func moduleChanged(_ event: PageModuleChanged) {
        guard event.page == nil || event.page == id else { return }
        for (name, slot) in slots where slot.plan.moduleName == event.module {
            guard event.section == nil || event.section == name else { continue }
            if isWatched || !waiters.isEmpty { ask(name) } else { isOutdated = true }
        }
    }

    /// Asks the module of a section.
    func ask(_ name: String) {
        guard var slot = slots[name] else { return }
        defer { slots[name] = slot }
        guard !slot.isAsking else {
            slot.isOutdated = true
            return
        }
        slot.isAsking = true
        let (plan, number) = (slot.plan, slot.number)
        Task {
            let (section, size) = await Session.with(key.session) {
                await plan.ask(center.link, timeout: center.timeout)
            }
            self.answered(section, size, number)
        }
    }

    private func answered(_ section: PageSection, _ size: Int, _ number: Int) {
        guard var slot = slots[section.name], slot.number == number else { return wakeIfSettled() }
        slot.isAsking = false
        let isOutdated = slot.isOutdated
        slot.isOutdated = false
        var section = section
        let others = slots.reduce(0) { sum, other in sum + (other.key == section.name ? 0 : other.value.size) }
        if others + size <= LivePage.mostValues {
            slot.size = size
        } else {
            slot.size = 0
            section = slot.plan.missing("The page is too large.")
        }
        // The page may have another title for it by now.
        section.title = slot.plan.title
        section.layout = slot.plan.layout
        let former = slot.section
        slot.section = section
        slots[section.name] = slot
        if let update = PageUpdate.update(from: former, to: section, revision: page.revision + 1) {
            show(section, update)
            center.report(section, after: former)
        }
        if isOutdated { ask(section.name) }
        wakeIfSettled()
    }

    private func show(_ section: PageSection, _ update: PageUpdate) {
        guard section.name == PageSection.frameName, section.pageTitle ?? plainTitle != page.title else {
            return send(update)
        }
        var next = page
        next.frame = section
        next.title = section.pageTitle ?? plainTitle
        next.revision += 1
        send(.page(next))
    }

    /// Makes a change and sends it to all readers.
    private func send(_ update: PageUpdate) {
        switch update {
        case .page(let whole): page = whole
        case .section(let section, let revision):
            replace(section)
            page.revision = revision
        case .view(let name, _, let revision):
            if let section = slots[name]?.section { replace(section) }
            page.revision = revision
        }
        for reader in readers.values { reader.add(update, page) }
        waiters.wake(.changed)
    }

    private func replace(_ section: PageSection) {
        if section.name == PageSection.frameName {
            page.frame = section
        } else if let index = page.sections.firstIndex(where: { $0.name == section.name }) {
            page.sections[index] = section
        }
    }

    private func wakeIfSettled() {
        guard !isPlanning, isPlanned, !slots.values.contains(where: \.isAsking) else { return }
        waiters.wake(.settled)
    }

    /// Waits until no module is being asked, at the latest after the time.
    func settle(within time: Duration) async {
        guard isPlanning || slots.values.contains(where: \.isAsking) else { return }
        await waiters.wait(for: .settled, time)
    }
}

extension PageSection {
    /// The title that a frame gives to its page.
    fileprivate var pageTitle: String? {
        guard case .frame(let content) = view.content else { return nil }
        return content.title
    }
}
