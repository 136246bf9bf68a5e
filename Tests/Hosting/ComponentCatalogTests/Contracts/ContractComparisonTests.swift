import Testing

@testable import ComponentCatalog

/// The consumer's contract, the provider's contract, and the expected differences.
struct ContractRow: CustomTestStringConvertible {
    let testDescription: String
    var expected = #"{"name": "a"}"#
    var offered = #"{"name": "a"}"#
    var expectedModels = ""
    var offeredModels = ""
    let lines: [String]

    init(_ name: String, _ expected: String, _ offered: String, _ lines: String...) {
        testDescription = name
        self.expected = expected
        self.offered = offered
        self.lines = lines
    }

    /// A selector `a` with these parameters.
    static func parameters(_ expected: String, _ offered: String, _ lines: String...) -> ContractRow {
        var row = ContractRow("\(expected) → \(offered)", "", "")
        row = ContractRow(
            row.testDescription, #"{"name": "a", "parameters": {\#(expected)}}"#,
            #"{"name": "a", "parameters": {\#(offered)}}"#, lines)
        return row
    }

    /// A selector `a` with these results.
    static func result(_ expected: String, _ offered: String, _ lines: String...) -> ContractRow {
        ContractRow(
            "-> \(expected) / \(offered)", #"{"name": "a", "result": "\#(expected)"}"#,
            #"{"name": "a", "result": "\#(offered)"}"#, lines)
    }

    private init(_ name: String, _ expected: String, _ offered: String, _ lines: [String]) {
        testDescription = name
        self.expected = expected
        self.offered = offered
        self.lines = lines
    }

    /// A model U that is the element of a stream.
    static func streamed(_ expected: String, _ offered: String, _ lines: String...) -> ContractRow {
        let selector = #"{"name": "a", "result": "any AsyncSequence<U, any Error> & Sendable"}"#
        var row = ContractRow("streamed: \(expected) → \(offered)", selector, selector, lines)
        row.expectedModels = expected
        row.offeredModels = offered
        return row
    }

    /// A model U that travels to the provider, to the consumer, or in both directions.
    static func model(_ flow: String, _ expected: String, _ offered: String, _ lines: String...) -> ContractRow {
        let selector =
            switch flow {
            case "in": #"{"name": "a", "parameters": {"u": "U"}}"#
            case "out": #"{"name": "a", "result": "[U]?"}"#
            default: #"{"name": "a", "parameters": {"u": "U"}, "result": "U"}"#
            }
        var row = ContractRow("\(flow): \(expected) → \(offered)", selector, selector, lines)
        row.expectedModels = expected
        row.offeredModels = offered
        return row
    }
}

@Suite("Contracts of consumer and provider")
struct ContractComparisonTests {
    private func comparison(_ row: ContractRow) throws -> ContractComparison {
        let consumer = try Manifest.using(row.expected, models: row.expectedModels).contract
        let provider = try Manifest.providing(row.offered, models: row.offeredModels).contract
        return try #require(ContractComparison(service: "com.x/1", consumer: consumer, provider: provider))
    }

    private func check(_ row: ContractRow) throws {
        let comparison = try comparison(row)
        #expect(comparison.lines == row.lines)
        #expect(comparison.isCompatible == !row.lines.contains { $0.hasPrefix("incompatible") })
    }

    @Test(
        "selectors and parameters",
        arguments: [
            ContractRow("the same", #"{"name": "a"}"#, #"{"name": "a"}"#),
            ContractRow(
                "another order", #"{"name": "a"}, {"name": "b", "kind": "class"}"#,
                #"{"name": "b", "kind": "class"}, {"name": "a"}"#),
            ContractRow(
                "a new selector", #"{"name": "a"}"#, #"{"name": "a"}, {"name": "b", "parameters": {"p": "Int"}}"#,
                "compatible b: new (b(p: Int))"),
            ContractRow(
                "a removed one", #"{"name": "a"}, {"name": "b", "result": "Int"}"#, #"{"name": "a"}"#,
                "incompatible b: removed (b() -> Int)"),
            ContractRow(
                "a renamed one", #"{"name": "a", "result": "Int"}"#, #"{"name": "b", "result": "Swift.Int"}"#,
                "incompatible a: renamed? (a() -> Int / b() -> Swift.Int)"),
            ContractRow(
                "of another kind", #"{"name": "a"}"#, #"{"name": "a", "kind": "class"}"#,
                "incompatible a: removed (a())", "compatible a: new (class a())"),
            .parameters(#""p": "Int""#, #""p": "Swift.Int""#),
            .parameters(
                #""p": "String""#, #""p": "Int""#,
                "incompatible a.parameters.p: different type (p: String / p: Int)"),
            .parameters(#""p": "Int""#, "", "incompatible a.parameters.p: removed (p: Int)"),
            .parameters("", #""p": "Int""#, "incompatible a.parameters.p: new and required (p: Int)"),
            .parameters("", #""p": "Int?""#, "compatible a.parameters.p: new (p: Int?)"),
            .parameters("", #""p": "Int = 1""#, "compatible a.parameters.p: new (p: Int = 1)"),
            .parameters(#""p": "Int""#, #""p": "Int?""#, "compatible a.parameters.p: now optional (p: Int / p: Int?)"),
            .parameters(
                #""p": "Int?""#, #""p": "Int""#, "incompatible a.parameters.p: now required (p: Int? / p: Int)"),
            .parameters(
                #""p": "Int = 1""#, #""p": "Int""#, "incompatible a.parameters.p: now required (p: Int = 1 / p: Int)"),
            .parameters(#""p": "Int""#, #""p": "Int = 1""#),
            .parameters(
                #""p": "Int""#, #""q": "Int""#, "incompatible a.parameters.p: renamed? (p: Int / q: Int)"),
            .parameters(
                #""p": "Int", "r": "Int""#, #""q": "Int""#, "incompatible a.parameters.p: removed (p: Int)",
                "incompatible a.parameters.r: removed (r: Int)",
                "incompatible a.parameters.q: new and required (q: Int)"),
            .parameters(
                #""p": "[String: [Int]?]""#, #""p": "[String: [Int]]""#,
                "incompatible a.parameters.p: now required (p: [String: [Int]?] / p: [String: [Int]])"),
            .parameters(#""p": "list of things""#, #""p": "listof things""#),
            .parameters(#""p": "string""#, #""p": "String""#),
            .parameters(#""p": "[string: bytes]?""#, #""p": "[String: Data]?""#),
            .parameters(
                #""p": "string""#, #""p": "int""#, "incompatible a.parameters.p: different type (p: String / p: Int)"),
        ])
    func selectors(row: ContractRow) throws { try check(row) }

    @Test(
        "results and closures travel in the opposite direction",
        arguments: [
            .result("Int?", "Int", "compatible a.result: no longer nil (result: Int? / result: Int)"),
            .result("Int", "Int?", "incompatible a.result: may be nil now (result: Int / result: Int?)"),
            .result("Void", "Int", "compatible a.result: new (result: Int)"),
            .result("Int", "()", "incompatible a.result: removed (result: Int)"),
            .result(
                "(a: Int, b: Int)", "(a: Int, c: Int)",
                "incompatible a.result: different type (result: (a: Int, b: Int) / result: (a: Int, c: Int))"),
            .parameters(
                #""f": "(Int) -> Void""#, #""f": "(Int?) -> Void""#,
                "incompatible a.parameters.f: may be nil now (f: (Int) -> Void / f: (Int?) -> Void)"),
            .parameters(
                #""f": "(Int?) -> Void""#, #""f": "(Int) -> Void""#,
                "compatible a.parameters.f: no longer nil (f: (Int?) -> Void / f: (Int) -> Void)"),
            .parameters(
                #""f": "() -> Int?""#, #""f": "() -> Int""#,
                "incompatible a.parameters.f: now required (f: () -> Int? / f: () -> Int)"),
            .parameters(
                #""f": "(Int) -> Void""#, #""f": "(Int, Int) -> Void""#,
                "incompatible a.parameters.f: different type (f: (Int) -> Void / f: (Int, Int) -> Void)"),
            .result(
                "(Int) -> Void", "(Int?) -> Void",
                "compatible a.result: now optional (result: (Int) -> Void / result: (Int?) -> Void)"),
        ] as [ContractRow])
    func results(row: ContractRow) throws { try check(row) }

    private static func fields(_ fields: String) -> String { #"{"module": "M", "name": "U", "fields": {\#(fields)}}"# }
    private static func sparse(_ fields: String) -> String {
        #"{"module": "M", "name": "U", "fields": {\#(fields)}, "sparse": true}"#
    }
    private static func raw(_ type: String, _ cases: String) -> String {
        #"{"module": "M", "name": "U", "raw": "\#(type)", "cases": {\#(cases)}}"#
    }
    private static func cases(_ cases: String) -> String { #"{"module": "M", "name": "U", "cases": {\#(cases)}}"# }

    @Test(
        "models, by the direction in which they travel",
        arguments: [
            .model(
                "in", fields(#""a": "Int""#), fields(#""a": "Int", "b": "Int""#),
                "incompatible U.b: new and required (b: Int)"),
            .model("out", fields(#""a": "Int""#), fields(#""a": "Int", "b": "Int""#), "compatible U.b: new (b: Int)"),
            .model(
                "both", fields(#""a": "Int""#), fields(#""a": "Int", "b": "Int""#),
                "incompatible U.b: new and required (b: Int)"),
            .model(
                "both", fields(#""a": "Int""#), fields(#""a": "Int", "b": "Int?""#), "compatible U.b: new (b: Int?)"),
            .model("out", fields(#""a": "Int?""#), fields(""), "incompatible U.a: removed (a: Int?)"),
            .model(
                "out", fields(#""a": "Int?""#), fields(#""b": "Int?""#),
                "incompatible U.a: renamed? (a: Int? / b: Int?)"),
            .model("out", fields(#""a": "Int""#), fields(#""a": "Int = 1""#)),
            .model(
                "out", fields(#""a": "Int""#), sparse(#""a": "Int = 1""#),
                "incompatible U.a: may be left out now (a: Int / a: Int = 1)"),
            .model("out", sparse(#""a": "Int = 1", "b": "Int?""#), sparse(#""a": "Int =  1", "b": "Int? = nil""#)),
            .model("out", fields(#""a": "Int = 1""#), sparse(#""a": "Int = 1""#)),
            .model("out", sparse(#""a": "Int = 1""#), fields(#""a": "Int = 2""#)),
            .model("in", fields(#""a": "Int = 1""#), sparse(#""a": "Int = 2""#)),
            .model(
                "out", fields(#""a": "Int = 1""#), sparse(#""a": "Int = 2""#),
                "incompatible U.a: different default, which is left out (a: Int = 1 / a: Int = 2)"),
            .model(
                "in", sparse(#""a": "Int = 1""#), fields(#""a": "Int = 2""#),
                "incompatible U.a: different default, which is left out (a: Int = 1 / a: Int = 2)"),
            .model(
                "both", fields(#""next": "U?", "all": "[U]""#), fields(#""next": "U?", "all": "[String: U]""#),
                "incompatible U.all: different type (all: [U] / all: [String: U])"),
            .model(
                "out", cases(#""a": {}"#), cases(#""a": {}, "b": {"_0": "Int"}"#),
                "incompatible U.b: new case, unknown to the consumer (case b(_0: Int))"),
            .model(
                "in", cases(#""a": {}"#), cases(#""a": {}, "b": {"_0": "Int"}"#),
                "compatible U.b: new case (case b(_0: Int))"),
            .model(
                "in", cases(#""a": {}, "b": {"x": "Int"}"#), cases(#""a": {}"#),
                "incompatible U.b: removed (case b(x: Int))"),
            .model(
                "out", cases(#""a": {}, "b": {}"#), cases(#""a": {}, "c": {}"#),
                "incompatible U.b: renamed? (case b / case c)"),
            .model(
                "in", cases(#""a": {"x": "Int"}"#), cases(#""a": {"x": "String"}"#),
                "incompatible U.a.x: different type (x: Int / x: String)"),
            .model(
                "in", #"{"name": "U", "raw": "String", "cases": {"a": {}}}"#,
                #"{"name": "U", "raw": "Int", "cases": {"a": {}}}"#,
                "incompatible U: different type of raw value (raw: String / raw: Int)"),
            .model(
                "in", raw("Int", #""a": "1", "b": "2""#), raw("Int", #""a": "2", "b": "1""#),
                "incompatible U.a: different raw value (case a = 1 / case a = 2)",
                "incompatible U.b: different raw value (case b = 2 / case b = 1)"),
            .model(
                "out", raw("String", #""a": "a", "b": "b""#), raw("String", #""b": "x", "a": "a""#),
                "incompatible U.b: different raw value (case b = b / case b = x)"),
            // The value travels as it is written, though Swift takes both spellings as equal.
            .model(
                "out", raw("String", "\"a\": \"\u{E9}\""), raw("String", "\"a\": \"e\u{301}\""),
                "incompatible U.a: different raw value (case a = \u{E9} / case a = e\u{301})"),
            .model("both", raw("Int", #""a": "1""#), raw("Swift.Int", #""a": "1""#)),
            .model("both", raw("Int", #""a": {}"#), raw("Int", #""a": "1""#)),
            .model("both", raw("Int", #""a": "1""#), raw("Int", #""a": {}"#)),
            .model(
                "in", raw("Int", #""a": "1""#), raw("Int", #""b": "1""#),
                "incompatible U.a: renamed? (case a = 1 / case b = 1)"),
            .model(
                "in", #"{"name": "U", "raw": "String", "cases": {"a": {}}}"#, fields(""),
                "incompatible U: different kind of type (an enum of String / a struct)"),
            .model("in", "", fields(""), "notCompared U: not compared: the consumer's file has no note about it"),
            .model("in", fields(""), "", "notCompared U: not compared: the provider's file has no note about it"),
            .model(
                "in", "", "",
                "notCompared U: not compared: the consumer's file has no note about it, the provider's file has no note about it"
            ),
            .model(
                "in", #"{"module": "A", "name": "U", "fields": {}}, {"module": "B", "name": "U", "fields": {}}"#,
                fields(""),
                "notCompared U: not compared: the consumer's file has notes about several types with this name"),
        ] as [ContractRow])
    func models(row: ContractRow) throws { try check(row) }

    @Test(
        "streams are compared by their elements, in whatever form they are declared",
        arguments: [
            .result("AsyncThrowingStream<Int, any Error>", "AsyncThrowingStream<Int, any Error>"),
            .result("AsyncThrowingStream<Int, any Error>", "any AsyncSequence<Int, any Error>"),
            .result(
                "AsyncThrowingStream<Int, any Error>", "AsyncThrowingStream<String, any Error>",
                "incompatible a.result: different type (result: AsyncThrowingStream<Int, any Error> / "
                    + "result: AsyncThrowingStream<String, any Error>)"),
            .result(
                "AsyncThrowingStream<Int, any Error>", "[Int]",
                "incompatible a.result: different type (result: AsyncThrowingStream<Int, any Error> / result: [Int])"),
            .streamed(
                fields(#""a": "Int""#), fields(#""a": "String""#),
                "incompatible U.a: different type (a: Int / a: String)"),
        ] as [ContractRow])
    func streams(row: ContractRow) throws { try check(row) }

    @Test("models that contain each other are compared once")
    func recursive() throws {
        func models(_ type: String) -> String {
            #"{"name": "A", "fields": {"b": "B?", "n": "\#(type)"}}, {"name": "B", "fields": {"a": "[A]"}}"#
        }
        var row = ContractRow("", #"{"name": "a", "result": "A"}"#, #"{"name": "a", "result": "A"}"#)
        row.expectedModels = models("Int")
        row.offeredModels = models("Bool")
        #expect(try comparison(row).lines == ["incompatible A.n: different type (n: Int / n: Bool)"])
    }

    @Test(
        "names of models are resolved where they were written",
        arguments: ["Inner", "Outer.Inner", "M.Outer.Inner"])
    func names(written: String) throws {
        func models(_ type: String) -> String {
            """
            {"name": "Outer", "fields": {"inner": "\(written)"}}, {"name": "Outer.Inner", "fields": {"n": "\(type)"}},
            {"module": "Else", "name": "Inner", "fields": {}}
            """
        }
        var row = ContractRow("", #"{"name": "a", "result": "Outer"}"#, #"{"name": "a", "result": "M.Outer"}"#)
        row.expectedModels = models("Int")
        row.offeredModels = models("Bool")
        #expect(try comparison(row).lines == ["incompatible Outer.Inner.n: different type (n: Int / n: Bool)"])
    }

    @Test("the arguments of a service travel to the provider")
    func arguments() throws {
        func lines(_ expected: String, _ offered: String) throws -> [String] {
            let manifests = try [expected, offered].map { text in
                try Manifest.providing("", service: text.isEmpty ? "" : #", "arguments": "\#(text)""#).contract
            }
            return try #require(
                ContractComparison(service: "com.x/1", consumer: manifests[0], provider: manifests[1])
            ).lines
        }
        #expect(try lines("Int", "Int") == [])
        #expect(try lines("", "Int") == ["incompatible arguments: new and required (arguments: Int)"])
        #expect(try lines("Int", "") == ["incompatible arguments: removed (arguments: Int)"])
        #expect(try lines("Int?", "Int") == ["incompatible arguments: now required (arguments: Int? / arguments: Int)"])
    }

    @Test("without a note on both sides nothing is compared")
    func nothing() throws {
        let contract = try Manifest.providing("").contract
        #expect(ContractComparison(service: "com.x/1", consumer: .empty, provider: contract) == nil)
        #expect(ContractComparison(service: "com.x/1", consumer: contract, provider: .empty) == nil)
        #expect(ContractComparison(service: "com.y/1", consumer: contract, provider: contract) == nil)
    }

    @Test("thousands of differences take a bounded time")
    func many() throws {
        func fields(_ name: String) -> String { (0..<2000).map { #""\#(name)\#($0)": "Int""# }.joined(separator: ",") }
        let row = ContractRow.parameters(fields("a"), fields("b"))
        #expect(try comparison(row).differences(.incompatible).count == 4000)
    }

    @Test("renames are found among any number of members, however long their types")
    func manyRenamed() throws {
        func fields(_ name: String) -> String {
            (0..<400).map { #""\#(name)\#($0)": "A\#($0)\#(String(repeating: "&A", count: 1000))""# }.joined(
                separator: ",")
        }
        let lines = try comparison(.parameters(fields("a"), fields("b"))).differences
        #expect(lines.count == 400)
        #expect(lines.allSatisfy { $0.change == "renamed?" })
    }

    /// Models that refer to each other in a cycle.
    private func circle(_ count: Int) -> String {
        (0..<count).map { #"{"module": "m\#($0)", "name": "X", "fields": {"f": "m\#(($0 + 1) % count).X"}}"# }
            .joined(separator: ",")
    }

    @Test("models that all refer to each other are compared up to a limit")
    func pairs() throws {
        var row = ContractRow(
            "", #"{"name": "a", "parameters": {"m": "m0.X"}}"#, #"{"name": "a", "parameters": {"m": "m0.X"}}"#)
        row.expectedModels = circle(100)
        row.offeredModels = circle(101)
        #expect(try comparison(row).lines == [])
        row.expectedModels = circle(200)
        row.offeredModels = circle(201)
        let lines = try comparison(row).lines
        #expect(lines.count == 1)
        let line = "notCompared models: not all compared: there are more than 16384 pairs"
        #expect(lines.first?.hasPrefix(line) == true)
    }

    @Test("the same applies to fewer pairs with long texts")
    func pairsOfLongText() throws {
        func selectors(_ count: Int) -> String {
            #"{"name": "a", "parameters": {\#((0..<count).map { #""p\#($0)": "m0.X""# }.joined(separator: ","))}}"#
        }
        var row = ContractRow("", selectors(1), selectors(1))
        let long = String(repeating: "a", count: 20_000)
        func models(_ count: Int) -> String {
            (0..<count).map {
                #"{"module": "m\#($0)", "name": "X", "fields": {"f": "m\#(($0 + 1) % count).X", "l": "\#(long)"}}"#
            }.joined(separator: ",")
        }
        row.expectedModels = models(1)
        row.offeredModels = models(1)
        #expect(try comparison(row).lines == [])
        row.expectedModels = models(40)
        row.offeredModels = models(41)
        #expect(try comparison(row).lines.first?.hasPrefix("notCompared models: not all compared") == true)
    }

    @Test("a difference is a small diff")
    func diff() throws {
        let row = ContractRow.parameters(#""p": "String""#, #""p": "Int""#)
        let comparison = try comparison(row)
        #expect(comparison.diff() == "a.parameters.p: different type\n- p: String\n+ p: Int")
        let many = try self.comparison(
            .parameters((0..<20).map { #""p\#($0)": "T\#($0)""# }.joined(separator: ","), ""))
        #expect(many.diff(limit: 2).hasSuffix("- p1: T1\nand 18 more"))
    }
}
