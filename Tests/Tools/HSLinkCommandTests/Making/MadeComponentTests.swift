import Foundation
import TestSupport
import Testing

@Suite("Components in C, C++ and Rust that hslink new has made")
struct MadeComponentTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func make(_ words: String...) async throws -> ProgramRun {
        try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"), ["make", "-C", directory.path(of: "Weather")] + words,
            // This is an independent make, even if another make has started the tests.
            environment: ["MAKEFLAGS": nil, "MAKELEVEL": nil])
    }

    @Test(
        "it builds without a warning, exports only its entry, answers, and passes its test",
        arguments: ["c", "cxx", "rust"])
    func builds(language: String) async throws {
        guard language != "rust" || Fixtures.hasRust else { return }
        let made = try await hslink("new", "component", "Weather", "--\(language)", "--path", directory.path)
        try #require(made.status == 0, "\(made)")
        let built = try await make()
        try #require(built.status == 0, "\(built)")
        #expect(built.standardError == "")
        let library = directory.path(of: "Weather/.build/libWeather.so")
        #expect(try await exportedSymbols(of: library) == ["hslink_component"])

        // Run the printed call, which is the last line.
        let call = try #require(made.standardOutput.split(separator: "\n").last)
        let answer = try await ProgramRun.of(URL(filePath: "/bin/sh"), ["-c", String(call)])
        #expect(answer == printed(#""Hello, Ada!""#))
        let listed = try await hslink("inspect", library)
        #expect(listed.standardOutput.contains("Says hello"), "\(listed)")

        let tested = try await make("test", "HSLINK=\(BuiltProducts.hslink.path)")
        #expect(tested.status == 0, "\(tested)")
        // The test is effective: it detects another answer.
        let source = directory.path(
            of: "Weather/Weather.\(language == "cxx" ? "cpp" : language == "rust" ? "rs" : "c")")
        let text = try String(contentsOfFile: source, encoding: .utf8)
        try text.replacing("Hello, ", with: "Howdy, ").write(toFile: source, atomically: true, encoding: .utf8)
        #expect(try await make("test", "HSLINK=\(BuiltProducts.hslink.path)").status != 0)
    }

    @Test("an installed program uses its own headers, and asks for the package")
    func installed() async throws {
        let sources = BuiltProducts.packageDirectory.appending(path: "Sources/Boundary/CHSLink")
        let prefix = try directory.makeDirectory("prefix")
        try directory.makeDirectory("prefix/bin")
        try directory.makeDirectory("prefix/include")
        let program = URL(filePath: "\(prefix)/bin/hslink")
        // By another process: a file that this one has open for writing, as does any child that it starts meanwhile,
        // cannot be run.
        let copied = try await ProgramRun.of(URL(filePath: "/bin/cp"), [BuiltProducts.hslink.path, program.path])
        try #require(copied.status == 0, "\(copied)")
        let lonely = try await ProgramRun.of(program, ["new", "component", "Weather", "--c", "--path", directory.path])
        #expect(lonely.status == 1)
        #expect(lonely.standardError.hasPrefix("Error: the contract's headers were found neither in include/hslink"))

        try FileManager.default.copyItem(
            at: sources.appending(path: "include"), to: URL(filePath: "\(prefix)/include/hslink"))
        try FileManager.default.copyItem(
            at: sources.appending(path: "hslink.rs"), to: URL(filePath: "\(prefix)/include/hslink/hslink.rs"))
        for language in ["c", "cxx", "rust"] {
            let made = try await ProgramRun.of(
                program, ["new", "component", "In_\(language)", "--\(language)", "--path", directory.path])
            #expect(made.status == 0, "\(made)")
        }
        for command in ["component", "contract", "workspace", "host"] {
            let asked = try await ProgramRun.of(program, ["new", command, "Weather", "--path", directory.path])
            #expect(asked.status == 64)
            #expect(
                asked.standardError.contains("pass --hslink DIR with a checkout, or --url URL --from VERSION\nUsage: "),
                "\(asked)")
            #expect(asked.standardError.contains("See 'hslink new \(command) --help'"))
            let told = try await ProgramRun.of(
                program,
                [
                    "new", command, "A\(command)", "--path", directory.path, "--hslink",
                    BuiltProducts.packageDirectory.path,
                ])
            #expect(told.status == 0, "\(told)")
        }
    }
}

/// Returns the exported symbols of a file.
func exportedSymbols(of library: String) async throws -> [String] {
    let run = try await ProgramRun.of(
        URL(filePath: "/usr/bin/env"), ["nm", "-D", "--defined-only", "--extern-only", "--format=posix", library])
    return run.standardOutput.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
}
