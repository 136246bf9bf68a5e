import ComponentKit
import Foundation
import Testing

@testable import ComponentWeb

@Suite("Names, paths, cookies and passwords of the web")
struct SecurityTests {
    @Test(
        "the name of a host is read as it stands in the header",
        arguments: [
            ("localhost", "localhost", nil, false), ("LocalHost:80", "localhost", 80, false),
            ("127.0.0.1:8080", "127.0.0.1", 8080, true), ("[::1]", "::1", nil, true), ("[::1]:1", "::1", 1, true),
            ("localhost:", "localhost", nil, false), ("[::1]:", "::1", nil, true),
            ("a-b.example", "a-b.example", nil, false),
            ("xn--bcher-kva.example:443", "xn--bcher-kva.example", 443, false),
        ] as [(String, String, Int?, Bool)])
    func host(text: String, name: String, port: Int?, isAddress: Bool) throws {
        let host = try #require(HostName(text))
        #expect(host.name == name)
        #expect(host.port == port)
        #expect(host.isAddress == isAddress)
    }

    @Test(
        "what is no name of a host is refused",
        arguments: [
            "", ":80", "a b", "a/b", "a@b", "user:pw@localhost", ":", "localhost:x", "localhost:65536",
            "localhost:+1", "localhost:-1", "localhost:١", "[::1", "::1", "[127.0.0.1]", "[::1]x", "bücher.example",
            "localhost\u{0}.evil", "localhost%00", String(repeating: "a", count: 301),
        ])
    func badHost(text: String) { #expect(HostName(text) == nil) }

    @Test(
        "an origin is a scheme, a name or address, and perhaps a port",
        arguments: [
            ("https://maps.example", "https://maps.example"), ("HTTPS://Maps.Example:443", "https://maps.example"),
            ("http://a:80", "http://a"), ("http://a:443", "http://a:443"), ("https://[::1]:8443", "https://[::1]:8443"),
            ("https://a/", nil), ("https://a?b", nil), ("https://a#b", nil), ("https://a b", nil), ("https://*", nil),
            ("https://", nil), ("https:/a", nil), ("ftp://a", nil), ("a", nil), ("*", nil), ("'self'", nil),
            ("https://a;script-src *", nil), ("https://u@a", nil), ("https://a\n", nil), ("", nil),
        ] as [(String, String?)])
    func origin(text: String, expected: String?) throws {
        #expect(WebOrigin(text)?.text == expected)
        guard let expected else { return }
        #expect(try WebOrigin(of: #require(WebURL(web: text + "/a?b#c")))?.text == expected)
    }

    @Test(
        "only addresses of the same machine are loopback addresses",
        arguments: [
            ("127.0.0.1", true), ("127.1.2.3", true), ("::1", true), ("localhost", true), ("0.0.0.0", false),
            ("128.0.0.1", false), ("::", false), ("127.0.0.1.example", false), ("", false),
            ("localhost.example", false),
        ])
    func loopback(address: String, isLoopback: Bool) { #expect(Loopback.isLoopback(address) == isLoopback) }

    @Test(
        "paths are split first and decoded then",
        arguments: [
            ("/", []), ("/a", ["a"]), ("/a/b%20c", ["a", "b c"]), ("/a+b", ["a+b"]), ("/%C3%BC", ["ü"]),
            ("/a.b/..c", ["a.b", "..c"]), ("/%25", ["%"]),
        ])
    func path(text: String, parts: [String]) { #expect(WebPath(text)?.parts == parts) }

    @Test(
        "a path that is not clean is refused",
        arguments: [
            "", "a", "//", "/a//b", "/a/", "/.", "/..", "/a/../b", "/%2e%2e", "/%2E", "/a%2Fb", "/a%00", "/%", "/%1",
            "/%zz", "/%ff", "/%c0%ae", "/%ed%a0%80", "/" + String(repeating: "a", count: 4096),
        ])
    func badPath(text: String) { #expect(WebPath(text) == nil) }

    @Test("forms are read as browsers send them")
    func form() throws {
        let form = try #require(FormBody(Array("a=1&b+c=x%26y&field.n=l%0D%0Am&field.e=&d".utf8)))
        #expect(form["a"] == "1")
        #expect(form["b c"] == "x&y")
        #expect(form["d"] == "")
        #expect(form["e"] == nil)
        #expect(form.values(after: "field.") == ["n": "l\nm", "e": ""])
        #expect(FormBody([])?["a"] == nil)
    }

    @Test("two fields whose names differ in their bytes only are two fields")
    func spellings() throws {
        let form = try #require(FormBody(Array("%C3%A9=1&e%CC%81=2&field.%CC%81=3".utf8)))
        #expect(form["\u{E9}"] == "1")
        #expect(form["e\u{301}"] == "2")
        #expect(form.values(after: "field.") == ["\u{301}": "3"])
        // But not two of a form of a page, which has no such fields.
        let twice = try #require(FormBody(Array("field.%C3%A9=1&field.e%CC%81=2&token=3".utf8)))
        #expect(twice.values(after: "field.") == nil)
        #expect(twice["token"] == "3")
    }

    @Test(
        "a form that can be read in two ways is refused",
        arguments: [
            "a=1&a=2", "a=%", "a=%f", "%zz=1", "a=%ff",
            (0..<1001).map { "a\($0)=" }.joined(separator: "&"),
        ])
    func badForm(text: String) { #expect(FormBody(Array(text.utf8)) == nil) }

    @Test(
        "the part of a file that is asked for",
        arguments: [
            (nil, .whole), ("bytes=0-0", .part(0...0)), ("bytes=5-", .part(5...9)), ("bytes=-3", .part(7...9)),
            ("bytes=-20", .part(0...9)), ("bytes=2-99", .part(2...9)), ("bytes=10-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable), ("bytes=3-2", .whole), ("bytes=0-1,3-4", .whole), ("bytes=a-b", .whole),
            ("items=0-1", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("bytes=+1-2", .whole),
            ("bytes=0-99999999999999999999", .whole), ("bytes=١-٢", .whole),
        ] as [(String?, ByteRange)])
    func range(header: String?, range: ByteRange) { #expect(ByteRange(header, size: 10) == range) }

    @Test("no part of an empty file can be answered", arguments: ["bytes=0-", "bytes=-1", "bytes=0-0"])
    func emptyFile(header: String) { #expect(ByteRange(header, size: 0) == .unsatisfiable) }

    @Test("only files that cannot run as a page are sent as what they are")
    func types() {
        #expect(FileType.of("a.PNG") == "image/png")
        for name in ["a.html", "a.xhtml", "a.xml", "a", "a.pdf", "html", "a.png.html", ".", "a."] {
            #expect(FileType.of(name) == "application/octet-stream", "\(name)")
        }
    }

    private let now = 1_800_000_000

    private func keys(_ password: String? = nil, secret: UInt8 = 1) -> SessionKeys {
        SessionKeys(secret: [UInt8](repeating: secret, count: 32), password: password)
    }

    @Test("a cookie is read back, by who has made it, for 30 days")
    func cookies() throws {
        for isTrusted in [false, true] {
            let session = keys().new(isTrusted: isTrusted, now: now)
            let cookie = keys().cookie(of: session)
            #expect(keys().session(of: cookie, now: now) == session)
            #expect(keys().session(of: cookie, now: now + SessionKeys.lifetime - 1) == session)
            #expect(keys().session(of: cookie, now: now + SessionKeys.lifetime) == nil)
            #expect(keys().session(of: cookie, now: now - 3600) == nil)
            #expect(keys(secret: 2).session(of: cookie, now: now) == nil)
        }
        #expect(keys().new(isTrusted: false, now: now).id != keys().new(isTrusted: false, now: now).id)
    }

    @Test("a cookie that somebody has changed is none")
    func forged() {
        let cookie = Array(keys().cookie(of: keys().new(isTrusted: false, now: now)))
        for index in cookie.indices {
            var changed = cookie
            changed[index] = changed[index] == "t" ? "g" : "t"
            #expect(keys().session(of: String(changed), now: now) == nil, "\(index)")
            changed = cookie
            changed.remove(at: index)
            #expect(keys().session(of: String(changed), now: now) == nil, "\(index)")
        }
        for text in ["", ".", "...", "t.a.1.", String(repeating: ".", count: 300), "g.\u{0}.1.x"] {
            #expect(keys().session(of: text, now: now) == nil)
        }
    }

    @Test("another password ends the sessions in which the former one was given, and no others")
    func change() {
        let (before, after) = (keys("one"), keys("two"))
        let trusted = before.cookie(of: before.new(isTrusted: true, now: now))
        let guest = before.cookie(of: before.new(isTrusted: false, now: now))
        #expect(after.session(of: trusted, now: now) == nil)
        #expect(after.session(of: guest, now: now) != nil)
    }

    @Test("tokens differ between sessions, and from signatures of files")
    func tokens() throws {
        let (first, second) = (keys().new(isTrusted: false, now: now), keys().new(isTrusted: false, now: now))
        #expect(keys().token(of: first) != keys().token(of: second))
        #expect(keys().token(of: first) == keys().token(of: first))
        let session = try Session(id: first.id)
        #expect(
            keys().signature(ofFile: "a", of: "b/c", in: session)
                != keys().signature(ofFile: "c/a", of: "b", in: session))
    }

    @Test("the hash of a password matches that password only")
    func password() throws {
        let digest = try PasswordDigest(of: "correct horse")
        let read = try #require(PasswordDigest(digest.description))
        #expect(read == digest)
        #expect(try read.matches("correct horse"))
        #expect(try !read.matches("correct horsf"))
        #expect(try !read.matches(""))
        #expect(try !read.matches(String(repeating: "a", count: 100_000)))
        #expect(try PasswordDigest(of: "correct horse") != digest)
        // The same letters in another Unicode form.
        #expect(try PasswordDigest(of: "cafe\u{301} au lait").matches("caf\u{e9} au lait"))
    }

    @Test(
        "a password that is too short or too long has no hash",
        arguments: ["", "1234567", String(repeating: "a", count: 1025)])
    func badPassword(text: String) { #expect(throws: LinkError.self) { try PasswordDigest(of: text) } }

    @Test(
        "what is no hash of a password is refused",
        arguments: ["", "secret", "scrypt-15-8-3:", "scrypt-15-8-3:AA==:AA==", "scrypt-1-1-1:x:y", "a:b:c:d"])
    func badDigest(text: String) { #expect(PasswordDigest(text) == nil) }
}
