import ComponentKit
import PageKit

/// All pages that are shown, and what they are composed of.
final class PageCenter: Sendable {
    private struct State {
        var shown: ShownPages
        var modules: ModuleDirectory?
        /// How often the modules have been forgotten.
        var number = 0
        /// What is wrong with the data of sections, as far as their modules have been asked about it.
        var dataProblems: [DataQuestion: [PayloadError]] = [:]
        /// The conditions whose failure has been logged.
        var failedConditions: Set<String> = []
        /// The lines about sections whose modules cannot be asked, as they have been logged.
        var obstacles: Set<String> = []
        var watching: Task<Void, Never>?
        /// How often the folder of page files had changed when the pages were planned last.
        var folderChanges = 0
        var isEnded = false
    }

    let link: Link
    let library: PageLibrary
    /// How long a module may take to answer.
    let timeout: Duration
    let readers: PageReaders
    private let events: Events
    private let state: Lock<State>

    /// How often the folder of page files is looked at while a page is shown.
    private static let interval = Duration.milliseconds(500)
    /// How long a navigation waits for the components that bring pages along. They are left out until they answer.
    private static let patience = Duration.milliseconds(200)
    /// The largest number of questions about data that are kept at a time.
    private static let mostQuestions = 1000

    init(_ context: ComponentContext, _ library: PageLibrary, timeout: Duration, limits: PageLimits) {
        link = context.link
        events = context.events
        readers = PageReaders(context.events)
        state = Lock(State(shown: ShownPages(limits)))
        self.library = library
        self.timeout = timeout
    }

    /// Lets a caller use the page with an id, which need not exist, in the session of the running call.
    func withPage<Value: Sendable>(_ id: String, _ body: (LivePage) async throws -> Value) async throws -> Value {
        let page = try begin(PageKey(address: try PageCenter.address(id), session: .current))
        do {
            let value = try await body(page)
            await end(page)
            return value
        } catch {
            await end(page)
            throw error
        }
    }

    /// Reads the id of a page.
    private static func address(_ id: String) throws(PageError) -> PageAddress {
        let name = id.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard (1...128).contains(name.count) else {
            throw .unknownPage(id: String(decoding: name.prefix(60), as: UTF8.self), similar: nil)
        }
        guard let address = PageAddress(id) else {
            throw .invalidPageValue(
                page: String(decoding: name, as: UTF8.self), value: "",
                reason: "its values are too long: with them, its id has more than \(PageAddress.longest) bytes")
        }
        return address
    }

    private func begin(_ key: PageKey) throws -> LivePage {
        var gone: LivePage?
        let page = try state.withLock { state in
            if state.isEnded { throw LinkError(.stopped) }
            let page = try state.shown.begin(key, make: { LivePage(key, self) }, gone: { gone = $0 })
            if state.watching == nil { state.watching = Session.with(nil) { Task { await watch() } } }
            return page
        }
        if let gone { Task { await gone.forgotten() } }
        return page
    }

    /// Keeps a page for a reader until ``release(_:)`` is called.
    func hold(_ page: LivePage) { state.withLock { $0.shown.hold(page) } }

    func release(_ page: LivePage) { state.withLock { $0.shown.end(page) } }

    /// Returns the page modules of the host.
    func modules() async throws(LinkError) -> ModuleDirectory {
        let (known, number) = state.withLock { ($0.modules, $0.number) }
        if let known { return known }
        let found = try await ModuleDirectory(asking: link)
        state.withLock { state in
            // What the host answered before the last change does not count for what comes after it.
            if state.number == number { state.modules = found }
        }
        return found
    }

    /// Returns what is wrong with the data of a section, which the host compares with what its module takes.
    func dataProblems(_ question: DataQuestion) async -> [PayloadError] {
        let (known, number) = state.withLock { ($0.dataProblems[question], $0.number) }
        if let known { return known }
        // If the host cannot say, the module does.
        guard let problems = await question.ask(link) else { return [] }
        state.withLock { state in
            // Operators may try many data while components stay the same.
            if state.dataProblems.count >= PageCenter.mostQuestions { state.dataProblems = [:] }
            if state.number == number { state.dataProblems[question] = problems }
        }
        return problems
    }

    /// Returns what leads from a page to others.
    ///
    /// - Parameter id: the id of the page.
    func navigation(from id: String) async -> PageNavigation {
        let pages = await library.all(within: PageCenter.patience) { [weak self] in self?.askFrames() }
        let unshown = (try? await modules())?.unshownComponents ?? []
        let shown = pages.filter { page in !(page.component.map { unshown.contains(Array($0.utf8)) } ?? false) }
        return PageNavigation(among: shown.compactMap(\.page), from: PageAddress(id)?.name ?? id)
    }

    func post(_ event: PageEvent) { events.post(event) }

