import Foundation
import TestSupport
import Testing

@Suite("Output")
struct OutputTests {
    @Test("the last columns are shortened to fit the width of a terminal", arguments: [80, 100])
    func width(columns: Int) async throws {
        try await withPlugins("NeedsMissing", "CGood") { plugins in
            let text = try await PseudoTerminal.run(
                columns: columns, ["list", "--plugins", plugins.path], environment: ["NO_COLOR": "1"])
            let lines = text.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines.allSatisfy { $0.count <= columns })
            #expect(lines.map(\.count).max() == columns)
            #expect(lines[2].hasPrefix("NeedsMissing  1.0.0    -         failed     "))
            #expect(lines[2].hasSuffix("…"))
        }
    }

    @Test("COLUMNS overrides the terminal's own width")
    func columns() async throws {
        try await withPlugins("NeedsMissing") { plugins in
            let text = try await PseudoTerminal.run(
                columns: 500, ["list", "--plugins", plugins.path], environment: ["NO_COLOR": "1", "COLUMNS": "90"])
            #expect(text.split(separator: "\n").map(\.count).max() == 90)
        }
    }

    @Test("a wide terminal and a file show everything, whatever COLUMNS says")
    func noShortening() async throws {
        try await withPlugins("NeedsMissing") { plugins in
            let file = try await hslink("list", "--plugins", plugins.path, environment: ["COLUMNS": "40"])
            let terminal = try await PseudoTerminal.run(
                columns: 500, ["list", "--plugins", plugins.path], environment: ["NO_COLOR": "1"])
            #expect(file == ProgramRun(standardOutput: terminal, standardError: "", status: 0))
            #expect(!terminal.contains("…"))
        }
    }

    @Test("colour is used on terminals only, and can be switched off")
    func color() async throws {
        try await withPlugins("NeedsMissing") { plugins in
            let arguments = ["list", "--plugins", plugins.path]
            let colored = try await PseudoTerminal.run(columns: 200, arguments)
            #expect(colored.contains("\u{1B}[31mfailed\u{1B}[0m"))
            #expect(colored.hasPrefix("\u{1B}[1mNAME\u{1B}[0m"))
            let dumb = try await PseudoTerminal.run(columns: 200, arguments, environment: ["TERM": "dumb"])
            #expect(!dumb.contains("\u{1B}"))
            let unwanted = try await PseudoTerminal.run(columns: 200, arguments, environment: ["NO_COLOR": "1"])
            #expect(unwanted == dumb)
            let file = try await hslink(arguments)
            #expect(file.standardOutput == dumb)
        }
    }

    @Test("control characters in file names and contents are escaped")
    func escapes() async throws {
        try await withPlugins { plugins in
            try plugins.write("\u{1B}]0;title\u{7}", to: "lib\u{1B}[2J\n\u{202E}.so")
            let name = "lib\\u{1b}[2J\\n\\u{202e}.so"
            let list = try await hslink("list", "--all", "--plugins", plugins.path)
            #expect(list.standardOutput.contains("\(plugins.path)/\(name)  notElf"))
            let inspect = try await hslink("inspect", plugins.file("lib\u{1B}[2J\n\u{202E}.so"))
            #expect(inspect.standardOutput.hasPrefix("File       \(plugins.path)/\(name)\n"))
            #expect(inspect.standardError.hasPrefix("Error: \(plugins.path)/\(name): not an ELF file"))
            for text in [list.standardOutput, inspect.standardOutput, inspect.standardError] {
                #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
                #expect(!text.contains("\u{202E}"))
            }
        }
    }

    @Test(
        "characters that reorder text are escaped in results, unusual ones are not",
        arguments: [
            ("a\u{202E}b", #""a\u202eb""#), ("\u{2066}x\u{2069}", #""\u2066x\u2069""#),
            ("\u{61C}\u{200F}", #""\u061c\u200f""#),
            ("\u{206A}", #""\u206a""#), ("\u{5E9}\u{644}", "\"\u{5E9}\u{644}\""),
            ("\u{645}\u{200C}\u{6CC}", "\"\u{645}\u{200C}\u{6CC}\""),
        ])
    func direction(text: String, printed json: String) async throws {
        try await withPlugins("CGood") { plugins async throws in
            let call = ["call", "CGoodLink", "echo", "\"\(text)\"", "--plugins", plugins.path]
            #expect(try await hslink(call) == printed(json))
            #expect(
                try await hslink(call + ["--json"])
                    == printed("{\"returnValue\":\(json),\"performSuccess\":true,\"classIsLoad\":true}"))
            // A key is escaped too, and reading it returns the same value.
            let again = try await hslink("call", "CGoodLink", "echo", json, "--plugins", plugins.path)
            #expect(again == printed(json))
            let key = try await hslink("call", "CGoodLink", "echo", "{\(json): 1}", "--plugins", plugins.path)
            #expect(key == printed("{", "  \(json): 1", "}"))
        }
    }

    @Test("a reader that closes early is not a failure")
    func brokenPipe() async throws {
        try await withPlugins("CGood") { plugins in
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            // The program would inherit an ignored signal.
            let run = try await ProgramRun.of(
                URL(filePath: "/usr/bin/env"),
                ["--default-signal=PIPE", BuiltProducts.hslink.path, "inspect", plugins.file("libCGood.so")],
                output: pipe.fileHandleForWriting)
            #expect(run == printed())
        }
    }

    @Test("output that cannot be written is a failure", arguments: [["list"], ["call", "CGoodLink", "kind"]])
    func fullDisk(arguments: [String]) async throws {
        try await withPlugins("CGood") { plugins in
            let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
            let run = try await ProgramRun.of(
                BuiltProducts.hslink, arguments + ["--plugins", plugins.path], output: full)
            #expect(
                run
                    == failed(
                        "Error: the result could not be written to standard output: No space left on device"))
        }
    }
}
