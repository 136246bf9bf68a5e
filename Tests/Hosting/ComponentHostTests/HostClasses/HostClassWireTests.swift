import ComponentHost
import ComponentKit
import TestSupport
import Testing

/// What the host's own classes answer, key by key: programs in other languages, and `--json` of the command line, depend
/// on the keys, on their order, on the kinds of values, and on what is left out.
@Suite("The host's own classes on the wire")
struct HostClassWireTests {
    /// A call of a class method `hslink.CLASS`.
    struct Question: Sendable {
        let className: String
        let selector: String
        /// In JSON; nil for null.
        let payload: String?

        init(_ className: String, _ selector: String, _ payload: String? = nil) {
            (self.className, self.selector, self.payload) = (className, selector, payload)
        }

        func ask(_ host: LinkHost) async throws -> Answer {
            let payload = try payload.map { try Payload(json: $0) } ?? .null
            return await answer {
                try await host.call("hslink.\(className)", selector, payload, kind: .class, timeout: .seconds(300))
            }
        }
    }

    private static let item = """
        {"pattern": "golden://item/:id", "class": "GoldenLink", "selector": "open", "component": "Golden",
         "public": true, "tags": ["golden"], "priority": 5, "available": true}
        """
    private static let first = """
        {"pattern": "golden://item/first", "class": "GoldenLink", "selector": "first", "kind": "class",
         "component": "Golden", "available": true}
        """
    private static let bare = #"{"pattern": "golden://bare", "available": true}"#

