import ComponentHost
import ComponentKit
import TestSupport
import Testing

/// libyaml, against documents that Python writes as JSON, which is YAML too.
@Suite("YAML", .enabled(if: SystemLibraries.has("libyaml-0.so.2")))
struct YAMLTests {
    /// Returns the events of a document, each with what its union holds.
    private func events(_ document: String, _ host: LinkHost) async throws -> [Payload] {
        let parser = try #require(try await host.call("YAML", "yaml_parser_initialize")["parser"])
        _ = try await host.call(
            "YAML", "yaml_parser_set_input_string", ["parser": parser, "input": .string(document)])
        var events: [Payload] = []
        while events.last?["type"] != 2 {
            events.append(try await host.call("YAML", "yaml_parser_parse", ["parser": parser])["event"] ?? .null)
        }
        return events
    }

    /// Builds values from events: texts for scalars, which keep their spelling.
    private func value(_ events: inout ArraySlice<Payload>) throws -> Payload {
        guard let event = events.popFirst() else { throw LinkError(.methodFailed, message: "no event") }
        switch try event["type"]?.int() {
        case 6: return event["data"]?["scalar"]?["value"] ?? .null
        case 7:
            var items: [Payload] = []
            while events.first?["type"] != 8 { items.append(try value(&events)) }
            events.removeFirst()
            return .array(items)
        case 9:
            var entries: [(String, Payload)] = []
            while events.first?["type"] != 10 {
                entries.append((try value(&events).string(), try value(&events)))
            }
            events.removeFirst()
            return .map(entries)
        default: throw LinkError(.methodFailed, message: "\(event)")
        }
    }

    @Test("a document has the values that Python has written")
    func document() async throws {
        let lines = try await python(
            """
            import json
            value = {"title": "Grüße & more", "empty": "", "list": ["1", "two words", ["-3.5"], {}], "deep": {"a": {"b": []}},
                     "control": "tab\\tline\\nquote\\"", "emoji": "\\U0001F600"}
            print(json.dumps(value, ensure_ascii=False))
            print(json.dumps(value))
            """
        ).split(separator: "\n")
        try await withLibraries("yaml") { host async throws in
            var events = try await events(String(lines[0]), host)[2...]
            #expect(try value(&events) == Payload(json: String(lines[1])))
            #expect(events.map { $0["type"] } == [4, 2])
        }
    }

    @Test("anchors, tags, styles and places come out of the member that the type tells")
    func members() async throws {
        try await withLibraries("yaml") { host async throws in
            let events = try await events("a: &x !t 'one'\nb: *x\n", host)
            let scalar = try #require(events.first { $0["data"]?["scalar"]?["anchor"] == "x" }?["data"]?["scalar"])
            #expect(
                scalar == [
                    "anchor": "x", "tag": "!t", "value": "one", "length": 3, "plain_implicit": 0, "quoted_implicit": 0,
                    "style": 2,
                ])
            let alias = try #require(events.first { $0["type"] == 5 })
            #expect(alias["data"] == ["alias": ["anchor": "x"]] && alias["start_mark"]?["line"] == 1)
        }
    }

    @Test("a wrong document is an error with libyaml's message and number")
    func wrong() async throws {
        try await withLibraries("yaml") { host async throws in
            for (document, number, message) in [
                ("a: [1, 2", 4, "did not find expected ',' or ']'"), ("\u{1}", 2, "control characters are not allowed"),
                ("a: 'b", 3, "found unexpected end of stream"),
            ] {
                let error = await failure { .array(try await events(document, host)) }
                #expect(error?.number == Int32(number) && error?.message == message, "\(String(describing: error))")
            }
        }
    }
}
