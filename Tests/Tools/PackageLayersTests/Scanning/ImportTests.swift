import Foundation
import TestSupport
import Testing

@testable import PackageLayers

@Suite("Imports in a source file")
struct ImportTests {
    private func modules(_ text: String) -> [String] { SourceFacts(swift: Array(text.utf8)).imports.map(\.module) }

    @Test(
        "every form of an import is read",
        arguments: [
            ("import A", ["A"]), ("import A\nimport B\n", ["A", "B"]), ("import A; import B", ["A", "B"]),
            ("import A\r\nimport B\r\n", ["A", "B"]), ("import A\rimport B", ["A", "B"]),
            ("\u{FEFF}import A", ["A"]), ("#!/usr/bin/swift\nimport A", ["A"]), ("    import A", ["A"]),
            ("@testable import A", ["A"]), ("@_exported public import A", ["A"]), ("package import A", ["A"]),
            ("@_spi(Inner) @testable internal import A", ["A"]), ("@preconcurrency\nimport A", ["A"]),
            ("import struct A.B", ["A"]), ("import func A.b", ["A"]), ("import A.B.C", ["A"]),
            ("public import protocol A.B", ["A"]), ("import typealias A.B", ["A"]), ("import class A.B", ["A"]),
            ("import `A`", ["A"]), ("import Ärger", ["Ärger"]), ("import\n    A", ["A"]),
            ("import /* why */ A // because", ["A"]),
            ("#if canImport(A)\nimport A\n#elseif os(Linux)\nimport B\n#else\nimport C\n#endif", ["A", "B", "C"]),
            ("let a = 1\nimport A", ["A"]), ("func f() { g(a: [1, 2], b: (3)) }\nimport A", ["A"]),
        ])
    func forms(text: String, names: [String]) { #expect(modules(text) == names) }

    @Test(
        "what only looks like an import is skipped",
        arguments: [
            "// import A", "/* import A */", "/* /* */\nimport A */", "/// ```\n/// import A\n/// ```",
            "let a = \"import A\"", "let a = \"\"\"\nimport A\n\"\"\"", "let a = #\"\"\"\n\"\"\"\nimport A\n\"\"\"#",
            "let a = \"\\(b(\"\\(c)\"))\"; f(import: A)", "f(import: a)", "func f(\n    import A: Int) {}",
            "a.import\n",
            "let `import` = 1", "let a = [\nimport A\n]", "importA", "import", "import 1 +",
            "let a = #/\nimport A\n/#", "let a = \"\"\"\n\\(\"\"\"\nimport A\n\"\"\")\nimport B\n\"\"\"",
            "x import A",
        ])
    func others(text: String) {
        let found = modules(text).filter { $0.first?.isLetter == true }
        #expect(found == [], "\(text)")
    }

    @Test(
        "literals and regular expressions end where they end",
        arguments: [
            "let a = \"\\\"\"", "let a = \"\\\\\"", "let a = #\"\\\"#", "let a = ##\"\"#\"##", "let a = \"\"",
            "let a = \"\"\"\n\\\"\"\"\n\"\"\"", "let a = \"\\(b ? \"c\" : \"(\")\"", "let a = \"\\((1, (2)))\"",
            "let a = /\"/", "let a = b.matches(of: /\\/\\*\"/)", "let a = #/\"/#", "let a = b / c / d // \"",
            "let a = (b) / \"c\".count", "let a = 1 /* \" */ + 2", "let a = \"/*\"", "let a = \"//\"", "let a = '\"",
            "let a = \"not closed", "return /[\"']/\n", "let a = #\"\\#(b + \")\")\"#", "/* a /* b */ \" */",
        ])
    func ends(text: String) { #expect(modules("\(text)\nimport A") == ["A"], "\(text)") }

    @Test("the position is that of the module's name, in bytes")
    func positions() {
        let facts = SourceFacts(swift: Array("import A\n/* ü */ public import struct B.C\r\n\timport D".utf8))
        #expect(
            facts.imports.map(\.position) == [
                SourcePosition(line: 1, column: 8), SourcePosition(line: 2, column: 31),
                SourcePosition(line: 3, column: 9),
            ])
    }

    @Test(
        "components and services are found by their attributes",
        arguments: [
            ("import ComponentKit\n@Component(version: \"1.0.0\")\nstruct A {}", 2, nil),
            ("@ComponentKit.Component(version: \"1.0.0\") struct A {}", 1, nil),
            ("#if os(Linux)\n@Component(version: \"1.0.0\") struct A {}\n#endif", 2, nil),
            ("@LinkService(\"a/1\") public protocol A {}", nil, 1), ("// @Component\n", nil, nil),
            ("let a = \"\"\"\n@Component(version: \"\")\n@LinkService(\"\")\n\"\"\"", nil, nil),
            ("@ComponentFactory struct A {}", nil, nil), ("@Component.Key var a = 1", nil, nil),
            ("struct Component {}", nil, nil),
        ] as [(String, Int?, Int?)])
    func declarations(text: String, component: Int?, service: Int?) {
        let facts = SourceFacts(swift: Array(text.utf8))
        #expect(facts.component?.line == component)
        #expect(facts.service?.line == service)
    }

    @Test(
        "the layer, the services and the provided protocols are read from the attributes",
        arguments: [
            ("@Component(version: \"1.0.0\", layer: .weakBusiness)", "weakBusiness", [], []),
            ("@Component(\"A\", version: \"1.0.0\", layer: ComponentLayer.base, requires: [])", "base", [], []),
            ("@Component(version: \"layer: .base\", requires: [.a(layer: .host)])", nil, [], []),
            ("@Component(version: \"1.0.0\") struct A { let layer: Layer }", nil, [], []),
            (
                "@LinkService(\"a/1\")\n/// A.\npublic protocol A: Sendable {}\n@LinkService(\"b\") protocol B {}", nil,
                ["A", "B"], []
            ),
            ("@LinkClass(provides: (any A).self) final class B: A {}", nil, [], ["A"]),
            ("@LinkClass(\"B\", provides: (any Film.A).self, instances: .perCall) class B {}", nil, [], ["A"]),
            ("@LinkClass final class B { func provides(a: Int) {} }", nil, [], []),
        ] as [(String, String?, [String], [String])])
    func arguments(text: String, layer: String?, services: [String], provides: [String]) {
        let facts = SourceFacts(swift: Array(text.utf8))
        #expect(facts.declaredLayer == layer)
        #expect(facts.services == services)
        #expect(facts.provides == provides)
    }

    @Test(
        "a component in C is found by its manifest",
        arguments: [
            ("#include \"hslink.h\"\nHSLINK_MANIFEST(\"{}\")", 2), ("/* HSLINK_MANIFEST(\"\") */", nil),
            ("// HSLINK_MANIFEST(\"\")", nil), ("const char *a = \"HSLINK_MANIFEST(\\\"\\\")\";", nil),
            ("#ifdef HSLINK_MANIFEST\n#endif", nil),
        ] as [(String, Int?)])
    func manifests(text: String, line: Int?) { #expect(SourceFacts(c: Array(text.utf8)).component?.line == line) }
}

@Suite("Random source files")
struct RandomSourceTests {
    /// Files of this package, which use all of the language.
    private static let files = CaseTable("the first Swift files in Tests") {
        let folder = BuiltProducts.packageDirectory.appending(path: "Tests").resolvingSymlinksInPath()
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try names.filter { $0.hasSuffix(".swift") }.sorted().prefix(40).map { name in
            Array(try Data(contentsOf: folder.appending(path: name)).prefix(4000))
        }
    }

    @Test("the files are there")
    func hasFiles() { Self.files.expect(count: 40) }

    private static let pieces = [
        "\"", "\"\"\"", "#\"", "\"#", "\\(", ")", "(", "/*", "*/", "//", "\n", "\r\n", "`", "#/", "/#", "\\", "import ",
        "import B\n", "@Component(", "{", "}", "[", "]", "\u{0}", "é", "'",
    ].map { Array($0.utf8) }

    /// Returns the beginning of a file in which pieces were inserted, removed and replaced.
    private static func mutated(_ random: inout SplitMix64) -> [UInt8] {
        var bytes = files.cases.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...6, using: &random))
            var piece = pieces.randomElement(using: &random) ?? []
            if Bool.random(using: &random) { piece = [UInt8.random(in: .min ... .max, using: &random)] }
            bytes.replaceSubrange(place..<end, with: piece)
        }
        return bytes
    }

    @Test("positions of imports lie in the file, and the name stands there")
    func positions() {
        var random = SplitMix64(seed: 1)
        var count = 0
        for _ in 0..<300 {
            let bytes = Self.mutated(&random)
            for statement in SourceFacts(swift: bytes).imports {
                count += 1
                let offset = Self.offset(of: statement.position, in: bytes)
                let name = Array(statement.module.utf8)
                let isThere = bytes[offset...].starts(with: name) || bytes[offset...].dropFirst().starts(with: name)
                // A name that is not UTF-8 is repaired.
                #expect(isThere || statement.module.contains("\u{FFFD}"), "\(statement)")
            }
        }
        #expect(count > 300)
    }

    @Test("nothing inside a comment or raw literal is an import")
    func enclosed() {
        var random = SplitMix64(seed: 2)
        for _ in 0..<300 {
            let text = Self.mutated(&random)
            let comment = text.filter { $0 != UInt8(ascii: "*") }
            for (start, content, end) in [("/*", comment, " */"), ("let a = ###\"\"\"\n", text, "\n\"\"\"###")] {
                let bytes = Array("import A\n\(start)".utf8) + content + Array("\(end)\nimport Z\n".utf8)
                #expect(SourceFacts(swift: bytes).imports.map(\.module) == ["A", "Z"])
            }
        }
    }

    /// Returns the offset of a position, counting lines as the scanner does.
    private static func offset(of position: SourcePosition, in bytes: [UInt8]) -> Int {
        var (line, start) = (1, 0)
        for (index, byte) in bytes.enumerated() where line < position.line {
            let isAlone = byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
            if byte == 0x0A || isAlone { (line, start) = (line + 1, index + 1) }
        }
        return start + position.column - 1
    }
}