    /// In this order, since events are posted. Words for people stand as "…".
    private static let answers: [(question: Question, answer: String)] = [
        // Routes
        (Question("Routes", "open", #"{"url": "golden://bare", "payload": {"n": 1}}"#), #"{"n": 1}"#),
        (Question("Routes", "canOpen", #"{"url": "golden://item/7", "source": "browser"}"#), "true"),
        (Question("Routes", "canOpen", #"{"url": "golden://item/first", "source": "browser"}"#), "false"),
        (Question("Routes", "canOpen", #"{"url": "golden://item/7", "source": "nobody"}"#), "false"),
        (Question("Routes", "route", #"{"url": "golden://item/7"}"#), item),
        (Question("Routes", "route", #"{"url": "golden://item/first"}"#), first),
        (Question("Routes", "route", #"{"url": "golden://bare"}"#), bare),
        (Question("Routes", "route", #"{"url": "golden://nothing/at/all"}"#), "null"),
        (
            Question("Routes", "routes", #"{"more": 1}"#),
            """
            {"routes": [
              {"pattern": "/item/:id", "class": "GoldenLink", "selector": "open", "component": "Golden",
               "available": true},
              \(bare), \(item), \(first)],
             "refused": [{"pattern": "golden://item/first", "component": "Golden", "class": "GoldenLink",
                          "selector": "second", "reason": "…"}]}
            """
        ),
        (
            Question("Routes", "explain", #"{"url": "golden://item/7"}"#),
            """
            {"url": "golden://item/7",
             "candidates": [{"outcome": "chosen", "parameters": {"id": 7}, "route": \(item)}],
             "interceptors": ["GoldenLink.guard"]}
            """
        ),
        (
            Question("Routes", "explain", #"{"url": "old://7"}"#),
            """
            {"url": "golden://item/7",
             "candidates": [{"outcome": "chosen", "parameters": {"id": 7}, "route": \(item)}],
             "redirects": ["golden://item/7"], "interceptors": ["GoldenLink.guard"]}
            """
        ),
        (
            Question("Routes", "explain", #"{"url": "golden://bare", "source": "nobody"}"#),
            """
            {"url": "golden://bare", "candidates": [{"outcome": "mismatch", "reason": "…", "route": \(bare)}],
             "problems": ["the host does not allow the source \\"nobody\\""]}
            """
        ),
        (
            Question(
                "Routes", "url",
                #"{"class": "GoldenLink", "selector": "open", "parameters": {"id": 7, "loud": true}}"#),
            #""golden://item/7?loud=true""#
        ),
        (
            Question("Routes", "url", #"{"class": "GoldenLink", "selector": "first", "kind": "class"}"#),
            #""golden://item/first""#
        ),
        // Events
        (
            Question("Events", "events", #"{"more": 1}"#),
            """
            {"events": [
              {"name": "com.example.golden/done", "posters": ["Golden"],
               "handlers": [{"component": "Golden", "class": "GoldenLink", "selector": "heard", "priority": 3}]},
              {"name": "com.example.golden/lost", "posters": [],
               "handlers": [{"component": "Golden", "class": "GoldenLink", "selector": "missed"}],
               "problems": ["no component posts it"]}]}
            """
        ),
        (Question("Events", "last", #"{"event": "com.example.golden/done"}"#), "null"),
        (
            Question("Events", "post", #"{"event": "com.example.golden/done", "value": {"value": 1}, "sticky": true}"#),
            "null"
        ),
        (
            Question("Events", "deliver", #"{"event": "com.example.golden/done", "value": {"value": 2}}"#),
            #"{"handled": 0, "failures": [], "notLoaded": ["Golden"], "refusal": null}"#
        ),
        (Question("Events", "last", #"{"event": "com.example.golden/done"}"#), #"{"value": {"value": 1}}"#),
        // Pages
        (
            Question("Pages", "modules", #"{"more": 1}"#),
            """
            {"modules": [
              {"name": "golden.greeting", "component": "Golden", "class": "GoldenLink", "selector": "greeting",
               "parameters": [{"name": "context", "type": "PageContext"}, {"name": "data", "type": "Greeting"}],
               "data": [{"name": "name", "type": "String"}, {"name": "times", "type": "Int = 1"},
                        {"name": "tags", "type": "[String] = []"}]},
              {"name": "golden.isHome", "component": "Golden", "class": "GoldenLink", "selector": "isHome",
               "kind": "class", "condition": true, "parameters": [{"name": "context", "type": "PageContext"}]}]}
            """
        ),
        (
            Question("Pages", "check", #"{"module": "golden.greeting", "data": {"nmae": 1, "tags": ["a", 2]}}"#),
            """
            {"problems": [
              {"path": ["nmae"], "expected": "one of name, times, tags",
               "found": "another key; did you mean name?"},
              {"path": ["name"], "expected": "String", "found": "nothing"},
              {"path": ["tags", 1], "expected": "a string", "found": "int"}]}
            """
        ),
        (
            Question("Pages", "check", #"{"module": "golden.greeting"}"#),
            #"{"problems": [{"path": [], "expected": "Greeting", "found": "nothing"}]}"#
        ),
        (
            Question("Pages", "check", #"{"module": "golden.greeting", "data": null}"#),
            #"{"problems": [{"path": [], "expected": "Greeting", "found": "nothing"}]}"#
        ),
        (Question("Pages", "check", #"{"module": "nobody.has", "data": {}}"#), #"{"problems": []}"#),
        (
            Question("Pages", "read", #"{"module": "golden.greeting", "query": "name=Ada&times=2"}"#),
            #"{"data": {"name": "Ada", "times": 2}}"#
        ),
        (
            Question("Pages", "read", #"{"module": "golden.greeting", "query": "times=x"}"#),
            #"{"problem": {"name": "times", "reason": "…"}}"#
        ),
        (Question("Pages", "read", #"{"module": "nobody.has", "query": "a=1"}"#), "{}"),
        // Configuration
        (
            Question("Configuration", "sections", #"{"more": 1}"#),
            """
            {"environment": "stage", "sources": ["the command line"], "sections": [{"component": "Golden", "keys": [
               {"key": "address", "type": "String", "value": "here", "from": "the command line"},
               {"key": "limit", "type": "Int = 5"},
               {"key": "token", "type": "Secret?", "from": "the command line", "secret": true},
               {"key": "unread", "from": "the command line"}],
              "warnings": ["Golden.unread in the command line has no effect: the component does not read it"]}],
             "warnings": ["Zzzzzz in the command line: there is no such component"]}
            """
        ),
        // Schemas
        (
            Question("Schemas", "all", ##"{"references": "#/x/"}"##),
            """
            {"methods": [
              {"component": "Golden", "class": "GoldenLink", "selector": "first", "kind": "class", "parameters": {},
               "result": {}},
              {"component": "Golden", "class": "GoldenLink", "selector": "open", "kind": "object",
               "summary": "Opens one.", "parameters": {"type": "object", "properties": {
                 "id": {"type": "integer"}, "loud": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}},
                "required": ["id"]}, "result": {"$ref": "#/x/Golden.Greeting"}},
              {"component": "Golden", "class": "GoldenLink", "selector": "second", "kind": "class", "parameters": {},
               "result": {}}],
             "definitions": {"Golden.Greeting": {"type": "object", "properties": {
               "name": {"type": "string"}, "times": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
               "tags": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}},
              "required": ["name"]}}}
            """
        ),
        // Resources
        (
            Question("Resources", "read", #"{"component": "Golden", "name": "a.txt"}"#),
            #"{"bytes": {"$bytes": "YWJj"}}"#
        ),
        (
            Question("Resources", "dataFile", #"{"component": "Golden", "path": "films/a.mp4"}"#),
            #"{"path": "…/films/a.mp4"}"#
        ),
        // Services
        (
            Question("Services", "find", #"{"service": "com.example.golden/1", "more": 1}"#),
            #"{"class": "GoldenLink", "component": "Golden", "version": "1.2.0"}"#
        ),
        (Question("Services", "provides", #"{"service": "com.example.golden/1"}"#), "true"),
        (Question("Services", "provides", #"{"service": "com.example.golden/2"}"#), "false"),
        (Question("Services", "providers", #"{"service": "com.example.golden/1"}"#), #"{"components": ["Golden"]}"#),
        (Question("Services", "providers", #"{"service": "com.example.golden/2"}"#), #"{"components": []}"#),
    ]

    @Test("answers have the same keys in the same order, and leave out the same")
    func answers() async throws {
        try await GoldenComponent.withHost { host in
            for (question, expected) in Self.answers {
                let answer = try await question.ask(host)
                let given = try answer.returnValue?.withoutWords.json(pretty: true)
                #expect(
                    try given == Payload(json: expected).json(pretty: true),
                    "\(question): \(answer.error.map { "\($0)" } ?? "")")
            }
            #expect(host.state(of: "Golden")?.description == "available")
        }
    }

    /// Each with a word of the message.
    private static let refusals: [(question: Question, word: String)] = [
        (Question("Routes", "open", #"{"url": "golden://bare", "sorce": "browser"}"#), "sorce"),
        // Null is a source that nobody has checked.
        (Question("Routes", "open", #"{"url": "golden://bare", "source": null}"#), "source"),
        (Question("Routes", "open", #"{"url": 7}"#), "url"),
        (Question("Routes", "open"), "map"),
        (Question("Routes", "canOpen", #"{"url": "golden://bare", "sorce": "browser"}"#), "sorce"),
        (Question("Routes", "canOpen", #"{"url": "golden://bare", "source": null}"#), "source"),
        (Question("Routes", "canOpen", #"{"url": "golden://bare", "payload": {}}"#), "payload"),
        (Question("Routes", "canOpen", "{}"), "url"),
        (Question("Routes", "route", #"{"url": "golden://bare", "sorce": "browser"}"#), "sorce"),
        (Question("Routes", "route", #"{"url": "golden://bare", "source": null}"#), "source"),
        (Question("Routes", "route", #"{"url": "golden://bare", "source": 1}"#), "source"),
        (Question("Routes", "explain", #"{"url": "golden://bare", "sorce": "browser"}"#), "sorce"),
        (Question("Routes", "explain", #"{"url": "golden://bare", "source": null}"#), "source"),
        (Question("Routes", "url", #"{"class": "GoldenLink", "selector": "open", "parameter": {}}"#), "parameter"),
        (Question("Routes", "url", #"{"class": "GoldenLink", "selector": "open", "kind": "objekt"}"#), "kind"),
        (Question("Routes", "url", #"{"class": "GoldenLink"}"#), "selector"),
        (Question("Events", "post", #"{"event": "com.example.golden/done", "valeu": 1}"#), "valeu"),
        (Question("Events", "post", #"{"event": "com.example.golden/done", "sticky": 1}"#), "sticky"),
        (Question("Events", "post", #"{"event": "hslink.host/started"}"#), "hslink."),
        (Question("Events", "post", #"{"event": "none"}"#), "none"),
        (Question("Events", "deliver", #"{"event": "com.example.golden/done", "valeu": 1}"#), "valeu"),
        (Question("Events", "deliver", "{}"), "event"),
        (Question("Events", "last", #"{"event": "com.example.golden/done", "value": 1}"#), "value"),
        (Question("Events", "last", #"{"event": 1}"#), "event"),
        (Question("Pages", "check", #"{"module": "golden.greeting", "dta": {}}"#), "dta"),
        (Question("Pages", "check", #"{"module": 1}"#), "module"),
        (Question("Pages", "check", "{}"), "module"),
        (Question("Pages", "check"), "module"),
        (Question("Pages", "read", #"{"module": "golden.greeting"}"#), "query"),
        (Question("Pages", "read", #"{"module": "golden.greeting", "query": "", "data": 1}"#), "data"),
        (Question("Schemas", "all", "[]"), "map"),
        (Question("Schemas", "all", ##"{"reference": "#/x/"}"##), "reference"),
        (Question("Schemas", "all", #"{"references": 1}"#), "references"),
        (Question("Resources", "read", #"{"component": "Golden", "name": "a.txt", "language": "de"}"#), "language"),
        (Question("Resources", "read", #"{"component": "Golden"}"#), "name"),
        (Question("Resources", "dataFile", #"{"component": "Golden", "path": "a", "name": "b"}"#), "name"),
        (Question("Resources", "dataFile", #"{"component": "Golden", "path": "a/../b"}"#), "path"),
        (Question("Resources", "dataFile", #"{"component": "Golden", "path": 1}"#), "path"),
        (Question("Services", "find", "{}"), "service"),
        (Question("Services", "find", #"{"service": "com.example.golden/1", "component": 1}"#), "component"),
        (Question("Services", "provides", #"{"service": 1}"#), "service"),
        (Question("Services", "providers", "{}"), "service"),
    ]

    @Test("payloads with unknown keys, wrong types or a source of null are refused")
    func refusals() async throws {
        try await GoldenComponent.withHost { host in
            for (question, word) in Self.refusals {
                let error = try await question.ask(host).error
                #expect(error?.code == .payloadMismatch, "\(question): \(error.map { "\($0)" } ?? "answered")")
                #expect(error?.message.contains(word) == true, "\(question): \(error?.message ?? "")")
            }
        }
    }

    @Test("counters have the same keys in the same order")
    func counters() async throws {
        try await GoldenComponent.withHost { host in
            for payload in [["name": "x"], .null] as [Payload] {
                _ = await answer { try await host.call("HostLink", "greet", payload, timeout: .seconds(300)) }
            }
            _ = try await host.call("HostLink", "version", kind: .class, timeout: .seconds(300))
            let expected = try Payload(
                json: """
                    [{"component": "host", "class": "HostLink", "selector": "greet", "calls": 2,
                      "failures": {"payloadMismatch": 1}, "inFlight": 0, "stuck": 0, "lateReplies": 0,
                      "durations": "…"},
                     {"component": "host", "class": "HostLink", "selector": "version", "kind": "class", "calls": 1,
                      "failures": {}, "inFlight": 0, "stuck": 0, "lateReplies": 0, "durations": "…"}]
                    """
            ).json(pretty: true)
            var rows: [Payload] = []
            // A thread that has answered may still be in the method.
            let isSame = await holds {
                let all = try #require(try await Question("Counters", "all", #"{"more": 1}"#).ask(host).returnValue)
                #expect(try all.entries().map(\.key) == ["counters"])
                rows = try all.value("counters").items().filter { $0["class"] == "HostLink" }
                return try Payload.array(rows).withoutWords.json(pretty: true) == expected
            }
            #expect(isSame, "\(rows)")
            for row in rows {
                let durations = try row.value("durations")
                #expect(
                    try durations.entries().map(\.key) == ["calls", "sum", "p50", "p90", "p99", "buckets"],
                    "\(durations)")
                #expect(try durations.value("calls").kind == .int)
                for key in ["sum", "p50", "p90", "p99"] { #expect(durations[key]?.kind == .double, "\(key)") }
                for bucket in try durations.value("buckets").items() where bucket["upTo"] != nil {
                    #expect(try bucket.entries().map(\.key) == ["upTo", "calls"])
                    #expect(bucket["upTo"]?.kind == .double && bucket["calls"]?.kind == .int)
                }
            }
            let text = try #require(try await Question("Counters", "prometheus").ask(host).returnValue)
            #expect(try text.entries().map(\.key) == ["type", "text"])
            #expect(text["type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(try text.string("text").contains("hslink_calls_total"))
        }
    }
}

extension Payload {
    /// The answer without what differs between machines and versions: "…" stands for a reason and for durations, in a
    /// path for the directory of data, and of candidates only the first is kept.
    fileprivate var withoutWords: Payload {
        get throws {
            switch kind {
            case .array: return .array(try items().map { try $0.withoutWords })
            case .map:
                return .map(
                    try entries().filter { $0.key != "omitted" }.map { key, value -> (String, Payload) in
                        switch (key, value.kind) {
                        case ("reason", .string), ("durations", .map): return (key, "…")
                        case ("path", .string):
                            let end = try value.string().split(separator: "/").suffix(2).joined(separator: "/")
                            return (key, .string("…/\(end)"))
                        case ("candidates", .array):
                            return (key, .array(try value.items().prefix(1).map { try $0.withoutWords }))
                        default: return (key, try value.withoutWords)
                        }
                    })
            default: return self
            }
        }
    }
}
