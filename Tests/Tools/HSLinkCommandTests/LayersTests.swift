import Foundation
import TestSupport
import Testing

@Suite("hslink layers")
struct LayersTests {
    /// A copy of Tests/Examples/Studio, which the tests change.
    let directory: TemporaryDirectory
    private var folder: String { directory.path(of: "Studio") }

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.copyItem(
            atPath: BuiltProducts.packageDirectory.appending(path: "Tests/Examples/Studio").path,
            toPath: directory.path(of: "Studio"))
    }

    /// Replaces a text in a file of the package; an empty text stands for its beginning.
    private func change(_ file: String, _ old: String = "", to new: String) throws {
        let path = "\(folder)/\(file)"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let changed = old.isEmpty ? new + text : text.replacing(old, with: new, maxReplacements: 1)
        try #require(changed != text)
        try changed.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static let table = [
        "LAYER        TARGETS AND PACKAGES", "host         ComponentHost, Studio", "component    Film, Sound",
        "contract     FilmContract", "common       NXStorage", "base         ComponentKit, NXKit",
        "third party  grdb.swift",
    ]

    @Test("a package in order has no findings")
    func none() async throws {
        for options in [[], ["--strict"]] {
            let run = try await hslink(["layers", folder] + options)
            #expect(run.status == 0 && run.standardError == "", "\(run)")
            #expect(run.standardOutput == Self.table.joined(separator: "\n") + "\n")
        }
    }

    @Test(
        "an import in the wrong direction is found, and --strict fails",
        arguments: [
            (
                "Film/Film.swift", "ComponentHost",
                "Film (component) imports ComponentHost (host): a component must not depend on its host; use what the "
                    + "host offers through ComponentKit, or through a contract that the host provides"
            ),
            (
                "NXKit/Length.swift", "Film",
                "NXKit (base) imports Film (component): a lower layer must not depend on a higher one; pass in what it "
                    + "needs as an argument, or use the component's contract"
            ),
            (
                "Sound/Sound.swift", "Film",
                "Sound (component) imports Film (component): components use each other through contracts only; import "
                    + "FilmContract instead"
            ),
            (
                "Sound/Sound.swift", "GRDB",
                "Sound (component) imports GRDB (third party): third-party code belongs in the common layer; wrap it in "
                    + "a target of the common layer, such as NXStorage, and import that instead"
            ),
            (
                "Studio/Studio.swift", "NXKit",
                "Studio imports NXKit, but the manifest does not state this dependency; add \"NXKit\" to the "
                    + "dependencies of Studio"
            ),
        ])
    func wrong(file: String, module: String, message: String) async throws {
        try change("Sources/\(file)", to: "import \(module)\n")
        let finding = "\(folder)/Sources/\(file):1:8: warning: \(message)"
        let run = try await hslink(["layers", folder])
        #expect(run.status == 0)
        #expect(run.standardOutput.split(separator: "\n").contains { $0 == finding }, "\(run.standardOutput)")
        let strict = try await hslink(["layers", folder, "--strict"])
        #expect(strict.status == 1)
        #expect(strict.standardOutput == run.standardOutput)
    }

    @Test("a dependency that only the manifest states is found there, with the place that decides the layer")
    func manifest() async throws {
        try change(
            "Package.swift", #"dependencies: ["FilmContract", "NXKit", kit]"#,
            to: #"dependencies: ["FilmContract", "Film", "NXKit", kit]"#)
        let run = try await hslink(["layers", folder, "--strict"])
        #expect(run.status == 1)
        let lines = run.standardOutput.split(separator: "\n").dropFirst(Self.table.count).map(String.init)
        try #require(lines.count == 2, "\(run)")
        let finding =
            "Sound (component) depends on Film (component): components use each other through contracts only; import "
            + "FilmContract instead"
        #expect(lines[0] == "\(folder)/Package.swift:21:63: warning: \(finding)")
        let note = "Film belongs to the layer component, because it declares a component"
        #expect(lines[1] == "\(folder)/Sources/Film/Film.swift:8:1: note: \(note)")
    }

    @Test("paths are relative to the working directory, as those of a compiler")
    func relative() async throws {
        try change("Sources/Sound/Sound.swift", to: "import Film\n")
        for (place, shown) in [(".", "Sources/"), ("./", "Sources/"), ("../Studio/", "../Studio/Sources/")] {
            let run = try await ProgramRun.of(
                URL(filePath: "/usr/bin/env"), ["-C", folder, BuiltProducts.hslink.path, "layers", place])
            #expect(run.standardOutput.contains("\n\(shown)Sound/Sound.swift:1:8: warning: "), "\(run)")
        }
    }

    private struct Printed: Decodable {
        struct Member: Decodable {
            let layer: String
            let name: String
            let reason: String
            let file: String?
            let line: Int?
        }

        struct Finding: Decodable, Equatable {
            let kind: String
            let file: String
            let line: Int
            let column: Int
            let target: String?
            let dependency: String?
        }

        struct Exception: Decodable, Equatable {
            let target: String
            let uses: String
            let reason: String
        }

        let package: String
        let layers: [Member]
        let findings: [Finding]
        let exceptions: [Exception]
    }

    @Test("--json prints layers, findings and exceptions")
    func json() async throws {
        try change("Sources/Sound/Sound.swift", to: "import Film\n")
        let run = try await hslink(["layers", folder, "--json", "--strict"])
        #expect(run.status == 1 && run.standardError == "")
        let printed = try JSONDecoder().decode(Printed.self, from: Data(run.standardOutput.utf8))
        #expect(printed.package == "Studio")
        let film = try #require(printed.layers.first { $0.name == "Film" })
        #expect(film.layer == "component" && film.file == "\(folder)/Sources/Film/Film.swift" && film.line == 8)
        #expect(film.reason == "it declares a component")
        #expect(printed.layers.first { $0.name == "grdb.swift" }?.layer == "thirdParty")
        #expect(
            printed.findings == [
                .init(
                    kind: "sideways", file: "\(folder)/Sources/Sound/Sound.swift", line: 1, column: 8, target: "Sound",
                    dependency: "Film")
            ])
        #expect(
            printed.exceptions == [
                .init(target: "Film", uses: "GRDB", reason: "its queries; NXStorage only opens the database")
            ])
    }

    @Test("--dot prints a drawing, and the findings on standard error")
    func dot() async throws {
        try change("Sources/Sound/Sound.swift", to: "import Film\n")
        let run = try await hslink(["layers", folder, "--dot"])
        #expect(run.status == 0)
        #expect(run.standardOutput.hasPrefix("digraph \"Studio\" {\n") && run.standardOutput.hasSuffix("}\n"))
        #expect(run.standardOutput.contains("\"target Sound\" -> \"target Film\" [color=red, penwidth=2];"))
        #expect(run.standardError.hasPrefix("\(folder)/Sources/Sound/Sound.swift:1:8: warning: "))
    }

    @Test("a package that cannot be read is an error with the reason")
    func unreadable() async throws {
        #expect(
            try await hslink("layers", "/nowhere/at/all")
                == failed("Error: /nowhere/at/all: cannot be used: No such file or directory"))
        #expect(
            try await hslink("layers", directory.path)
                == failed("Error: \(directory.path): expected a folder with a Package.swift: there is none"))
        let alone = try await ProgramRun.of(
            BuiltProducts.hslink, ["layers", folder], environment: ["PATH": "/nonexistent"])
        #expect(
            alone
                == failed(
                    "Error: swift is needed to read \(folder)/Package.swift, but it is not in PATH: add the Swift "
                        + "toolchain's usr/bin to PATH"))
        try change(".layers.json", "base", to: "bass")
        #expect(
            try await hslink("layers", folder)
                == failed(
                    "Error: \(folder)/.layers.json: layers.NXKit: expected one of host, component, contract, common, base, "
                        + "thirdParty; found \"bass\""))
        try change("Package.swift", "let package = ", to: "let package: Int = ")
        let broken = try await hslink("layers", folder, "--strict")
        #expect(broken.status == 1 && broken.standardOutput == "")
        #expect(broken.standardError.hasPrefix("Error: \(folder)/Package.swift: 'swift package dump-package' failed"))
        #expect(broken.standardError.contains("Package.swift:8:20: error: "), "\(broken.standardError)")
    }

    @Test(
        "a wrong command line is an error",
        arguments: [
            (["--json", "--dot"], "--json and --dot cannot be combined"),
            ([""], "expected a folder, found an empty string"),
            ([".", "."], "Unexpected argument '.'"),
        ])
    func misuse(arguments: [String], reason: String) async throws {
        let run = try await hslink(["layers"] + arguments)
        #expect(run.status == 64)
        #expect(run.standardError.hasPrefix("Error: \(reason)\n"), "\(run.standardError)")
        #expect(run.standardError.contains("\nUsage: hslink layers "))
    }
}
