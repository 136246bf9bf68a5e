import ComponentKit
import NXKit
import PageKit

/// A page file that has been read.
struct StoredPage: Sendable {
    /// The path of the file, or the component and the name of the file.
    var source: String
    /// The page; nil if the file is wrong and has been since it was first read.
    var page: PageDeclaration?
    /// What is wrong with the file as it is now. The page is that of the last time when nothing was.
    var problems: [PageProblem]
    /// The file as it is now, to say where something is written.
    var text: String
}

/// What is known of the page with an id.
enum PageSearch: Sendable {
    case found(StoredPage)
    case unknown
    /// A component that may bring the page along has not answered in time.
    case notYetKnown
}

/// The page data source: all pages that operators have written and components bring along.
final class PageLibrary: Sendable {
    /// What a component has said about the pages that it brings along.
    private struct Brought {
        /// The pages, sorted by file; none if the component has failed.
        var pages: [StoredPage] = []
        /// Whether it has not answered in time. Any page may be one of its own.
        var isLate = false
        /// When to ask again a component that has not said which pages there are.
        var retry: ContinuousClock.Instant?

        func isDue(at now: ContinuousClock.Instant) -> Bool { retry.map { $0 <= now } ?? false }
    }

    private struct State {
        var stamps: [PageFolder.Stamp] = []
        /// How many files there are too many.
        var more = 0
        /// How often the folder has changed.
        var changes = 0
        /// The files of operators, by name.
        var files: [[UInt8]: StoredPage] = [:]
        /// The pages of components, by the names of the components that have been asked.
        var brought: [String: Brought] = [:]
        /// How often the pages of components have been forgotten.
        var number = 0
    }

    private let folder: PageFolder?
    private let link: Link
    private let timeout: Duration
    private let state = Lock(State())
    private let reading = Lock(())

    /// - Parameters:
    ///   - folder: The folder of operators; nil if there is none.
    ///   - timeout: How long a component may take to say which pages it brings along, including the time to load it.
    init(_ link: Link, folder: PageFolder?, timeout: Duration) {
        self.link = link
        self.folder = folder
        self.timeout = timeout
    }

    /// Returns all page files: those of operators by name, then those of components.
    func all() async -> [StoredPage] {
        readFolder()
        let (own, more) = state.withLock { state in
            (state.files.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value), state.more)
        }
        return own + surplus(more) + (await brought()).flatMap(\.pages)
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
        let (stamps, more) = folder.stamps()
        let (former, formerMore, changes) = state.withLock { ($0.stamps, $0.more, $0.changes) }
        guard stamps != former || more != formerMore else { return changes }
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
            state.changes += 1
            return state.changes
        }
        let pages = read.values.sorted { $0.source < $1.source } + (more == formerMore ? [] : surplus(more))
        for page in pages where !page.problems.isEmpty {
            link.log(.warning, page.problemLines.joined(separator: "; "))
        }
        return count
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
            state.brought = [:]
            state.number += 1
        }
    }

    /// Forgets the pages of a component if it brings pages along.
    func forgetBrought(of component: String) -> Bool {
        state.withLock { state in
            guard state.brought.removeValue(forKey: component) != nil else { return false }
            state.number += 1
            return true
        }
    }

    /// The pages of components, sorted by component. Those that have not been asked yet are asked at once.
    private func brought() async -> [Brought] {
        let components = link.providers(of: PageSourceClient.self).sorted()
        let (known, number) = state.withLock { ($0.brought, $0.number) }
        var brought = known
        let now = ContinuousClock.now
        let missing = components.filter { brought[$0]?.isDue(at: now) ?? true }
        if !missing.isEmpty {
            await withTaskGroup(of: (String, Brought).self) { group in
                for component in missing { group.addTask { (component, await self.pages(of: component)) } }
                for await (component, found) in group { brought[component] = found }
            }
            state.withLock { [brought, number] state in
                // What was asked for before a component came or went is asked for again.
                guard state.number == number else { return }
                for component in missing { state.brought[component] = brought[component] }
            }
        }
        return components.compactMap { brought[$0] }
    }

    /// Asks a component for its pages.
    private func pages(of component: String) async -> Brought {
        let found: [PageFile]
        do {
            // They are for all sessions, whichever asks first.
            found = try await Session.with(nil) { try await files(of: component) }
        } catch {
            link.log(.warning, "the pages of \(component) are missing: \(error)")
            let isLate = (error as? LinkError)?.code == .deadlineExceeded
            return Brought(isLate: isLate, retry: .now + PageLibrary.rest)
        }
        let pages = found.prefix(PageFolder.mostFiles).map { file in
            guard file.text.utf8.count <= PageFolder.mostBytes else {
                return StoredPage("\(component): \(file.name)", (nil, PageFolder.tooLarge(file.text.utf8.count)))
            }
            return StoredPage("\(component): \(file.name)", (file.text, ""))
        }
        for page in pages where !page.problems.isEmpty {
            link.log(.warning, page.problemLines.joined(separator: "; "))
        }
        return Brought(pages: pages)
    }

    /// Asks a component for its pages. The call is not made through the client, because it has a timeout.
    private func files(of component: String) async throws -> [PageFile] {
        let name = PageSourceClient.__service.name
        let found = try await link.call(
            "hslink.Services", "find", ["service": .string(name), "component": .string(component)], kind: .class)
        return try await link.call(try found.string("class"), "pages", timeout: timeout).value()
    }

    /// After what time a component is asked again that has not answered.
    static let rest = Duration.seconds(30)
}

extension StoredPage {
    /// Reads a page file.
    init(_ source: String, _ content: (text: String?, problem: String)) {
        self.source = source
        text = content.text ?? ""
        if let text = content.text {
            (page, problems) = PageReader.read(text)
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
