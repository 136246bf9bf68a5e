import Foundation
import TestSupport
import Testing

/// Runs the built `hslink-models`.
private func hslinkModels(
    _ arguments: String..., environment: [String: String?] = [:], output: FileHandle? = nil
) async throws -> ProgramRun {
    try await ProgramRun.of(
        BuiltProducts.directory.appending(path: "hslink-models"), arguments, environment: environment, output: output)
}

@Suite("hslink-models")
struct CommandTests {
    /// Two copies with one difference.
    private func directory() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try write(Array("struct User {\n    var age: Int\n}\n".utf8), to: "A/User.swift", in: directory)
        try write(Array("struct B_User {\n    var age: Int32\n}\n".utf8), to: "B/User.swift", in: directory)
        return directory
    }

    @Test("prints warnings as compilers do, and a summary on standard error; --strict decides about the status")
    func warnings() async throws {
        let directory = try directory()
        let (first, second) = (directory.path(of: "A"), directory.path(of: "B"))
        let expected = ProgramRun(
            standardOutput:
                "\(second)/User.swift:2:9: warning: B_User.age is Int32, but Int in User (\(first)/User.swift:2)\n",
            standardError: "1 model with 2 copies in 2 files: 1 warning\n", status: 0)
        #expect(try await hslinkModels(directory.path) == expected)
        #expect(try await hslinkModels(second, "\(first)//", "\(first)/User.swift") == expected)
        let strict = try await hslinkModels("--strict", directory.path, environment: ["TERM": "xterm"])
        #expect(strict.standardOutput == expected.standardOutput)
        #expect(strict.status == 1)
    }

    @Test("without differences, or with those excluded, the status is 0")
    func agreement() async throws {
        let directory = try directory()
        let excluded = try await hslinkModels(directory.path, "--strict", "--exclude", "B")
        #expect(
            excluded
                == ProgramRun(
                    standardOutput: "", standardError: "no models with copies in 1 file: no warnings\n", status: 0))
        try directory.write("struct B_User { var age: Int }", to: "B/User.swift")
        let same = try await hslinkModels(directory.path, "--strict")
        #expect(
            same
                == ProgramRun(
                    standardOutput: "", standardError: "1 model with 2 copies in 2 files: no warnings\n", status: 0))
        try directory.write("struct XUser { var age: Int8 }", to: "B/User.swift")
        #expect(try await hslinkModels(directory.path, "--strict", "--prefix", "X").status == 1)
    }

    @Test("a file that cannot be read is a warning, and characters that mislead terminals are escaped")
    func oddFiles() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("let a = \0", to: "A\u{1B}.swift")
        let run = try await hslinkModels(directory.path, "--strict")
        #expect(
            run.standardOutput
                == "\(directory.path)/A\\u{1b}.swift:1:9: warning: not read: not a text file, it has a zero byte\n")
        #expect(run.status == 1)
    }

    @Test("directories are named as the compiler names them")
    func names() async throws {
        let directory = try directory()
        let command = BuiltProducts.directory.appending(path: "hslink-models").path
        for paths in [".", "./", ".//A ./B//", "././/A/ B//User.swift"] {
            let run = try await ProgramRun.of(
                URL(filePath: "/bin/sh"),
                ["-c", "cd \"$1\" && exec \"$2\" \(paths)", "sh", directory.path, command])
            #expect(
                run.standardOutput
                    == "B/User.swift:2:9: warning: B_User.age is Int32, but Int in User (A/User.swift:2)\n", "\(paths)")
        }
    }

    @Test("characters that change the order of text are escaped in JSON too")
    func jsonEscapes() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("let a = \0", to: "A\u{202E}.swift")
        let run = try await hslinkModels(directory.path, "--json")
        #expect(run.standardOutput.contains(#""file":"\#(directory.path)/A\u202e.swift""#), "\(run.standardOutput)")
    }

    @Test("the JSON object has the same contents")
    func json() async throws {
        struct Report: Decodable {
            struct Warning: Decodable, Equatable {
                let severity, kind, file: String
                let line, column: Int?
                let model, copy, member, original, originalFile: String?
                let originalLine: Int?
            }
            struct Model: Decodable {
                struct Copy: Decodable { let name: String }
                let name, original: String
                let copies: [Copy]
            }
            let warnings: [Warning]
            let models: [Model]
            let files: Int
        }
        let directory = try directory()
        let run = try await hslinkModels(directory.path, "--json", "--strict")
        #expect(run.status == 1)
        #expect(run.standardError == "")
        let report = try JSONDecoder().decode(Report.self, from: Data(run.standardOutput.utf8))
        #expect(
            report.warnings == [
                .init(
                    severity: "warning", kind: "type", file: directory.path(of: "B/User.swift"), line: 2, column: 9,
                    model: "User", copy: "B_User", member: "age", original: "User",
                    originalFile: directory.path(of: "A/User.swift"), originalLine: 2)
            ])
        #expect(report.models.map(\.name) == ["User"])
        #expect(report.models.map(\.original) == ["User"])
        #expect(report.models.flatMap { $0.copies.map(\.name) } == ["User", "B_User"])
        #expect(report.files == 2)
    }

    @Test(
        "a wrong command line has the status 64 and prints nothing on standard output",
        arguments: [
            ([], "Missing expected argument"), (["/nonexistent"], "/nonexistent: No such file or directory"),
            (["/", "--prefix", ""], "expected a prefix"), (["/", "--exclude", ""], "expected a pattern"),
            (["/", "--unknown"], "Unknown option"),
        ])
    func misuse(arguments: [String], message: String) async throws {
        let run = try await ProgramRun.of(BuiltProducts.directory.appending(path: "hslink-models"), arguments)
        #expect(run.status == 64)
        #expect(run.standardOutput == "")
        #expect(run.standardError.contains(message), "\(run.standardError)")
    }

    @Test("a full disk is a failure")
    func fullDisk() async throws {
        let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        let directory = try directory()
        let run = try await hslinkModels(directory.path, output: full)
        #expect(run.status == 1)
        #expect(run.standardError.hasPrefix("Error: the result could not be written to standard output: No space left"))
    }

    @Test("the example of the documentation prints what the page shows")
    func example() async throws {
        let root = BuiltProducts.packageDirectory
        let pages = root.appending(path: "Sources/Authoring/ComponentKit/ComponentKit.docc")
        let page = try String(contentsOf: pages.appending(path: "Models.md"), encoding: .utf8)
        let parts = page.components(separatedBy: "$ hslink-models Models\n")
        try #require(parts.count == 2)
        let shown = parts[1].components(separatedBy: "```")[0]
        let command = BuiltProducts.directory.appending(path: "hslink-models").path
        let run = try await ProgramRun.of(
            URL(filePath: "/bin/sh"),
            ["-c", "cd \"$1\" && exec \"$2\" Models 2>&1", "sh", root.appending(path: "Tests/Examples").path, command])
        #expect(run.standardOutput == shown)
        #expect(run.status == 0)
    }

    @Test("built without its trait, it says which one it needs")
    func missingTrait() async throws {
        let source = BuiltProducts.packageDirectory.appending(path: "Sources/Tools/hslink-models/HSLinkModels.swift")
        let run = try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"), ["swiftc", "-typecheck", "-parse-as-library", source.path])
        #expect(run.status == 1)
        let first = run.standardError.split(separator: "\n").first
        #expect(first?.contains("error: hslink-models needs the trait CommandLine: write traits") == true, "\(run)")
    }

    @Test("a word that could mislead the terminal is escaped in the message about it")
    func foreignWords() async throws {
        let run = try await hslinkModels(".", "--\u{1B}[31m")
        #expect(run.status == 64)
        #expect(run.standardError.hasPrefix(#"Error: Unknown option '--\u{1b}[31m'"#), "\(run.standardError)")
        #expect(run.standardError.contains("\nUsage: hslink-models "))
    }
}
