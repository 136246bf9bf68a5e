import Testing

@testable import Routing

@Suite("explanations and suggestions")
struct DiagnosisTests {
    private func table(
        _ patterns: [String], _ change: (inout RoutingOptions) -> Void = { _ in }
    ) throws -> RouteTable<Int> {
        var options = RoutingOptions()
        change(&options)
        var table = RouteTable<Int>(options: options)
        for (number, pattern) in patterns.enumerated() { try table.add(RoutePattern(pattern), number) }
        return table
    }

    @Test("an explanation lists the matches, then what comes close")
    func whole() throws {
        var table = try table([
            "studio://video/new", "studio://video/:id", "studio://video/:id<int>", "studio://video", "/video/new",
            "studio://video/new/:part", "studio://film/new", "web://video/new", "studio://account/settings/privacy",
            "studio:/video/:x",
        ])
        try table.add(RoutePattern("studio://*"), priority: -1, 9)
        let explanation = table.explain("studio://video/new?x=1")
        #expect(
            explanation.description == """
                chosen: studio://video/new
                outranked: studio://video/:id: less specific: a placeholder where "studio://video/new" has the literal "new"
                outranked: studio:/video/:x: less specific: without a host, where "studio://video/new" has one
                outranked: /video/new: less specific: for any scheme, where "studio://video/new" names one
                outranked: studio://*: priority -1 after 0
                no match: studio://video/new/:part: the URL ends before ":part"
                no match: studio://video/:id<int>: component 2: "new" is not an int
                no match: studio://video: the URL continues with "new"
                no match: web://video/new: scheme: expected "web", found "studio"
                2 more routes do not match
                """)
        #expect(explanation.chosen?.route.value == 0)
        #expect(explanation.candidates.map(\.outcome).filter { $0 == .outranked }.count == 4)
        #expect(explanation.omitted == 2)
        #expect(explanation.problem == nil)
        #expect(explanation.candidates[1].pathValues.map(\.name) == ["id"])
        #expect(explanation.candidates[1].pathValues.map(\.value) == [.text("new")])
    }

    @Test("a route with an obstacle does not count, and is listed with it before those that do not match")
    func obstacles() throws {
        let table = try table(["a://b/c", "a://b/:x", "a://*rest", "a://b/:x/d"])
        let explanation = table.explain("a://b/c") { $0 == 0 || $0 == 2 ? "closed" : nil }
        #expect(
            explanation.description == """
                chosen: a://b/:x (x = text("c"))
                no match: a://b/c: closed
                no match: a://*rest: closed
                no match: a://b/:x/d: the URL ends before "d"
                """)
        let limited = table.explain("a://b/c", limit: 1) { _ in "closed" }
        #expect(limited.chosen == nil)
        #expect(limited.candidates.map(\.reason) == ["closed", "the URL ends before \"d\""])
        #expect(limited.omitted == 2)
    }

    @Test(
        "a reason says where a pattern and a URL differ",
        arguments: [
            ("studio://video/list", "studio://video/film", "component 2: expected \"list\", found \"film\""),
            ("studio://video/list", "studio://film/list", "host: expected \"video\", found \"film\""),
            ("/video/list", "/film/list", "component 1: expected \"video\", found \"film\""),
            ("/video/:n<uint>", "/video/x", "component 2: \"x\" is not a uint"),
            ("/video/:n<uuid>", "/video/x", "component 2: \"x\" is not a uuid"),
            ("/video/:n<int>", "/video/+", "component 2: \"+\" is not an int"),
            ("/video/:n<uint>", "/video/-0", "component 2: \"-0\" is not a uint"),
            (
                "/video/:n<uint>", "/video/-7",
                "component 2: \"-7\" is out of range for uint, which is 0 to 18446744073709551615"
            ),
            (
                "/video/:n<int>", "/video/9223372036854775808",
                "component 2: \"9223372036854775808\" is out of range for int, which is "
                    + "-9223372036854775808 to 9223372036854775807"
            ),
            ("/video/:n.html", "/video/x", "component 2: expected \"….html\", found \"x\""),
            ("/video/:n.html", "/video/.html", "component 2: expected \"….html\", found \".html\""),
            ("/video/<path:p>", "/video", "the URL ends before the path"),
            ("/video/:a<int>", "/video", "the URL ends before \":a<int>\""),
            ("/video", "/video/x", "the URL continues with \"x\""),
            ("/video#/a", "/video", "the URL has no fragment"),
            ("/video#/a", "/video#/b", "component 1 of the fragment: expected \"a\", found \"b\""),
            ("studio://video", "video", "scheme: expected \"studio\", found none"),
            ("studio://video", "stduio://video", "scheme: expected \"studio\", found \"stduio\""),
            ("/%FF/x", "/%FE/x", "a component has other bytes"),
        ])
    func reasons(_ pattern: String, _ url: String, _ reason: String) throws {
        let explanation = try table([pattern]).explain(url)
        #expect(explanation.candidates.map(\.reason) == [reason])
        #expect(explanation.chosen == nil)
        #expect(explanation.description == "no route matches\nno match: \(pattern): \(reason)")
    }

    @Test("a reason names what the options do")
    func optionReasons() throws {
        let sources = try table(["/video"]) { $0.sources = [URLSource("a://"), URLSource("b://c")].compactMap(\.self) }
        #expect(
            sources.explain("d://video").candidates.map(\.reason) == ["the URL does not begin with any of a://, b://c"])
        let own = try table(["/video", "a://x"]) { $0.fallsBackToAnyScheme = false }
        #expect(
            own.explain("a://video").candidates.map(\.reason)
                == ["the scheme \"a\" has routes of its own, which replace those for any scheme"])
        let literals = try table(["/:a/b/c", "/a/:b/:c"]) { $0.preference = .mostLiterals }
        #expect(literals.explain("/a/b/c").candidates.map(\.reason) == ["", "1 literal components after 2"])
        let twice = try table(["/:a", "/:b"]) { $0.duplicates = .firstWins }
        #expect(twice.explain("/x").candidates.map(\.reason) == ["", "added after \"/:a\""])
        let ancestor = try table(["a://x"]) { $0.unknownTail = .nearestAncestor }
        #expect(ancestor.explain("a://x/y").chosen?.route.value == 0)
    }

    @Test("an explanation is bounded, and counts what it leaves out")
    func bounded() throws {
        let table = try table((0..<100).map { "/video/page\($0)" } + ["/:a/:b", "/video/:b", "/*"])
        let explanation = table.explain("/video/page", limit: 5)
        #expect(
            explanation.candidates.map(\.outcome) == [.chosen, .outranked, .outranked]
                + [RouteExplanation<Int>.Outcome](repeating: .mismatch, count: 5))
        #expect(explanation.omitted == 95)
        #expect(explanation.description.hasSuffix("\n95 more routes do not match"))
        #expect(table.explain("/video/page", limit: 0).candidates.count == 1)
        let nothing = try self.table(["/a", "/b", "/c", "/d"]).explain("/x")
        #expect(nothing.candidates.map(\.route.pattern.text) == ["/a", "/b", "/c"])
        #expect(nothing.description.hasSuffix("\n1 more route does not match"))
        #expect(RouteTable<Int>().explain("/x").description == "no route matches")
    }

    @Test("a URL that is too long is not looked up")
    func tooLong() throws {
        let table = try table(["/*"]) { $0.lengthLimit = 3 }
        #expect(table.explain("/abc").problem == .tooLong(limit: 3))
        #expect(table.explain("/abc").description.hasPrefix("not looked up: the URL is longer than 3 bytes\n"))
        #expect(table.nearest(to: "/abc").isEmpty)
    }

    @Test(
        "patterns that are similar to a URL are suggested, most similar first",
        arguments: [
            ("studio://vidoe/list", ["studio://video/list", "studio://video/:id<int>"]),
            ("studio://video/lst", ["studio://video/list", "studio://video/:id<int>"]),
            ("studio://VIDEO/LIST", ["studio://video/list", "studio://video/:id<int>"]),
            ("stduio://video/list", ["studio://video/list", "studio://video/:id<int>"]),
            ("web://account/settings/privacy", ["studio://account/settings/privacy"]),
            ("account/settings/privacy", ["studio://account/settings/privacy"]),
            ("studio://account/settings", ["studio://account/settings/privacy"]),
            // Placeholders alone make nothing similar.
            ("studio://search", []), ("studio://x/7", []),
            ("studio://acount/settings/all/privacy", ["studio://account/settings/privacy"]),
            ("studio://video/x", ["studio://video/:id<int>"]), ("studio://nothing/like/it", []), ("", []),
            ("studio://x", []),
        ])
    func nearest(_ url: String, _ expected: [String]) throws {
        let table = try table([
            "studio://video/list", "studio://video/:id<int>", "studio://account/settings/privacy", "mail://inbox",
        ])
        #expect(table.nearest(to: url).map(\.pattern.text) == expected)
    }

    @Test("the number of suggestions is limited")
    func limited() throws {
        let table = try table((0..<9).map { "/video/page\($0)" })
        #expect(
            table.nearest(to: "/video/page").map(\.pattern.text) == ["/video/page0", "/video/page1", "/video/page2"])
        #expect(table.nearest(to: "/video/page", limit: 1).count == 1)
        #expect(table.nearest(to: "/video/page", limit: -1).isEmpty)
    }

    @Test(
        "the distance of two texts counts inserted, deleted, replaced and swapped characters",
        arguments: [
            ("", "", 0), ("a", "", 1), ("video", "vidoe", 1), ("video", "vido", 1), ("video", "videos", 1),
            ("video", "fideo", 1),
            ("video", "film", nil), ("ab", "ba", 1), ("视频", "视屏", 1), (String(repeating: "a", count: 65), "a", nil),
        ] as [(String, String, Int?)])
    func distance(_ one: String, _ other: String, _ expected: Int?) {
        #expect(editDistance(one, other, limit: 2) == expected)
        #expect(editDistance(other, one, limit: 2) == expected)
    }
}
