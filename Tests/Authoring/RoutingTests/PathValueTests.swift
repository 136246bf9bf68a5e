import Testing

@testable import Routing

@Suite("values from paths")
struct PathValueTests {
    private func values(_ pattern: String, _ url: String) throws -> [(name: String, value: RouteValue)]? {
        var options = RoutingOptions()
        options.converters["even"] = { Int64($0).flatMap { $0 % 2 == 0 ? .integer($0) : nil } }
        var table = RouteTable<Int>(options: options)
        try table.add(RoutePattern(pattern), 0)
        #expect(table.canOpen(url) == (table.match(url) != nil))
        return table.match(url)?.pathValues
    }

    @Test(
        "a text is converted to the type of its placeholder",
        arguments: [
            ("int", "7", .integer(7)), ("int", "-7", .integer(-7)), ("int", "+7", .integer(7)),
            ("int", "007", .integer(7)), ("int", "9223372036854775808", nil), ("int", "7.0", nil), ("int", "٧", nil),
            ("int", "%37", .integer(7)), ("int", "7%20", nil), ("uint", "18446744073709551615", .unsigned(.max)),
            ("uint", "-0", nil), ("uint", "+7", .unsigned(7)), ("float", "1.5", .float(1.5)),
            ("float", "1e3", .float(1000)),
            ("float", "-2", .float(-2)), ("float", "inf", nil), ("float", "nan", nil), ("float", "0x1p3", nil),
            ("float", "1e999", nil), ("float", ".", nil), ("float", "e", nil), ("bool", "TRUE", .boolean(true)),
            ("bool", "0", .boolean(false)), ("bool", "yes", nil), ("bool", "fAlse", .boolean(false)),
            (
                "uuid", "621425b8-42d1-4ab4-9a58-1e69d708a84B", .text("621425b8-42d1-4ab4-9a58-1e69d708a84B")
            ), ("uuid", "621425b8-42d1-4ab4-9a58-1e69d708a84", nil),
            ("uuid", "621425b8_42d1_4ab4_9a58_1e69d708a84b", nil),
            ("string", "7", .text("7")), ("even", "8", .integer(8)), ("even", "7", nil),
        ] as [(String, String, RouteValue?)])
    func converts(_ type: String, _ text: String, _ value: RouteValue?) throws {
        #expect(try values("/x/:v<\(type)>", "/x/\(text)")?.map(\.value) == value.map { [$0] })
        #expect(try values("/x/<\(type):v>.html", "/x/\(text).html")?.map(\.value) == value.map { [$0] })
    }

    @Test(
        "placeholders take one component, or all that are left",
        arguments: [
            ("/:a", "/x", ["a=x"]), ("/:a", "/", nil), ("/:a", "/x/y", nil), ("/:a", "/x%2Fy", ["a=x/y"]),
            ("/:a/:b", "//x//y//", ["a=x", "b=y"]), ("/<a>", "/x", ["a=x"]), ("/:", "/x", ["=x"]),
            ("/:a.html", "/x.html", ["a=x"]), ("/:a.html", "/.html", nil), ("/:a.html", "/x%2Ehtml", ["a=x"]),
            ("/:a.html", "/x.HTML", nil), ("/:a%25", "/5%25", ["a=5"]), ("/:a%25", "/%", nil),
            ("/:a-x", "/b-x-x", ["a=b-x"]),
            ("/*", "/", ["=[]"]), ("/*", "", ["=[]"]), ("/*r", "/x//y%2Fz/", ["r=[x|y/z]"]), ("/a/*r", "/a", ["r=[]"]),
            ("/a/*r", "/b", nil), ("/<path:p>", "/", nil), ("/<path:p>", "/x//y%2Fz/", ["p=x//y/z"]),
            ("/a/:p<path>", "/a/b", ["p=b"]), ("/a(/:b)/c", "/a/c", []), ("/a(/:b)/c", "/a/x/c", ["b=x"]),
            ("s://:a/*", "s://x/y", ["a=x", "=[y]"]), ("s://*r", "s://x/y", ["r=[x|y]"]),
            ("s://<path:p>", "s://u@x:8/y/", ["p=x:8/y"]),
            ("s://*r", "s://x", ["r=[x]"]), ("s://:a", "s://X", ["a=X"]), ("/:a", "/%FF", ["a=\u{FFFD}"]),
            (
                "/:a/:b/:c/:d/:e/:f/:g/:h/:i/*j", "/1/2/3/4/5/6/7/8/9/10",
                ["a=1", "b=2", "c=3", "d=4", "e=5", "f=6", "g=7", "h=8", "i=9", "j=[10]"]
            ),
        ] as [(String, String, [String]?)])
    func takes(_ pattern: String, _ url: String, _ expected: [String]?) throws {
        let texts = try values(pattern, url)?.map { name, value in
            if case .list(let list) = value { return "\(name)=[\(list.joined(separator: "|"))]" }
            return "\(name)=\(value.texts[0])"
        }
        #expect(texts == expected)
    }

