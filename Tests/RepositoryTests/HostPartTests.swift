import Foundation
import TestSupport
import Testing

/// ComponentHost consists of parts, each in a folder of its own, of which every one builds on those before it. The
/// compiler does not know them, so this test reads which types their files name. ComponentCatalog, on which all of them
/// build, is a target of its own.
@Suite("The parts of ComponentHost")
struct HostPartTests {
    /// Places that are still to go, by file, with how many there are.
    private static let known: [String: Int] = [:]

    @Test("no part names a type of a later part, and no feature one of another")
    func directions() throws {
        let files = try HostPartFile.all()
        #expect(Set(files.map(\.part)).count == 10)
        let owners = HostPartFile.owners(in: files)
        #expect(owners.count > 130)
        for file in files {
            let names = file.names(ofOthers: owners)
            let expected = HostPartTests.known[file.path] ?? 0
            #expect(names.count == expected, "\(file.path) names \(names.joined(separator: ", "))")
        }
        for path in HostPartTests.known.keys {
            #expect(files.contains { $0.path == path }, "\(path) is listed, and there is no such file")
        }
    }

    @Test(
        "a type of a later part is found where code names it",
        arguments: [
            ("let host: LinkHost", ["LinkHost"]), ("    /// See ``LinkHost/stop()``.", []),
            ("let a = 1 // A LinkHost.", []), ("extension HostRoutes {", ["HostRoutes"]),
            ("let core: HostCore", []), ("let hosts: [LinkHosts]", []),
            ("f(LinkHost.self, LinkHost(a))", ["LinkHost", "LinkHost"]),
        ])
    func found(line: String, names: [String]) throws {
        let files = try [
            ("HostKernel/A.swift", "final class HostCore {"), ("Features/Routes/B.swift", "public struct HostRoutes {"),
            ("Composition/C.swift", "public final class LinkHost: Sendable {"), ("Features/Events/D.swift", line),
        ].map { try HostPartFile(path: $0, text: $1) }
        #expect(files[3].names(ofOthers: HostPartFile.owners(in: files)) == names)
    }
}

/// A file of ComponentHost.
private struct HostPartFile {
    /// The parts in the order in which they build on one another; those of one number do not.
    private static let order = [
        "HostKernel": 0, "DescribedLibraries": 1, "Features": 1, "Composition": 2,
    ]

    /// The path below the folder of the module.
    let path: String
    /// The folder of the part.
    let part: String
    /// The place of the part in their order.
    let number: Int
    /// The lines without comments.
    private let lines: [Substring]

    init(path: String, text: String) throws {
        self.path = path
        let folders = path.split(separator: "/").dropLast()
        let first = String(folders.first ?? "")
        part = folders.prefix(first == "Features" ? 2 : 1).joined(separator: "/")
        number = try #require(HostPartFile.order[first], "\(path) is in no part")
        lines = text.split(separator: "\n").compactMap { line in
            line.drop { $0 == " " }.hasPrefix("//") ? nil : line.split(separator: " // ").first
        }
    }

    static func all() throws -> [HostPartFile] {
        let folder = "Sources/Hosting/ComponentHost/"
        return try RepositoryFile.swift.filter { $0.path.hasPrefix(folder) }.map {
            try HostPartFile(path: String($0.path.dropFirst(folder.count)), text: $0.text)
        }
    }

    /// Returns the files that declare the types, by their names, without types within others.
    static func owners(in files: [HostPartFile]) -> [Substring: HostPartFile] {
        let declaration = /(?:@\w+ |public |package |final |indirect )*(?:class|struct|enum|protocol|typealias) (\w+)/
        var owners: [Substring: HostPartFile] = [:]
        for file in files {
            for line in file.lines { if let match = line.prefixMatch(of: declaration) { owners[match.1] = file } }
        }
        return owners
    }

    /// Returns the types that the file names and should not, as often as it does.
    func names(ofOthers owners: [Substring: HostPartFile]) -> [String] {
        lines.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }.filter { word in
            guard let owner = owners[word] else { return false }
            return owner.part != part && owner.number >= number
        }.map(String.init)
    }
}
