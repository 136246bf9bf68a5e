import Testing

@testable import Routing

@Suite("options of a table")
struct RoutingOptionsTests {
    private func table(
        _ patterns: [String], _ change: (inout RoutingOptions) -> Void
    ) throws -> RouteTable<String> {
        var options = RoutingOptions()
        change(&options)
        var table = RouteTable<String>(options: options)
        for pattern in patterns { try table.add(RoutePattern(pattern, syntax: options.syntax), pattern) }
        return table
    }

    @Test(
        "the host of a URL is a component, or not",
        arguments: [
            (.componentUnlessDomain, "studio://video/7", true), (.componentUnlessDomain, "http://a.b/video/7", true),
            (.componentUnlessDomain, "http://localhost/video/7", true),
            (.componentUnlessDomain, "http://x/video/7", false),
            (.component, "studio://video/7", true), (.component, "http://a.b/video/7", false),
            (.ignored, "studio://video/7", false), (.ignored, "http://x/video/7", true), (.ignored, "/video/7", true),
        ] as [(RoutingOptions.Hosts, String, Bool)])
    func hosts(_ hosts: RoutingOptions.Hosts, _ url: String, _ matches: Bool) throws {
        #expect(try table(["/video/:id"]) { $0.hosts = hosts }.canOpen(url) == matches)
    }

    @Test(
        "patterns without a scheme are valid for the sources",
        arguments: [
            ("studio://video/7", true), ("STUDIO://video/7", true), ("https://example.com/video/7", true),
            ("https://EXAMPLE.com/video/7", true), ("https://example.com:80/video/7", false),
            ("https://example.org/video/7", false), ("http://example.com/video/7", false), ("/video/7", false),
            ("https://video/7", false), ("other://own", true),
        ])
    func sources(_ url: String, _ matches: Bool) throws {
        let table = try table(["/video/:id", "other://own"]) {
            $0.sources = ["studio://", "https://example.com/"].compactMap { URLSource($0) }
        }
        #expect(table.canOpen(url) == matches)
    }

    @Test("a source with the host counts more than one for any host, whatever their order", arguments: [true, false])
    func specificSource(_ isReversed: Bool) throws {
        let sources = ["a://", "a://h"].compactMap { URLSource($0) }
        let table = try table(["/x", "/k/x", "/h/x"]) { $0.sources = isReversed ? sources.reversed() : sources }
        #expect(table.match("a://h/x")?.value == "/x")
        #expect(table.match("a://k/x")?.value == "/k/x")
    }

    @Test("a source is a scheme with or without a host")
    func sourceText() {
        #expect(URLSource("Studio://")?.description == "studio://")
        #expect(URLSource("https://Example.com/")?.description == "https://example.com")
        for text in ["", "studio", "/a", "a://b/c", "a://b?c", "a://b#c"] { #expect(URLSource(text) == nil) }
    }

    @Test("patterns of other sources are refused if the options say so")
    func otherSources() throws {
        func add(_ pattern: String) throws {
            _ = try table([pattern]) {
                $0.sources = ["a://", "b://h"].compactMap { URLSource($0) }
                $0.refusesOtherSources = true
            }
        }
        for pattern in ["/x", "a://x", "b://h/x", "b:/x"] { try add(pattern) }
        for pattern in ["c://x", "b://k/x", "b://:h/x"] {
            let error = #expect(throws: RouteConflict.self) { try add(pattern) }
            #expect(error?.reason == .unknownSource)
            #expect(
                error?.description == "\"\(pattern)\" does not begin with any of the sources that the table accepts")
        }
    }

    @Test("a scheme with routes of its own may replace those for any scheme", arguments: [true, false])
    func fallback(_ isOn: Bool) throws {
        var table = try table(["/x", "a://y"]) { $0.fallsBackToAnyScheme = isOn }
        #expect(table.canOpen("a://x") == isOn)
        #expect(table.canOpen("b://x"))
        #expect(table.removeAll(scheme: "A") == 1)
        #expect(table.canOpen("a://x"))
    }

