import ComponentKit
import Glibc
import PageKit

/// A page that is shown: its sections with the views that their modules have answered last in its session.
///
/// Each section is asked on its own. A change of a module while it is being asked leads to another question, so that the
/// last answer is always younger than the last change. Such a change may come from the question itself, so the next one
/// comes after a pause, and not at all while nobody is there to see the answer; so do plans.
actor LivePage {
    /// A section, and how far its question is.
    private struct Slot {
        var plan: SectionPlan
        var section: PageSection
        /// What the plan before has shown, which stays for those who follow the page until this one has a view, since
        /// people may be typing there; nil if there is nothing to wait for.
        var stays: PageSection?
        /// Increases with each plan, so that an answer to an earlier one is not shown.
        var number: Int
        var isAsking = false
        /// Whether the module has changed since it was asked.
        var isOutdated = false
        /// Whether it has been asked again without a pause.
        var isRepeated = false
        /// The pause before it is asked again; nil if it is not.
        var pause: Task<Void, Never>?
        /// When it has answered last.
        var answered: ContinuousClock.Instant?
        /// About how many values its view is as payload.
        var size = 0
        /// How many parts of a long list people have asked for.
        var parts = 1

        /// What those see who follow the page.
        var shown: PageSection { stays ?? section }

        /// Takes the title and the layout of the plan, which the page may have changed.
        mutating func adopt(_ plan: SectionPlan) {
            self.plan = plan
            (section.title, section.layout) = (plan.shownTitle, plan.layout)
            stays?.title = plan.shownTitle
            stays?.layout = plan.layout
        }
    }

    /// How many values the views of a page are as payload at most, so that the page is one that can be sent. A section
    /// that is too large for the rest is not shown.
    static let mostValues = 800_000

    nonisolated let key: PageKey
    nonisolated let id: String
    nonisolated let conditions: Conditions
    private let center: PageCenter
    /// The page as those see it who follow it.
    private var page: Page
    private var slots: [String: Slot] = [:]
    private var lastNumber = 0
    private var isPlanning = false
    /// Whether another plan follows; true if all sections are to be asked then.
    private var nextPlan: Bool?
    /// Whether the plan has followed another one without a pause.
    private var isPlanRepeated = false
    /// The pause before the next plan.
    private var planPause: Task<Void, Never>?
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
    private var isEnded = false
    private let waiters = PageWaiters()
    private var lastUse = ContinuousClock.now

    /// How long the first answer waits for the slowest module.
    static let patience = Duration.milliseconds(300)
    /// How long a page without readers is kept.
    static let rest = Duration.seconds(30)
    /// How long after an answer the same is asked again at the earliest because it has changed.
    static let leastPause = Duration.milliseconds(100)
    /// How long a caller that has waited for a revision counts as a reader before it asks for the next one.
    private static let pause = Duration.seconds(2)

    init(_ key: PageKey, _ center: PageCenter) {
        self.key = key
        self.center = center
        id = key.address.id
        conditions = Conditions(of: id, center.link, timeout: center.timeout) { center.report($0, $1) }
        page = Page(id: id, title: key.address.name, revision: LivePage.firstRevision, sections: [])
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
            if isEnded { throw LinkError(.stopped) }
            await waiters.wait(for: .planned, .seconds(60))
        }
        lastUse = .now
        if let failure { throw failure }
        return pageToBegin
    }

    /// The page for those who see it for the first time: nothing stays.
    private var pageToBegin: Page {
        var begun = page
        for slot in slots.values where slot.stays != nil { begun.replace(slot.section) }
        return begun
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
        return pageToBegin
    }

    /// Returns the page once it is known whether it has a section, and what that shows.
    func page(with section: String) async throws -> Page {
        try await bringUpToDate(for: section)
        lastUse = .now
        if let failure { throw failure }
        return pageToBegin
    }

    /// Adds a reader of updates.
    func join() async throws -> PageReading {
        // What has changed since the modules were asked leads to another question for this reader as for all others.
        if !isPlanned || failure != nil { _ = try await current() }
        if isEnded { throw LinkError(.stopped) }
        lastUse = .now
        lastReader += 1
        center.hold(self)
        let number = lastReader
        let queue = PageQueue()
        queue.add(.page(pageToBegin), page)
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

    /// Tells that the page has readers in its session, or none any more.
    private func noteReaders() {
        let hasReaders = isWatched && !isForgotten
        guard hasReaders != isShown else { return }
        isShown = hasReaders
        if hasReaders { center.readers.appeared(id) } else { center.readers.disappeared(id) }
    }

    /// Whether a reader follows the page, or will ask for the next revision soon.
    private var isWatched: Bool {
        !readers.isEmpty || waiting > 0 || lastWait.map { $0.duration(to: .now) < LivePage.pause } ?? false
    }

    /// Whether there is anybody for whom something is to be asked again.
    private var isWanted: Bool { isWatched || !waiters.isEmpty }

    /// The page is no longer kept: the next request for it gets another one.
    func forgotten() {
        isForgotten = true
        noteReaders()
    }

    /// Whether there is something to keep: the page can be shown, or a reader still waits for it.
    var isKept: Bool { !readers.isEmpty || !waiters.isEmpty || (isPlanned && failure == nil) }

    /// Does what is due, and returns whether the page has not been shown for a while. This is called from time to time: a
    /// caller that asks for one revision after the other does not say when it stops.
    func isIdleNow() -> Bool {
        noteReaders()
        planIfDue()
        return !isShown && readers.isEmpty && waiters.isEmpty && lastUse.duration(to: .now) > LivePage.rest
    }

    /// The plan of a section, and its view, as they were answered last.
    func section(named name: String) -> (plan: SectionPlan, section: PageSection)? {
        slots[name].map { ($0.plan, $0.section) }
    }

    /// Asks everything again if it has changed while no one watched, or has no such section, and waits for the section
    /// while its module or a condition is late: whoever names a section has seen it.
    func bringUpToDate(for section: String) async throws {
        if isOutdated || slots[section] == nil { _ = try await current() }
        let end = ContinuousClock.now + center.timeout
        // The answer of a condition may have come after the plan that needed it.
        var needsPlan = slots[section] == nil
        while !isEnded, !Task.isCancelled, .now < end {
            if isLate(section) {
                await waiters.wait(for: .changed, LivePage.patience)
                needsPlan = slots[section] == nil
            } else if needsPlan {
                needsPlan = false
                _ = try await current()
            } else {
                return
            }
        }
    }

    private func isLate(_ section: String) -> Bool {
        slots[section].map { $0.isAsking && $0.section.state == .loading } ?? conditions.areLate
    }

    /// Reads again what is on a page that somebody watches, if a component was late.
    private func planIfDue() {
        guard let due, due <= .now, isWatched else { return }
        self.due = nil
        plan(askingAll: true)
    }

    private func bringUpToDate() {
        guard isOutdated else { return }
        isOutdated = false
        plan(askingAll: true)
    }

    /// Ends all sequences, and asks nothing any more.
    func end() {
        isEnded = true
        planPause?.cancel()
        for slot in slots.values { slot.pause?.cancel() }
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
        guard isWanted else {
            isOutdated = true
            return
        }
        guard let all = nextPlan else { return plan(askingAll: askingAll) }
        nextPlan = all || askingAll
    }

    /// Reads again what is on the page.
    ///
    /// - Parameters:
    ///   - askingAll: Whether sections that stay are asked again.
    ///   - isRepeated: Whether this follows another plan without a pause.
    private func plan(askingAll: Bool, isRepeated: Bool = false) {
        // The plan that waits is made with this one.
        let askingAll = askingAll || nextPlan == true
        guard !isPlanning else {
            nextPlan = askingAll
            return
        }
        guard !isEnded else { return }
        planPause?.cancel()
        (planPause, nextPlan) = (nil, nil)
        (isPlanning, isPlanRepeated) = (true, isRepeated)
        Task {
            // The cause of this may be in another session.
            let result = await Session.with(key.session) {
                await center.plan(of: key.address, conditions) { [weak self] in
                    Task { await self?.changed(askingAll: false) }
                }
            }
            self.follow(result, askingAll: askingAll)
        }
    }

    /// Makes the next plan, which has become due during the one before.
    private func planAgain() {
        guard isWanted else {
            (nextPlan, isOutdated) = (nil, true)
            return
        }
        // A caller that waits receives what has changed until it came.
        if !isPlanRepeated, waiters.isAwaited(.settled) { return plan(askingAll: false, isRepeated: true) }
        planPause = Task {
            try? await Task.sleep(for: LivePage.leastPause)
            guard !Task.isCancelled, let all = nextPlan else { return }
            (planPause, nextPlan) = (nil, nil)
            changed(askingAll: all)
        }
    }

    private func follow(_ result: Result<PagePlan, PageError>, askingAll: Bool) {
        isPlanning = false
        due = nil
        switch result {
        case .success(let plan):
            failure = nil
            arrange(plan, askingAll: askingAll)
        case .failure(.notYetKnown) where isPlanned && failure == nil:
            // The page stays as it was last known, until the component that is late has been asked again.
            due = .now + PageLibrary.rest
            if askingAll { for name in slots.keys { ask(name) } }
        case .failure(let error):
            if isPlanned, !slots.isEmpty || !readers.isEmpty, case .unknownPage = error {
                fail(.deleted(id: id))
            } else {
                fail(error)
            }
        }
        isPlanned = true
        waiters.wake(.planned)
        if nextPlan != nil { planAgain() }
        wakeIfSettled()
    }

    /// The page cannot be shown.
    private func fail(_ error: PageError) {
        failure = error
        for slot in slots.values { slot.pause?.cancel() }
        slots = [:]
        for reader in readers.values { reader.end(error) }
        readers = [:]
        waiters.wake(.changed)
    }

    private func arrange(_ plan: PagePlan, askingAll: Bool) {
        var arranged: [String: Slot] = [:]
        for section in plan.all {
            var slot: Slot
            if let known = slots[section.name], known.plan.continues(section) {
                slot = known
            } else {
                lastNumber += 1
                slot = Slot(plan: section, section: section.loading, number: lastNumber)
                if let obstacle = section.obstacle {
                    center.report(obstacle, slot.section, of: key.address.name, onlyOnce: true)
                }
                let former = slots[section.name]
                if let former, former.shown.state == .shown, slot.section.state == .loading {
                    (slot.stays, slot.size) = (former.shown, former.size)
                }
            }
            slot.adopt(section)
            arranged[section.name] = slot
        }
        let former = slots
        slots = arranged
        for section in plan.all where askingAll || former[section.name]?.plan != section {
            ask(section.name)
        }
        var next = page
        next.frame = plan.frame.flatMap { slots[$0.name]?.shown }
        next.sections = plan.sections.compactMap { slots[$0.name]?.shown }
        next.title = next.frame?.pageTitle ?? plan.title
        next.revision += 1
        plainTitle = plan.title
        if let update = PageUpdate(from: page, to: next) { send(update, next) }
    }

    /// The title in the file, for a frame that has none of its own.
    private var plainTitle = ""

    // MARK: - Asking

    /// Asks the modules with a name again.
    func moduleChanged(_ event: PageModuleChanged) {
        guard [nil, id, key.address.name].contains(event.page) else { return }
        for (name, slot) in slots where slot.plan.moduleName == event.module {
            guard event.section == nil || event.section == name else { continue }
            guard isWanted else {
                isOutdated = true
                continue
            }
            // A question that waits comes after this change, too.
            guard slot.pause == nil else { continue }
            // The change may still come from the last question.
            let isSoon = slot.answered.map { $0.duration(to: .now) < LivePage.leastPause } ?? false
            if isSoon, !slot.isAsking { askAgain(name) } else { ask(name) }
        }
    }

    /// Asks the frame again, which may show what other pages there are; later, if no one watches.
    func askFrame() {
        guard isWanted else {
            isOutdated = true
            return
        }
        ask(PageSection.frameName)
    }

    /// Asks the module of a section.
    ///
    /// - Parameter isRepeated: Whether this follows another question without a pause.
    func ask(_ name: String, isRepeated: Bool = false) {
        guard !isEnded, var slot = slots[name] else { return }
        defer { slots[name] = slot }
        guard !slot.isAsking else {
            slot.isOutdated = true
            return
        }
        slot.pause?.cancel()
        (slot.pause, slot.isOutdated) = (nil, false)
        (slot.isAsking, slot.isRepeated) = (true, isRepeated)
        let (plan, number, parts) = (slot.plan, slot.number, slot.parts)
        Task {
            let answer = await Session.with(key.session) {
                await plan.ask(center.link, parts: parts, timeout: center.timeout)
            }
            guard let answer else { return self.notFound(plan.name, number: number) }
            self.answered(answer, number: number)
        }
    }

    /// Asks a module again that has changed while it was being asked, or just after.
    private func askAgain(_ name: String) {
        guard isWanted, let slot = slots[name] else {
            isOutdated = true
            return
        }
        // A caller that waits receives what has changed until it came.
        if !slot.isRepeated, waiters.isAwaited(.settled) { return ask(name, isRepeated: true) }
        slots[name]?.pause = Task {
            try? await Task.sleep(for: LivePage.leastPause)
            guard !Task.isCancelled, slots[name]?.number == slot.number else { return }
            slots[name]?.pause = nil
            if isWanted { ask(name) } else { isOutdated = true }
        }
    }

    /// A module says that there is nothing with the values of the page.
    private func notFound(_ name: String, number: Int) {
        guard slots[name]?.number == number else { return wakeIfSettled() }
        fail(readers.isEmpty ? .unknownPage(id: id, similar: nil) : .deleted(id: id))
        wakeIfSettled()
    }

    private func answered(_ answer: SectionAnswer, number: Int) {
        let name = answer.section.name
        guard var slot = slots[name], slot.number == number else { return wakeIfSettled() }
        slot.isAsking = false
        slot.answered = .now
        var answer = answer
        let others = slots.reduce(0) { sum, other in sum + (other.key == name ? 0 : other.value.size) }
        if others + answer.size > LivePage.mostValues { answer = slot.plan.unanswered("The page is too large.") }
        slot.size = answer.size
        var section = answer.section
        // The page may have another title for it by now.
        section.title = slot.plan.shownTitle
        section.layout = slot.plan.layout
        let (former, isNew) = (slot.section, slot.stays != nil)
        (slot.section, slot.stays) = (section, nil)
        slots[section.name] = slot
        // Some have begun with the placeholder, and others still see what has stayed.
        if let change = isNew ? .section(section) : SectionChange(from: former, to: section) {
            show(section, change)
            if let reason = answer.reason, section.state != former.state {
                center.report(reason, section, of: key.address.name)
            }
        }
        if slot.isOutdated { askAgain(section.name) }
        wakeIfSettled()
    }

    private func show(_ section: PageSection, _ change: SectionChange) {
        var next = page
        next.revision += 1
        next.replace(section)
        if section.name == PageSection.frameName { next.title = section.pageTitle ?? plainTitle }
        let hasSameTitle = next.title == page.title
        send(
            hasSameTitle ? .sections([change], after: page.revision, revision: next.revision) : .page(next), next)
    }

    /// Shows the next state of the page to all readers.
    private func send(_ update: PageUpdate, _ next: Page) {
        page = next
        for reader in readers.values { reader.add(update, page) }
        waiters.wake(.changed)
    }

    private func wakeIfSettled() {
        guard !isPlanning, isPlanned, !slots.values.contains(where: \.isAsking) else { return }
        waiters.wake(.settled)
    }

    /// Has a section show more of a long list from its next question on.
    func setParts(_ parts: Int, of name: String) { slots[name]?.parts = parts }

    /// Asks the module of a section, and waits for the answer as long as for a first one.
    func renew(_ name: String) async {
        ask(name)
        guard isPlanning || slots.values.contains(where: \.isAsking) else { return }
        await waiters.wait(for: .settled, LivePage.patience)
    }
}

extension Page {
    /// Puts a section in the place of the one with its name.
    fileprivate mutating func replace(_ section: PageSection) {
        if section.name == PageSection.frameName {
            frame = section
        } else if let index = sections.firstIndex(where: { $0.name == section.name }) {
            sections[index] = section
        }
    }
}

extension PageSection {
    /// The title that a frame gives to its page.
    fileprivate var pageTitle: String? {
        guard case .frame(let content) = view.content else { return nil }
        return content.title
    }
}
