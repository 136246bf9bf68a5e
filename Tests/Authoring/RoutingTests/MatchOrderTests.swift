import Testing

@testable import Routing

@Suite("the best of several routes")
struct MatchOrderTests {
    /// Returns all orders of some texts.
    static func permutations(_ texts: [String]) -> [[String]] {
        guard texts.count > 1 else { return [texts] }
        return texts.indices.flatMap { index in
            var others = texts
            let first = others.remove(at: index)
            return permutations(others).map { [first] + $0 }
        }
    }

    @Test(
        "the order of adding does not matter",
        arguments: [
            (
                "studio://video/new",
                ["studio://video/new", "studio://video/:id", "studio://:a/new", "studio://*", "/video/new"]
            ),
            (
                "/7",
                ["/7", "/:a<uint>", "/:a<int>", "/:a<float>", "/:a", "/<path:p>", "/*"]
            ),
            ("/0", ["/:a<bool>", "/:a<uint>", "/:a<even>", "/:a"]),
            ("/-2", ["/:a<int>", "/:a<even>"]),
            ("/621425B8-42D1-4AB4-9A58-1E69D708A84B", ["/:a<uuid>", "/:a"]),
            ("/a.tar.gz", ["/:a.tar.gz", "/:a.gz", "/:a"]),
            ("studio://video/7", ["studio://video/:id", "studio:/video/:id", "/video/:id"]),
            ("/a/b/c", ["/a/:x/c", "/:x/b/c", "/:x/:y/c"]),
            ("/a/b", ["/a/b", "/a/b/*", "/a/:x", "/a/<path:p>", "/a/*"]),
            ("/a#b/c", ["/a#/b/c", "/a#/:x/c", "/a#/*", "/a"]),
            ("a://VIDEO/x", ["a://video/x", "/VIDEO/x", "/VIDEo/x", "/Video/x", "/video/x", "/:a/x"]),
        ] as [(String, [String])])
    func permutations(_ url: String, _ patterns: [String]) throws {
        var options = RoutingOptions()
        options.converters["even"] = { Int64($0).flatMap { $0 % 2 == 0 ? .integer($0) : nil } }
        for order in Self.permutations(patterns) {
            var table = RouteTable<String>(options: options)
            for pattern in order { try table.add(RoutePattern(pattern), pattern) }
            #expect(table.matches(url).map(\.value) == patterns)
            #expect(table.match(url)?.value == patterns.first)
        }
    }

    @Test("the most literal components win if the options say so", arguments: [true, false])
    func mostLiterals(_ isSet: Bool) throws {
        var options = RoutingOptions()
        if isSet { options.preference = .mostLiterals }
        for order in Self.permutations(["/a/:b/:c", "/:a/b/c", "/:a/:b/c", "/*"]) {
            var table = RouteTable<String>(options: options)
            for pattern in order { try table.add(RoutePattern(pattern), pattern) }
            let expected =
                isSet ? ["/:a/b/c", "/a/:b/:c", "/:a/:b/c", "/*"] : ["/a/:b/:c", "/:a/b/c", "/:a/:b/c", "/*"]
            #expect(table.matches("/a/b/c").map(\.value) == expected)
            #expect(table.match("/a/b/c")?.value == expected[0])
        }
    }

    @Test("a higher priority wins, however specific the others are")
    func priority() throws {
        let routes = [("/*", 20), ("/a/b", 10), ("/a/:x", 10), ("/a/:y", 11), ("/a/b", -5)]
        for order in Self.permutations(routes.indices.map(String.init)) {
            var table = RouteTable<String>()
            for index in order.compactMap(Int.init) {
                try table.add(RoutePattern(routes[index].0), priority: routes[index].1, "\(index)")
            }
            #expect(table.matches("/a/b").map(\.value) == ["0", "3", "1", "2", "4"])
            #expect(table.match("/a/b")?.value == "0")
            #expect(table.match("/a/b")?.priority == 20)
        }
    }

    @Test(
        "a search goes back when a more specific beginning leads nowhere",
        arguments: [
            ("/a/b/x", "/:p/b/x"), ("/a/b/c", "/a/b/c"), ("/a/z/y", "/*"), ("/a/7/y", "/a/:n/y"), ("/7/7", "/:s/:t"),
        ])
    func goesBack(_ url: String, _ expected: String) throws {
        var table = RouteTable<String>()
        for pattern in ["/a/b/c", "/a/:n<int>/y", "/:p/b/x", "/:s<int>/:t<uuid>", "/:s<float>/:t", "/*"] {
            try table.add(RoutePattern(pattern), pattern.replacing("<int>", with: "").replacing("<float>", with: ""))
        }
        #expect(table.match(url)?.value == expected)
    }

    @Test("a route is listed once, however many of its variants match")
    func listedOnce() throws {
        var table = RouteTable<Int>()
        try table.add(RoutePattern("/a(/b)(/*)"), 1)
        try table.add(RoutePattern("(/:x)(/:y)"), 2)
        #expect(table.matches("/a/b").map(\.value) == [1, 2])
        #expect(table.matches("/z").map(\.value) == [2])
        #expect(table.match("/z")?.pathValues.map(\.name) == ["x"])
    }
}

extension String {
    fileprivate func replacing(_ part: String, with other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}
