import Testing

@testable import Routing

@Suite("odd input")
struct OddInputTests {
    static let texts: [String] = [
        "", " ", "/", "//", "///", ":", "::", "://", ":///", "a:", "a://", "a:///", "?", "#", "?#", "#?", "&", "=",
        "?=&=",
        "%", "%%", "%4", "%zz", "/%", "/a%2", "/%00", "\u{0}", "/\u{0}/\u{7F}", "/🚀/👨‍👩‍👧", "/\u{202E}abc\u{202C}",
        "/e\u{301}",
        "/é", "a://@", "a://:@:", "a://[", "a://[::1", "a://b:c:d/e", "/a?b=http://c/d?e=f&g=h#i", "a://b/http://c/d",
        "http:/a", "http:a", "javascript:alert(1)", "/../..", "/./", "/a/../b", "\\\\a\\b", "a b://c d/e f?g h#i j",
        "(", ")", "(((", ")))", "<", ">", "<<>>", "<int>", ":<int>", "*", "**", "/*/*", "{a}", "/:a:b", "/:a/:a",
        "/%3A",
        "\r\n", "/a\r\nb", "\u{FEFF}/a", String(repeating: "(", count: 2_000), String(repeating: ":", count: 2_000),
        String(repeating: "/a(", count: 6) + String(repeating: ")", count: 6), String(repeating: "é", count: 1_024),
        String(repeating: "%", count: 2_048), String(repeating: "a://", count: 500),
        String(repeating: "<a", count: 900),
    ]

    /// Far beyond the default limits.
    static let huge: [(name: String, text: String)] = [
        ("1 MB of letters", String(repeating: "a", count: 1 << 20)),
        ("1 MB of percent signs", String(repeating: "%", count: 1 << 20)),
        ("100,000 slashes", String(repeating: "/", count: 100_000)),
        ("100,000 components", String(repeating: "/a", count: 100_000)),
        ("10,000 items", "/a?" + String(repeating: "b=c&", count: 10_000)),
        ("10,000 different items", "/a?" + (0..<10_000).map { "b\($0)=c" }.joined(separator: "&")),
        ("100,000 colons", "a" + String(repeating: ":", count: 100_000)),
        ("a long value", "a://b?c=" + String(repeating: "http://d/", count: 50_000)),
        ("a long fragment", "/a#" + String(repeating: "/b", count: 50_000)),
    ]

    static let allOptions: [RoutingOptions] = [
        RoutingOptions(), .mgjRouter, .jlRoutes, .urlNavigator, .hhRouter, .ctMediator, .crossroad,
    ]

    /// Asks a table everything about a URL.
    private func ask(_ table: RouteTable<Int>, _ url: String) {
        let match = table.match(url)
        #expect(table.canOpen(url) == (match != nil))
        let matches = table.matches(url)
        #expect(matches.first?.identity == match?.identity)
        for match in matches {
            _ = match.pathValues
            _ = try? match.parameters(["a": .boolean(true)], names: ["x"])
        }
        #expect(table.explain(url).chosen?.route.identity == match?.identity)
        #expect(table.nearest(to: url).count <= 3)
        _ = try? TargetActionURL(url)
    }

    private func table(_ options: RoutingOptions) throws -> RouteTable<Int> {
        var table = RouteTable<Int>(options: options)
        for pattern in ["/", "/a", "/:a<int>", "/:x.html", "a://b/*", "a://:x/<path:p>", "/*", "/a#/:b", "x://"] {
            try table.add(RoutePattern(pattern), 0)
        }
        return table
    }

    @Test("no text is a problem as a URL", arguments: texts)
    func urls(_ url: String) throws {
        for options in Self.allOptions { ask(try table(options), url) }
    }

    @Test("a text is a valid pattern, which can be asked, or is refused with a place in it", arguments: texts)
    func patterns(_ text: String) throws {
        for options in Self.allOptions {
            let pattern: RoutePattern
            do throws(RoutePatternError) {
                pattern = try RoutePattern(text, syntax: options.syntax)
            } catch {
                #expect((0...text.utf8.count).contains(error.offset))
                #expect(!error.message.isEmpty)
                continue
            }
            var table = RouteTable<Int>(options: options)
            guard (try? table.add(pattern, 0)) != nil else { continue }
            for url in Self.texts { ask(table, url) }
        }
    }

    @Test("huge URLs are too long, or are read when the limits allow them", arguments: huge)
    func hugeURLs(_ name: String, _ text: String) throws {
        var options = RoutingOptions()
        ask(try table(options), text)
        options.lengthLimit = .max
        options.itemLimit = .max
        let table = try table(options)
        let match = try #require(table.match(text))
        let items = try match.queryItems()
        #expect(name.hasPrefix("10,000") ? items.count == 10_000 : items.count < 2)
        ask(table, text)
    }

    @Test("huge patterns are refused", arguments: huge)
    func hugePatterns(_ name: String, _ text: String) {
        #expect(throws: RoutePatternError.self) { try RoutePattern(text) }
    }

    @Test(
        "spaces and line ends around a URL are not part of it; those within it are",
        arguments: [" a://b/7", "a://b/7\n", "\t\r\n a://b/7 \r\n", "a://b/7?c=d \n", "\na://b/7#e \u{B}\u{C}"])
    func spaceAround(_ url: String) throws {
        var table = RouteTable<Int>()
        try table.add(RoutePattern("a://b/:id"), 0)
        let match = try #require(table.match(url))
        #expect(match.pathValues.map(\.value) == [.text("7")])
        #expect(try match.queryItems().map(\.value) == (url.contains("?") ? ["d"] : []))
        ask(table, url)
        #expect(table.explain(url).url.utf8.first == UInt8(ascii: "a"))
        #expect(table.match("a://b/ 7 \n8")?.pathValues.first?.value == .text(" 7 \n8"))
        #expect(table.match(" \n") == nil && !table.canOpen(""))
    }

    @Test("a value in the query may be a URL itself")
    func urlAsValue() throws {
        var table = RouteTable<Int>()
        try table.add(RoutePattern("/p/:a"), 0)
        let match = try #require(table.match("s://p/x?next=http://h/p/0?q=1&z=%2526"))
        #expect(try match.parameters() == ["a": .text("x"), "next": .text("http://h/p/0?q=1"), "z": .text("%26")])
    }

    @Test("texts that look the same but have other bytes are different")
    func unicodeForms() throws {
        var table = RouteTable<Int>()
        try table.add(RoutePattern("/e\u{301}"), 0)
        #expect(table.canOpen("/e%CC%81"))
        #expect(!table.canOpen("/\u{E9}"))
    }
}