    @Test(
        "a longer URL matches the pattern that goes furthest",
        arguments: [
            ("a://x/y/z", "a://x/y", true), ("a://x/q/z", "a://x", true), ("a://q", "a://", true),
            ("a://", "a://", false),
            ("a://x/7/8", "a://x/:n", true), ("a://x/8/9", "a://x/8", true), ("b://x", nil, false),
            ("/v/w", "/v", true), ("b://v/w/x", "/v", true),
            ("/", nil, false), ("/q", nil, false), ("a://x/y/w", "/x/y/w", false),
        ] as [(String, String?, Bool)])
    func ancestors(_ url: String, _ expected: String?, _ isAncestor: Bool) throws {
        let table = try table(["a://", "a://x", "a://x/y", "a://x/:n<int>", "a://x/8", "/v", "/x/y/w"]) {
            $0.unknownTail = .nearestAncestor
        }
        let match = table.match(url)
        #expect(match?.value.replacingType == expected)
        #expect(table.matches(url).first?.value == match?.value)
        #expect(table.canOpen(url) == (expected != nil))
        #expect((match?.isAncestor ?? false) == isAncestor)
    }

    @Test("with an empty root pattern, a URL without a scheme has no ancestor")
    func rootIsNoAncestor() throws {
        let table = try table(["/"]) { $0.unknownTail = .nearestAncestor }
        #expect(table.canOpen("/"))
        #expect(!table.canOpen("/x"))
    }

    @Test(
        "a plus sign is itself, or a space",
        arguments: [
            (.isPlus, "a+b", "c+d"), (.isSpaceInQuery, "a+b", "c d"), (.isSpace, "a b", "c d"),
        ] as [(RoutingOptions.Plus, String, String)])
    func plus(_ plus: RoutingOptions.Plus, _ path: String, _ query: String) throws {
        let table = try table(["/x+y/:p"]) { $0.plus = plus }
        let match = try #require(table.match("/x+y/a+b?q=c+d&r=%2B"))
        #expect(try match.parameters() == ["p": .text(path), "q": .text(query), "r": .text("+")])
    }

    @Test(
        "repeated names of the query give one value",
        arguments: [
            (.array, .list(["1", "2", ""])), (.first, .text("1")), (.last, .text("")),
        ] as [(RoutingOptions.RepeatedKeys, RouteValue)])
    func repeated(_ keys: RoutingOptions.RepeatedKeys, _ value: RouteValue) throws {
        let match = try #require(try table(["/x"]) { $0.repeatedKeys = keys }.match("/x?a=1&b=3&a=2&%61"))
        let values = try match.queryValues()
        #expect(values.map(\.name) == ["a", "b"])
        #expect(values.map(\.value) == [value, .text("3")])
    }

