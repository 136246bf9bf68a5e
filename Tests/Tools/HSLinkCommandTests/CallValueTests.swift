import Foundation
import TestSupport
import Testing

@Suite("Values of hslink call from files, variables and the terminal")
struct CallValueTests {
    private func echo(
        _ arguments: String..., environment: [String: String?] = [:], input: String? = nil
    ) async throws -> ProgramRun {
        try await withPlugins("CGood") { plugins in
            try await ProgramRun.of(
                BuiltProducts.hslink,
                ["call", "CGoodLink", "echo", "--class-method", "--json", "--plugins", plugins.path] + arguments,
                environment: environment, input: input)
        }
    }

    private func answer(_ value: String) -> ProgramRun {
        printed(#"{"returnValue":\#(value),"performSuccess":true,"classIsLoad":true}"#)
    }

    @Test(
        "standard input is read to its end, without the last line break, and never as JSON",
        arguments: [
            ("secret\n", #""secret""#), ("secret", #""secret""#), ("12345678\n", #""12345678""#), ("", #""""#),
            ("two\nlines\n\n", #""two\nlines\n""#), (#"{"a": 1}"#, #""{\"a\": 1}""#),
        ])
    func standardInput(input: String, value: String) async throws {
        #expect(try await echo("a=1", "b=@-", input: input) == answer(#"{"a":1,"b":\#(value)}"#))
    }

    @Test("a value comes from a file")
    func file() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("geheim\n", to: "secret")
        #expect(try await echo("a=@\(path)", "b=@\(path)") == answer(#"{"a":"geheim","b":"geheim"}"#))
        let missing = try await echo("a=@\(path).no")
        #expect(missing.status == 64)
        #expect(missing.standardOutput.contains(#""message":"a: "#))
        #expect(missing.standardOutput.contains("/secret.no could not be read: No such file or directory"))
        try directory.write([0xFF, 0xFE], to: "bytes")
        let bytes = try await echo("a=@\(directory.path(of: "bytes"))")
        #expect(bytes.status == 64)
        #expect(bytes.standardOutput.contains("is not UTF-8"))
    }

    @Test("a value comes from a variable of the environment")
    func variable() async throws {
        let variables = ["HSLINK_TEST_SECRET": "correct horse\n"]
        #expect(
            try await echo("a=@env:HSLINK_TEST_SECRET", environment: variables) == answer(#"{"a":"correct horse\n"}"#))
        let unset = try await echo("a=@env:HSLINK_TEST_SECRET", environment: ["HSLINK_TEST_SECRET": nil])
        #expect(unset.status == 64)
        #expect(
            unset.standardOutput.contains(
                #""code":"usageError","message":"a: the variable HSLINK_TEST_SECRET is not set""#))
    }

    @Test(
        "impossible combinations are errors",
        arguments: [
            (["a=@"], "Error: a: expected '-', '?', 'env:NAME' or a file after '@'; for text that begins with"),
            (["a=@env:"], "Error: a: expected the name of a variable after '@env:'"),
            (["a=@-", "b=@-"], "Error: b: another key already reads standard input"),
        ])
    func misuse(arguments: [String], error: String) async throws {
        let run = try await hslink(["call", "A", "b"] + arguments)
        #expect(run.status == 64)
        #expect(run.standardError.hasPrefix(error), "\(run.standardError)")
    }

    @Test("a value is prompted for at the terminal without echo, even if standard input is redirected")
    func prompt() async throws {
        try await withPlugins("CGood") { plugins in
            let terminal = try ControllingTerminal()
            let run = try await terminal.run(
                ["call", "CGoodLink", "echo", "name=ada", "password=@?", "--class-method", "--json", "--plugins"]
                    + [plugins.path],
                answering: "password: ", with: "correct horse\n")
            #expect(run.program == answer(#"{"name":"ada","password":"correct horse"}"#))
            #expect(run.terminal == "password: \n")
            #expect(!run.wasEchoing)
            #expect(terminal.isEchoing)
        }
    }

    @Test("a script prompts at the terminal too, and can be interrupted afterwards")
    func promptInScript() async throws {
        try await withPlugins("CGood") { plugins in
            let terminal = try ControllingTerminal()
            let script = try TemporaryDirectory()
            let file = try script.write(
                "CGoodLink echo 'password=@?'\nCGoodLink echo $1.password\n", to: "script")
            let run = try await terminal.run(
                ["call", "-", "--plugins", plugins.path], answering: "password: ", with: "correct horse\n", input: file)
            #expect(run.program == printed(#"{"password":"correct horse"}"#, #""correct horse""#))
            #expect(terminal.isEchoing)
        }
    }

    @Test("an interrupt at the prompt ends the program and restores the terminal")
    func interrupt() async throws {
        let terminal = try ControllingTerminal()
        let run = try await terminal.run(["call", "A", "b", "password=@?"], answering: "password: ", with: "\u{3}")
        #expect(run.program.status != 0)
        #expect(run.program.standardOutput == "")
        #expect(terminal.isEchoing)
    }

    @Test(
        "an argument that is not UTF-8 is refused with its position, and no call is made",
        arguments: [
            (#"call FixtureLink length text="$bad""#, "argument 4, the value of text, is not UTF-8"),
            (#"call FixtureLink length "{\"text\": \"$bad\"}""#, "argument 4 is not UTF-8"),
            (#"call FixtureLink echo data="@$bad""#, "argument 4, the value of data, is not UTF-8"),
            (#"inspect "$bad""#, "argument 2 is not UTF-8"), (#""$bad""#, "argument 1 is not UTF-8"),
            (#"list --plugins "$bad""#, "argument 3 is not UTF-8"),
        ])
    func notUTF8(words: String, error: String) async throws {
        try await withPlugins("FixtureComponent") { plugins async throws in
            let script = #"bad=$(printf 'caf\351.mp4'); cd "$1"; printf x >"$bad"; exec "$0" \#(words)"#
            let run = try await ProgramRun.of(
                URL(filePath: "/bin/sh"), ["-c", script, BuiltProducts.hslink.path, plugins.path],
                environment: ["HSLINK_PATH": plugins.path])
            #expect(
                run
                    == failed("Error: \(error); if it names a file, rename the file or create a link to it", status: 64)
            )
        }
    }

    @Test("a variable with a path that is not UTF-8 is refused", arguments: ["HSLINK_PATH", "HSLINK_DATA", "HOME"])
    func variableNotUTF8(name: String) async throws {
        let run = try await ProgramRun.of(
            URL(filePath: "/bin/sh"),
            ["-c", #"export "$1=$(printf '/caf\351')"; exec "$0" list"#, BuiltProducts.hslink.path, name])
        #expect(
            run
                == failed(
                    "Error: the environment variable \(name) is not UTF-8; rename the directory or create a link to it",
                    status: 64))
    }

    @Test(
        "a variable that is not UTF-8 and not used does not matter",
        arguments: [
            ("HSLINK_PATH", "config --plugins ."), ("HSLINK_CONFIG", "config --plugins=. --config=a.json"),
            ("CREDENTIALS_DIRECTORY", "config --plugins . --secrets a.json"), ("HSLINK_DATA", "call --help"),
            ("HOME", "layers --help"),
        ])
    func unusedVariable(name: String, words: String) async throws {
        let directory = try TemporaryDirectory()
        try directory.write("{}", to: "a.json")
        let run = try await ProgramRun.of(
            URL(filePath: "/bin/sh"),
            [
                "-c", #"export "$1=$(printf '/caf\351')"; cd "$2"; exec "$0" \#(words)"#, BuiltProducts.hslink.path,
                name, directory.path,
            ])
        #expect(run.status == 0, "\(run)")
    }

    @Test(
        "a current directory that is not UTF-8 is refused, and the one that a repair would name is not used",
        arguments: ["list --plugins plugins", "run --data data --plugins plugins", "call A b @in.json"])
    func directoryNotUTF8(words: String) async throws {
        try await withPlugins { plugins async throws in
            let repaired = plugins.file("caf\u{FFFD}")
            try FileManager.default.createDirectory(atPath: repaired, withIntermediateDirectories: true)
            try plugins.write("{}", to: "caf\u{FFFD}/in.json")
            let script = #"cd "$1"; bad=$(printf 'caf\351'); mkdir "$bad"; cd "$bad"; exec "$0" \#(words)"#
            let run = try await ProgramRun.of(
                URL(filePath: "/bin/sh"), ["-c", script, BuiltProducts.hslink.path, plugins.path])
            let message =
                "the path of the current directory is not UTF-8; rename the directory, or begin in another one"
            #expect(run == failed("Error: \(message)", status: 64))
            #expect(try FileManager.default.contentsOfDirectory(atPath: repaired) == ["in.json"])
        }
    }

    @Test("without a terminal a prompt is an error")
    func noTerminal() async throws {
        let run = try await ProgramRun.of(
            URL(filePath: "/usr/bin/setsid"), ["-w", BuiltProducts.hslink.path, "call", "A", "b", "password=@?"])
        #expect(run.status == 64)
        #expect(run.standardError.hasPrefix("Error: password: there is no terminal to prompt at; "), "\(run)")
    }

    @Test(
        "an invalid payload is not repeated in the error",
        arguments: [
            ["hunter2"], ["name=ada", "hunter2"], ["{\"password\": hunter2}"], ["=hunter2"], ["[\"hunter2\", x]"],
            ["a=1", "[\"hunter2\"]"], ["{\"a\": {\"$bytes\": \"hunter2\"}}"],
        ])
    func notShown(arguments: [String]) async throws {
        let run = try await hslink(["call", "A", "b"] + arguments)
        #expect(run.status == 64)
        #expect(!run.standardError.contains("hunter2"), "\(run.standardError)")
    }
}
