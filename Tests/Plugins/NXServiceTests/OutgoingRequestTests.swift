import Foundation
import NIOCore
import NXServiceContract
import Testing

@testable import NXService

@Suite("What a request does next")
struct OutgoingRequestTests {
    private static let day = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "the wait before a retry is what the server asks for, and a part of a time that doubles",
        arguments: [
            (1, nil, 1, 0.2), (1, nil, 0, 0), (1, nil, 0.5, 0.1), (2, nil, 1, 0.4), (3, nil, 1, 0.8), (6, nil, 1, 6.4),
            (7, nil, 1, 10), (100, nil, 1, 10), (1, "3", 0, 3), (1, "3", 1, 3.2), (1, "0", 0, 0), (1, "30", 0, 30),
            (1, "31", 0, nil), (1, "99999999999999999999", 0, nil), (1, "-1", 0, 0), (1, "+3", 0, 0), (1, "3.5", 0, 0),
            (1, "", 0, 0), (1, "soon", 0, 0), (1, "Sun, 06 Nov 1994 08:49:47 GMT", 0, 10),
            (1, "Sun, 06 Nov 1994 08:49:27 GMT", 0, 0), (1, "Sun, 06 Nov 1994 09:49:37 GMT", 0, nil),
            (1, "Sat, 06 Nov 2094 08:49:37 GMT", 0, nil), (1, "Sun, 36 Nov 1994 08:49:37 GMT", 0, 0),
        ] as [(Int, String?, Double, Double?)])
    func delays(attempt: Int, retryAfter: String?, fraction: Double, seconds: Double?) {
        let delay = WebRetry.delay(
            after: attempt, retryAfter: retryAfter, now: OutgoingRequestTests.day, fraction: fraction)
        #expect(delay == seconds.map { .seconds($0) })
    }

    @Test("a random wait is within its limits")
    func randomDelays() {
        for attempt in 1...20 {
            let delay = WebRetry.delay(after: attempt, retryAfter: "1")
            #expect(delay.map { (.seconds(1) ... .seconds(11)).contains($0) } == true)
        }
    }

    @Test(
        "two addresses have the same origin if their schemes, servers and ports are equal",
        arguments: [
            ("http://a/", "http://a/b?c#d", true), ("http://a/", "HTTP://A:80/", true),
            ("https://a/", "https://a:443/", true), ("http://a/", "https://a/", false),
            ("http://a/", "http://a:8080/", false), ("http://a/", "http://b/", false),
            ("http://a/", "http://a.b/", false), ("http://a/", "http://a./", false),
            ("http://127.0.0.1/", "http://127.0.0.1:80", true), ("http://[::1]/", "http://[::1]:80/", true),
            ("https://a:80/", "http://a:80/", false),
        ])
    func origins(first: String, second: String, isSame: Bool) throws {
        #expect(try WebAddress(first).isSameOrigin(as: WebAddress(second)) == isSame)
        #expect(try WebAddress(second).isSameOrigin(as: WebAddress(first)) == isSame)
    }

    @Test("a redirect that loses the body loses the headers that describe it, and one to http is refused")
    func redirect() throws {
        let request = WebRequest(
            method: .post, url: "https://a/b",
            headers: [
                WebHeader(name: "Content-Encoding", value: "gzip"), WebHeader(name: "Content-Language", value: "en"),
                WebHeader(name: "Cookie", value: "s"), WebHeader(name: "Accept", value: "*/*"),
            ], body: .text(content: "a"))
        let outgoing = try OutgoingRequest(request, maximumBytes: 10)
        #expect(outgoing.headers.count == 5)
        let kept = try outgoing.redirected(status: 308, to: "c")
        #expect(kept.address.text == "https://a/c" && kept.method == .post)
        #expect(kept.headers == outgoing.headers && kept.body == outgoing.body)
        let lost = try outgoing.redirected(status: 303, to: "/c")
        #expect(lost.method == .get && lost.body == nil)
        #expect(lost.headers.map(\.name) == ["Cookie", "Accept"])
        #expect(try outgoing.redirected(status: 302, to: "https://b/").headers.map(\.name) == ["Accept"])
        #expect(try outgoing.redirected(status: 302, to: "//a:443/d").headers.map(\.name) == ["Cookie", "Accept"])
        for location in ["http://a/b", "https://b/", "https://a:444/", nil, "ftp://a/", "https://u:p@a/"] {
            #expect(throws: WebError.self, "\(location ?? "none")") {
                try outgoing.redirected(status: 307, to: location)
            }
        }
    }

    @Test(
        "only addresses of one machine on the internet are not private",
        arguments: [
            ("8.8.8.8", false), ("1.1.1.1", false), ("100.63.255.255", false), ("100.128.0.0", false),
            ("172.15.255.255", false), ("172.32.0.0", false), ("192.167.255.255", false), ("223.255.255.255", false),
            ("0.0.0.0", true), ("0.1.2.3", true), ("10.0.0.1", true), ("100.64.0.1", true), ("100.127.255.255", true),
            ("127.0.0.1", true), ("127.255.0.1", true), ("169.254.169.254", true), ("172.16.0.1", true),
            ("172.31.255.255", true), ("192.0.0.1", true), ("192.168.1.1", true), ("198.18.0.1", true),
            ("198.19.255.255", true), ("224.0.0.1", true), ("255.255.255.255", true), ("2606:4700::1111", false),
            ("2a00:1450:4001::1", false), ("::", true), ("::1", true), ("fe80::1", true), ("fc00::1", true),
            ("fd12:3456::1", true), ("ff02::1", true), ("2001:db8::1", true), ("2001::1", true),
            ("::ffff:127.0.0.1", true), ("::ffff:8.8.8.8", false), ("64:ff9b::10.0.0.1", true),
            ("64:ff9b::8.8.8.8", false), ("2002:7f00:1::", true), ("2002:808:808::", false), ("::127.0.0.1", true),
        ])
    func privateAddresses(text: String, isPrivate: Bool) throws {
        #expect(try SocketAddress(ipAddress: text, port: 80).isPrivate == isPrivate)
    }
}
