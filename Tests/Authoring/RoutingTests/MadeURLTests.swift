import Testing

@testable import Routing

@Suite("URLs made from patterns")
struct MadeURLTests {
    @Test(
        "values fill the placeholders, and others become the query",
        arguments: [
            ("studio://video/:id", ["id": .integer(7)], "studio://video/7"),
            ("/video/:id.html", ["id": .text("a b")], "/video/a%20b.html"),
            ("/:a", ["a": .text("x/y?z#%é")], "/x%2Fy%3Fz%23%25%C3%A9"),
            ("/a/*", [:], "/a"),
            ("/a/*r", ["r": .list(["b", "c/d"])], "/a/b/c%2Fd"),
            ("/a/<path:p>", ["p": .text("b/c d/")], "/a/b/c%20d"),
            ("/a/<path:p>", ["p": .text("b/\u{301}c")], "/a/b/%CC%81c"),
            ("/a(/:b)(/:c)", ["b": .text("1")], "/a/1"),
            ("/a(/:b)(/:c)", ["c": .text("2")], "/a/2"),
            ("/a(/:b)(/:c)", [:], "/a"),
            ("/a(/<path:p>)", [:], "/a"),
            ("/", [:], "/"),
            ("/*", [:], "/"),
            ("studio://", [:], "studio://"),
            ("studio://*", [:], "studio://"),
            ("studio:/a", [:], "studio:/a"),
            ("studio:/", ["x": .text("")], "studio:/?x="),
            ("/a#/b/:c", ["c": .text("d")], "/a#/b/d"),
            ("/a#", [:], "/a#/"),
            ("a://b:80/%25", [:], "a://b:80/%25"),
            ("a://b%40c", [:], "a://b%40c"),
            ("/%FF", [:], "/%FF"),
            (
                "/a", ["z": .boolean(true), "b c": .list(["1", "&"]), "f": .float(1e30), "e": .list([])],
                "/a?b%20c=1&b%20c=%26&f=1e%2B30&z=true"
            ),
            ("/:id<uint>", ["id": .unsigned(.max)], "/18446744073709551615"),
        ] as [(String, [String: RouteValue], String)])
    func makes(_ pattern: String, _ values: [String: RouteValue], _ url: String) throws {
        #expect(try RoutePattern(pattern).url(values) == url)
        var table = RouteTable<Int>()
        try table.add(RoutePattern(pattern), 0)
        #expect(table.canOpen(url))
    }

    @Test(
        "a missing or unfit value is refused",
        arguments: [
            ("/:a", [:], .missing, "the URL needs a value for \"a\""),
            ("/:a", ["a": .text("")], .empty, "the value for \"a\" is empty, which a path cannot contain"),
            (
                "/:a", ["a": .list(["b", "c"])], .list,
                "the value for \"a\" is a list, and the pattern has room for one value"
            ),
            ("/:a", ["a": .list([])], .list, nil),
            ("/:a<int>", ["a": .text("x")], .notOfType(.int, "x"), "the value for \"a\": \"x\" is not an int"),
            ("/:a<bool>", ["a": .integer(2)], .notOfType(.bool, "2"), "the value for \"a\": \"2\" is not a bool"),
            ("/<path:a>", ["a": .text("/")], .missing, nil),
            ("/<path:a>", [:], .missing, nil),
            ("/*a", ["a": .list(["b", ""])], .empty, nil),
        ] as [(String, [String: RouteValue], RouteURLParameterError.Reason, String?)])
    func refuses(
        _ pattern: String, _ values: [String: RouteValue], _ reason: RouteURLParameterError.Reason, _ text: String?
    ) throws {
        let error = RouteURLParameterError(parameter: "a", reason: reason)
        #expect(throws: error) { try RoutePattern(pattern).url(values) }
        if let text { #expect(error.description == text) }
    }

    @Test("values fill the placeholders in their order")
    func inOrder() throws {
        #expect(try RoutePattern("/:b/x/:a").url(values: ["1", "2"]) == "/1/x/2")
        #expect(try RoutePattern("/a(/:b)").url(values: []) == "/a")
        let error = #expect(throws: RouteURLParameterError.self) { try RoutePattern("/:a").url(values: ["1", "2"]) }
        #expect(error?.description == "the pattern has 1 placeholder, and there are 2 values")
        #expect(throws: RouteURLParameterError.self) { try RoutePattern("/:a/:b").url(values: ["1"]) }
    }
}
