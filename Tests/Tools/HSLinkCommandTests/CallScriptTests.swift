import Foundation
import TestSupport
import Testing

/// A script, and its expected outcome.
struct ScriptCase: Sendable, CustomTestStringConvertible {
    let name: String
    var lines: [String] = []
    var options: [String] = []
    var output: [String] = []
    var errors: [String] = []
    var status: Int32 = 0
    var testDescription: String { name }

    func check(_ place: [String]) async throws {
        let run = try await ProgramRun.of(
            BuiltProducts.hslink, ["call", "-"] + options + place, input: lines.joined(separator: "\n"))
        #expect(
            run
                == ProgramRun(
                    standardOutput: output.map { $0 + "\n" }.joined(),
                    standardError: errors.map { $0 + "\n" }.joined(),
                    status: status))
    }
}

@Suite("hslink call - makes the calls of standard input")
struct CallScriptTests {
    private static let dollar =
        "a dollar sign refers to an earlier result, as in $1 or $1.key; put a literal dollar "
        + "sign in single quotes"

    /// The same in a local host and in a running host.
    private static let anywhere = [
        ScriptCase(name: "none at all"),
        ScriptCase(
            name: "a byte order mark before the first line", lines: ["\u{FEFF}CGoodLink sum a=1 b=2"], output: ["3"]),
        ScriptCase(
            name: "each line with a call has an answer as JSON",
            lines: ["CGoodLink 'echo", "", "CGoodLink echo 2"], options: ["--json", "--keep-going"],
            output: [
                #"{"line":1,"returnValue":null,"performSuccess":false,"classIsLoad":false,"error":{"code":"usageError","#
                    + #""message":"a quotation mark is not closed, or a backslash ends the line","class":null,"selector":null,"component":null}}"#,
                #"{"line":3,"returnValue":2,"performSuccess":true,"classIsLoad":true}"#,
            ], status: 64),
        ScriptCase(name: "comments and empty lines alone", lines: ["# a", "", "   ", "\t# b", ""]),
        ScriptCase(
            name: "a result is a line, and a later call takes it",
            lines: ["CGoodLink sum a=40 b=2", "CGoodLink sum a=$1 b=$1", "CGoodLink echo $2", ""],
            output: ["42", "84", "84"]),
        ScriptCase(
            name: "an entry of a map, and an item of an array",
            lines: [
                #"CGoodLink echo '{"a": {"b": [7, {"c": "x"}]}, "0": null}'"#, "CGoodLink echo $1.a.b.0",
                "CGoodLink echo c=$1.a.b.1.c", "CGoodLink echo $1.0",
            ],
            output: [#"{"a":{"b":[7,{"c":"x"}]},"0":null}"#, "7", #"{"c":"x"}"#, "null"]),
        ScriptCase(
            name: "numbers are those of calls, not of lines",
            lines: ["# first", "CGoodLink echo 1 # a comment", "", "CGoodLink echo 2", "CGoodLink sum a=$1 b=$2"],
            output: ["1", "2", "3"]),
        ScriptCase(
            name: "words are quoted as in a shell",
            lines: [
                #"CGoodLink echo 'a=b  c' "d=e'f" g=h\ i"#, #"CGoodLink echo 'a=$1' b=\$1 "c=\$1" "d=$1.a""#,
                #"CGoodLink echo 'a=#' b=c#d e=5$"#, "\tCGoodLink\techo   '{\"a\": \"\u{E9}\u{301}\"}'\t\r",
            ],
            output: [
                #"{"a":"b  c","d":"e'f","g":"h i"}"#, #"{"a":"$1","b":"$1","c":"$1","d":"b  c"}"#,
                ##"{"a":"#","b":"c#d","e":"5$"}"##, "{\"a\":\"\u{E9}\u{301}\"}",
            ]),
        ScriptCase(
            name: "a line has options of its own",
            lines: [
                "FixtureLink twin", "FixtureLink twin --class-method", "--deadline 100 FixtureLink twin",
                "FixtureLink twin --deadline=100", "FixtureLink twin --timeout none", "CGoodLink echo -- '{}'",
                "CGoodLink echo -5",
            ],
            output: [#""object""#, #""class""#, #""object""#, #""object""#, #""object""#, "{}", "-5"]),
        ScriptCase(
            name: "the first call that fails ends it",
            lines: ["CGoodLink echo 1", "", "CGoodLink sum a=1", "CGoodLink echo 2"],
            output: ["1"], errors: ["Error: line 3: sum of CGoodLink in CGood: b: expected an integer"],
            status: 1),
        ScriptCase(
            name: "--keep-going performs all calls, and ends as the first that has failed",
            lines: ["CGoodLink sum a=1", "CGoodLink echo 2", "CGoodLink echo $1", "CGoodLink echo $2"],
            options: ["--keep-going"], output: ["2", "2"],
            errors: [
                "Error: line 1: sum of CGoodLink in CGood: b: expected an integer",
                "Error: line 3: there is no result $1: the call failed, or its result could not leave the host",
            ], status: 1),
        ScriptCase(
            name: "with --json each line is an object",
            lines: ["# one", "CGoodLink echo 1", "CGoodLink fail"], options: ["--json"],
            output: [
                #"{"line":2,"returnValue":1,"performSuccess":true,"classIsLoad":true}"#,
                #"{"line":3,"returnValue":null,"performSuccess":false,"classIsLoad":true,"error":{"code":"methodFailed","#
                    + #""message":"CGood fails because it was asked to","class":"CGoodLink","selector":"fail","#
                    + #""component":"CGood","domain":"CGood","number":42,"details":{"reason":"asked to","attempt":3},"#
                    + #""cause":{"code":"methodFailed","message":"the cause of the failure","class":null,"#
                    + #""selector":null,"component":null}}}"#,
            ], status: 1),
        ScriptCase(
            name: "what may have been meant is said", lines: ["CGoodLnk echo 1"],
            errors: ["Error: line 1: echo of CGoodLnk: no component has this class", "Did you mean CGoodLink?"],
            status: 1),
        ScriptCase(
            name: "keys are those of the manifest", lines: ["FixtureLink length txt=abc"],
            errors: ["Error: line 1: length of FixtureLink has no parameter 'txt'; did you mean text?"], status: 64),
        ScriptCase(
            name: "a string is taken as it is typed", lines: ["FixtureLink length text=123"], output: ["3"]),
    ]

    private static let taken =
        "standard input contains the calls; use @FILE, @env:NAME or an earlier result for a value"

    /// Malformed lines.
    private static let wrongLines = [
        ("CGoodLink echo $9", "there is no result $9: this is call 1; only earlier calls have results"),
        ("CGoodLink echo a=$1", "a: there is no result $1: this is call 1; only earlier calls have results"),
        ("CGoodLink echo $0", dollar), ("CGoodLink echo $HOME", dollar), ("CGoodLink echo a=$(ls)", "a: " + dollar),
        ("CGoodLink echo $99999999999999999999", dollar),
        ("$1 next", "there is no result $1: this is call 1; only earlier calls have results"),
        ("CGoodLink echo 'a=b", "a quotation mark is not closed, or a backslash ends the line"),
        ("CGoodLink echo \\", "a quotation mark is not closed, or a backslash ends the line"),
        ("CGoodLink", "expected a selector after the class or the object"),
        ("--class-method", "expected a class and a selector"),
        ("CGoodLink echo --json", "'--json' is not an option here; expected --class-method or --deadline"),
        ("CGoodLink echo --deadline", "--deadline: expected a number of seconds above 0, as in 0.5, or none"),
        ("CGoodLink echo --deadline -1", "--deadline: expected a number of seconds above 0, as in 0.5, or none"),
        ("CGoodLink echo --timeout=never", "--timeout: expected a number of seconds above 0, as in 0.5, or none"),
        ("CGoodLink echo @-", taken),
        ("CGoodLink echo a=1 b=@-", taken),
        ("CGoodLink echo a=1 a=2", "the key 'a' is given twice"),
        ("CGoodLink echo \u{1B}[2J", "expected a payload as JSON, @FILE or key=value"),
    ]

    @Test("in its own process", arguments: anywhere)
    func local(_ script: ScriptCase) async throws {
        try await withPlugins("CGood", "FixtureComponent") { try await script.check(["--plugins", $0.path]) }
    }

    @Test("in a running host")
    func remote() async throws {
        try await withPlugins("CGood", "FixtureComponent") { plugins async throws in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            for script in Self.anywhere { try await script.check(["--host", host.socket]) }
            #expect(await host.end() == 0)
        }
    }

    @Test("a malformed line ends the script with its number, as a wrong command line", arguments: wrongLines)
    func wrong(line: String, error: String) async throws {
        try await withPlugins("CGood") { plugins in
            let script = ScriptCase(
                name: "", lines: ["", line, "CGoodLink echo 2"], errors: ["Error: line 2: \(error)"], status: 64)
            try await script.check(["--plugins", plugins.path])
        }
    }

    @Test("a reference to a missing part of a result says what the result is")
    func noPart() async throws {
        try await withPlugins("CGood") { plugins in
            let script = ScriptCase(
                name: "",
                lines: ["CGoodLink echo '[{}]'", "CGoodLink echo $1.1", "CGoodLink echo $1.0.a.b", "$1 next"],
                options: ["--keep-going"], output: ["[{}]"],
                errors: [
                    "Error: line 2: $1 has no entry '1'; its type is array",
                    "Error: line 3: $1.0 has no entry 'a'; its type is map",
                    "Error: line 4: $1 cannot be called: expected object, found array",
                ], status: 64)
            try await script.check(["--plugins", plugins.path])
        }
    }

    @Test("objects, closures and streams can be called and passed on")
    func objects() async throws {
        try await withPlugins("CGood", "FixtureComponent") { plugins in
            let script = ScriptCase(
                name: "",
                lines: [
                    "FixtureLink makeCounter", "$1 increment", "$1 increment by=5", "FixtureLink adder amount=2",
                    "$4 '' 40", "FixtureLink apply closure=$4 argument=$3", "FixtureLink echo all=$1",
                    "$7.all increment", "TypedLink count to=2 failing=false", "$9 next", "$9 next", "$9 next",
                    "$9 previous",
                ],
                output: [
                    "<object FixtureCounter>", "1", "6", "<object closure>", "42", "8",
                    #"{"all": <object FixtureCounter>}"#, "7", "<object stream>", #"{"value":1}"#, #"{"value":2}"#,
                    "null",
                ],
                errors: [
                    "Error: line 13: previous of stream in FixtureComponent: a stream has only next and cancel"
                ], status: 1)
            try await script.check(["--plugins", plugins.path])
        }
    }

    @Test("an object is not a failure in JSON either, and is described")
    func objectsInJSON() async throws {
        try await withPlugins("CGood") { plugins in
            let script = ScriptCase(
                name: "", lines: ["CGoodLink makeCounter", "$1 increment"], options: ["--json"],
                output: [
                    #"{"line":1,"returnValue":null,"performSuccess":true,"classIsLoad":true,"error":{"code":"notPrintable","#
                        + #""message":"performed, but the result cannot be printed as JSON: the payload: expected a value that "#
                        + #"JSON can hold, found object","class":"CGoodLink","selector":"makeCounter","#
                        + #""component":"CGood"}}"#,
                    #"{"line":2,"returnValue":1,"performSuccess":true,"classIsLoad":true}"#,
                ])
            try await script.check(["--plugins", plugins.path])
        }
    }

    @Test("handles of a C library are passed from call to call, and released once")
    func handles() async throws {
        try await withPlugins { plugins in
            try plugins.add(file: BuiltProducts.packageDirectory.appending(path: "Tests/Descriptions/zlib.hslink.json"))
            let script = ScriptCase(
                name: "",
                lines: [
                    "Zlib deflateInit level=9", "Zlib deflateReset strm=$1.strm", "Zlib deflateEnd strm=$1.strm",
                    "Zlib deflateReset strm=$1.strm",
                ],
                output: [#"{"strm": <object z_stream>, "return": 0}"#, "0", "0"],
                errors: [
                    "Error: line 4: deflateReset of Zlib in zlib: the handle z_stream has been released"
                ], status: 1)
            try await script.check(["--plugins", plugins.path])
        }
    }

    @Test("a result that cannot leave a running host is a failure")
    func remoteObjects() async throws {
        try await withPlugins("CGood") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            let script = ScriptCase(
                name: "", lines: ["CGoodLink makeCounter", "$1 increment", "CGoodLink echo 3"],
                options: ["--keep-going"], output: ["3"],
                errors: [
                    "Error: line 1: makeCounter of CGoodLink in CGood: performed, but the result cannot leave the "
                        + "host's process: value: expected a value that CBOR can hold, found object",
                    "Objects and streams stay in their process. Without --host, 'hslink call -' makes several calls in "
                        + "one process, and later calls can use them.",
                    "Error: line 2: there is no result $1: the call failed, or its result could not leave the host",
                ], status: 1)
            try await script.check(["--host", host.socket])
            #expect(await host.end() == 0)
        }
    }

    @Test("a component is made once for all calls")
    func oneProcess() async throws {
        try await withPlugins("CGood") { plugins in
            try await ScriptCase(
                name: "", lines: Array(repeating: "CGoodLink count", count: 3), output: ["1", "2", "3"]
            ).check(["--plugins", plugins.path])
        }
    }

    @Test("a line of a megabyte is a line")
    func longLine() async throws {
        try await withPlugins("FixtureComponent") { plugins in
            let text = String(repeating: "x", count: 1 << 20)
            try await ScriptCase(
                name: "", lines: ["FixtureLink length text=\(text)", "FixtureLink length text='\(text)y'"],
                output: ["1048576", "1048577"]
            ).check(["--plugins", plugins.path])
        }
    }

    @Test("bytes that are not text make a malformed line, and the next one is read")
    func binary() async throws {
        try await withPlugins("CGood") { plugins async throws in
            let place = try TemporaryDirectory()
            let file = place.path(of: "script")
            let bytes = Array("CGoodLink echo 1\n".utf8) + [0xFF, 0xC0, 0x00, 0x0A] + Array("CGoodLink echo 2".utf8)
            try Data(bytes).write(to: URL(filePath: file))
            let run = try await ProgramRun.of(
                URL(filePath: "/bin/sh"),
                [
                    "-c", #"exec "$0" call - --keep-going --plugins "$1" <"$2""#, BuiltProducts.hslink.path,
                    plugins.path,
                    file,
                ])
            #expect(
                run
                    == ProgramRun(
                        standardOutput: "1\n2\n", standardError: "Error: line 2: the line is not UTF-8\n", status: 64))
            let directory = try await ProgramRun.of(
                URL(filePath: "/bin/sh"), ["-c", #"exec "$0" call - <"$1""#, BuiltProducts.hslink.path, plugins.path])
            #expect(
                directory
                    == failed(
                        "Error: the calls could not be read from standard input: Is a directory", status: 64))
        }
    }

    @Test(
        "options that belong on the lines are refused on the command line",
        arguments: [["-", "count"], ["-", "--class-method"], ["CGoodLink", "count", "--keep-going"]])
    func misuse(arguments: [String]) async throws {
        #expect(try await hslink(["call"] + arguments).status == 64)
    }

    @Test("the calls end with the reader of the results")
    func noReader() async throws {
        try await withPlugins("CGood") { plugins in
            // The input never ends: `timeout` would end a script that keeps running with status 124.
            let script = """
                yes 'CGoodLink echo 1' | timeout \(TestPatience.seconds(60)) "$0" call - --plugins "$1" | head -n 1
                echo ${PIPESTATUS[1]}
                """
            let run = try await ProgramRun.of(
                URL(filePath: "/bin/bash"), ["-c", script, BuiltProducts.hslink.path, plugins.path])
            #expect(run.standardOutput == "1\n0\n")
        }
    }

    @Test("closed standard descriptors stay closed, and are not reused")
    func closedOutput() async throws {
        try await withPlugins("CGood") { plugins in
            let run = try await ProgramRun.of(
                URL(filePath: "/bin/sh"),
                ["-c", #"exec "$0" call CGoodLink echo 1 --plugins "$1" >&-"#, BuiltProducts.hslink.path, plugins.path])
            #expect(
                run
                    == failed("Error: the result could not be written to standard output: Bad file descriptor"))
        }
    }

    @Test("without a host no line is read")
    func noHost() async throws {
        let place = try TemporaryDirectory()
        let missing = place.path(of: "missing")
        let run = try await hslink("call", "-", "--host", missing, input: "A b\n")
        let words = "there is no control socket at \(missing); 'hslink run' creates one and prints its path"
        #expect(run == failed("Error: \(words)"))
    }
}
