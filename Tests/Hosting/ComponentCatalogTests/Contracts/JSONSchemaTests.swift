import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog

@Suite("JSON Schema of methods")
struct JSONSchemaTests {
    private static func model(_ name: String, _ fields: [(String, String)], module: String = "M") -> ModelDeclaration {
        ModelDeclaration(
            module: module, name: name, content: .fields(fields.map { .init(name: $0.0, type: $0.1) }), isError: false)
    }

    private static func schema(of type: String, _ models: [ModelDeclaration]) -> (schema: Payload, all: JSONSchema) {
        var all = JSONSchema(referringTo: "#/$defs/")
        let scope = ModelPool.Scope(module: "M", owner: "")
        let schema = all.schema(of: WrittenType(type), in: scope, of: ModelPool(models))
        all.complete()
        return (schema, all)
    }

    @Test(
        "types are described as their values travel",
        arguments: [
            ("Int", #"{"type": "integer"}"#), ("String?", #"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#),
            ("[String]", #"{"type": "array", "items": {"type": "string"}}"#),
            ("[String: Bool]", #"{"type": "object", "additionalProperties": {"type": "boolean"}}"#),
            ("Bool = true", #"{"anyOf": [{"type": "boolean"}, {"type": "null"}]}"#), ("Unknown", "{}"),
            ("URL", #"{"type": "string", "format": "uri"}"#), ("(Int) -> Int", "{}"),
        ])
    func types(written: String, expected: String) throws {
        #expect(Self.schema(of: written, []).schema == (try Payload(json: expected)), "\(written)")
    }

    /// What a type takes, and what not, as JSON.
    struct Sample: Sendable, CustomTestStringConvertible {
        let type: String
        let taken: [String]
        let refused: [String]
        /// Whether a value of the type can be read from a payload.
        let reads: @Sendable (Payload) -> Bool

        var testDescription: String { type }

        init<Value: PayloadConvertible>(_ name: String, _: Value.Type, taken: [String], refused: [String]) {
            type = name
            self.taken = taken
            self.refused = refused
            reads = { payload in (try? payload.value() as Value) != nil }
        }
    }

    private static let forms = [#"{"$bytes": "AQ=="}"#, #"{"$date": "2026-01-02T03:04:05Z"}"#, #"{"$double": "nan"}"#]

    static let samples = [
        Sample("Bool", Bool.self, taken: ["true", "false"], refused: ["0", "null", #""true""#]),
        Sample(
            "Int", Int.self, taken: ["0", "-9223372036854775808", "9223372036854775807"],
            refused: ["1.5", "true", #""1""#]),
        Sample("Int8", Int8.self, taken: ["-128", "127"], refused: ["128", "-129", "[]"]),
        Sample("UInt16", UInt16.self, taken: ["0", "65535"], refused: ["65536", "-1"]),
        Sample("UInt", UInt.self, taken: ["0", "18446744073709551615"], refused: ["-1", "{}"]),
        Sample("UInt64", UInt64.self, taken: ["0", "18446744073709551615"], refused: ["-1", #""1""#]),
        Sample(
            "Double", Double.self,
            taken: ["1", "1.5", "-1e300"] + ["nan", "inf", "-inf"].map { #"{"$double": "\#($0)"}"# },
            refused: [#""1""#, "null", forms[0], #"{"double": "nan"}"#, #"{"$$double": "nan"}"#]),
        Sample("Float", Float.self, taken: ["0.5", #"{"$double": "-inf"}"#], refused: [#""nan""#]),
        Sample("String", String.self, taken: [#""""#, #""ä""#], refused: ["1", "null"] + forms),
        Sample(
            "[UInt8]", [UInt8].self, taken: [forms[0], #"{"$bytes": ""}"#, "[]", "[0, 255]"],
            refused: ["[256]", "[-1]", #""AQ==""#, #"{"$$bytes": "AQ=="}"#, #"{"bytes": "AQ=="}"#, "{}", forms[1]]),
        Sample("Data", Data.self, taken: [forms[0], "[1]"], refused: [#""AQ==""#, #"{"$bytes": "AQ==", "a": 1}"#]),
        Sample(
            "Date", Date.self,
            taken: [forms[1], #"{"$date": {"seconds": 253402300800, "nanoseconds": 0}}"#],
            refused: [#""2026-01-02T03:04:05Z""#, "1", forms[0], #"{"$$date": "2026-01-02T03:04:05Z"}"#]),
        Sample(
            "Timestamp", Timestamp.self, taken: [forms[1]], refused: ["null", #"{"date": "2026-01-02T03:04:05Z"}"#]),
        Sample("URL", URL.self, taken: [#""https://a.example/b""#], refused: ["1"]),
        Sample("UUID", UUID.self, taken: [#""5F0A4D47-31F8-4C9C-9C3B-5D8E1C2D4A10""#], refused: ["1"]),
        Sample("[Int]", [Int].self, taken: ["[]", "[1]"], refused: [#"["a"]"#, "{}", "1"]),
        Sample(
            "[String: Double]", [String: Double].self, taken: ["{}", #"{"a": 1.5}"#], refused: [#"{"a": "b"}"#, "[]"]),
        Sample("Int?", Int?.self, taken: ["null", "1"], refused: [#""a""#]),
    ]

    @Test("a schema is that of what is taken, and of nothing else", arguments: samples)
    func values(sample: Sample) throws {
        let check = SchemaCheck(try JSONTree(Self.schema(of: sample.type, []).schema.json()))
        for (json, isTaken) in sample.taken.map({ ($0, true) }) + sample.refused.map({ ($0, false) }) {
            #expect(try check.accepts(JSONTree(json)) == isTaken, "\(sample.type) \(json)")
            #expect(((try? Payload(json: json)).map(sample.reads) ?? false) == isTaken, "\(sample.type) \(json)")
            guard isTaken else { continue }
            // As it is written in an answer.
            #expect(try check.accepts(JSONTree(Payload(json: json).json())), "\(sample.type) \(json)")
        }
    }

    @Test("models that refer to each other, without end or for very long, are described")
    func long() throws {
        let count = 20_000
        var models = (0..<count).map { Self.model("T\($0)", [("next", "T\($0 + 1)?")]) }
        models.append(Self.model("T\(count)", [("first", "T0"), ("self", "[T\(count)]")]))
        let (schema, all) = Self.schema(of: "T0", models)
        #expect(schema == ["$ref": "#/$defs/M.T0"])
        #expect(all.definitions.count == count + 1)
        let last = try #require(all.definitions["M.T\(count)"])
        #expect(try last.value("properties").value("first") == ["$ref": "#/$defs/M.T0"])
        #expect(try last["required"]?.items() == ["first", "self"])
    }

    @Test("models of different components with the same name, or with letters of others, are told apart")
    func names() throws {
        var all = JSONSchema(referringTo: "")
        let scope = ModelPool.Scope(module: "M", owner: "")
        func name(of model: ModelDeclaration) throws -> String {
            try all.schema(of: WrittenType(model.name), in: scope, of: ModelPool([model])).string("$ref")
        }
        let (first, second) = (Self.model("T", [("a", "Int")]), Self.model("T", [("b", "String")]))
        #expect(try name(of: first) == "M.T")
        #expect(try name(of: second) == "M.T_2")
        #expect(try name(of: first) == "M.T")
        #expect(try name(of: Self.model("Ä", [("a", "Int")])) == "M._")
        #expect(try name(of: Self.model("Ö", [("b", "Int")])) == "M.__2")
        all.complete()
        #expect(try all.definitions["M.T_2"]?.value("properties").value("b") == ["type": "string"])
        #expect(try all.definitions["M.__2"]?.value("properties").entries().map(\.key) == ["b"])
    }
}
