import TestSupport
import Testing

@Suite("Wrong and helpful command lines")
struct CommandLineTests {
    @Test(
        "a command that does not exist is told with the one that was probably meant",
        arguments: [
            ("lst", "hslink list"), ("new compnent Weather", "hslink new component"), ("new hots A", "hslink new host"),
            ("new zzzzzzzz A", nil), ("list extra", nil),
        ])
    func misspeltCommand(words: String, meant: String?) async throws {
        let run = try await hslink(words.split(separator: " ").map(String.init))
        #expect(run.status == 64 && run.standardError.contains("nexpected argument"), "\(run)")
        #expect(run.standardError.contains("Did you mean") == (meant != nil), "\(run)")
        if let meant { #expect(run.standardError.hasSuffix("\nDid you mean '\(meant)'?\n"), "\(run)") }
    }

    @Test(
        "a wrong command line ends with 64, the reason and the usage, and prints no result",
        arguments: [
            (["frobnicate"], "Error: Unexpected argument 'frobnicate'"),
            (["list", "extra"], "Error: Unexpected argument 'extra'"),
            (["list", "--plugins"], "Error: Missing value for '--plugins <dir>'"),
            (["list", "--nope"], "Error: Unknown option '--nope'"),
            (["list", "--rescan"], "Error: --rescan applies to running hosts only; it needs --host"),
            (["inspect"], "Error: Missing expected argument '<file>'"),
            (["call"], "Error: Missing expected argument '<class>'"),
            (["call", "A", "b", "--deadline", "abc"], "Error: The value 'abc' is invalid for '--deadline <seconds>'"),
            (["call", "A", "b", "--deadline=-1"], "Error: The value '-1' is invalid for '--deadline <seconds>'"),
            (["call", "A", "b", "--deadline", "0"], "Error: The value '0' is invalid for '--deadline <seconds>'"),
            (["call", "A", "b", "--deadline", "nan"], "Error: The value 'nan' is invalid for '--deadline <seconds>'"),
            (["call", "A", "b", "--deadline", "inf"], "Error: The value 'inf' is invalid for '--deadline <seconds>'"),
            (
                ["call", "A", "b", "--deadline", "1e99"],
                "Error: The value '1e99' is invalid for '--deadline <seconds>'"
            ),
            (
                ["call", "A", "b", "--log-level", "loud"],
                "Error: The value 'loud' is invalid for '--log-level <level>'"
            ),
        ])
    func misuse(arguments: [String], reason: String) async throws {
        let run = try await hslink(arguments)
        #expect(run.status == 64)
        #expect(run.standardOutput == "")
        #expect(run.standardError.hasPrefix(reason), "\(run.standardError)")
        #expect(run.standardError.contains("\nUsage: hslink "))
        #expect(run.standardError.contains(" --help' for more information.\n"))
    }

    @Test(
        "a word that could mislead the terminal is escaped in the message about it",
        arguments: [
            (["check", ".", "--\u{1B}[31mX"], #"Error: Unknown option '--\u{1b}[31mX'"#),
            (["check", ".", "--\u{1B}[31mX=1"], #"Error: Unknown option '--\u{1b}[31mX'"#),
            (["list", "a\u{1B}[2J"], #"Error: Unexpected argument 'a\u{1b}[2J'"#),
            (["list", "a\nError: b"], #"Error: Unexpected argument 'a\nError: b'"#),
            (
                ["call", "A", "b", "--deadline", "\u{202E}1"],
                #"Error: The value '\u{202e}1' is invalid for '--deadline <seconds>'"#
            ),
            (
                ["call", "A", "b", "--deadline=1\n2"],
                #"Error: The value '1\n2' is invalid for '--deadline <seconds>'"#
            ),
        ])
    func foreignWords(arguments: [String], reason: String) async throws {
        let run = try await hslink(arguments)
        #expect(run.status == 64)
        #expect(run.standardOutput == "")
        #expect(run.standardError.hasPrefix(reason), "\(run.standardError)")
        #expect(run.standardError.contains("\nUsage: hslink "))
        #expect(!run.standardError.contains("\u{1B}"))
    }

    @Test(
        "a payload that cannot be read ends with 64 and its reason",
        arguments: [
            (
                ["call", "A", "b", #"{"a":"#],
                "Error: the payload is not JSON: a: expected a value, found the end of the text"
            ),
            (["call", "A", "b", #"{"a": "x=y",}"#], "Error: the payload is not JSON: "),
            (["call", "A", "b", "plain"], "Error: expected a payload as JSON, @FILE or key=value\n"),
            (["call", "A", "b", ""], "Error: expected a payload as JSON, @FILE or key=value\n"),
            (["call", "A", "b", "=1"], "Error: part 1 of the payload is not key=value"),
            (["call", "A", "b", "a=1", "b"], "Error: part 2 of the payload is not key=value"),
            (["call", "A", "b", "a=1", "[]"], "Error: part 2 of the payload is not key=value"),
            (["call", "A", "b", "a=1", "@f"], "Error: part 2 of the payload is not key=value"),
            (["call", "A", "b", "a=1", "a=2"], "Error: the key 'a' is given twice"),
            (["call", "A", "b", "\u{1B}[31m"], "Error: expected a payload as JSON"),
            (["call", "A", "b", "@"], "Error: expected a file after '@'"),
            (
                ["call", "A", "b", "@/nowhere/at/all"],
                "Error: the payload could not be read from /nowhere/at/all: No such file or directory"
            ),
            (["call", "A", "b", "@/"], "Error: the payload could not be read from /: Is a directory"),
            (
                ["call", "A", "b", "@/dev/null"],
                "Error: the payload in /dev/null is not JSON: expected a value"
            ),
            (
                ["call", "A", "b", "@-"],
                "Error: the payload in standard input is not JSON: expected a value"
            ),
        ])
    func payload(arguments: [String], reason: String) async throws {
        let run = try await hslink(arguments)
        #expect(run.status == 64)
        #expect(run.standardOutput == "")
        #expect(run.standardError.hasPrefix(reason), "\(run.standardError)")
        #expect(!run.standardError.contains("Usage"))
    }

    @Test(
        "the help of each command has examples and explains the exit status",
        arguments: [
            "list", "inspect", "check", "compat", "call", "open", "routes", "dev", "copy", "layers", "new component",
            "new contract", "new workspace", "new host",
        ])
    func help(command: String) async throws {
        let run = try await hslink(command.split(separator: " ").map(String.init) + ["--help"])
        #expect(run.status == 0)
        #expect(run.standardError == "")
        #expect(run.standardOutput.contains("EXAMPLES:\n  hslink \(command) "))
        #expect(run.standardOutput.contains("STATUS: \(command == "dev" ? "128" : "0")"))
        #expect(run.standardOutput.contains("USAGE: hslink \(command) "))
    }

    @Test("options that remove a protection say so in their help", arguments: ["list", "call"])
    func warnings(command: String) async throws {
        let run = try await hslink(command, "--help")
        let options = run.standardOutput.split(separator: "OPTIONS:").last ?? ""
        for option in ["--trust-any", "--allow-other-compilers"] {
            let help = options.split(separator: option).dropFirst().first ?? ""
            #expect(help.split(separator: "\n  --").first?.contains("WARNING: ") == true, "\(option)")
        }
    }

    @Test("without a command the help is shown")
    func nothing() async throws {
        let run = try await hslink()
        #expect(run.status == 0)
        #expect(
            run.standardOutput.hasPrefix(
                "OVERVIEW: Creates, lists, inspects, compares, calls and hosts components.\n"))
    }

    @Test("the version is printed alone")
    func version() async throws {
        #expect(try await hslink("--version") == printed("0.1.0"))
    }

    @Test("the host's log is written to standard error from the requested level on")
    func log() async throws {
        try await withPlugins("CGood", "CreateFails") { plugins in
            let run = try await hslink(
                "call", "CGoodLink", "sum", "a=1", "b=2", "--class-method", "--log-level", "debug", "--plugins",
                plugins.path)
            #expect(
                run == ProgramRun(standardOutput: "3\n", standardError: "debug CGood: running\n", status: 0))
        }
    }
}
