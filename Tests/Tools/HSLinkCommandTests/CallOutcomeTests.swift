import TestSupport
import Testing

/// One fixture, one call, and its expected outcome.
struct Outcome: Sendable, CustomTestStringConvertible {
    let fixture: String
    let arguments: [String]
    /// The codes of the error and its causes, outermost first.
    let codes: [String]
    let performed: Bool
    let loaded: Bool

    var testDescription: String { "\(fixture) \(arguments.joined(separator: " "))" }

    /// The component exists but is not loaded.
    static func refused(_ fixture: String, _ code: String, _ selector: String = "run") -> Outcome {
        Outcome(
            fixture: fixture, arguments: [selector, "--class-method"], codes: ["notLoaded", code], performed: false,
            loaded: false)
    }

    /// The method was called, or could have been, but there is no value.
    static func fails(_ fixture: String, _ code: String, _ arguments: String...) -> Outcome {
        Outcome(fixture: fixture, arguments: arguments, codes: [code], performed: false, loaded: true)
    }
}

@Suite("Calls to broken components")
struct CallOutcomeTests {
    @Test(
        "a component that cannot be loaded is refused with its reason, and the class counts as not loaded",
        arguments: [
            .refused("NoteAbiTooNew", "wrongABI"), .refused("OtherCompiler", "otherCompiler"),
            .refused("NeedsMissing", "requirementNotMet"), .refused("MarksAndMissing", "requirementNotMet"),
            .refused("MissingLibrary", "cannotLink"), .refused("MissingSymbol", "cannotLink"),
            .refused("MissingEntry", "missingEntry"), .refused("ForeignEntry", "missingEntry"),
            .refused("EntryNull", "missingEntry"), .refused("BadMagic", "invalidDescriptor"),
            .refused("AbiTooNew", "wrongABI"), .refused("SmallDescriptor", "invalidDescriptor"),
            .refused("SmallClass", "invalidDescriptor"), .refused("SmallStride", "invalidDescriptor"),
            .refused("NullClass", "invalidDescriptor"), .refused("NullMethods", "invalidDescriptor"),
            .refused("NullFunction", "invalidDescriptor"), .refused("NoMake", "invalidDescriptor", "plain"),
            .refused("NameMismatch", "invalidDescriptor"), .refused("ClassNotInDescriptor", "invalidDescriptor"),
            .refused("SelectorNotInDescriptor", "invalidDescriptor"), .refused("CreateFails", "createFailed"),
            .refused("CreateFailsSilently", "createFailed"),
        ] as [Outcome])
    func refused(outcome: Outcome) async throws { try await check(outcome) }

    @Test(
        "requirements that other components do not meet are refused",
        arguments: [
            (["CGood", "NeedsNewer"], "NeedsNewer"), (["NeedsCycleA", "NeedsCycleB"], "NeedsCycleA"),
            (["NeedsCycleA", "NeedsCycleB"], "NeedsCycleB"), (["CreateFails", "NeedsFailing"], "NeedsFailing"),
        ])
    func requirements(fixtures: [String], called: String) async throws {
        try await withPlugins { plugins in
            for fixture in fixtures { try plugins.add(fixture) }
            try await check(.refused(called, "requirementNotMet"), in: plugins)
        }
    }

    @Test(
        "a method that fails is an error of a loaded class",
        arguments: [
            .fails("MakeFails", "methodFailed", "run"), .fails("MakeReturnsNothing", "methodFailed", "run"),
            .fails("NeverReplies", "deadlineExceeded", "run", "--class-method", "--deadline", "0.1"),
            .fails("RepliesLate", "deadlineExceeded", "sleep", "seconds=60", "--class-method", "--deadline", "0.1"),
            .fails("RepliesLate", "deadlineExceeded", "sleep", "seconds=60", "--deadline", "0.1"),
            .fails("LateThread", "deadlineExceeded", "later", "seconds=60", "--class-method", "--deadline", "0.1"),
            .fails("SaysReplied", "noReply", "run", "--class-method"),
            .fails("OddReturn", "noReply", "run", "--class-method"),
            .fails("BadUtf8", "invalidReply", "run", "--class-method"),
            .fails("BadUtf8", "invalidReply", "overlong", "--class-method"),
            .fails("BadUtf8", "invalidReply", "surrogate", "--class-method"),
            .fails("BadUtf8", "invalidReply", "truncated", "--class-method"),
            .fails("BadUtf8", "invalidReply", "beyond", "--class-method"),
            .fails("BadKeyUtf8", "invalidReply", "run", "--class-method"),
            .fails("DuplicateKeys", "invalidReply", "run", "--class-method"),
            .fails("Cycle", "invalidReply", "run", "--class-method"),
            .fails("Cycle", "invalidReply", "map", "--class-method"),
            .fails("DeepNesting", "invalidReply", "run", "--class-method"),
            .fails("Exponential", "invalidReply", "run", "--class-method"),
            .fails("HugeLength", "invalidReply", "array", "--class-method"),
            .fails("HugeLength", "invalidReply", "map", "--class-method"),
            .fails("HugeLength", "invalidReply", "string", "--class-method"),
            .fails("HugeLength", "invalidReply", "bytes", "--class-method"),
            .fails("HugeLength", "invalidReply", "key", "--class-method"),
            .fails("NullItems", "invalidReply", "array", "--class-method"),
            .fails("NullItems", "invalidReply", "map", "--class-method"),
            .fails("NullItems", "invalidReply", "string", "--class-method"),
            .fails("NullItems", "invalidReply", "bytes", "--class-method"),
            .fails("NullItems", "invalidReply", "key", "--class-method"),
            .fails("NullObject", "invalidReply", "run", "--class-method"),
            .fails("ObjectWithoutType", "invalidReply", "run", "--class-method"),
            .fails("ObjectWithoutType", "invalidReply", "smallType", "--class-method"),
            .fails("ObjectWithoutType", "invalidReply", "emptyType", "--class-method"),
            .fails("OddValues", "invalidReply", "date", "--class-method"),
            .fails("BadErrors", "methodFailed", "text", "--class-method"),
            .fails("BadErrors", "methodFailed", "details", "--class-method"),
            .fails("BadErrors", "methodFailed", "small", "--class-method"),
            .fails("BadErrors", "methodFailed", "null", "--class-method"),
            .fails("BadErrors", "methodFailed", "cycle", "--class-method"),
            .fails("CxxGood", "methodFailed", "divide", "dividend=1", "divisor=0", "--class-method"),
            .fails("CxxGood", "methodFailed", "raise", "--class-method"),
            .fails("FixtureComponent", "payloadMismatch", "sum", "a=1"),
            .fails("FixtureComponent", "methodFailed", "throwOther"),
            .fails("FixtureComponent", "replyDropped", "drop"),
            .fails("FixtureComponent", "selectorNotFound", "sum", "--class-method"),
        ] as [Outcome])
    func fails(outcome: Outcome) async throws { try await check(outcome) }

