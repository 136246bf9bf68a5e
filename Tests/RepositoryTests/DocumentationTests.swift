import Foundation
import TestSupport
import Testing

/// Checks that every code block in the README and on the pages is an excerpt of a source file that is built, and that
/// every link has a target.
@Suite("The documentation")
struct DocumentationTests {
    private static let root = BuiltProducts.packageDirectory
    private static let catalogue = root.appending(path: "Sources/Authoring/ComponentKit/ComponentKit.docc")

    /// The README, and the pages of the catalogue.
    private static func pages() throws -> [DocumentationPage] {
        let names = try FileManager.default.contentsOfDirectory(atPath: catalogue.path).filter { $0.hasSuffix(".md") }
        return try ([root.appending(path: "README.md")] + names.sorted().map { catalogue.appending(path: $0) })
            .map(DocumentationPage.init)
    }

    @Test("every block of code occurs in a source file that is built")
    func excerpts() throws {
        let sources = try SourceFile.all(below: Self.root)
        try #require(!sources.isEmpty)
        var count = 0
        for page in try Self.pages() {
            for block in page.blocks where block.isCode {
                count += 1
                let isFound = sources.contains { block.occurs(in: $0) }
                #expect(isFound, "\(page.name):\(block.line): the block occurs in no file of \(SourceFile.folders)")
            }
        }
        #expect(count > 30)
    }

