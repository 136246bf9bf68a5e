import ComponentKit
import PageKit
import TestSupport
import Testing

@testable import ComponentConsole

/// The models of a manifest.
private let models: [DeclaredModel] = {
    let manifest: Payload = [
        "models": [
            ["name": "Sky", "module": "M", "raw": "String", "cases": ["clear": "clear", "rain": "pouring"]],
            ["name": "Grade", "module": "M", "raw": "Int", "cases": ["low": "1", "high": "10"]],
            ["name": "Side", "module": "M", "cases": ["left": [:], "right": [:]]],
            ["name": "Wind", "module": "M", "cases": ["calm": [:], "blowing": ["speed": "Double"]]],
            ["name": "Odd", "module": "M", "raw": "String", "cases": ["a": "x\u{1}y"]],
            ["name": "Half", "module": "M", "raw": "String", "cases": ["a": "a", "b": [:]]],
            [
                "name": "Trip", "module": "M",
                "fields": ["from": "Place", "stops": "[Place]", "sky": "Sky", "id": "UInt64"],
            ],
            ["name": "Gust", "module": "M", "cases": ["blowing": ["speed": "Double"], "calm": [:]]],
            ["name": "Login", "module": "M", "fields": ["name": "String", "password": "EMAccountContract.Password"]],
            ["name": "Visit", "module": "M", "cases": ["anonymous": [:], "known": ["login": "M.Login?"]]],
            ["name": "Endless", "module": "M", "fields": ["next": "Endless"]],
            ["name": "Open", "module": "M", "fields": ["value": "Payload"]],
            ["name": "Place", "module": "M", "fields": ["city": "String", "days": "Int = 5"]],
            ["name": "Outer.Inner", "module": "M", "raw": "String", "cases": ["one": "one"]],
            ["name": "Twice", "module": "M", "fields": ["a": "Int"]],
            ["name": "Twice", "module": "N", "fields": ["b": "Int"]],
        ]
    ]
    return ManifestState(manifest).models
}()

private func field(_ type: String) -> CallField {
    CallField(DeclaredField(name: "x", type: type), CallModels(models))
}

private let sky = FieldKind.choice([
    .init(value: "clear", title: "clear"), .init(value: "pouring", title: "rain (pouring)"),
])
private let yesOrNo = FieldKind.choice([.init(value: "true", title: "true"), .init(value: "false", title: "false")])
private let json = FieldKind.lines(longest: CallField.longestJSON)
private let number = FieldKind.number(least: -Double.greatestFiniteMagnitude, most: .greatestFiniteMagnitude)

