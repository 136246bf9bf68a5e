import Foundation
import TestSupport
import Testing

@Suite("hslink inspect")
struct InspectTests {
    /// The fingerprint computed by another program.
    private func sha256(_ path: String) async throws -> String {
        let run = try await ProgramRun.of(URL(filePath: "/usr/bin/sha256sum"), ["-b", path])
        return String(run.standardOutput.prefix(64))
    }

    private func size(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    @Test("a component's whole manifest is shown")
    func component() async throws {
        try await withPlugins("VersionedNew") { plugins in
            let file = plugins.file("libVersionedNew.so")
            let run = try await hslink("inspect", file)
            #expect(run.status == 0)
            #expect(run.standardError == "")
            let lines = run.standardOutput.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let digest = try await sha256(file)
            let size = try size(file)
            #expect(
                Array(lines.prefix(9)) == [
                    "Component  Versioned 2.0.0",
                    "Module     Versioned",
                    "File       \(file)",
                    "Size       \(size) bytes",
                    "SHA-256    \(digest)",
                    "Trust      trusted",
                    "ABI        1.0",
                    "Compiler   not specified",
                    "Needs      libc.so.6",
                ])
            #expect(lines.contains { $0.hasSuffix(" hslink_component") })
            #expect(
                Array(lines.suffix(4)) == [
                    "", "Class VersionedLink (one shared instance)", "  class method version()", "",
                ])
        }
    }

    @Test("kinds, parameters, results, requirements and unknown keys are shown")
    func manifest() async throws {
        try await withPlugins("NeedsNewer") { plugins in
            let run = try await hslink("inspect", plugins.file("libNeedsNewer.so"))
            #expect(run.status == 0)
            #expect(run.standardOutput.contains("\nRequires   component CGood >=9.0.0\n"))
        }
        try await withPlugins("CGood") { plugins in
            let run = try await hslink("inspect", plugins.file("libCGood.so"))
            #expect(run.standardOutput.contains("\nLayer      business\n"))
            #expect(run.standardOutput.contains("\n  class method kind() [quick]\n  object method kind() [quick]\n"))
            #expect(run.standardOutput.contains("\nClass CGoodCounter (an instance per call)\n"))
        }
    }

    @Test("the JSON object has the manifest, with defaults filled in")
    func json() async throws {
        struct Report: Decodable {
            struct Trust: Decodable { let isTrusted: Bool }
            struct Selector: Decodable, Equatable { let name, kind: String }
            struct Class: Decodable { let name, instances: String, selectors: [Selector] }
            struct Manifest: Decodable { let name, version, module: String, classes: [Class] }
            let file, sha256, abi: String
            let size: Int
            let compiler: String?
            let trust: Trust
            let neededLibraries, exportedSymbols: [String]
            let manifest: Manifest
        }
        try await withPlugins("MakeFails") { plugins in
            let file = plugins.file("libMakeFails.so")
            let run = try await hslink("inspect", "--json", file)
            #expect(run.status == 0)
            #expect(run.standardError == "")
            #expect(run.standardOutput.split(separator: "\n").count == 1)
            let report = try JSONDecoder().decode(Report.self, from: Data(run.standardOutput.utf8))
            #expect(report.file == file)
            let digest = try await sha256(file)
            let size = try size(file)
            #expect(report.sha256 == digest)
            #expect(report.size == size)
            #expect(report.abi == "1.0")
            #expect(report.compiler == nil)
            #expect(report.trust.isTrusted)
            #expect(report.neededLibraries == ["libc.so.6"])
            #expect(report.exportedSymbols.contains("hslink_component"))
            #expect(report.manifest.name == "MakeFails")
            #expect(report.manifest.module == "MakeFails")
            #expect(report.manifest.classes.map(\.instances) == ["shared"])
            #expect(
                report.manifest.classes[0].selectors
                    == [.init(name: "run", kind: "object"), .init(name: "plain", kind: "class")])
        }
    }

    @Test("a component written in Swift has its compiler, parameters and one exported symbol")
    func swift() async throws {
        try await withPlugins("FixtureComponent") { plugins in
            let run = try await hslink("inspect", plugins.file("libFixtureComponent.so"))
            #expect(run.status == 0)
            if BuiltProducts.sanitizer == nil {
                #expect(run.standardOutput.contains("\nExports    hslink_component\n"))
            } else {
                // A sanitizer adds symbols of its own.
                #expect(run.standardOutput.contains(" hslink_component\n"))
            }
            #expect(run.standardOutput.contains("\nCompiler   Swift "))
            #expect(run.standardOutput.contains("\n           libswiftCore.so\n"))
            #expect(run.standardOutput.contains("\n  object method length(text: String) -> Int\n"))
            #expect(run.standardOutput.contains("\n  object method asyncSum() [async]\n"))
            #expect(run.standardOutput.contains("\n  object method onMain() [async, main actor]\n"))
        }
    }

    @Test("a library that is not a component is shown as far as it can be read, with the reason")
    func library() async throws {
        try await withPlugins("NoNotes") { plugins in
            let file = plugins.file("libNoNotes.so")
            let run = try await hslink("inspect", file)
            #expect(run.status == 1)
            #expect(
                run.standardError == "Error: \(file): the shared object has no component manifest"
                    + " (a note with the owner HSL)\n")
            let digest = try await sha256(file)
            #expect(run.standardOutput.hasPrefix("File       \(file)\nSize       "))
            #expect(run.standardOutput.contains("\nSHA-256    \(digest)\nTrust      trusted\nNeeds      libc.so.6\n"))
            #expect(!run.standardOutput.contains("ABI"))
        }
    }

    @Test("a search path to which other users can write is shown")
    func searchPath() async throws {
        try await withPlugins("CGood") { plugins in
            let open = plugins.file("open")
            try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
            try plugins.setMode(0o777, of: open)
            let file = plugins.file("libCGood.so")
            let patched = try await ProgramRun.of(
                URL(filePath: "/usr/bin/env"), ["patchelf", "--set-rpath", open, file])
            try #require(patched.status == 0, "\(patched.standardError)")
            let run = try await hslink("inspect", file)
            #expect(run.status == 0)
            #expect(
                run.standardOutput.contains(
                    "\nTrust      refused: its RUNPATH has \(open): the directory \(open) is writable by everyone"))
            #expect(run.standardOutput.contains("chmod o-w \(open)"))
            #expect(run.standardOutput.contains("\nRun path   \(open)\n"))
            let report = try await hslink("inspect", "--json", file)
            #expect(report.standardOutput.contains(#""trust":{"isTrusted":false,"code":"worldWritable","reason":"its"#))
        }
    }

    @Test("a text file is shown with its size and fingerprint, and the JSON object has the reason")
    func textFile() async throws {
        try await withPlugins("TextFile") { plugins in
            let file = plugins.file("libTextFile.so")
            let run = try await hslink("inspect", "--json", file)
            let digest = try await sha256(file)
            let reason = #"not an ELF file but text, which begins with \"This is a text file, wha\""#
            #expect(run.status == 1)
            #expect(
                run.standardOutput
                    == #"{"file":"\#(file)","size":45,"sha256":"\#(digest)","trust":{"isTrusted":true},"abi":null,"#
                    + #""compiler":null,"soname":null,"neededLibraries":null,"runPath":null,"exportedSymbols":null,"#
                    + #""manifest":null,"resources":null,"error":{"code":"notElf","message":"\#(reason)"}}"# + "\n")
        }
    }

    @Test("a missing file has a reason and nothing else")
    func missing() async throws {
        try await withPlugins { plugins in
            let file = plugins.file("none.so")
            let run = try await hslink("inspect", file)
            #expect(run.status == 1)
            #expect(run.standardOutput == "File       \(file)\n")
            #expect(run.standardError == "Error: \(file): the system could not open it: No such file or directory\n")
        }
    }

    @Test("a directory is refused")
    func directory() async throws {
        try await withPlugins { plugins in
            let run = try await hslink("inspect", plugins.path)
            #expect(run.status == 1)
            #expect(
                run.standardError == "Error: \(plugins.path): expected a regular file, found a directory\n")
        }
    }

    @Test("a world-writable file is inspected, with the verdict")
    func untrusted() async throws {
        try await withPlugins("CGood") { plugins in
            let file = plugins.file("libCGood.so")
            try plugins.setMode(0o777, of: file)
            let run = try await hslink("inspect", file)
            #expect(run.status == 0)
            #expect(run.standardError == "")
            #expect(run.standardOutput.contains("\nTrust      refused: the file is writable by everyone (mode 0777"))
            let json = try await hslink("inspect", "--json", file)
            #expect(
                json.standardOutput.contains(
                    #""trust":{"isTrusted":false,"code":"worldWritable","reason":"the file is writable by everyone"#))
        }
    }
}
