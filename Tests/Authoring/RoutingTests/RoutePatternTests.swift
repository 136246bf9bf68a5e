import Testing

@testable import Routing

@Suite("route patterns")
struct RoutePatternTests {
    @Test(
        "a pattern has a scheme and placeholders",
        arguments: [
            ("studio://video/list", "studio", []),
            ("STUDIO://Video/:Id", "studio", [":Id"]),
            ("/video/:id", nil, [":id"]),
            ("video/:id", nil, [":id"]),
            ("studio:/video/<int:id>", "studio", [":id<int>"]),
            ("my_app+1.0-b://x", "my_app+1.0-b", []),
            ("://host/path", nil, []),
            ("/", nil, []),
            ("studio://", "studio", []),
            ("/:", nil, [":"]),
            ("/*", nil, ["*"]),
            ("/a/*rest", nil, ["*rest"]),
            ("/<path:rest>", nil, [":rest<path>*"]),
            ("/:rest<path>", nil, [":rest<path>*"]),
            ("/:id<double>", nil, [":id<float>"]),
            ("/:id<colour>", nil, [":id<colour>"]),
            ("/:id.html", nil, [":id"]),
            ("/<id>-<", nil, nil),
            ("/a(/:b)", nil, [":b?"]),
            ("/:\u{E9}(/:e\u{301})", nil, [":\u{E9}", ":e\u{301}?"]),
            ("/user#/view/:id", nil, [":id"]),
            ("/%3Aid/%28/%2A/%C3%A9", nil, []),
            ("/视频/:编号", nil, [":编号"]),
            ("http://[::1]:8080/:id", "http", [":id"]),
            ("/a/b/", nil, []),
        ] as [(String, String?, [String]?)])
    func parses(_ text: String, _ scheme: String?, _ placeholders: [String]?) throws {
        guard let placeholders else {
            #expect(throws: RoutePatternError.self) { try RoutePattern(text) }
            return
        }
        let pattern = try RoutePattern(text)
        #expect(pattern.scheme == scheme)
        #expect(pattern.text == text)
        #expect(pattern.description == text)
        let summary = pattern.placeholders.map { placeholder in
            let isList = placeholder.isRest && placeholder.type == nil
            return (isList ? "*" : ":") + placeholder.name + (placeholder.type.map { "<\($0)>" } ?? "")
                + (placeholder.isRest && !isList ? "*" : "") + (placeholder.isOptional ? "?" : "")
        }
        #expect(summary == placeholders)
    }

    @Test(
        "an invalid pattern is refused with the place",
        arguments: [
            ("", 0, "the pattern is empty; the root of the path is \"/\""),
            ("/a//b", 3, "there is an empty component between two slashes"),
            ("///////", 1, "there is an empty component between two slashes"),
            ("/a?b=c", 2, "a pattern has no query; parameters that are not in the path come from the query by name"),
            ("/*/a", 3, "\"*\" takes all remaining components, so nothing can follow it"),
            ("/*#a", 2, "\"*\" takes all remaining components, so nothing can follow it"),
            ("/<path:p>/a", 10, "\"*\" takes all remaining components, so nothing can follow it"),
            ("/<path:p>.html", 9, "a path takes all remaining components, so nothing can follow it"),
            ("/*rest.html", 6, "expected the end of the component after \"*rest\""),
            (
                "/a*", 2,
                "\"*\" stands for whole components, so nothing can come before it; a literal \"*\" is written %2A"
            ),
            ("/:id/:id", 5, "there are two placeholders named \"id\""),
            ("/:1", 2, "a name does not begin with a digit"),
            ("/<>", 2, "expected a name after \"<\""),
            ("/<id", 4, "expected \">\" or \":\" after \"<id\""),
            ("/<int:id", 8, "expected \">\" after \"<int:id\""),
            ("/:id<", 5, "expected a type after \"<\", as in \":id<int>\""),
            ("/:id<int", 8, "expected \">\" after \"<int\""),
            ("/a<b", 2, "\"<\" and \">\" enclose a type, as in \":id<int>\" or \"<int:id>\""),
            ("/{id}", 1, "a placeholder is written with a colon, as in \":id\""),
            ("/a%4", 2, "expected two hexadecimal digits after \"%\"; a percent sign is written %25"),
            ("/é%zz", 3, "expected two hexadecimal digits after \"%\"; a percent sign is written %25"),
            ("/a(/b", 2, "\"(\" without \")\" after it"),
            ("/a)/b", 2, "\")\" without \"(\" before it"),
            ("/a\u{0}", 2, "a pattern has no control characters"),
            ("/a\n", 2, "a pattern has no control characters"),
            ("/(a)(b)(c)(d)(e)(f)(g)", 19, "a pattern has at most 6 optional groups"),
            ("my app://x", 2, "a scheme consists of letters, digits, \"+\", \"-\", \".\" and \"_\""),
            ("(a)b://x", 0, "the scheme cannot be in an optional group"),
            ("a:(//)b", 2, "the scheme cannot be in an optional group"),
            ("a://me:secret@host/x", 13, "a host has no user name; remove everything up to \"@\""),
            (
                String(repeating: "/a", count: 65), 129, "a pattern has at most 64 components"
            ),
            (String(repeating: "a", count: 2_049), 2_048, "the pattern is longer than 2048 bytes"),
        ])
    func refuses(_ text: String, _ offset: Int, _ message: String) {
        #expect(throws: RoutePatternError(message: message, offset: offset)) { try RoutePattern(text) }
    }