    @Test("names without a value are kept or dropped", arguments: [true, false])
    func namesWithoutValue(_ isKept: Bool) throws {
        let match = try #require(
            try table(["/x"]) { $0.namesWithoutValue = isKept ? .kept : .dropped }.match("/x?a&b=&=c&&"))
        let names = try match.queryItems().map { "\($0.name):\($0.value ?? "-")" }
        #expect(names == (isKept ? ["a:-", "b:", ":c"] : ["b:", ":c"]))
    }

    @Test("the query is decoded, or not", arguments: [true, false])
    func decodesQuery(_ isOn: Bool) throws {
        let match = try #require(try table(["/x"]) { $0.decodesQuery = isOn }.match("/x?%61=%62%26%3D=c"))
        #expect(
            try match.queryItems() == [
                isOn ? QueryItem(name: "a", value: "b&==c") : QueryItem(name: "%61", value: "%62%26%3D=c")
            ])
    }

    @Test(
        "each parameter comes from its strongest source",
        arguments: [
            ([.path, .payload, .query], "path"), ([.payload, .path, .query], "payload"),
            ([.query, .path, .payload], "query"),
            ([.query], "query"), ([.payload, .query], "payload"), ([], nil),
        ] as [([RoutingOptions.ParameterSource], String?)])
    func precedence(_ precedence: [RoutingOptions.ParameterSource], _ source: String?) throws {
        let match = try #require(try table(["/:a"]) { $0.precedence = precedence }.match("/path?a=query&b=1"))
        let parameters = try match.parameters(["a": .text("payload"), "c": .integer(2)])
        #expect(parameters["a"] == source.map { .text($0) })
        #expect(parameters["b"] == (precedence.contains(.query) ? .text("1") : nil))
        #expect(parameters["c"] == (precedence.contains(.payload) ? .integer(2) : nil))
    }

    @Test("names in the query are found without regard to case if the options say so", arguments: [true, false])
    func caseOfNames(_ isOn: Bool) throws {
        let match = try #require(
            try table(["/:Id"]) { $0.ignoresCaseOfNames = isOn }.match("/7?ID=8&PAGE=9&Size=1&size=2"))
        let parameters = try match.parameters(names: ["page", "size"])
        #expect(
            parameters
                == (isOn
                    ? ["Id": .text("7"), "page": .text("9"), "size": .list(["1", "2"])]
                    : ["Id": .text("7"), "ID": .text("8"), "PAGE": .text("9"), "Size": .text("1"), "size": .text("2")]))
    }

    @Test(
        "a fragment may be read like a query",
        arguments: [
            ("/x#a=b&c=d", true, ["a", "c"]), ("/x#a=b", false, []), ("/x?q=1#a=b", true, ["q", "a"]),
            ("/x#/y?a=b", true, ["a"]), ("/x#/y=b", true, []), ("/x#top", true, []),
        ])
    func fragmentAsQuery(_ url: String, _ isOn: Bool, _ names: [String]) throws {
        let match = try #require(try table(["/x"]) { $0.readsFragmentAsQuery = isOn }.match(url))
        #expect(try match.queryItems().map(\.name) == names)
    }

    @Test("the items of a fragment that is part of the pattern follow those of the query")
    func fragmentQuery() throws {
        let match = try #require(try table(["/x#/:y"]) { _ in }.match("/x?a=1#/y?b=2&a=3"))
        #expect(try match.parameters() == ["y": .text("y"), "a": .list(["1", "3"]), "b": .text("2")])
    }

    @Test("a type needs a converter, and a value that it does not convert is no match")
    func converters() throws {
        let colours: RoutingOptions.Converter = { $0 == "red" ? .integer(0xFF0000) : nil }
        let table = try table(["/:c<colour>"]) { $0.converters["colour"] = colours }
        #expect(table.match("/red")?.pathValues.first?.value == .integer(0xFF0000))
        #expect(!table.canOpen("/blue"))
        let error = #expect(throws: RouteConflict.self) { try self.table(["/:c<colour>"]) { _ in } }
        #expect(error?.reason == .unknownType("colour"))
        #expect(error?.description == "\"/:c<colour>\" has a placeholder of the unknown type colour")
    }

    @Test("longer URLs are not looked up, and more items are an error")
    func limits() throws {
        let table = try table(["/:a"]) {
            $0.lengthLimit = 9
            $0.itemLimit = 2
        }
        #expect(table.canOpen("/34567890"))
        #expect(!table.canOpen("/345678901"))
        #expect(table.match("/345678901") == nil)
        #expect(table.matches("/345678901").isEmpty)
        let match = try #require(table.match("/a?b&c&d"))
        #expect(throws: RouteURLError.tooManyItems(limit: 2)) { try match.queryItems() }
        #expect(throws: RouteURLError.tooManyItems(limit: 2)) { try match.parameters() }
        #expect(try table.match("/a?b&c")?.queryItems().count == 2)
        #expect(throws: RouteURLError.tooLong(limit: 9)) { try QueryItem.items(of: "?345678901", table.options) }
    }

    @Test("the rest is a list, and one without a name is no parameter")
    func rest() throws {
        let table = try table(["/a/*", "/b/*more", "/c/:/*"]) { _ in }
        #expect(table.match("/a/x/y")?.rest == ["x", "y"])
        #expect(try table.match("/a/x/y")?.parameters() == [:])
        #expect(try table.match("/b/x")?.parameters() == ["more": .list(["x"])])
        #expect(table.match("/c/x/y")?.rest == ["y"])
        #expect(try table.match("/c/x/y")?.parameters() == [:])
    }
}

extension String {
    fileprivate var replacingType: String { split(separator: "<int>").joined() }
}
