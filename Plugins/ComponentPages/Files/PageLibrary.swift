import ComponentKit
import NXKit
import PageKit

/// A page file that has been read.
struct StoredPage: Sendable {
    /// The path of the file, or the component and the name of the file.
    var source: String
    /// The component that brings it along; nil if an operator has written it.
    var component: String?
    /// The page; nil if the file is wrong and has been since it was first read.
    var page: PageDeclaration?
    /// What the file has now besides its mistakes, to look for others in it; nil if nothing can be read.
    var written: PageDeclaration?
    /// What is wrong with the file as it is now. The page is that of the last time when nothing was.
    var problems: [PageProblem]
    /// The file as it is now, to say where something is written.
    var text: String
}

/// What is known of the page with an id.
enum PageSearch: Sendable {
    case found(StoredPage)
    case unknown
    /// A component that may bring the page along has not answered.
    case notYetKnown
}

/// The page data source: all pages that operators have written and components bring along.
final class PageLibrary: Sendable {
    /// What a component has said about the pages that it brings along.
    private struct Brought {
        /// The pages, sorted by file; none if the component has failed.
        var pages: [StoredPage] = []
        /// Whether it has not answered. Any page may be one of its own.
        var isLate = false
        /// When to ask again a component that has not said which pages there are.
        var retry: ContinuousClock.Instant?
    }

    /// A component that may bring pages along.
    private struct Source {
        let question = SharedQuestion<Brought>()
        /// What it has said last; nil if that has been forgotten.
        var brought: Brought?
        /// How long it was left alone when it had last not said which pages there are; nil if it has said so since.
        var rest: Duration?
        /// What to do when it answers, for those who have not waited so long; nil if there are none.
        var late: (@Sendable () -> Void)?

        /// What counts now; nil if the component is to be asked.
        var known: Brought? {
            guard let brought, brought.retry.map({ $0 > .now }) ?? true else { return nil }
            return brought
        }
    }

    private struct State {
        var stamps: [PageFolder.Stamp] = []
        /// How many files there are too many.
        var more = 0
        /// Why the folder is not read.
        var folderProblem: String?
        /// How often the folder has changed.
        var changes = 0
        /// The files of operators, by name.
        var files: [[UInt8]: StoredPage] = [:]
        /// The components that have been asked for pages, by name.
        var sources: [String: Source] = [:]

        mutating func forget(_ component: String) {
            sources[component]?.brought = nil
            sources[component]?.question.outdate()
        }
    }

    private let folder: PageFolder?
    /// Why there is no folder; nil if there is one, or if the host keeps no data.
    private let noFolder: String?
    private let link: Link
    private let timeout: Duration
    private let state = Lock(State())
    private let reading = Lock(())

    /// - Parameters:
    ///   - folder: The folder of operators; nil if there is none.
    ///   - noFolder: Why there is none, if there should be one.
    ///   - timeout: How long a component may take to say which pages it brings along, including the time to load it.
    init(_ link: Link, folder: PageFolder?, noFolder: String? = nil, timeout: Duration) {
        self.link = link
        self.folder = folder
        self.noFolder = noFolder
        self.timeout = timeout
    }

