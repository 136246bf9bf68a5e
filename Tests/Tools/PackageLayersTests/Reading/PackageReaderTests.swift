import Foundation
import TestSupport
import Testing

@testable import PackageLayers

@Suite("Reading a package from disk")
struct PackageReaderTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ text: String, to name: String) throws {
        if name.contains("/") {
            try directory.makeDirectory(name.split(separator: "/").dropLast().joined(separator: "/"))
        }
        try directory.write(text, to: name)
    }

    @Test("targets of every kind, in usual and unusual folders")
    func kinds() throws {
        try write(
            """
            // swift-tools-version: 6.2
            import CompilerPluginSupport
            import PackageDescription

            let package = Package(
                name: "Studio",
                dependencies: [
                    .package(url: "https://example.com/Tools.git", from: "1.0.0"), .package(id: "some.net", from: "1.0.0"),
                ],
                targets: [
                    .target(
                        name: "Film",
                        dependencies: [
                            "Lamp", "Net", .target(name: "Bulb"),
                            .product(name: "Old", package: "Tools", moduleAliases: ["Old": "New"]),
                        ],
                        path: "Parts/Film", exclude: ["Drafts", "notes.swift"], sources: ["A", "one.swift"]),
                    .target(name: "Lamp", resources: [.copy("Templates")]), .target(name: "Bulb", path: "Sources/Lamp/Bulb"),
                    .target(name: "Gone"),
                    .executableTarget(name: "app"),
                    .macro(name: "Macros"),
                    .systemLibrary(name: "CDisc"),
                    .binaryTarget(name: "Blob", path: "Blob.artifactbundle"),
                    .plugin(name: "Maker", capability: .buildTool(), dependencies: ["app"]),
                    .testTarget(name: "FilmTests", dependencies: ["Film"]),
                ]
            )
            """, to: "Package.swift")
        try write("import One", to: "Parts/Film/one.swift")
        try write("import Two", to: "Parts/Film/two.swift")
        try write("import Deep", to: "Parts/Film/A/B/deep.swift")
        try write("import Draft", to: "Parts/Film/A/Drafts/draft.swift")
        try write("import Excluded", to: "Parts/Film/Drafts/draft.swift")
        try write("import Lamps", to: "Sources/Lamp/a.swift")
        try write("import Hidden", to: "Sources/Lamp/.hidden.swift")
        try write("import Template", to: "Sources/Lamp/Templates/a.swift")
        try write("import Bulbs", to: "Sources/Lamp/Bulb/a.swift")
        try write("import Apps", to: "Source/app/main.swift")
        try write("import Swift", to: "src/Macros/a.swift")
        try write("import Testing", to: "Tests/FilmTests/a.swift")
        try write("import Plug", to: "Plugins/Maker/a.swift")
        let package = try PackageReader.read(directory.path)
        #expect(package.name == "Studio")
        #expect(
            package.dependencies == [PackageReference(identity: "tools"), PackageReference(identity: "some.net")])
        func modules(_ name: String) -> [String] {
            package.targets.first { $0.name == name }?.files.flatMap { $0.facts.imports.map(\.module) } ?? ["no target"]
        }
        #expect(modules("Film") == ["Deep", "Draft", "One"])
        #expect(modules("Lamp") == ["Lamps"])
        #expect(modules("Bulb") == ["Bulbs"])
        #expect(modules("app") == ["Apps"])
        #expect(modules("Macros") == ["Swift"])
        #expect(modules("FilmTests") == ["Testing"])
        #expect(modules("Maker") == ["Plug"])
        let kinds = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0.kind) })
        #expect(kinds["CDisc"] == .system && kinds["Blob"] == .binary && kinds["app"] == .executable)
        #expect(
            package.targets.first?.dependencies == [
                .target("Lamp"), .product("Net", package: nil), .target("Bulb"),
                .product("Old", package: "Tools", aliases: ["Old": "New"]),
            ])
        #expect(package.targets.flatMap { $0.problems.map(\.path) } == ["\(directory.path)/Sources/Gone"])
    }

    @Test("loops, broken links and files that no compiler would read are survived, and those that matter are reported")
    func hostile() throws {
        try write(
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(name: "Studio", targets: [.target(name: "Film")])
            """, to: "Package.swift")
        // The sources of the only target may lie directly in Sources.
        try write("import A", to: "Sources/a.swift")
        try directory.link("Sources/loop", to: "../Sources")
        try directory.link("Sources/self", to: "self")
        try directory.link("Sources/gone.swift", to: "nowhere")
        try directory.link("Sources/gone.txt", to: "nowhere")
        try write("import B", to: "Other/b.swift")
        try directory.link("Sources/Other", to: "../Other")
        try directory.makeDirectory("Sources/folder.swift")
        try directory.write([0xFF, 0xFE, 0x0A] + Array("import C".utf8), to: "Sources/latin.swift")
        #expect(unsafe mkfifo(directory.path(of: "Sources/pipe.swift"), 0o644) == 0)
        let large = try directory.write("import D\n", to: "Sources/large.swift")
        #expect(unsafe truncate(large, 17 << 20) == 0)
        let name = Array("\(directory.path)/Sources/".utf8CString.dropLast()) + [-1, 46, 115, 119, 105, 102, 116, 0]
        let file = unsafe open(name, O_CREAT | O_WRONLY, 0o644)
        #expect(file >= 0)
        close(file)
        let package = try PackageReader.read(directory.path)
        let target = try #require(package.targets.first)
        #expect(target.files.flatMap { $0.facts.imports.map(\.module) }.sorted() == ["A", "B", "C"])
        let problems = target.problems.map { "\($0.path.dropFirst(directory.path.count + 1)): \($0.reason)" }
        #expect(
            problems.sorted() == [
                "Sources/gone.swift: it cannot be read: No such file or directory",
                "Sources/large.swift: it is larger than 16 MB", "Sources/\u{FFFD}.swift: its name is not UTF-8",
            ])
    }

    @Test("components in packages beside this one are known as such")
    func neighbours() throws {
        try write(
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "Studio",
                dependencies: [.package(path: "../Sound"), .package(path: "../Nowhere"), .package(path: "../Broken")],
                targets: [.target(name: "Film", dependencies: [
                    .product(name: "Sound", package: "Sound"), .product(name: "Tools", package: "Nowhere"),
                    .product(name: "Parts", package: "Broken"),
                ])])
            """, to: "Studio/Package.swift")
        try write(
            "import ComponentKit\nimport Sound\n@Component(version: \"1.0.0\") struct Film {}",
            to: "Studio/Sources/Film/Film.swift")
        try write(
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "Sound", products: [.library(name: "Sound", type: .dynamic, targets: ["Sound"])],
                targets: [.target(name: "Sound")])
            """, to: "Sound/Package.swift")
        try write(
            "import ComponentKit\n@Component(version: \"1.0.0\") struct Sound {}", to: "Sound/Sources/Sound/Sound.swift"
        )
        try write("// swift-tools-version: 6.2\nlet package = 1\n", to: "Broken/Package.swift")
        let report = LayerReport(try PackageReader.read(directory.path(of: "Studio")))
        try #require(report.findings.map(\.kind) == [.unread, .unread, .sideways], "\(report.findings)")
        let messages = report.findings.map { $0.message.replacing(directory.path, with: "") }
        #expect(
            messages[0]
                == "the products of nowhere count as common: /Nowhere: cannot be used: No such file or directory")
        #expect(
            messages[1]
                == "the products of broken count as common: /Broken/Package.swift: 'swift package dump-package' failed "
                + "(status 1)")
        #expect(report.findings[2].path == directory.path(of: "Studio/Sources/Film/Film.swift"))
        #expect(report.findings[2].position == SourcePosition(line: 2, column: 8))
    }
}
