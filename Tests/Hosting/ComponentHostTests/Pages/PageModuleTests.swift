import CHSLink
import ComponentKit
import PageKit
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Page modules")
struct PageModuleTests {
    private static let names = ["fixture.greeting", "fixture.isHome", "fixture.place", "fixture.whose"]

    @Test("are known before their component is loaded", arguments: Depth.allCases)
    func listed(depth: Depth) async throws {
        let host = try depth.host()
        let modules = host.pageModules.filter { $0.component == "FixtureComponent" }
        #expect(modules.map(\.name) == Self.names)
        #expect(modules.map(\.selector) == ["greeting", "isHome", "place", "whose"])
        #expect(modules.map(\.isCondition) == [false, true, false, false])
        #expect(
            modules.first?.dataFields == [.init(name: "name", type: "String"), .init(name: "times", type: "Int = 1")])
        #expect(
            modules.first?.parameters == [
                .init(name: "context", type: "PageContext"), .init(name: "data", type: "Greeting"),
            ])
        #expect(modules.allSatisfy { $0.className == "PageLink" && $0.problem == nil })
        #expect(!host.isLoaded("PageLink"))
        let answer = try await host.call("hslink.Pages", "modules", kind: .class)
        let names = try answer["modules"]?.items().map { try $0.string("name") } ?? []
        #expect(names.filter { $0.hasPrefix("fixture.") } == Self.names)
        await host.stop()
    }

    @Test("answer a view, with their data if they have any", arguments: Depth.allCases)
    func answered(depth: Depth) async throws {
        let host = try depth.host()
        let context = PageContext(page: "home", section: "first").payload
        let place: ViewNode = try await host.call("PageLink", "place", ["context": context]).value()
        #expect(place == Text("first on home: -").node)
        let greeting: ViewNode = try await host.call(
            "PageLink", "greeting", ["context": context, "data": ["name": "Ada", "times": 2]]
        ).value()
        try greeting.check()
        #expect(greeting.children.map(\.key) == ["0", "1"])
        #expect(greeting.children[1].content == .row(RowContent(title: "Hello Ada")))
        guard case .call(let selector, let parameters)? = greeting.children[1].sideActions.first?.effect else {
            Issue.record("the row has no action")
            return
        }
        #expect(try await host.call("PageLink", selector, parameters.payload).string() == "greeted 1")
        await #expect(throws: LinkError.self) {
            try await host.call("PageLink", "greeting", ["context": context, "data": ["times": 2]])
        }
        await host.stop()
    }

    @Test(
        "have data that is compared with the model in the manifest, before anything is loaded",
        arguments: [
            ("fixture.greeting", #"{"name": "Ada"}"#, []), ("fixture.greeting", #"{"name": "Ada", "times": 2}"#, []),
            ("fixture.greeting", nil, ["the payload: expected Greeting, found nothing"]),
            ("fixture.greeting", "3", ["the payload: expected a map, found int"]),
            ("fixture.greeting", "{}", ["name: expected String, found nothing"]),
            (
                "fixture.greeting", #"{"nmae": 1, "name": null, "times": "x"}"#,
                [
                    "nmae: expected one of name, times, found another key; did you mean name?",
                    "name: expected a string, found null", "times: expected an integer, found string",
                ]
            ),
            ("fixture.place", nil, []), ("fixture.place", "null", []),
            ("fixture.place", "{}", ["the payload: expected no data, because the module takes none, found map"]),
            ("nobody.has", "{}", []),
        ] as [(String, String?, [String])])
    func data(module: String, json: String?, expected: [String]) async throws {
        let host = try Depth.file.host()
        var question: [(String, Payload)] = [("module", .string(module))]
        if let json { question.append(("data", try Payload(json: json))) }
        let answer = try await host.call("hslink.Pages", "check", .map(question), kind: .class)
        let problems = try answer["problems"]?.items().map { problem in
            let path = try problem["path"]?.items().map { PayloadError.PathElement.key(try $0.string()) } ?? []
            return PayloadError(
                path: path, expected: try problem.string("expected"), found: try problem.string("found")
            ).description
        }
        #expect(problems == expected)
        #expect(!host.isLoaded("PageLink"))
        await host.stop()
    }

    @Test(
        "read their data from the query of a URL, as a route reads its parameters",
        arguments: [
            ("fixture.greeting", "name=Ada", #"{"name":"Ada"}"#),
            ("fixture.greeting", "times=2&name=", #"{"name":"","times":2}"#),
            ("fixture.greeting", "name=%F0%9F%98%80+%20", #"{"name":"😀  "}"#),
            ("fixture.greeting", "", #"name: the value "name" is missing"#),
            ("fixture.greeting", "times=2", #"name: the value "name" is missing"#),
            ("fixture.greeting", "name=a&times=x", #"times: the value "times": expected an integer, found "x""#),
            ("fixture.greeting", "name=a&times=1.0", #"times: the value "times": expected an integer, found "1.0""#),
            ("fixture.greeting", "name=a&times=", #"times: the value "times": expected an integer, found """#),
            (
                "fixture.greeting", "name=a&times=9223372036854775808",
                #"times: the value "times": "9223372036854775808" is out of range for Int, "#
                    + "which is -9223372036854775808 to 9223372036854775807"
            ),
            ("fixture.greeting", "name=a&name=b", #"name: the value "name": expected one value, found 2 values"#),
            ("fixture.greeting", "nmae=a", #"nmae: it takes no value "nmae"; did you mean "name"?"#),
            ("fixture.greeting", "=a", #": it takes no value """#),
            ("fixture.place", "", "null"),
            ("fixture.place", "a=1", ": it takes no values, because the module fixture.place takes no data"),
            ("nobody.has", "a=1", "null"),
        ])
    func query(module: String, query: String, expected: String) async throws {
        let host = try Depth.file.host()
        let question: Payload = ["module": .string(module), "query": .string(query)]
        let answer = try await host.call("hslink.Pages", "read", question, kind: .class)
        if let problem = answer["problem"] {
            #expect(try "\(problem.string("name")): \(problem.string("reason"))" == expected)
        } else {
            let entries = ((try? answer["data"]?.entries()) ?? []).sorted { $0.key < $1.key }
            let data: Payload = answer["data"] == nil ? .null : .map(entries.map { ($0.key, $0.value) })
            #expect(try data.json() == expected)
        }
        #expect(!host.isLoaded("PageLink"))
        await host.stop()
    }

    @Test("are told apart by names that only look the same")
    func spelling() async throws {
        let host = try Depth.file.host()
        // The name of no field, although one of them is the same without its accent.
        for name in ["name\u{301}", "nam\u{E9}"] {
            let query = "name=a&\(name)=b"
            let answer = try await host.call(
                "hslink.Pages", "read", ["module": "fixture.greeting", "query": .string(query)], kind: .class)
            #expect(try answer["problem"]?.string("name") == name)
        }
        await host.stop()
    }

    @Test("that are conditions answer a truth value", arguments: Depth.allCases)
    func condition(depth: Depth) async throws {
        let host = try depth.host()
        for (page, expected) in [("home", true), ("other", false)] {
            let context = PageContext(page: page, section: "").payload
            #expect(try await host.call("PageLink", "isHome", ["context": context]).bool() == expected)
        }
        await host.stop()
    }

    /// A class of the program with a module that the fixture has as well.
    @LinkClass
    fileprivate final class Program {
        @PageModule("fixture.place")
        func mine(_ context: PageContext) -> some View { Text("the program's") }
    }

    @Test("of the same name are listed with the one that pages show")
    func twice() async throws {
        let host = LinkHost(
            components: [], includesBuiltIn: true, provides: [ProvidedClass(Program.self)], options: .quiet)
        let modules = host.pageModules.filter { $0.name == "fixture.place" }
        #expect(modules.count == 2)
        #expect(modules.first?.problem == nil)
        let place = modules.first.map { "\($0.className).\($0.selector) of \($0.component)" }
        #expect(place != nil && modules.last?.problem == place.map { "\($0) has the same name" })
        await host.stop()
    }
}