    /// Logs why a section does not show its module.
    ///
    /// - Parameters:
    ///   - reason: The reason, as a sentence.
    ///   - section: What is shown in its place.
    ///   - page: The name of the page.
    ///   - onlyOnce: Whether the same is logged once only until everything is read again: each session has its own
    ///     version of a page, with the same obstacle.
    func report(_ reason: String, _ section: PageSection, of page: String, onlyOnce: Bool = false) {
        let end = section.state == .fallback ? " The fallback is shown." : ""
        let line = "page \(page), section \(section.name): \(reason)\(end)"
        if !onlyOnce || isNewObstacle(line) { link.log(.warning, line) }
    }

    /// Logs that a section is left out, once until everything is read again. That may be meant: a section appears with the
    /// component that has its module.
    func reportLeftOut(_ plan: SectionPlan, of page: String) {
        let line = "page \(page), section \(plan.name): \(plan.obstacle ?? "") The section is left out."
        if isNewObstacle(line) { link.log(.info, line) }
    }

    private func isNewObstacle(_ line: String) -> Bool {
        state.withLock { state in
            state.obstacles.count < PageCenter.mostQuestions && state.obstacles.insert(line).inserted
        }
    }

    /// Logs a condition that has no answer, once until everything is read again.
    func report(_ condition: ModuleDirectory.Module, _ error: any Error) {
        guard state.withLock({ $0.failedConditions.insert(condition.name).inserted }) else { return }
        link.log(
            .warning,
            "the condition \(condition.name) of \(condition.component) has no answer, so the sections that it may hide are "
                + "hidden, and it folds none: \(error)")
    }

    // MARK: - Changes

    /// Asks a module again wherever it is shown.
    ///
    /// - Parameter session: The session that the event was posted in.
    func moduleChanged(_ event: PageModuleChanged, in session: Session?) {
        let pages = event.sessionOnly ? pages.filter { $0.key.session == session } : pages
        for page in pages { page.conditions.forget(event.module) }
        if library.forgetBrought(of: event.module) {
            planAll(askingAll: false)
            askFrames()
        }
        let isCondition = state.withLock { $0.modules?[event.module]?.isCondition }
        for page in pages {
            Task {
                if isCondition != false { await page.changed(askingAll: false) }
                await page.moduleChanged(event)
            }
        }
    }

    /// Reads everything again after components have come or gone.
    func componentsChanged() {
        state.withLock { state in
            state.modules = nil
            state.dataProblems = [:]
            state.failedConditions = []
            state.obstacles = []
            state.number += 1
        }
        for page in pages { page.conditions.forget() }
        library.forgetBrought()
        planAll(askingAll: true)
    }

    /// Reads everything about a page again.
    func refresh(_ page: LivePage) async throws {
        state.withLock { state in
            state.failedConditions = []
            state.obstacles = []
        }
        page.conditions.forget()
        library.forgetBrought()
        _ = try await page.current()
    }

    private func planAll(askingAll: Bool) {
        for page in pages { Task { await page.changed(askingAll: askingAll) } }
    }

    /// Asks the frames of all pages again, which may show what other pages there are.
    private func askFrames() {
        for page in pages { Task { await page.askFrame() } }
    }

    private var pages: [LivePage] { state.withLock { $0.shown.pages } }

    // MARK: - Watching

    /// Looks at the folder of page files until no page is shown.
    private func watch() async {
        while await look() { try? await Task.sleep(for: PageCenter.interval) }
    }

    /// - Returns: Whether to look again.
    private func look() async -> Bool {
        // A call may have read the folder in between.
        let changes = library.readFolder()
        let isNew = state.withLock { state in
            defer { state.folderChanges = changes }
            return state.folderChanges != changes
        }
        if isNew {
            planAll(askingAll: false)
            askFrames()
        }
        for page in pages { await look(at: page) }
        return state.withLock { state in
            if state.shown.isEmpty { state.watching = nil }
            return !state.shown.isEmpty && !state.isEnded
        }
    }

    /// A caller does not use a page any more. A page that cannot be shown is forgotten, so that asking for pages that do
    /// not exist takes no room.
    private func end(_ page: LivePage) async {
        let uses = uses(of: page)
        let isKept = await page.isKept
        let isForgotten = state.withLock { state in
            state.shown.end(page)
            return !isKept && state.shown.remove(page, usedOften: uses)
        }
        if isForgotten { await page.forgotten() }
    }

    /// Looks at a page, of which there may be thousands, and forgets it if it has not been shown for a while.
    private func look(at page: LivePage) async {
        let uses = uses(of: page)
        guard await page.isIdleNow() else { return }
        if state.withLock({ $0.shown.remove(page, usedOften: uses) }) { await page.forgotten() }
    }

    private func uses(of page: LivePage) -> Int? { state.withLock { $0.shown.uses(of: page) } }

    /// Ends all sequences and all watching.
    func end() {
        let (pages, watching) = state.withLock { state in
            state.isEnded = true
            defer {
                state.shown.removeAll()
                state.watching = nil
            }
            return (state.shown.pages, state.watching)
        }
        watching?.cancel()
        for page in pages { Task { await page.end() } }
    }
}
