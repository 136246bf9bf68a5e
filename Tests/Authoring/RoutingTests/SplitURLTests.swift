import Testing

@testable import Routing

@Suite("splitting URLs")
struct SplitURLTests {
    /// The parts of a URL as texts.
    struct Parts: Equatable, CustomTestStringConvertible {
        var scheme: String?
        var host = ""
        var path = ""
        var query = ""
        var fragment: String?

        init(_ scheme: String?, _ host: String, _ path: String, _ query: String = "", _ fragment: String? = nil) {
            (self.scheme, self.host, self.path, self.query, self.fragment) = (scheme, host, path, query, fragment)
        }

        init(_ url: String) {
            let bytes = url.utf8Span.span
            let split = SplitURL(bytes)
            func text(_ range: Range<Int>) -> String { bytes.text(range, decodes: false) }
            self.init(
                split.scheme.map(text), text(split.host), text(split.path), text(split.query),
                split.fragment.map(text))
        }

        var testDescription: String { "\(scheme ?? "-") \(host) \(path) \(query) \(fragment ?? "-")" }
    }

    @Test(
        "a URL is split before it is decoded",
        arguments: [
            ("studio://video/7?a=b#c", Parts("studio", "video", "/7", "a=b", "c")),
            ("studio://video", Parts("studio", "video", "")),
            ("studio://", Parts("studio", "", "")),
            ("studio:///video", Parts("studio", "", "/video")),
            ("studio:/video", Parts("studio", "", "/video")),
            ("mailto:me@example.com", Parts("mailto", "", "me@example.com")),
            ("//host/path", Parts(nil, "host", "/path")),
            ("://host/path", Parts(nil, "host", "/path")),
            ("/path", Parts(nil, "", "/path")),
            ("path:x/y", Parts("path", "", "x/y")),
            ("1path:x/y", Parts(nil, "", "1path:x/y")),
            ("/a:b", Parts(nil, "", "/a:b")),
            ("", Parts(nil, "", "")),
            ("?", Parts(nil, "", "")),
            ("#", Parts(nil, "", "", "", "")),
            ("?a#", Parts(nil, "", "", "a", "")),
            ("a://b?x=http://c/d?e#f#g?h", Parts("a", "b", "", "x=http://c/d?e", "f#g?h")),
            ("a://b/http://c", Parts("a", "b", "/http://c")),
            ("a://user:pass@b:80/c", Parts("a", "b:80", "/c")),
            ("a://x@y@b/c@d", Parts("a", "b", "/c@d")),
            ("http://[::1]:8080/c", Parts("http", "[::1]:8080", "/c")),
            ("a://b%2Fc/d%2Fe%3Ff", Parts("a", "b%2Fc", "/d%2Fe%3Ff")),
            ("a b://c", Parts("a b", "c", "")),
            ("/x?y=a://b", Parts(nil, "", "/x", "y=a://b")),
            (":", Parts(nil, "", ":")),
            ("://", Parts(nil, "", "")),
            ("a:", Parts("a", "", "")),
        ])
    func splits(_ url: String, _ parts: Parts) { #expect(Parts(url) == parts) }

    @Test(
        "the components of the path are decoded once",
        arguments: [
            ("/a/b", ["a", "b"]), ("//a///b//", ["a", "b"]), ("", []), ("///", []), ("/a%2Fb/c", ["a/b", "c"]),
            ("/%2561", ["%61"]), ("/%E8%A7%86", ["视"]), ("/%", ["%"]), ("/%4", ["%4"]), ("/%zz", ["%zz"]),
            ("/a+b", ["a+b"]), ("/%FF", ["\u{FFFD}"]), ("/%00", ["\u{0}"]), ("/.", ["."]), ("/é 🚀", ["é 🚀"]),
        ])
    func components(_ path: String, _ expected: [String]) {
        let bytes = path.utf8Span.span
        var components = URLComponents()
        components.append(0..<bytes.count, of: bytes)
        #expect((0..<components.count).map { bytes.text(components[$0].range) } == expected)
    }

    @Test(
        "a host with a dot, a port or the name localhost is a domain",
        arguments: [
            ("a://video", false), ("a://video.x", true), ("a://video:80", true), ("a://LOCALHOST", true),
            ("a://[::1]", true), ("a://", false), ("a://localhosts", false), ("a://me.x@video", false),
        ])
    func domain(_ url: String, _ isDomain: Bool) {
        let bytes = url.utf8Span.span
        #expect(SplitURL(bytes).hostIsDomain(bytes) == isDomain)
    }

    @Test(
        "a URL names a target and an action",
        arguments: [
            ("studio://Player/play?id=7", "Player", "play"), ("STUDIO://Player/play/", "Player", "play"),
            ("studio://Player/a/b//c", "Player", "abc"), ("studio://Player/a%2Fb", "Player", "ab"),
            ("studio://Pl%61yer/pl%61y#x", "Player", "play"), ("studio://me@Player/play", "Player", "play"),
        ])
    func targetAction(_ url: String, _ target: String, _ action: String) throws {
        let found = try #require(try TargetActionURL(url))
        #expect(found.scheme == "studio")
        #expect(found.target == target)
        #expect(found.action == action)
        #expect(found.items == (url.contains("?") ? [QueryItem(name: "id", value: "7")] : []))
        #expect(!found.isNative)
    }

    @Test("a URL without a target or an action is none", arguments: ["", "/a/b", "a://b", "a://b/", "a:///b", "a:b"])
    func noTargetAction(_ url: String) throws { #expect(try TargetActionURL(url) == nil) }

    @Test("an action that begins with native is for calls from within")
    func nativeAction() throws {
        #expect(try TargetActionURL("a://b/nativePlay")?.isNative == true)
        #expect(try TargetActionURL("a://b/playNative")?.isNative == false)
    }

    @Test("the limits hold for targets and actions")
    func targetActionLimits() {
        var options = RoutingOptions.ctMediator
        options.itemLimit = 2
        #expect(throws: RouteURLError.tooManyItems(limit: 2)) { try TargetActionURL("a://b/c?d=1&e=2&f=3", options) }
        options.lengthLimit = 10
        #expect(throws: RouteURLError.tooLong(limit: 10)) { try TargetActionURL("a://b/cdefg", options) }
        #expect(RouteURLError.tooLong(limit: 10).description == "the URL is longer than 10 bytes")
        #expect(RouteURLError.tooManyItems(limit: 2).description == "the URL has more than 2 query items")
    }
}
