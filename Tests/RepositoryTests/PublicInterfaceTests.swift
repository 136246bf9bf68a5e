import Foundation
import TestSupport
import Testing

/// `Tests/PublicInterface` lists the public interface of the libraries, so that a change of it is visible in review.
/// After an intended change, `HSLINK_WRITE_PUBLIC_INTERFACE=1 scripts/test --filter PublicInterface` rewrites the
/// files.
@Suite("The public interface")
struct PublicInterfaceTests {
    @Test("matches the committed listing", arguments: ["ComponentKit", "ComponentHost", "PageKit"])
    func listing(library: String) async throws {
        let directory = try TemporaryDirectory()
        let symbols = try await PublicSymbols.of(library, directory)
        let file = BuiltProducts.packageDirectory.appending(path: "Tests/PublicInterface/\(library).txt")
        let lines = symbols.lines
        #expect(lines.count > 200)
        if ProcessInfo.processInfo.environment["HSLINK_WRITE_PUBLIC_INTERFACE"] == "1" {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        }
        let known = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        let difference = lines.difference(from: known)
        let changes = difference.map { change in
            switch change {
            case .insert(_, let line, _): "+ \(line)"
            case .remove(_, let line, _): "- \(line)"
            }
        }
        #expect(changes == [], "\(file.lastPathComponent) says something else; is the change meant?")
    }

    @Test("has nothing that only generated code needs")
    func expansion() async throws {
        let directory = try TemporaryDirectory()
        let lines = try await PublicSymbols.of("ComponentKit", directory).lines
        #expect(lines.filter { $0.contains("__") && !$0.contains("@attached") } == [])
    }
}

/// The public declarations of a library, as the compiler writes them for documentation, without names that begin with
/// an underscore.
private struct PublicSymbols {
    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Fragment: Decodable { let spelling: String }
            struct Identifier: Decodable { let precise: String }
            let identifier: Identifier
            let pathComponents: [String]
            let declarationFragments: [Fragment]
        }

        struct Relationship: Decodable {
            let kind: String
            let source: String
            let target: String
            let targetFallback: String?
        }

        let symbols: [Symbol]
        let relationships: [Relationship]
    }

    /// One declaration per line, sorted: its parent, the declaration itself, and the conformances of a type.
    let lines: [String]

    /// Conformances that the compiler adds by itself.
    private static let implied: Set<String> = [
        "Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype", "Swift.BitwiseCopyable",
    ]

    /// - Parameter directory: The directory for intermediate files.
    static func of(_ library: String, _ directory: TemporaryDirectory) async throws -> PublicSymbols {
        let root = BuiltProducts.packageDirectory
        let script = """
            cd "$1"
            source scripts/lib.sh
            symbol_graphs "$2" "$3"
            """
        let run = try await ProgramRun.of(
            URL(filePath: "/bin/bash"),
            ["-c", script, "bash", root.path, BuiltProducts.directory.path, directory.path])
        try #require(run.status == 0, "\(run.standardError)")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        var lines: Set<String> = []
        for name in names.sorted() where name.hasPrefix("\(library).") || name.hasPrefix("\(library)@") {
            let data = try Data(contentsOf: URL(filePath: directory.path(of: name)))
            lines.formUnion(PublicSymbols(try JSONDecoder().decode(Graph.self, from: data)).lines)
        }
        return PublicSymbols(lines: lines.sorted())
    }

    private init(lines: [String]) { self.lines = lines }

    private init(_ graph: Graph) {
        let paths = Dictionary(
            graph.symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
            uniquingKeysWith: { first, _ in first })
        var conformances: [String: [String]] = [:]
        for relationship in graph.relationships where relationship.kind == "conformsTo" {
            // Unlisted protocols have no name here.
            guard let name = relationship.targetFallback ?? paths[relationship.target],
                !PublicSymbols.implied.contains(name)
            else { continue }
            conformances[relationship.source, default: []].append(name)
        }
        lines = graph.symbols.map { symbol in
            let path = symbol.pathComponents.joined(separator: ".")
            let declaration = symbol.declarationFragments.map(\.spelling).joined()
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let conforming = (conformances[symbol.identifier.precise] ?? []).sorted()
            return "\(path): \(declaration)"
                + (conforming.isEmpty ? "" : " // conforms to \(conforming.joined(separator: ", "))")
        }
    }
}
