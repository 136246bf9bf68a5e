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

/// The page data source: all pages that operators have written and components bring along.
final class PageLibrary: Sendable {
    private struct State {
        var stamps: [PageFolder.Stamp] = []
        /// How often the folder has changed.
        var changes = 0
        /// The files of operators, by name.
        var files: [String: StoredPage] = [:]
        /// The pages of components, sorted by component and file.
        var brought: [StoredPage]?
        /// How often the pages of components have been forgotten.
        var number = 0
    }

    private let folder: PageFolder?
    private let link: Link
    private let state = Lock(State())

    /// - Parameter folder: The folder of operators; nil if there is none.
    init(_ link: Link, folder: PageFolder?) {
        self.link = link
        self.folder = folder
    }

    /// Returns all page files: those of operators by name, then those of components.
    func all() async -> [StoredPage] {
        readFolder()
        let files = state.withLock { state in state.files.sorted { $0.key < $1.key }.map(\.value) }
        return files + (await brought())
    }

    /// Returns the page with an id. The first file that has it counts.
    func page(_ id: String) async -> StoredPage? {
        readFolder()
        let own = state.withLock { state in
            state.files.filter { $0.value.page?.id == id }.min { $0.key < $1.key }?.value
        }
        if let own { return own }
        // A file with a mistake is known by its name.
        let named = state.withLock { state in
            state.files["\(id).json"].flatMap { $0.page == nil ? $0 : nil }
        }
        if let named { return named }
        return await brought().first { $0.page?.id == id }
    }

    /// Reads the files that have changed.
    ///
    /// - Returns: How often any has.
    @discardableResult
    func readFolder() -> Int {
        guard let folder else { return 0 }
        let stamps = folder.stamps()
        let (former, changes) = state.withLock { ($0.stamps, $0.changes) }
        guard stamps != former else { return changes }
        let known = Set(former)
        var read: [String: StoredPage] = [:]
        for stamp in stamps where !known.contains(stamp) {
            read[stamp.name] = StoredPage("\(folder.path)/\(stamp.name)", folder.read(stamp.name))
        }
        let count = state.withLock { [read] state in
            let names = Set(stamps.map(\.name))
            state.files = state.files.filter { names.contains($0.key) }
            for (name, new) in read { state.files[name] = new.keeping(state.files[name]?.page) }
            state.stamps = stamps
            state.changes += 1
            return state.changes
        }
        for problem in read.values.sorted(by: { $0.source < $1.source }) where !problem.problems.isEmpty {
            link.log(.warning, problem.problemLines.joined(separator: "; "))
        }
        return count
    }

    /// Forgets the pages of components, which are asked again.
    func forgetBrought() {
        state.withLock { state in
            state.brought = nil
            state.number += 1
        }
    }

    /// Forgets the pages of components if one of them brings pages along.
    func forgetBrought(of component: String) -> Bool {
        let isOne = state.withLock { $0.brought?.contains { $0.source.hasPrefix("\(component): ") } ?? false }
        if isOne { forgetBrought() }
        return isOne
    }

    private func brought() async -> [StoredPage] {
        let (known, number) = state.withLock { ($0.brought, $0.number) }
        if let known { return known }
        var pages: [StoredPage] = []
        var isComplete = true
        for component in link.providers(of: PageSourceClient.self).sorted() {
            do {
                for file in try await files(of: component).prefix(PageFolder.mostFiles) {
                    pages.append(StoredPage("\(component): \(file.name)", (file.text, "")))
                }
            } catch {
                isComplete = false
                link.log(.warning, "the pages of \(component) are missing: \(error)")
            }
        }
        for page in pages where !page.problems.isEmpty {
            link.log(.warning, page.problemLines.joined(separator: "; "))
        }
        state.withLock { [pages, isComplete] state in
            // What was asked for before a component came or went is asked for again, as is one that did not answer.
            if isComplete, state.number == number { state.brought = pages }
        }
        return pages
    }

    /// Asks a component for its pages. The call is not made through the client, because it has a deadline.
    private func files(of component: String) async throws -> [PageFile] {
        let name = PageSourceClient.__service.name
        let found = try await link.call(
            Link.servicesClass, "find", ["service": .string(name), "component": .string(component)], kind: .class)
        return try await link.call(try found.string("class"), "pages", timeout: PageLibrary.sourceDeadline).value()
    }

    private static let sourceDeadline = Duration.seconds(5)
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