    @Test(
        "a URL of any number of components has all of them in the rest", arguments: [15, 16, 17, 64, 65, 66, 67, 1_000])
    func longRest(_ count: Int) throws {
        let components = (0..<count).map { "c\($0)" }
        let url = "/" + components.joined(separator: "/")
        #expect(try values("/*", url)?.map(\.value) == [.list(components)])
        #expect(try values("/c0/<path:p>", url)?.map(\.value) == [.text(components.dropFirst().joined(separator: "/"))])
        let longest = try RoutePattern(String(repeating: "/:", count: min(count, 64)))
        var table = RouteTable<Int>()
        try table.add(longest, 0)
        #expect(table.canOpen(url) == (count <= 64))
        #expect(table.canOpen(url + "/") == (count <= 64))
    }

    @Test(
        "a fragment is matched by patterns with one",
        arguments: [
            ("/user#/view/:id", "/user#/view/7", ["7"]), ("/user#/view/:id", "/user#view/7/", ["7"]),
            ("/user#/view/:id", "/user", nil), ("/user#/view/:id", "/user#/view", nil),
            ("/user#/view/:id", "/user?a=b#/view/7?c=d", ["7"]), ("/user#", "/user#", []), ("/user#", "/user#x", nil),
            ("/user", "/user#x", []), ("/:a#/:b", "/x%2F#/%23", ["x/", "#"]), ("#/:a", "#x", ["x"]),
            ("/a#/b(/:c)", "/a#/b", []), ("/a#/b(/:c)", "/a#b/c", ["c"]), ("/a#/<path:p>", "/a#b/c/?d", ["b/c"]),
            ("/a#/B", "/a#/b", nil), ("/a#/:n<int>", "/a#/x", nil),
        ] as [(String, String, [String]?)])
    func fragments(_ pattern: String, _ url: String, _ expected: [String]?) throws {
        #expect(try values(pattern, url)?.map { $0.value.texts[0] } == expected)
    }

    @Test(
        "scheme and host are compared without regard to case, the path with it",
        arguments: [
            ("studio://Video/List", "STUDIO://vIDEO/List", true), ("studio://video/List", "studio://video/list", false),
            ("/Video/x", "studio://video/x", true), ("/Video/x", "/video/x", false),
            ("studio:/Video", "studio://VIDEO", true),
            ("studio:/Video", "studio:/VIDEO", false), ("studio://vid%65o", "studio://v%69deo", true),
            ("studio://video", "studio:///video", true), ("studio:///video", "studio://video", true),
            ("studio://video", "studio:/video", true), ("studio:/video", "studio:video", true),
            ("studio://video", "other://video", false), ("studio://video", "/video", false), ("://h/p", "://h/p", true),
            ("/h/p", "//h/p", true), ("/p", "//example.com/p", true),
            ("http://[::1]:80/p", "http://a:b@[::1]:80/p", true),
            ("/%E8%A7%86", "/视", true), ("/视", "/%E8%A7%86", true), ("/a+b", "/a+b", true), ("/a b", "/a%20b", true),
        ])
    func caseOfLetters(_ pattern: String, _ url: String, _ matches: Bool) throws {
        #expect((try values(pattern, url) != nil) == matches)
    }
}
