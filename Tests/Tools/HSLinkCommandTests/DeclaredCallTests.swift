import TestSupport
import Testing

@Suite("Calls on the command line use the manifest")
struct DeclaredCallTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let run: ProgramRun
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: [String], _ run: ProgramRun) {
            self.arguments = arguments
            self.run = run
        }
    }

    private static let cases = [
        // The kind, if only one method has the name.
        Case(["CGoodLink", "sum", "a=40", "b=2"], printed("42")),
        Case(["FixtureLink", "twin"], printed(#""object""#)),
        Case(["FixtureLink", "twin", "--class-method"], printed(#""class""#)),
        Case(
            ["FixtureLink", "count", "--class-method"],
            failed(
                "Error: count of FixtureLink in FixtureComponent: the class has no such selector of this kind",
                "It is an object method: leave out --class-method.")),
        // Strings are taken as they are.
        Case(["FixtureLink", "length", "text=123"], printed("3")),
        Case(["FixtureLink", "length", "text=null"], printed("4")),
        Case(["FixtureLink", "length", "text={\"a"], printed("3")),
        Case(["FixtureLink", "length", "text=\"ab\""], printed("2")),
        Case(["FixtureLink", "length", "text="], printed("0")),
        Case(["FixtureLink", "sum", "a=1", "b=2", "c=3"], printed("6")),
        // Undeclared keys.
        Case(
            ["FixtureLink", "length", "txt=abc"],
            failed("Error: length of FixtureLink has no parameter 'txt'; did you mean text?", status: 64)),
        Case(
            ["FixtureLink", "sum", #"{"a": 1, "b": 2, "something": 3}"#],
            failed("Error: sum of FixtureLink has no parameter 'something'; it has a, b, c", status: 64)),
        // A row declares nothing, so it may read anything.
        Case(["FixtureLink", "echo", "any=1"], printed("{", #"  "any": 1"#, "}")),
        // Text that can only be JSON.
        Case(
            ["CGoodLink", "echo", "a=[1"],
            failed(
                "Error: a: the value begins like JSON but is malformed: expected ',' or ']', found the "
                    + "end of the text at line 1, column 3; if it is meant as text, put it in double quotes", status: 64
            )),
        Case(["CGoodLink", "echo", #"a="[1""#], printed("{", #"  "a": "[1""#, "}")),
        Case(
            ["CGoodLink", "echo", #"{"a"#],
            failed(
                "Error: the payload is not JSON: expected a closing quote, found the end of the text at line 1, "
                    + "column 4", status: 64)),
    ]

    @Test("in its own process", arguments: cases)
    func local(_ expected: Case) async throws {
        try await withPlugins("CGood", "FixtureComponent") { plugins async throws in
            let run = try await hslink(["call"] + expected.arguments + ["--plugins", plugins.path])
            #expect(run == expected.run)
        }
    }

    @Test(
        "a number that a payload cannot hold is told as a number",
        arguments: [("99999999999999999999", "a 64-bit integer"), ("-1e999", "a number that a double can hold")])
    func outOfRange(number: String, expected: String) async throws {
        try await withPlugins("FixtureComponent") { plugins async throws in
            let run = try await hslink("call", "FixtureLink", "sum", "a=\(number)", "b=2", "--plugins", plugins.path)
            let error = run.standardError
            #expect(run.status == 64 && error.hasPrefix("Error: a: "), "\(run)")
            #expect(error.hasPrefix("Error: a: expected \(expected)"), "\(run)")
            #expect(error.contains("found \(number)") && !error.contains("string"), "\(run)")
        }
    }

    @Test("in a running host")
    func remote() async throws {
        try await withPlugins("CGood", "FixtureComponent") { plugins async throws in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            for expected in Self.cases {
                let run = try await hslink(["call"] + expected.arguments + ["--host", host.socket])
                #expect(run == expected.run, "\(expected.testDescription)")
            }
            #expect(await host.end() == 0)
        }
    }
}