    @Test("a panic in Rust is an error of a loaded class", .enabled(if: Fixtures.hasRust))
    func panics() async throws {
        try await check(.fails("RustGood", "methodFailed", "panic", "index=9", "--class-method"))
    }

    @Test("a class that no component has is not loaded")
    func noClass() async throws {
        try await withPlugins("CGood") { plugins in
            let run = try await hslink("call", "VideoLink", "probe", "--json", "--plugins", plugins.path)
            #expect(
                run.standardOutput
                    == #"{"returnValue":null,"performSuccess":false,"classIsLoad":false,"error":{"#
                    + #""code":"classNotFound","message":"no component has this class","class":"VideoLink","#
                    + #""selector":"probe","component":null}}"# + "\n")
            #expect(run.status == 1)
            #expect(run.standardError == "")
        }
    }

    @Test(
        "valid calls to odd components return their values",
        arguments: [
            ("MakeFails", ["plain", "--class-method"], "true"),
            ("MakeReturnsNothing", ["plain", "--class-method"], "true"),
            ("OddReturn", ["replied", "--class-method"], "true"),
            ("RepliesTwice", ["run", "--class-method"], "1"),
            ("LateThread", ["later", "seconds=0.02", "--class-method"], #""from another thread""#),
            ("FutureMinor", ["again", "--class-method"], "true"),
            ("VersionedOld", ["version", "--class-method"], #""1.0.0""#),
            ("NeedsOptional", ["hasNotThere", "--class-method"], "false"),
            ("Beside", ["run", "--class-method"], #""from beside""#),
            ("SlowCreate", ["created", "--class-method"], "1"),
            ("OddValues", ["bool", "--class-method"], "true"),
            ("OddValues", ["uint", "--class-method"], "7"),
            ("CxxGood", ["divide", "dividend=42", "divisor=6", "--class-method"], "7"),
            ("FixtureComponent", ["sum", "a=1", "b=2", "c=3"], "6"),
            ("FixtureComponent", ["nothing"], "null"),
            ("FixtureComponent", ["asyncSum", "a=40", "b=2"], "42"),
            ("FixtureComponent", ["onMain"], #""main""#),
        ])
    func performed(fixture: String, arguments: [String], value: String) async throws {
        let name = fixture == "FixtureComponent" ? "Fixture" : fixture.replacing("Old", with: "")
        try await withPlugins(fixture) { plugins in
            let run = try await hslink(["call", "\(name)Link"] + arguments + ["--plugins", plugins.path])
            #expect(run == printed(value))
        }
    }

    @Test("a component calls another one through the host while it starts")
    func callsBack() async throws {
        try await withPlugins("CGood", "CreateCallsBack") { plugins in
            let run = try await hslink(
                "call", "CreateCallsBackLink", "answer", "--class-method", "--plugins", plugins.path)
            #expect(run == printed("42"))
        }
    }

    private func check(_ outcome: Outcome) async throws {
        try await withPlugins(outcome.fixture) { try await check(outcome, in: $0) }
    }

    private func check(_ outcome: Outcome, in plugins: PluginDirectory) async throws {
        let name = outcome.fixture == "FixtureComponent" ? "Fixture" : outcome.fixture
        let run = try await hslink(
            ["call", "\(name)Link"] + outcome.arguments + ["--json", "--plugins", plugins.path])
        let answer = try PrintedAnswer(run)
        let error = try #require(answer.error)
        let codes = [error.code] + error.cause.map(\.code)
        #expect(Array(codes.prefix(outcome.codes.count)) == outcome.codes, "\(error.message)")
        #expect(answer.performSuccess == outcome.performed)
        #expect(answer.classIsLoad == outcome.loaded)
        #expect(error.component == outcome.fixture)
        #expect(!error.message.isEmpty)
        #expect(run.status == 1)
        #expect(run.standardError == "")
    }
}
