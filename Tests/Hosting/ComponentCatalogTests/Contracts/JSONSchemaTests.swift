import ComponentKit
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
            ("[Double]", #"{"type": "array", "items": {"type": "number"}}"#),
            ("[String: Bool]", #"{"type": "object", "additionalProperties": {"type": "boolean"}}"#),
            ("Bool = true", #"{"anyOf": [{"type": "boolean"}, {"type": "null"}]}"#), ("Unknown", "{}"),
            ("URL", #"{"type": "string", "format": "uri"}"#), ("(Int) -> Int", "{}"),
        ])
    func types(written: String, expected: String) throws {
        #expect(Self.schema(of: written, []).schema == (try Payload(json: expected)), "\(written)")
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