    @Test("a pattern at the limits is valid")
    func limits() throws {
        #expect(try RoutePattern(String(repeating: "/a", count: 64)).variants[0].elements.count == 64)
        #expect(try RoutePattern(String(repeating: "a", count: 2_048)).variants.count == 1)
        #expect(try RoutePattern("/(a)(b)(c)(d)(e)(f)").variants.count == 64)
    }

    @Test("an error says where the pattern is wrong")
    func errorDescription() {
        #expect(
            RoutePatternError(message: "expected a name", offset: 3).description == "expected a name (at byte 3)")
    }

    @Test(
        "optional groups are left out in every combination, longest first",
        arguments: [
            ("/a(/b)(/c)", ["/a/b/c", "/a/b", "/a/c", "/a"]),
            ("/a(/b(/c))", ["/a/b/c", "/a/b", "/a"]),
            ("/a(/b(/c)(/d))", ["/a/b/c/d", "/a/b/c", "/a/b/d", "/a/b", "/a"]),
            ("(/a)(/b)", ["/a/b", "/a", "/b", "/"]),
            ("/(a/)b", ["/a/b", "/b"]),
            ("/a()", ["/a"]),
            ("/a(b)", ["/ab", "/a"]),
            ("/a(/b)(/b)", ["/a/b/b", "/a/b", "/a"]),
            ("studio://a(/:b)", ["studio://a/:b", "studio://a"]),
        ])
    func groups(_ text: String, _ variants: [String]) throws {
        let expected = try variants.map { try RoutePattern($0).variants[0] }
        #expect(try RoutePattern(text).variants == expected)
    }

    @Test(
        "other syntaxes ignore what is refused otherwise",
        arguments: [
            ("/a?b=c", "/a"), ("/a#top", "/a"), ("/a?b#top", "/a"), ("/a//b///c", "/a/b/c"), ("//a", "/a"),
        ])
    func syntax(_ text: String, _ same: String) throws {
        let syntax = RoutePattern.Syntax(ignoresQueryAndFragment: true, ignoresEmptyComponents: true)
        #expect(try RoutePattern(text, syntax: syntax) == RoutePattern(same))
    }

    @Test("a query of placeholders says where values come from, and is in URLs that are made")
    func query() throws {
        let syntax = RoutingOptions.mgjRouter.syntax
        let pattern = try RoutePattern("mgj://detail/:kind?film=:id&%61=:b", syntax: syntax)
        #expect(pattern.placeholders.map(\.name) == ["kind"])
        #expect(pattern.shape == (try RoutePattern("mgj://detail/:x").shape))
        var table = RouteTable<Int>(options: .mgjRouter)
        try table.add(pattern, 0)
        let match = try #require(table.match("mgj://detail/new?film=7&c=8&a=9"))
        #expect(
            try match.parameters() == ["kind": .text("new"), "id": .text("7"), "b": .text("9"), "c": .text("8")])
        #expect(table.canOpen("mgj://detail/new"))
        let values: [String: RouteValue] = ["kind": .text("k"), "id": .integer(1), "b": .text(""), "z": .text("&")]
        #expect(try pattern.url(values) == "mgj://detail/k?film=1&a=&z=%26")
        #expect(try pattern.url(values: ["k", "1", "2"]) == "mgj://detail/k?film=1&a=2")
        #expect(throws: RouteURLParameterError(parameter: "b", reason: .missing)) {
            try pattern.url(["kind": .text("k"), "id": .integer(1)])
        }
        #expect(throws: RouteURLParameterError(parameter: "", reason: .count(1, expected: 3))) {
            try pattern.url(values: ["k"])
        }
        let optional = try RoutePattern("mgj://detail(?id=:id)", syntax: syntax)
        #expect(try optional.url([:]) == "mgj://detail" && optional.url(["id": .integer(1)]) == "mgj://detail?id=1")
    }

    @Test(
        "a query that is none of placeholders is refused, and so is any without the option",
        arguments: [
            ("a://b?id", true, 6), ("a://b?=:id", true, 6), ("a://b?id=7", true, 6), ("a://b?id=:", true, 6),
            ("a://b?id=:id.x", true, 6), ("a://b?id=:id<int>", true, 6), ("a://b?id=*id", true, 6),
            ("a://b?:x=:id", true, 6), ("a://:id?id=:id", true, 11), ("a://b?c=:c&d=:c", true, 13),
            ("a://b?id=:id", false, 5),
        ])
    func wrongQuery(_ text: String, _ readsQuery: Bool, _ offset: Int) {
        let error = #expect(throws: RoutePatternError.self) {
            try RoutePattern(text, syntax: RoutePattern.Syntax(readsQuery: readsQuery))
        }
        #expect(error?.offset == offset, "\(String(describing: error))")
    }

    @Test("types are given to placeholders that have none")
    func typed() throws {
        let types: [String: ValueType] = ["a": .int, "b": .int, "rest": .int, "c": .bool]
        let typed = try RoutePattern("/:a/:b<uuid>/:other(/:c)/*rest").typed { types[$0] }
        #expect(typed == (try RoutePattern("/:a<int>/:b<uuid>/:other(/:c<bool>)/*rest")))
        #expect(typed.placeholders.map(\.type) == [.int, .uuid, nil, .bool, nil])
        #expect(typed.placeholders.map(\.isOptional) == [false, false, false, true, false])
        #expect(typed.text == "/:a/:b<uuid>/:other(/:c)/*rest")
    }

    @Test(
        "the shape does not depend on the names",
        arguments: [
            ("/:a/b", "/:c/b", true), ("/:a", "/<string:b>", true), ("/:a", "/:a<int>", false), ("/*", "/*rest", true),
            ("/*", "/<path:p>", false), ("/a", "/A", false), ("x://A/b", "X://a/b", true), ("x://a", "x:/a", false),
            ("/a/", "a", true), ("/%61", "/a", true), ("/a(/:b)", "/a(/:c)", true), ("/a(/:b)", "/a/:b", false),
            ("/:a.x", "/:a.y", false), ("/a#/:b", "/a#/:c", true), ("/a#", "/a", false),
            ("x:///a", "x://a", true),
        ])
    func shape(_ one: String, _ other: String, _ isSame: Bool) throws {
        #expect((try RoutePattern(one).shape == RoutePattern(other).shape) == isSame)
    }

    @Test("equal patterns have the same placeholders with the same names")
    func equality() throws {
        #expect(try RoutePattern("x://A/:b") == RoutePattern("X://a/:b/"))
        #expect(try RoutePattern("/:a") != RoutePattern("/:b"))
        #expect(try Set([RoutePattern("/%61"), RoutePattern("a")]).count == 1)
    }
}
