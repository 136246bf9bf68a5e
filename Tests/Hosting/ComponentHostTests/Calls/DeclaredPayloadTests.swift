import ComponentHost
import ComponentKit
import TestSupport
import Testing

@Suite("The payloads of components in C, C++ and Rust")
struct DeclaredPayloadTests {
    private static let models = #"""
        {"name": "Kind", "cases": {"round": {}, "square": {"side": "int"}}},
        {"name": "float", "fields": {"mantissa": "int"}},
        {"name": "Unit", "raw": "string", "cases": {"m": "m", "ft": "ft"}},
        {"name": "Shape", "fields": {"width": "double", "unit": "Unit = m", "next": "Shape?"}}
        """#

    /// The type of a parameter, a value, and the error message about it; nil for a value that the component receives.
    private static let values: [(type: String, value: Payload, problem: String?)] = [
        ("int", 1, nil), ("int", 1.5, "p: expected an integer, found double"),
        ("int", "x", "p: expected an integer, found string"), ("Int", nil, "p: expected an integer, found null"),
        ("Int", .uint(.max), "p: expected an integer from \(Int.min) to \(Int.max), found \(UInt64.max)"),
        ("int8", 127, nil), ("Int8", 128, "p: expected an integer from -128 to 127, found 128"),
        ("uint", .uint(.max), nil), ("uint", -1, "p: expected an integer from 0 to \(Int.max), found -1"),
        ("int = 5", nil, nil), ("int?", nil, nil), ("int?", true, "p: expected an integer, found bool"),
        ("double", 1, nil), ("double", "1", "p: expected a number, found string"),
        ("bool", true, nil), ("bool", 1, "p: expected true or false, found int"),
        ("string", "", nil), ("string", 1, "p: expected a string, found int"),
        ("bytes", .bytes([1]), nil), ("bytes", "AQ==", "p: expected bytes, found string"),
        ("date", "2026-11-28", "p: expected a time, found string"),
        ("[string]", ["a", "b"], nil), ("[string]", ["a", 1], "p[1]: expected a string, found int"),
        ("[string: [bool]]", ["a": [true]], nil),
        ("[string: [bool]]", ["a": [true, 1]], "p.a[1]: expected true or false, found int"),
        ("array", [1, "a"], nil), ("array", [:], "p: expected an array, found map"),
        ("map", [:], nil), ("map", [], "p: expected a map, found array"),
        ("Kind", "round", nil), ("Kind", ["square": ["side": 1]], nil),
        ("Kind", "oval", "p: expected one of round, square, found string"),
        ("Unit", "ft", nil), ("Unit", "yd", "p: expected one of m, ft, found another string"),
        ("Unit", 1, "p: expected a string, found int"),
        ("Shape", ["width": 1, "next": ["width": 2.5, "unit": "ft"], "more": true], nil),
        ("Shape", ["unit": "m"], "p.width: expected Double, found nothing"),
        ("Shape", ["width": 1, "next": ["width": "2"]], "p.next.width: expected a number, found string"),
        ("Shape", "wide", "p: expected a map, found string"),
        // A model whose name is also the spelling of another type in C.
        ("float", ["mantissa": 1], nil), ("float", 1.5, "p: expected a map, found double"),
        // What a manifest does not describe is not checked.
        ("Interger", "any", nil), ("Payload", [1], nil), ("Set<Int>", [1], nil), ("LinkClosure", 1, nil),
    ]

    /// Makes a component in C, each of whose class methods answers with 1.
    private func compile(_ selectors: [(name: String, types: String)], in plugins: PluginDirectory) async throws {
        let list = selectors.map { #"{"name": "\#($0.name)", "kind": "class", "parameters": {\#($0.types)}}"# }
        let manifest = """
            {"name": "Typed", "version": "1.0.0", "models": [\(Self.models)], "classes": [{"name": "TypedCLink",
             "selectors": [\(list.joined(separator: ", "))]}]}
            """
        let text = manifest.replacing("\"", with: "\\\"").replacing("\n", with: " ")
        let rows = selectors.map { "{HSLINK_LITERAL(\"\($0.name)\"), HSLINK_CLASS_METHOD, 0, run, NULL}" }
        let source = """
            #include "hslink.h"
            HSLINK_MANIFEST("\(text)")
            static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
                (void)context; (void)self; (void)payload;
                return hslink_return(call, hslink_int(1));
            }
            static const hslink_method methods[] = {\(rows.joined(separator: ", "))};
            static const hslink_class link_class = HSLINK_CLASS("TypedCLink", methods, NULL, NULL);
            static const hslink_class *const classes[] = {&link_class};
            static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Typed", "1.0.0", classes, NULL, NULL);
            HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
            """
        try await plugins.compile("libTyped.so", from: source)
    }

    @Test("are compared with the types in the manifest before the component receives them")
    func types() async throws {
        try await withPlugins { plugins async throws in
            try await compile(
                Self.values.enumerated().map { ("s\($0)", #""p": "\#($1.type)""#) }, in: plugins)
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: .quiet)
            for (index, row) in Self.values.enumerated() {
                let payload: Payload = ["p": row.value]
                if let problem = row.problem {
                    let error = await #expect(throws: LinkError.self, "\(row)") {
                        _ = try await host.call("TypedCLink", "s\(index)", payload, kind: .class)
                    }
                    #expect(error?.code == .payloadMismatch, "\(row)")
                    #expect(error?.message == problem, "\(row)")
                } else {
                    #expect(try await host.call("TypedCLink", "s\(index)", payload, kind: .class) == 1, "\(row)")
                }
            }
            await host.stop()
        }
    }

    @Test("have every key that must be there, in every form of a call, and may have others")
    func keys() async throws {
        try await withPlugins { plugins async throws in
            try await compile(
                [
                    ("some", #""a": "int", "b": "int = 2""#), ("none", #""a": "int?""#),
                    ("late", #""a": "int = 2", "b": "int""#),
                ], in: plugins)
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: .quiet)
            let calls: [(String, Payload) async throws -> Payload] = [
                { try await host.call("TypedCLink", $0, $1, kind: .class) },
                { name, payload in
                    try await onThread { try host.callAndWait("TypedCLink", name, payload, kind: .class) }
                },
                { name, payload in
                    try await onThread { try host.bind("TypedCLink", name, kind: .class) }.call(payload)
                },
            ]
            for call in calls {
                #expect(try await call("some", ["a": 1, "c": "more"]) == 1)
                for payload: Payload in [nil, [:], ["b": 1]] {
                    let error = await #expect(throws: LinkError.self) { _ = try await call("some", payload) }
                    #expect(error?.code == .payloadMismatch)
                    #expect(error?.message == "a: expected Int, found nothing")
                }
                let error = await #expect(throws: LinkError.self) { _ = try await call("some", [1]) }
                #expect(error?.message == "the payload: expected a map, found array")
                // The default stands for null, so that it is not what is wrong.
                let late = await #expect(throws: LinkError.self) { _ = try await call("late", ["a": nil, "b": "x"]) }
                #expect(late?.message == "b: expected an integer, found string")
                for payload: Payload in [nil, [:]] { #expect(try await call("none", payload) == 1) }
            }
            await host.stop()
        }
    }

    @Test("are not compared with a type that nothing describes, which the list and the log tell")
    func unknownTypes() async throws {
        try await withPlugins { plugins async throws in
            try await compile([("turn", #""sides": "Interger", "angle": "Dubble", "by": "[Dubble]""#)], in: plugins)
            let log = CollectedLog()
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: log.options)
            let problems = [
                #"TypedCLink.turn: sides: nothing describes the type "Interger", so its values are not checked; "#
                    + #"write a type such as String, Int or Double, or describe it in "models""#,
                #"TypedCLink.turn: angle: nothing describes the type "Dubble", so its values are not checked; "#
                    + "did you mean Double?",
            ]
            let listed = host.components.first { $0.name == "Typed" }
            #expect(listed?.reason == "2 types in its manifest are unknown; 'hslink check' lists them")
            #expect(
                try await host.call("TypedCLink", "turn", ["sides": "x", "angle": 1, "by": []], kind: .class) == 1)
            for problem in problems { #expect(log.lines.all.contains { $0.contains(problem) }, "\(log.lines.all)") }
            await host.stop()
        }
    }
}
