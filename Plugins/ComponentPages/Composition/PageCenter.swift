import ComponentKit
import PageKit

/// All pages that somebody shows, and what they are composed of.
final class PageCenter: Sendable {
    private struct Shown {
        let page: LivePage
        /// How many callers use the page now, and how many ever have.
        var users = 0
        var uses = 0
    }

    private struct State {
        var pages: [String: Shown] = [:]
        var modules: ModuleDirectory?
        /// How often the modules have been forgotten.
        var number = 0
        /// What is wrong with the data of sections, as far as their modules have been asked about it.
        var dataProblems: [DataQuestion: [PayloadError]] = [:]
        var watching: Task<Void, Never>?
        /// How often the folder of page files had changed when the pages were planned last.
        var folderChanges = 0
        var isEnded = false
    }

    let link: Link
    let library: PageLibrary
    /// How long a module may take to answer.
    let deadline: Duration
    let conditions: Conditions
    private let events: Events
    private let state = Lock(State())

    /// How often the folder of page files is looked at while a page is shown.
    private static let interval = Duration.milliseconds(500)
    /// The largest number of pages that are kept at a time.
    private static let mostPages = 1000

    init(_ context: ComponentContext, _ library: PageLibrary, deadline: Duration) {
        link = context.link
        events = context.events
        self.library = library
        self.deadline = deadline
        let late = LateCall()
        conditions = Conditions(context.link, deadline: deadline) { late.call() }
        late.set { [weak self] in self?.planAll(askingAll: false) }
    }

    /// Lets a caller use the page with an id, which need not exist.
    func withPage<Value: Sendable>(_ id: String, _ body: (LivePage) async throws -> Value) async throws -> Value {
        let page = try begin(id)
        do {
            let value = try await body(page)
            await end(page)
            return value
        } catch {
            await end(page)
            throw error
        }
    }

    private func begin(_ id: String) throws -> LivePage {
        guard (1...128).contains(id.utf8.count) else {
            throw PageError.unknownPage(id: String(id.prefix(60)), similar: nil)
        }
        return try state.withLock { state in
            if state.isEnded { throw LinkError(.stopped) }
            if let page = state.pages[id]?.page {
                state.pages[id]?.users += 1
                state.pages[id]?.uses += 1
                return page
            }
            guard state.pages.count < PageCenter.mostPages else {
                throw LinkError(.methodFailed, message: "more than \(PageCenter.mostPages) pages are shown at a time")
            }
            let page = LivePage(id, self)
            state.pages[id] = Shown(page: page, users: 1, uses: 1)
            if state.watching == nil { state.watching = Task { await watch() } }
            return page
        }
    }

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
            if state.dataProblems.count >= PageCenter.mostPages { state.dataProblems = [:] }
            if state.number == number { state.dataProblems[question] = problems }
        }
        return problems
    }

    func post(_ event: PageEvent) { events.post(event) }

    /// Logs what becomes of a section.
    func report(_ section: PageSection, after former: PageSection) {
        guard section.state != former.state, section.state == .failed,
            case .failure(let content) = section.view.content
        else { return }
        link.log(.warning, "section \(section.name): \(content.advice ?? content.message)")
    }

    // MARK: - Changes

    /// Asks a module again wherever it is shown.
    func moduleChanged(_ event: PageModuleChanged) {
        conditions.forget(event.module)
        if library.forgetBrought(of: event.module) { planAll(askingAll: false) }
        let isCondition = state.withLock { $0.modules?[event.module]?.isCondition }
        for page in pages {
            Task {
                if isCondition != false { await page.plan(askingAll: false) }
                await page.moduleChanged(event)
            }
        }
    }

    /// Reads everything again after components have come or gone.
    func componentsChanged() {
        state.withLock { state in
            state.modules = nil
            state.dataProblems = [:]
            state.number += 1
        }
        conditions.forget()
        library.forgetBrought()
        planAll(askingAll: true)
    }

    /// Reads everything about a page again.
    func refresh() {
        conditions.forget()
        library.forgetBrought()
    }

    private func planAll(askingAll: Bool) {
        for page in pages { Task { await page.plan(askingAll: askingAll) } }
    }

    private var pages: [LivePage] { state.withLock { $0.pages.values.map(\.page) } }

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
        if isNew { planAll(askingAll: false) }
        for page in pages {
            await page.noteReaders()
            await forgetIfIdle(page)
        }
        return state.withLock { state in
            if state.pages.isEmpty { state.watching = nil }
            return !state.pages.isEmpty && !state.isEnded
        }
    }

    /// A caller does not use a page any more. A page that cannot be shown is forgotten, so that asking for pages that do
    /// not exist takes no room.
    private func end(_ page: LivePage) async {
        let uses = uses(of: page)
        let isKept = await page.isKept
        state.withLock { state in
            guard state.pages[page.id]?.page === page else { return }
            state.pages[page.id]?.users -= 1
            if !isKept { PageCenter.remove(page, usedOften: uses, from: &state) }
        }
    }

    /// Forgets a page that nobody has shown for a while.
    private func forgetIfIdle(_ page: LivePage) async {
        let uses = uses(of: page)
        guard await page.isIdle else { return }
        state.withLock { PageCenter.remove(page, usedOften: uses, from: &$0) }
    }

    private func uses(of page: LivePage) -> Int? {
        state.withLock { state in state.pages[page.id].flatMap { $0.page === page ? $0.uses : nil } }
    }

    /// Forgets a page unless somebody uses it, or has begun to since it was looked at.
    private static func remove(_ page: LivePage, usedOften uses: Int?, from state: inout State) {
        guard let shown = state.pages[page.id], shown.page === page, shown.users == 0, shown.uses == uses else {
            return
        }
        state.pages[page.id] = nil
    }

    /// Ends all sequences and all watching.
    func end() {
        let (pages, watching) = state.withLock { state in
            state.isEnded = true
            defer {
                state.pages = [:]
                state.watching = nil
            }
            return (state.pages.values.map(\.page), state.watching)
        }
        watching?.cancel()
        for page in pages { Task { await page.end() } }
    }
}

/// A call that is made known after its place has been passed on.
private final class LateCall: Sendable {
    private let body = Lock<(@Sendable () -> Void)?>(nil)

    func set(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }
    func call() { body.withLock { $0 }?() }
}
