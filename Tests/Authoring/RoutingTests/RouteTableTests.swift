import Testing

@testable import Routing

@Suite("tables of routes")
struct RouteTableTests {
    private func table(
        _ patterns: [String], _ duplicates: RoutingOptions.Duplicates = .refused
    ) throws -> RouteTable<Int> {
        var options = RoutingOptions()
        options.duplicates = duplicates
        var table = RouteTable<Int>(options: options)
        for (number, pattern) in patterns.enumerated() { try table.add(RoutePattern(pattern), number) }
        return table
    }

    @Test("the routes are listed in the order in which they were added")
    func routes() throws {
        var table = try table(["/b", "/a", "/c"])
        table.remove(try RoutePattern("/b"))
        let identity = try table.add(RoutePattern("/d/:x"), priority: 3, 3)
        #expect(table.routes.map(\.pattern.text) == ["/a", "/c", "/d/:x"])
        #expect(table.routes.map(\.value) == [1, 2, 3])
        #expect(table.routes.map(\.priority) == [0, 0, 3])
        #expect(table.routes.last?.identity == identity)
        #expect(table.count == 3)
    }

    @Test(
        "a pattern that the table has already is refused, and changes nothing",
        arguments: [
            ("/:a", "/:b", "\"/:b\" matches the same URLs as \"/:a\""),
            ("/a", "/a", "the table has a route for \"/a\" already"),
            ("/a(/b)", "/a", nil), ("/a", "/(x/)a", nil), ("a://B", "A://b", nil), ("/*", "/*x", nil),
            ("/a#/:x", "/a#/:y", nil),
        ] as [(String, String, String?)])
    func refused(_ first: String, _ second: String, _ text: String?) throws {
        var table = try table([first])
        let route = try #require(table.routes.first)
        let error = #expect(throws: RouteConflict.self) { try table.add(RoutePattern(second), 1) }
        #expect(error?.reason == .duplicate(of: route.pattern, route: route.identity))
        if let text { #expect(error?.description == text) }
        #expect(table.count == 1)
        #expect(table.matches("/x/a").map(\.value) == (first == "/*" ? [0] : []))
        // Another priority is another route.
        #expect(throws: Never.self) { try table.add(RoutePattern(second), priority: 1, 2) }
    }

    @Test("the last route with a pattern replaces the earlier one")
    func lastWins() throws {
        var table = try table(["/:a", "/:b"], .lastWins)
        #expect(table.match("/x")?.value == 1)
        #expect(table.count == 1)
        table.remove(try RoutePattern("/:c"))
        #expect(!table.canOpen("/x"))
    }

    @Test("a route that is replaced for some of its URLs remains for the others")
    func partlyReplaced() throws {
        var table = try table(["/a(/b)(/c)", "/a/c", "/a"], .lastWins)
        #expect(["/a", "/a/b", "/a/c", "/a/b/c"].map { table.match($0)?.value } == [2, 0, 1, 0])
        // The replaced variants do not come back.
        table.remove(try RoutePattern("/a/c"))
        #expect(["/a", "/a/b", "/a/c", "/a/b/c"].map { table.match($0)?.value } == [2, 0, nil, 0])
        try table.add(RoutePattern("/a(/b(/c))"), 3)
        #expect(["/a", "/a/b", "/a/c", "/a/b/c"].map { table.match($0)?.value } == [3, 3, nil, 3])
        #expect(table.count == 1)
        #expect(table.explain("/a/c").candidates.map(\.route.value) == [3])
    }

    @Test("the first of several routes with a pattern is tried first")
    func firstWins() throws {
        var table = try table(["/:a", "/:b", "/:a"], .firstWins)
        #expect(table.matches("/x").map(\.value) == [0, 1, 2])
        #expect(table.remove(try RoutePattern("/:b")) == 1)
        #expect(table.matches("/x").map(\.value) == [0, 2])
        #expect(table.remove(try RoutePattern("/:a")) == 2)
        #expect(!table.canOpen("/x"))
    }

    @Test("routes that differ in the names of their placeholders are allowed, equal ones are not")
    func firstWinsUnlessEqual() throws {
        var table = try table(["/:a", "/:b"], .firstWinsUnlessEqual)
        #expect(throws: RouteConflict.self) { try table.add(RoutePattern("/:a"), 2) }
        #expect(throws: RouteConflict.self) { try table.add(RoutePattern("/:b"), 2) }
        #expect(table.matches("/x").map(\.value) == [0, 1])
    }

    @Test("removing a route leaves its neighbours")
    func neighbours() throws {
        let patterns = [
            "/a", "/a/b", "/a/:x", "/a/:x<int>", "/a/*", "/a/<path:p>", "/a#", "/a(/y)(/z)/w", "s://a", "s:/a",
        ]
        let urls = ["/a", "/a/b", "/a/q", "/a/7", "/a/q/r", "/a#", "/a/y/w", "/a/z/w", "/a/w", "s://a"]
        for removed in patterns.indices {
            var table = try table(patterns)
            #expect(table.remove(table.routes[removed].identity) == removed)
            var expected = RouteTable<Int>()
            for (number, pattern) in patterns.enumerated() where number != removed {
                try expected.add(RoutePattern(pattern), number)
            }
            for url in urls { #expect(table.matches(url).map(\.value) == expected.matches(url).map(\.value), "\(url)") }
        }
    }

    @Test(
        "the routes below a pattern are removed with it",
        arguments: [
            ("a://x", ["/x/y", "a:/x", "b://x/y"]), ("/x", ["a://x", "a://x/y", "a://x/:z/w", "a:/x", "b://x/y"]),
            ("a://x/:n", ["a://x", "a://x/y", "/x/y", "a:/x", "b://x/y"]), ("a://", ["/x/y", "a:/x", "b://x/y"]),
            ("c://", ["a://x", "a://x/y", "a://x/:z/w", "/x/y", "a:/x", "b://x/y"]),
        ])
    func below(_ pattern: String, _ left: [String]) throws {
        var table = try table(["a://x", "a://x/y", "a://x/:z/w", "/x/y", "a:/x", "b://x/y"])
        #expect(table.remove(try RoutePattern(pattern), andBelow: true) == 6 - left.count)
        #expect(table.routes.map(\.pattern.text) == left)
    }

    @Test("an identity is never mistaken for another route, not even in copies")
    func identities() throws {
        var one = try table(["/a"])
        var other = one
        let first = try one.add(RoutePattern("/b"), 1)
        let second = try other.add(RoutePattern("/c"), 2)
        #expect(first != second)
        #expect(one.remove(second) == nil)
        #expect(other.remove(first) == nil)
        #expect(one.remove(first) == 1)
        #expect(one.remove(first) == nil)
        // The place of the route is used again.
        let third = try one.add(RoutePattern("/d"), 3)
        #expect(one.remove(first) == nil)
        #expect(one.match("/d")?.identity == third)
        #expect(one.match("/a")?.identity == other.match("/a")?.identity)
    }

    @Test("what a later route has replaced does not count when routes are removed")
    func replacedVariants() throws {
        var table = try table(["(/x)/b", "/x/b"], .lastWins)
        #expect(table.remove(try RoutePattern("/x"), andBelow: true) == 1)
        #expect(table.match("/b")?.value == 0)
        #expect(table.match("/x/b") == nil)
    }

    @Test("looking for similar routes ends soon for long patterns, too")
    func longPatterns() throws {
        let words = (0..<56).map { "abcdefghijklmnopqrstuvwxyz\($0 * 37)" }
        var table = RouteTable<Int>()
        for number in 0..<8 {
            let literals = words.map { "\($0)\(number)" }.joined(separator: "/")
            try table.add(RoutePattern("studio://\(literals)(/a)(/b)(/c)(/d)(/e)(/f)"), number)
        }
        let url = "studio://" + words.map { "\($0)x" }.joined(separator: "/") + "/y/z"
        #expect(table.nearest(to: url).count <= 3)
        #expect(table.explain(url).chosen == nil)
    }

    @Test("adding and removing again and again does not make a table grow", arguments: [true, false])
    func tidy(_ replaces: Bool) throws {
        var table = try table((0..<20).map { "/keep/\($0)/:x(/y)" }, .lastWins)
        for round in 0..<2_000 {
            let pattern = try RoutePattern(replaces ? "/x/:\("abc".prefix(round % 3 + 1))" : "/x\(round)/:y")
            let identity = try table.add(pattern, round)
            if !replaces { #expect(table.remove(identity) == round) }
        }
        #expect(table.patterns.index.endings.count < 400)
        #expect(table.patterns.index.nodes.count < 1_000)
        #expect(table.patterns.slots.count < 40)
        for number in 0..<20 {
            #expect(table.match("/keep/\(number)/z")?.value == number)
            #expect(table.match("/keep/\(number)/z/y")?.value == number)
        }
        #expect(table.match("/x/z")?.value == (replaces ? 1_999 : nil))
    }

    @Test("a copy does not change with the table")
    func copies() throws {
        var table = try table(["/a", "/b"])
        let copy = table
        table.remove(try RoutePattern("/a"))
        try table.add(RoutePattern("/c"), 2)
        #expect(copy.canOpen("/a") && !copy.canOpen("/c"))
        #expect(!table.canOpen("/a") && table.canOpen("/c"))
    }

    @Test("ten thousand routes are found, also by their placeholders")
    func manyRoutes() throws {
        var table = RouteTable<Int>()
        for number in 0..<10_000 {
            try table.add(RoutePattern("s://a\(number % 100)/b\(number / 100)/:x<int>"), number)
        }
        for number in stride(from: 0, to: 10_000, by: 37) {
            let match = table.match("s://a\(number % 100)/b\(number / 100)/\(number)")
            #expect(match?.value == number)
            #expect(match?.pathValues.first?.value == .integer(Int64(number)))
        }
        #expect(!table.canOpen("s://a1/b100/7"))
    }
}