    @Test("every link of a page in Markdown leads to a page or a file")
    func links() throws {
        let resources = try FileManager.default.contentsOfDirectory(
            atPath: Self.catalogue.appending(path: "Resources").path)
        let pages = RepositoryFile.all.filter { $0.path.hasSuffix(".md") }
        #expect(pages.contains { $0.path == "README.md" })
        for page in try pages.map({ try DocumentationPage(Self.root.appending(path: $0.path)) }) {
            for target in page.documentLinks {
                let file = Self.catalogue.appending(path: "\(target).md").path
                #expect(FileManager.default.fileExists(atPath: file), "\(page.path): there is no page \(target)")
            }
            for target in page.relativeLinks {
                let file = page.url.deletingLastPathComponent().appending(path: target).path
                let isResource = page.isInCatalogue && resources.contains { $0.hasPrefix("\(target).") }
                #expect(
                    isResource || FileManager.default.fileExists(atPath: file), "\(page.path): there is no \(target)")
            }
        }
    }

    @Test("every file that the page about the architecture names exists, and has the functions named beside it")
    func architecture() throws {
        let page = try DocumentationPage(Self.catalogue.appending(path: "Architecture.md"))
        var (fileCount, functionCount) = (0, 0)
        var former: [RepositoryFile] = []
        for line in page.text {
            var files: [RepositoryFile] = []
            for match in line.matches(of: /`([A-Za-z+\/]+\/[A-Za-z+_]+\.(?:swift|h))`/) {
                fileCount += 1
                if let file = Self.sources[String(match.1)] {
                    files.append(file)
                } else {
                    Issue.record("there is no \(match.1)")
                }
            }
            guard line.hasPrefix("|") else { continue }
            if line.contains("the same") { files += former }
            former = files
            // Rows without a file are about functions of any type.
            guard !files.isEmpty else { continue }
            for match in line.matches(of: /`[A-Z][A-Za-z.]*\.([a-z][A-Za-z]*)`/) {
                functionCount += 1
                let words = ["func", "var", "let"].map { "\($0) \(match.1)" }
                let isDeclared = files.contains { file in words.contains { file.declares($0) } }
                #expect(isDeclared, "\(files) declare no \(match.0)")
            }
        }
        #expect(fileCount > 80)
        #expect(functionCount > 40)
    }

    @Test("the page about events has every event of the host and of an application, with its name")
    func events() throws {
        let page = try DocumentationPage(Self.catalogue.appending(path: "ComponentEvents.md"))
        let text = page.text.joined(separator: "\n")
        var count = 0
        for file in RepositoryFile.all where file.path.hasPrefix("Sources/Authoring/ComponentKit/Events/") {
            let types = file.text.matches(of: /public struct (\w+): LinkEvent[^"]*"hslink\.\w+\/(\w+)"/)
            for match in types {
                count += 1
                let (_, type, word) = match.output
                #expect(text.contains("``ComponentKit/\(type)``"), "\(type) is missing")
                #expect(text.contains("`\(word)`") || text.contains("/\(word)`"), "\(word) is missing")
            }
        }
        #expect(count >= 14)
    }

    /// The files of `Sources` by the short paths that the page about the architecture has for them, and all files by
    /// their paths.
    private static let sources: [String: RepositoryFile] = {
        var sources: [String: RepositoryFile] = [:]
        for file in RepositoryFile.all {
            sources[file.path] = file
            guard file.path.hasPrefix("Sources/") else { continue }
            let target = file.path.split(separator: "/").dropFirst(2).joined(separator: "/")
            sources[target] = file
            for (folder, short) in [("ComponentHost/", ""), ("ComponentKit/", "Kit/")] where target.hasPrefix(folder) {
                sources[short + target.dropFirst(folder.count)] = file
            }
        }
        return sources
    }()

    @Test("the examples of annotations are those of the descriptions")
    func annotations() throws {
        let annotations = try Self.annotations()
        let page = try DocumentationPage(Self.catalogue.appending(path: "CLibraries.md"))
        var count = 0
        for line in page.text {
            for match in line.matches(of: /`"([^"]+)": "([^"]+)"` of\s`([^`]+)`/) {
                count += 1
                let (_, key, value, function) = match.output
                #expect(annotations[String(function)]?[String(key)] == String(value), "\(function): \(key)")
            }
        }
        #expect(count > 20)
    }

    /// The annotations of functions in the descriptions of the tests.
    private static func annotations() throws -> [String: [String: String]] {
        struct Description: Decodable {
            let annotations: [String: [String: String]]?
        }
        var all: [String: [String: String]] = [:]
        let folder = root.appending(path: "Tests/Descriptions")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let data = try Data(contentsOf: folder.appending(path: name))
            let description = try JSONDecoder().decode(Description.self, from: data)
            all.merge(description.annotations ?? [:]) { $1 }
        }
        return all
    }
}

extension RepositoryFile {
    /// Returns whether `text`, such as `func begin`, occurs as whole words.
    fileprivate func declares(_ text: String) -> Bool {
        lines(with: text).contains { _, line in
            line.ranges(of: text).contains { range in
                let next = line[range.upperBound...].first
                return !(next.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false)
            }
        }
    }
}

/// A page in Markdown: its blocks of code, and the lines around them.
private struct DocumentationPage {
    let url: URL
    /// The lines outside code blocks.
    let text: [String]
    let blocks: [CodeBlock]

    init(_ url: URL) throws {
        self.url = url
        var text: [String] = []
        var blocks: [CodeBlock] = []
        var open: CodeBlock?
        for (index, line) in try SourceFile.lines(of: url).enumerated() {
            guard line.hasPrefix("```") else {
                if open == nil { text.append(line) } else { open?.lines.append(line) }
                continue
            }
            if let block = open {
                blocks.append(block)
                open = nil
            } else {
                open = CodeBlock(language: String(line.dropFirst(3)), line: index + 1)
            }
        }
        try #require(open?.line == nil, "\(url.lastPathComponent): a block of code does not end")
        self.text = text
        self.blocks = blocks
    }

    var name: String { url.lastPathComponent }
    /// The path relative to the package's directory.
    var path: String { String(url.path.dropFirst(BuiltProducts.packageDirectory.path.count + 1)) }
    var isInCatalogue: Bool { url.path.contains(".docc/") }

    /// The pages that `<doc:Page>` names.
    var documentLinks: [String] { prose.flatMap { $0.matches(of: /<doc:([^>#]+)/).map { String($0.1) } } }

    /// The targets of `[text](path)`, without web addresses and anchors in this page.
    var relativeLinks: [String] {
        prose.flatMap { line in
            line.matches(of: /\]\(([^)\s]+)\)/).compactMap { match in
                let target = match.1.prefix { $0 != "#" }
                return target.isEmpty || target.contains(":") ? nil : String(target)
            }
        }
    }

    /// The lines without inline code.
    private var prose: [String] { text.map { $0.replacing(/`+[^`]*`+/, with: "") } }
}

/// A block of code between two fences.
private struct CodeBlock {
    let language: String
    /// The line of its opening fence.
    let line: Int
    var lines: [String] = []

    init(language: String, line: Int) {
        self.language = language
        self.line = line
    }

    /// Whether it must be an excerpt of a source file.
    var isCode: Bool { ["swift", "c", "cpp", "rust", "json", "dockerfile"].contains(language) }

    /// Returns whether its lines occur consecutively in the file, except for gaps marked `…` and empty lines at the
    /// ends.
    func occurs(in file: SourceFile) -> Bool {
        var next = 0
        for var part in lines.split(separator: "…") {
            while part.first?.isEmpty == true { part.removeFirst() }
            while part.last?.isEmpty == true { part.removeLast() }
            let places = next..<file.lines.count
            guard let place = places.first(where: { file.lines[$0...].starts(with: part) }) else { return false }
            next = place + part.count
        }
        return true
    }
}

/// A file of code.
private struct SourceFile {
    /// Its lines without indentation.
    let lines: [String]

    /// The folders of code for the pages. Excludes Plugins, because components may be removed from the package.
    static let folders = [
        "Tests/Examples", "Tests/OutsidePackage", "Tests/Descriptions", "Tests/Fixtures", "Sources",
    ]

    private static let endings = [".swift", ".c", ".h", ".cpp", ".rs", ".json", "Dockerfile"]

    static func all(below root: URL) throws -> [SourceFile] {
        var files: [SourceFile] = []
        for folder in folders {
            let path = root.appending(path: folder)
            let count = files.count
            let names = FileManager.default.enumerator(atPath: path.path)?.compactMap { $0 as? String } ?? []
            for name in names where endings.contains(where: { name.hasSuffix($0) }) {
                files.append(SourceFile(lines: try lines(of: path.appending(path: name))))
            }
            try #require(files.count > count, "there is no code in \(folder)")
        }
        return files
    }

    /// Returns the lines of a text without indentation.
    static func lines(of url: URL) throws -> [String] {
        try String(contentsOf: url, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