    /// Returns all page files: those of operators by name, then those of components.
    ///
    /// - Parameters:
    ///   - time: how long to wait for components; nil for as long as they may take.
    ///   - late: called when a component answers after that, whose pages have been left out.
    func all(within time: Duration? = nil, late: (@Sendable () -> Void)? = nil) async -> [StoredPage] {
        readFolder()
        let (own, more, problem) = state.withLock { state in
            (
                state.files.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value), state.more,
                state.folderProblem
            )
        }
        let unread = surplus(more) + self.unread(problem ?? noFolder)
        return own + unread + (await brought(within: time, late: late)).flatMap(\.pages)
    }

    /// Finds the page with an id. The first file that has it counts.
    func page(_ id: String) async -> PageSearch {
        readFolder()
        let own = state.withLock { state in
            state.files.filter { $0.value.page?.id == id }.min { $0.key.lexicographicallyPrecedes($1.key) }?.value
        }
        if let own { return .found(own) }
        // A file with a mistake is known by its name.
        let named = state.withLock { state in
            state.files[Array("\(id).json".utf8)].flatMap { $0.page == nil ? $0 : nil }
        }
        if let named { return .found(named) }
        let brought = await brought()
        // A component that has not answered may also have a page with the id that counts before this one. That is no
        // reason to show none.
        if let page = brought.lazy.flatMap(\.pages).first(where: { $0.page?.id == id }) { return .found(page) }
        return brought.contains(where: \.isLate) ? .notYetKnown : .unknown
    }

    /// Reads the files that have changed.
    ///
    /// - Returns: How often any has.
    @discardableResult
    func readFolder() -> Int {
        // One caller reads them, and the others wait: each would read the same.
        folder.map { folder in reading.withLock { _ in readFolder(folder) } } ?? 0
    }

    private func readFolder(_ folder: PageFolder) -> Int {
        let problem = folder.problem
        let (stamps, more) = folder.stamps()
        let (former, formerMore, formerProblem, changes) = state.withLock { state in
            (state.stamps, state.more, state.folderProblem, state.changes)
        }
        guard stamps != former || more != formerMore || problem != formerProblem else { return changes }
        let known = Set(former)
        var read: [[UInt8]: StoredPage] = [:]
        for stamp in stamps where !known.contains(stamp) {
            read[stamp.name] = StoredPage("\(folder.path)/\(stamp.nameText)", folder.read(stamp))
        }
        let count = state.withLock { [read] state in
            let names = Set(stamps.map(\.name))
            state.files = state.files.filter { names.contains($0.key) }
            for (name, new) in read { state.files[name] = new.keeping(state.files[name]?.page) }
            state.stamps = stamps
            state.more = more
            state.folderProblem = problem
            state.changes += 1
            return state.changes
        }
        for line in PageLibrary.repetitions(in: state.withLock { $0.files }, of: Set(read.keys)) {
            link.log(.warning, line)
        }
        let pages =
            read.values.sorted { $0.source < $1.source } + (more == formerMore ? [] : surplus(more))
            + (problem == formerProblem ? [] : unread(problem))
        for page in pages where !page.problems.isEmpty {
            link.log(.warning, page.problemLines.joined(separator: "; "))
        }
        return count
    }

    /// Returns a sentence for each file that has the page of another one before it.
    ///
    /// - Parameters:
    ///   - files: All files, by name.
    ///   - new: The names of those that have just been read; nothing is said of two others.
    private static func repetitions(in files: [[UInt8]: StoredPage], of new: Set<[UInt8]>) -> [String] {
        var first: [String: (name: [UInt8], page: StoredPage)] = [:]
        var lines: [String] = []
        for (name, page) in files.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            guard let id = page.page?.id else { continue }
            guard let other = first[id] else {
                first[id] = (name, page)
                continue
            }
            guard new.contains(name) || new.contains(other.name) else { continue }
            lines.append("\(page.source): not used: \(other.page.source) has the page \"\(id)\" already")
        }
        return lines
    }

    /// The folder as a file that is not read, with the reason.
    private func unread(_ problem: String?) -> [StoredPage] {
        problem.map { [StoredPage(folder?.path ?? "pages", (nil, $0))] } ?? []
    }

    /// What is wrong with a folder of too many files.
    private func surplus(_ more: Int) -> [StoredPage] {
        guard let folder, more > 0 else { return [] }
        let problem = "it has \(more) page files too many; only the first \(PageFolder.mostFiles) by name are read"
        return [StoredPage(folder.path, (nil, problem))]
    }

    /// Forgets the pages of components, which are asked again.
    func forgetBrought() {
        state.withLock { state in
            for component in Array(state.sources.keys) { state.forget(component) }
        }
    }

    /// Forgets the pages of a component if it brings pages along.
    func forgetBrought(of component: String) -> Bool {
        state.withLock { state in
            state.forget(component)
            return state.sources[component] != nil
        }
    }

    /// The pages of components, sorted by component. Those that are not known are asked at once.
    private func brought(
        within time: Duration? = nil, late: (@Sendable () -> Void)? = nil
    ) async -> [Brought] {
        let components = link.providers(of: PageSourceClient.self).sorted()
        let known = state.withLock { $0.sources.compactMapValues(\.known) }
        var brought = known
        await withTaskGroup(of: (String, Brought).self) { group in
            for component in components where known[component] == nil {
                group.addTask { (component, await self.pages(of: component, within: time, late: late)) }
            }
            for await (component, found) in group { brought[component] = found }
        }
        return components.compactMap { brought[$0] }
    }

    /// Waits for the pages of a component, together with all others who want them.
    private func pages(
        of component: String, within time: Duration?, late: (@Sendable () -> Void)?
    ) async -> Brought {
        let question = state.withLock { state in
            let source = state.sources[component] ?? Source()
            state.sources[component] = source
            return source.question
        }
        let found = await question.answer(within: time) {
            // They are for all sessions, whoever asks first: the question has nothing of its task, and does not end with
            // it.
            await Task.detached { await self.ask(component) }.value
        }
        if let found { return found }
        // Without an answer, the caller has been cancelled, or waits no longer.
        return state.withLock { state in
            // It may have answered just now.
            if let known = state.sources[component]?.known { return known }
            if let late { state.sources[component]?.late = late }
            return Brought(isLate: true)
        }
    }

    private func ask(_ component: String) async -> Brought {
        // Another question may have been answered while this one was on its way.
        let (known, former) = state.withLock { ($0.sources[component]?.known, $0.sources[component]?.rest) }
        if let known { return known }
        var brought = Brought()
        var rest: Duration?
        do {
            brought.pages = PageLibrary.read(try await files(of: component), of: component)
        } catch {
            link.log(.warning, "the pages of \(component) are missing: \(error)")
            let code = (error as? LinkError)?.code
            brought.isLate = code.map { PageLibrary.noAnswers.contains($0) } ?? false
            // What was cancelled, as when the host stops, says nothing about the next time.
            let pause = code == .cancelled ? Duration.zero : PageLibrary.nextRest(after: former)
            rest = code == .cancelled ? former : pause
            brought.retry = .now + pause
        }
        for page in brought.pages where !page.problems.isEmpty {
            link.log(.warning, page.problemLines.joined(separator: "; "))
        }
        let late = state.withLock { [brought, rest] state -> (@Sendable () -> Void)? in
            guard var source = state.sources[component] else { return nil }
            defer { state.sources[component] = source }
            source.rest = rest
            // What was asked for before a component came or went is asked for again.
            if !source.question.isOutdated { source.brought = brought }
            return source.late.take()
        }
        late?()
        return brought
    }

    private static func read(_ files: [PageFile], of component: String) -> [StoredPage] {
        files.prefix(PageFolder.mostFiles).map { file in
            let isLarge = file.text.utf8.count > PageFolder.mostBytes
            let content = isLarge ? (nil, PageFolder.tooLarge(file.text.utf8.count)) : (file.text, "")
            var page = StoredPage("\(component): \(file.name)", content)
            page.component = component
            return page
        }
    }

    /// Asks a component for its pages. The call is not made through the client, because it has a timeout.
    private func files(of component: String) async throws -> [PageFile] {
        let name = PageSourceClient.__service.name
        let found = try await link.call(
            "hslink.Services", "find", ["service": .string(name), "component": .string(component)], kind: .class)
        return try await link.call(try found.string("class"), "pages", timeout: timeout).value()
    }

    /// The errors that say nothing about the pages of a component: the call was not carried out, or not to its end. All
    /// others are its answer, and so is that it cannot be loaded.
    static let noAnswers: Set<LinkError.Code> = [
        .deadlineExceeded, .stuck, .cancelled, .stopped, .wouldDeadlock, .tooDeep,
    ]

    /// After what time a component is asked again that has not answered.
    static let rest = Duration.seconds(30)
    /// The longest such time.
    static let longestRest = Duration.seconds(600)

    /// Returns after what time a component is asked again that has not answered once more: a thread may hang in each
    /// question.
    ///
    /// - Parameter former: How long it was left alone before; nil if it has answered then.
    static func nextRest(after former: Duration?) -> Duration { min(former.map { $0 * 2 } ?? rest, longestRest) }
}

extension StoredPage {
    /// Reads a page file.
    init(_ source: String, _ content: (text: String?, problem: String)) {
        self.source = source
        text = content.text ?? ""
        if let text = content.text {
            (written, problems) = PageReader.read(text)
            page = problems.isEmpty ? written : nil
        } else {
            problems = [PageProblem(line: 0, column: 0, message: content.problem)]
        }
    }

    /// The same file, with the page as it was before if this one has a mistake.
    fileprivate func keeping(_ former: PageDeclaration?) -> StoredPage {
        var copy = self
        copy.page = page ?? former
        return copy
    }

    /// The problems with their places.
    var problemLines: [String] {
        problems.map { problem in
            let place = problem.line > 0 ? ":\(problem.line):\(problem.column)" : ""
            return "\(source)\(place): \(problem.message)"
        }
    }
}