@Suite("Fields for the parameters of a method")
struct CallFormTests {
    static let kinds: [(type: String, kind: FieldKind, isRequired: Bool)] = [
        ("String", .text(longest: 10_000), true), ("string", .text(longest: 10_000), true),
        ("String?", .text(longest: 10_000), false), ("Swift.Optional<Swift.String>", .text(longest: 10_000), false),
        (#"String = "a = b""#, .text(longest: 10_000), false), ("String??", .text(longest: 10_000), false),
        ("Int", .integer(least: .min, most: .max), true), ("Int = 10", .integer(least: .min, most: .max), false),
        ("Int8", .integer(least: -128, most: 127), true), ("UInt16?", .integer(least: 0, most: 65535), false),
        ("UInt64", .text(longest: 20), true), ("uint", .text(longest: 20), true), ("UInt?", .text(longest: 20), false),
        ("Double", number, true), ("Float = 0.5", number, false),
        ("Bool", .toggle, false), ("Bool = true", .toggle, false), ("Bool?", yesOrNo, false),
        ("Bool = Self.standard", yesOrNo, false),
        ("Date", .text(longest: 40), true), ("Timestamp?", .text(longest: 40), false),
        ("Secret", .password, true), ("Password", .password, true), ("URL", .text(longest: 2000), true),
        ("UUID?", .text(longest: 36), false), ("Character", .text(longest: 1), true),
        ("Sky", sky, true), ("M.Sky = .clear", sky, false),
        ("Grade", .choice([.init(value: "1", title: "low (1)"), .init(value: "10", title: "high (10)")]), true),
        ("Side?", .choice([.init(value: "left", title: "left"), .init(value: "right", title: "right")]), false),
        ("Inner", .choice([.init(value: "one", title: "one")]), true),
        ("Wind", json, true), ("Odd", json, true), ("Half", json, true), ("Place", json, true), ("Twice", json, true),
        ("[String]", json, true), ("[String: Int] = [:]", json, false), ("Data", json, true), ("Payload", json, true),
        ("Unknown", json, true), ("", json, true), ("= 1", json, false), ("((", json, true),
    ]

    @Test("are of the kind of its type", arguments: kinds)
    func kind(type: String, kind: FieldKind, isRequired: Bool) throws {
        let field = field(type)
        #expect(field.kind == kind)
        #expect(field.isRequired == isRequired)
        try Form("Call", .call("perform")) { field.view }.node.check()
    }

    @Test("say what the type is, and what JSON of it looks like")
    func help() {
        #expect(field("Int = 10").help == "Int = 10")
        #expect(field("Place").help == "Place. As JSON: {city: String, days: Int = 5}.")
        #expect(field("Wind?").help == "Wind?. As JSON: one of calm, blowing(speed: Double).")
        #expect(field("Data").help == #"Data. As JSON, with the bytes in Base64: {"$bytes": "AAE="}."#)
        #expect(field("Date").help == "Date. A time such as 2026-11-23T10:00:00Z, or a day.")
        #expect(field("UInt64").help == "UInt64. A whole number from 0 to 18446744073709551615.")
        #expect(field("Bool = true").initial == true)
        #expect(field("Bool").initial.isNull && field("Bool = false").initial.isNull)
    }

    static let skeletons: [(type: String, json: String?)] = [
        ("Place", "{\n  \"city\": \"\"\n}"), ("Place?", nil), ("Place = .home", nil),
        ("Wind", #""calm""#), ("Odd", #""x\u0001y""#), ("Half", #""a""#), ("Twice", nil), ("Unknown", nil),
        ("Payload", nil),
        ("Trip", "{\n  \"from\": {\n    \"city\": \"\"\n  },\n  \"stops\": [],\n  \"sky\": \"clear\",\n  \"id\": 0\n}"),
        ("Gust", "{\n  \"blowing\": {\n    \"speed\": 0.0\n  }\n}"), ("Endless", nil), ("Open", nil),
        ("[Place]", "[]"), ("[String: Int]", "{}"), ("[[String: Int]]", nil), ("Data", #"{"$bytes": ""}"#),
    ]

    @Test("begin with what a value looks like, unless it may be missing", arguments: skeletons)
    func skeleton(type: String, json: String?) throws {
        #expect(field(type).initial == json.map { .string($0) } ?? .null)
    }

    static let values: [(type: String, written: Payload?, value: Payload?)] = [
        ("String", "a", "a"), ("Int", 7, 7), ("Double", 2.5, 2.5), ("Bool", true, true), ("Bool?", "true", true),
        ("Bool?", "false", false), ("Bool?", nil, nil), ("String?", nil, nil), ("Int = 3", .null, nil),
        ("Sky", "pouring", "pouring"), ("Grade", "10", 10), ("Side", "left", "left"),
        ("Date", "2026-11-23T10:00:00Z", .date(Timestamp(seconds: 1_795_428_000))),
        ("Date", "2026-11-23", .date(Timestamp(seconds: 1_795_392_000))),
        ("[Int]", "[1, 2]", [1, 2]), ("Place", #"{"city": "Oslo"}"#, ["city": "Oslo"]),
        ("Data", #"{"$bytes": "AAE="}"#, .bytes([0, 1])), ("Payload?", "null", .null),
        ("UInt64", "18446744073709551615", .uint(.max)), ("UInt", "7", .uint(7)), ("UInt64?", nil, nil),
    ]

    @Test("are read as the type says", arguments: values)
    func reading(type: String, written: Payload?, value: Payload?) throws {
        #expect(try field(type).value(written) == value)
    }

    static let refused: [(type: String, written: Payload?, reason: String)] = [
        ("String", nil, "Fill in this field."), ("[Int]", .null, "Fill in this field."),
        ("Grade", "x", "Choose one from the list."),
        ("UInt64", "-1", "Write a whole number from 0 to 18446744073709551615."),
        ("UInt64", "18446744073709551616", "Write a whole number from 0 to 18446744073709551615."),
        ("Date", "soon", "Write a time such as 2026-11-23T10:00:00Z, or a day such as 2026-11-23."),
        ("[Int]", "[1,", "This is not valid JSON: [1]: expected a value"),
        ("[Int]", 7, "Expected a string, found int."),
        ("Place", #"{"a": 1, "a": 2}"#, "This is not valid JSON:"),
    ]

    @Test("say why a value cannot be taken", arguments: refused)
    func refusal(type: String, written: Payload?, reason: String) {
        let error = #expect(throws: PageError.self) { try field(type).value(written) }
        guard case .invalidValue("x", let found)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found.hasPrefix(reason), "\(found)")
    }

    private func form(
        _ parameters: KeyValuePairs<String, String>, written: Payload = .null
    ) throws -> CallForm {
        let selector: Payload = [
            "name": "run", "kind": "object", "parameters": .map(parameters.map { ($0.key, .string($0.value)) }),
        ]
        var manifest = ManifestState(["classes": [["name": "SomeLink", "selectors": [selector]]]])
        manifest.models = models
        return CallForm(try #require(manifest.callable.first), manifest, written: written)
    }

    static let filled: [(type: String, written: Payload, initial: Payload)] = [
        ("String", "a", "a"), ("Int", 7, 7), ("Double", 2.5, 2.5), ("Bool = true", false, false), ("[Int]", "[", "["),
        ("UInt64", "1", "1"),
        // The method had another type, or a program has called what the form calls.
        ("String", 7, .null), ("Int", "a", .null), ("Int8", 200, .null), ("Bool", "a", .null), ("Secret", "a", .null),
        ("String", "a\u{1}", .null), ("String", "a\tb", .null), ("Bool?", "perhaps", .null), ("[Int]", [1], "[]"),
    ]

    @Test("begin with what was filled in before, if the fields take that", arguments: filled)
    func again(type: String, written: Payload, initial: Payload) throws {
        guard case .fields(let fields) = try form(["x": type], written: ["x": written]).shape else {
            Issue.record("there are no fields")
            return
        }
        #expect(fields.map(\.initial) == [initial])
        try Form("Call", .call("perform")) { for field in fields { field.view } }.node.check()
    }

    @Test(
        "keep nothing that must stay hidden, not even in a model",
        arguments: [
            ("String", true), ("Place", true), ("[Place]", true), ("Secret", false), ("Password?", false),
            ("[String: Secret]", false), ("Login", false), ("[Login]?", false), ("Visit", false), ("Endless", true),
            (#"String = "Secret""#, true),
        ])
    func kept(type: String, isKept: Bool) throws {
        let form = try form(["x": type, "y": "Int"])
        #expect(form.kept(of: ["x": "a", "y": 1]) == (isKept ? ["x": "a", "y": 1] : ["y": 1]))
    }

    @Test("of a whole payload begin with the former text, if it is one")
    func againWhole() throws {
        for (written, text) in [("{}", "{}"), ("a\r", ""), (7, "")] as [(Payload, String)] {
            #expect(try form([:], written: ["payload": written]).shape == .payload(initial: text))
        }
    }

    @Test("take what the method takes, and leave out what is missing")
    func arguments() throws {
        let form = try form(["city": "String", "days": "Int = 5", "tags": "[String]?"])
        let written: Payload = ["city": "Oslo", "tags": #"["a"]"#, "other": 1, "console.target": [:]]
        #expect(try form.arguments(written) == ["city": "Oslo", "tags": ["a"]])
        #expect(throws: PageError.invalidValue(field: "city", reason: "Fill in this field.")) {
            try form.arguments(["days": 1])
        }
    }

    @Test("become one field if there are none, too many, or some that cannot be fields")
    func whole() throws {
        let many = ManifestState([
            "classes": [
                [
                    "name": "L",
                    "selectors": [
                        [
                            "name": "run",
                            "parameters": .map((0..<1000).map { ("p\($0)", "Int") }),
                        ]
                    ],
                ]
            ]
        ])
        let forms = [
            try form([:]), try form(["console.target": "Int"]), try form(["": "Int"]), try form(["a\nb": "Int"]),
            CallForm(try #require(many.callable.first), many),
        ]
        for form in forms {
            #expect(form.shape == .payload(initial: ""))
            #expect(try form.arguments(["payload": #"{"a": 1}"#]) == ["a": 1])
            #expect(try form.arguments(["console.target": [:]]) == .null)
            #expect(throws: PageError.self) { try form.arguments(["payload": "{"]) }
        }
    }

    @Test("that take closures and services cannot be written, unless they may be missing")
    func unwritable() throws {
        for type in ["@Sendable (Int) async throws -> Void", "any Service", "LinkObject", "(any Service)"] {
            let form = try form(["a": "Int", "done": type])
            #expect(form.shape == .unwritable(parameter: "done: \(type)"))
        }
        let optional = try form(["a": "Int", "done": "(@Sendable (Int) async throws -> Void)?"])
        guard case .fields(let fields) = optional.shape else {
            Issue.record("\(optional.shape)")
            return
        }
        #expect(fields.map(\.name) == ["a"])
    }

    @Test("are offered for what callers call, each method once")
    func callable() {
        let manifest = ManifestState([
            "classes": [
                [
                    "name": "A",
                    "selectors": [
                        ["name": "run"], ["name": "run", "kind": "class"], ["name": "run"],
                        ["name": "on", "on": ["event": "a/b"]], ["name": "view", "pageModule": ["name": "a.b"]],
                        ["name": "ask", "intercepts": [:]], ["name": "open", "routes": [["pattern": "a://b"]]],
                    ],
                ]
            ]
        ])
        #expect(manifest.callable.map(\.label) == ["A.run", "+A.run", "A.open"])
        #expect(manifest.callable.map(\.signature) == ["run()", "+run()", "open()"])
        #expect(manifest.callable.last?.routes == ["a://b"])
    }
}
