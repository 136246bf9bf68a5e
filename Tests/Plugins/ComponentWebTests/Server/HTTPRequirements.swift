extension HTTPRequirement {
    static let all = [methods, targets, bodies, versions, ranges, conditions, caching, programs].flatMap(\.self)

    private static let form = "Content-Type: application/x-www-form-urlencoded"

    private static let methods = [
        Self("9110 9.3.2", ask("HEAD /pages/home"), gives: 200, headers: ["content-length": "*", "content-type": "*"]),
        Self("9110 9.3.2", ask("HEAD STYLE"), gives: 200, headers: ["content-length": "*", "etag": "TAG"]),
        Self("9110 9.3.2", ask("HEAD /nothing"), gives: 404, headers: ["content-length": "*"]),
        Self("9110 15.6.2", ask("BREW /pages/home"), gives: 501, headers: ["connection": "close"]),
        Self("9110 15.6.2", ask("PROPFIND /pages/home"), gives: 501),
        Self("9110 15.5.6", ask("PUT /pages/home"), gives: 405, headers: ["allow": "GET, HEAD"]),
        Self("9110 15.5.6", ask("PATCH /resources/a/b"), gives: 405, headers: ["allow": "GET, HEAD"]),
        Self("9110 15.5.6", ask("TRACE /"), gives: 405, headers: ["allow": "GET, HEAD"]),
        Self("9110 15.5.6", post("/pages/home", form, body: "a=b"), gives: 405, headers: ["allow": "GET, HEAD"]),
        Self("9110 15.5.6", ask("GET /pages/home/perform"), gives: 405, headers: ["allow": "POST"]),
        Self("9110 15.5.6", ask("HEAD /pages/home/events"), gives: 405, headers: ["allow": "GET"]),
        Self("9110 15.5.6", ask("DELETE /sign-in"), gives: 405, headers: ["allow": "GET, HEAD, POST"]),
        Self("9110 15.5.6", ask("OPTIONS /sign-out"), gives: 405, headers: ["allow": "POST"]),
        Self("9110 15.5.5", ask("PUT /nothing"), gives: 404, absent: ["allow"]),
    ]

    private static let targets = [
        Self("9112 3.2", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", gives: 400),
        Self("9112 3.2", ask("GET /", "Host: HOST"), gives: 400),
        Self("9112 3.2", ask("GET /", "Host: evil.example"), gives: 400),
        Self("9112 3.2", "GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", gives: 400),
        Self("9112 3.2", "GET / HTTP/1.1\r\nHost: localhost:x\r\nConnection: close\r\n\r\n", gives: 400),
        Self("9112 3.2", "GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", gives: 400),
        Self("9110 4.2", "GET /pages/home HTTP/1.1\r\nHost: localhost:\r\nConnection: close\r\n\r\n", gives: 200),
        Self("9110 15.5.20", "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", gives: 421),
        Self("9112 3.2.2", ask("GET http://HOST/pages/home"), gives: 200),
        Self("9112 3.2.2", ask("GET http://HOST"), gives: 303),
        Self("9112 3.2.2", ask("GET HTTP://LocalHost/pages/home"), gives: 200),
        Self("9112 3.2.2", ask("GET http://evil.example/pages/home"), gives: 421),
        Self("9112 3.2.2", ask("GET http://user@localhost/pages/home"), gives: 400),
        Self(
            "9112 3.2.2",
            "GET http://HOST/pages/home HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", gives: 200),
        Self("9112 3.2.2", "GET http://HOST/pages/home HTTP/1.1\r\nConnection: close\r\n\r\n", gives: 400),
        Self("9110 15.5.15", ask("GET /\(String(repeating: "a", count: 5000))"), gives: 414),
        Self("9110 15.5.1", ask("GET /a//b"), gives: 400), Self("9110 15.5.1", ask("GET /pages/%zz"), gives: 400),
        Self("9110 15.4.4", ask("GET /pages/home/"), gives: 303, headers: ["location": "/pages/home"]),
        Self("9110 15.4.4", ask("HEAD /console/?a=b"), gives: 303, headers: ["location": "/console?a=b"]),
        Self(
            "9110 15.4.4", ask("GET /console/NXUI/?a=b%20c"), gives: 303, headers: ["location": "/console/NXUI?a=b%20c"]
        ),
        Self(
            "6454 4", origin("http://studio.example", host: "studio.example:80"), gives: 403,
            text: "This form has expired"),
        Self(
            "6454 4", origin("http://studio.example:80", host: "studio.example"), gives: 403,
            text: "This form has expired"),
        Self("6454 4", origin("http://HOST", host: "LocalHost:PORT"), gives: 403, text: "This form has expired"),
        Self("6454 4", origin("http://studio.example:81", host: "studio.example"), gives: 403, text: "another site"),
        Self("6454 4", origin("https://studio.example", host: "studio.example"), gives: 403, text: "another site"),
        Self("6454 4", origin("null", host: "studio.example"), gives: 403, text: "another site"),
    ]

    private static func origin(_ origin: String, host: String) -> String {
        "POST /pages/home/perform HTTP/1.1\r\nHost: \(host)\r\nOrigin: \(origin)\r\n\(form)\r\nContent-Length: 3\r\n"
            + "Connection: close\r\n\r\na=b"
    }

    private static let bodies = [
        Self(
            "9110 15.5.14", post("/pages/home/perform", form, length: 300_000), gives: 413,
            headers: ["connection": "close"]),
        Self(
            "9110 15.5.16", post("/pages/home/perform", "Content-Type: text/plain", body: "a=b"), gives: 415,
            headers: ["accept": "application/x-www-form-urlencoded"]),
        Self("9110 8.3.1", post("/pages/home/perform", "\(form)x", body: "a=b"), gives: 415),
        Self(
            "9110 8.3.1",
            post("/pages/home/perform", "Content-Type: Application/X-WWW-Form-URLEncoded ; a=b", body: "a=b"),
            gives: 403),
        Self(
            "9110 8.4", post("/pages/home/perform", form, "Content-Encoding: gzip", body: "a=b"), gives: 415,
            headers: ["accept-encoding": "identity"]),
        Self("9110 10.1.1", post("/pages/home/perform", form, "Expect: tea", body: "a=b"), gives: 417),
        Self("9110 10.1.1", ask("GET /pages/home", "Expect: 200-ok"), gives: 417),
        Self("9110 9.3.1", ask("GET /nothing", "Content-Length: 5"), gives: 404, headers: ["connection": "close"]),
        Self("9112 6.1", coded("gzip"), gives: 501, headers: ["connection": "close"]),
        Self("9112 6.1", coded("xchunked"), gives: 501, headers: ["connection": "close"]),
        Self("9112 6.1", coded("gzip, chunked"), gives: 501, headers: ["connection": "close"]),
        Self("9112 6.1", coded("chunked\r\nContent-Length: 3"), gives: 400, headers: ["connection": "close"]),
        Self("9112 7.1", coded("Chunked"), gives: 403, text: "This form has expired"),
        Self("9112 6.3", coded("chunked", body: "z\r\n"), gives: 400, headers: ["connection": "close"]),
        Self("9112 6.3", post("/pages/home/perform", form, "Content-Length: 4", body: "a=b"), gives: 400),
    ]

    private static func coded(_ coding: String, body: String = "3\r\na=b\r\n0\r\n\r\n") -> String {
        "POST /pages/home/perform HTTP/1.1\r\nHost: HOST\r\n\(form)\r\nTransfer-Encoding: \(coding)\r\n\r\n\(body)"
    }

    private static let versions = [
        Self(
            "9112 9.3", "GET /pages/home HTTP/1.0\r\nHost: HOST\r\nConnection: keep-alive\r\n\r\n", gives: 200,
            headers: ["connection": "close"]),
        Self(
            "9110 10.1.1", "GET /pages/home HTTP/1.0\r\nHost: HOST\r\nExpect: tea\r\n\r\n", gives: 200,
            headers: ["connection": "close"]),
        Self(
            "9112 9.6", "GET /pages/home HTTP/1.1\r\nHost: HOST\r\nConnection: Close\r\n\r\n", gives: 200,
            headers: ["connection": "close"]),
        Self("9110 15.6.6", "GET / HTTP/2.0\r\nHost: HOST\r\n\r\n", gives: 505, headers: ["connection": "close"]),
        Self("9112 2.2", "GET / HTTP/1.1\r\nHost : HOST\r\n\r\n", gives: 400, headers: ["connection": "close"]),
        Self(
            "6585 5", ask("GET /", "X: \(String(repeating: "a", count: 40_000))"), gives: 431,
            headers: ["connection": "close"]),
    ]

    private static let ranges = [
        Self(
            "9110 14.2", ask("GET STYLE", "Range: bytes=0-9"), gives: 206,
            headers: ["content-range": "*", "content-length": "10", "accept-ranges": "bytes"]),
        Self("9110 14.2", ask("GET FILM", "Range: bytes=-5"), gives: 206, headers: ["content-length": "5"]),
        Self("9110 14.2", ask("HEAD STYLE", "Range: bytes=0-9"), gives: 200, absent: ["content-range"]),
        Self("9110 14.2", ask("HEAD FILM", "Range: bytes=99999999-"), gives: 200, absent: ["content-range"]),
        Self("9110 14.2", ask("GET STYLE", "Range: items=0-9"), gives: 200, absent: ["content-range"]),
        Self("9110 15.5.17", ask("GET STYLE", "Range: bytes=99999999-"), gives: 416, headers: ["content-range": "*"]),
        Self("9110 13.1.5", ask("GET STYLE", "Range: bytes=0-9", "If-Range: TAG"), gives: 206),
        Self("9110 13.1.5", ask("GET STYLE", "Range: bytes=0-9", "If-Range: W/TAG"), gives: 200),
        Self("9110 13.1.5", ask("GET STYLE", "Range: bytes=0-9", "If-Range: \"a\""), gives: 200),
        Self("9110 13.1.5", ask("GET FILM", "Range: bytes=0-9", "If-Range: FILMDATE"), gives: 200),
        Self("9110 13.2.2", ask("GET STYLE", "Range: bytes=0-9", "If-None-Match: TAG"), gives: 304),
    ]

    private static let old = "Sun, 06 Nov 1994 08:49:37 GMT"

    private static let conditions = [
        Self("9110 13.1.1", ask("GET STYLE", "If-Match: TAG"), gives: 200),
        Self("9110 13.1.1", ask("GET STYLE", "If-Match: *"), gives: 200),
        Self("9110 13.1.1", ask("GET STYLE", "If-Match: \"a\", TAG"), gives: 200),
        Self("9110 13.1.1", ask("GET STYLE", "If-Match: \"a\""), gives: 412),
        Self("9110 13.1.1", ask("GET STYLE", "If-Match: W/TAG"), gives: 412),
        Self(
            "9110 13.1.2", ask("GET STYLE", "If-None-Match: TAG"), gives: 304,
            headers: ["etag": "TAG", "cache-control": "*"],
            absent: ["content-length", "content-type"]),
        Self("9110 13.1.2", ask("HEAD STYLE", "If-None-Match: TAG"), gives: 304),
        Self("9110 13.1.2", ask("GET STYLE", "If-None-Match: *"), gives: 304),
        Self("9110 13.1.2", ask("GET STYLE", "If-None-Match: W/TAG"), gives: 304),
        Self("9110 13.1.2", ask("GET STYLE", "If-None-Match: \"a,b\", W/\"b\" ,TAG"), gives: 304),
        Self("9110 13.1.2", ask("GET STYLE", "If-None-Match: \"a\"", "If-None-Match: TAG"), gives: 304),
        Self(
            "9110 13.1.2", ask("GET FILM", "If-None-Match: FILMTAG"), gives: 304, headers: ["last-modified": "FILMDATE"]
        ),
        Self("9110 13.1.2", ask("GET STYLE", "If-None-Match: \"BAREx\""), gives: 200),
        Self("9110 13.1.2", ask("GET STYLE", "If-None-Match: \"x\"TAG"), gives: 200),
        Self("9110 13.1.2", ask("GET STYLE", "If-None-Match: BARE"), gives: 200),
        Self("9110 13.1.3", ask("GET FILM", "If-Modified-Since: FILMDATE"), gives: 304),
        Self("9110 13.1.3", ask("GET FILM", "If-Modified-Since: \(old)"), gives: 200),
        Self("9110 13.1.3", ask("GET FILM", "If-Modified-Since: yesterday"), gives: 200),
        Self("9110 13.1.3", ask("GET FILM", "If-None-Match: \"a\"", "If-Modified-Since: FILMDATE"), gives: 200),
        Self("9110 13.1.3", ask("GET STYLE", "If-Modified-Since: FILMDATE"), gives: 200, absent: ["last-modified"]),
        Self("9110 13.1.4", ask("GET FILM", "If-Unmodified-Since: \(old)"), gives: 412),
        Self("9110 13.1.4", ask("GET FILM", "If-Unmodified-Since: FILMDATE"), gives: 200),
    ]

    private static let caching = [
        Self("9111 5.2.2", ask("GET /pages/home"), gives: 200, headers: ["cache-control": "no-store"]),
        Self(
            "9111 5.2.2", ask("GET STYLE"), gives: 200,
            headers: ["cache-control": "public, max-age=31536000, immutable"]),
        Self(
            "9111 5.2.2", ask("GET /resources/ComponentWeb/web/page.css"), gives: 200,
            headers: ["cache-control": "no-cache"]),
        Self("9111 5.2.2", ask("GET FILM"), gives: 200, headers: ["cache-control": "private, no-cache"]),
        Self(
            "9110 12.5.5", ask("GET /nothing"), gives: 404,
            headers: ["cache-control": "no-store", "vary": "Accept", "content-type": "text/html; charset=utf-8"]),
        Self(
            "9110 12.5.1", ask("GET /nothing", "Accept: application/json"), gives: 404,
            headers: ["vary": "Accept", "content-type": "application/json"]),
        Self(
            "9110 12.5.1", ask("GET /nothing", "Accept: application/json;q=0.5, text/html"), gives: 404,
            headers: ["content-type": "text/html; charset=utf-8"]),
        Self(
            "9110 12.5.1", ask("GET /nothing", "Accept: text/*;q=0.5, application/*"), gives: 404,
            headers: ["content-type": "application/json"]),
    ]

    private static let call = "/call/WebPagesLink/address"
    private static let json = "Content-Type: application/json"

    private static let programs = [
        Self("9110 15.3.1", post(call, "BEARER", json, body: "{}"), gives: 200, headers: ["connection": "close"]),
        Self("9110 8.3.1", post(call, "BEARER", "\(json); charset=utf-8", body: "{}"), gives: 200),
        Self(
            "9110 8.3.1", post(call, "BEARER", "\(json)5", body: "{}"), gives: 415,
            headers: ["accept": "application/json"]),
        Self("9110 8.3.1", post(call, "BEARER", "\(json)p", body: "{}"), gives: 415),
        Self(
            "9110 15.5.14", post(call, "BEARER", json, length: 8 << 20, body: "{"), gives: 413,
            headers: ["connection": "close", "content-type": "application/problem+json"]),
        Self("9110 15.5.2", post(call, json, body: "{}"), gives: 401, headers: ["www-authenticate": "Bearer"]),
        Self("9110 15.5.6", ask("GET \(call)", "BEARER"), gives: 405, headers: ["allow": "POST"]),
        Self("9110 15.5.6", post("/metrics", "BEARER", json, body: "{}"), gives: 405, headers: ["allow": "GET, HEAD"]),
        Self("9110 9.3.2", ask("HEAD /metrics", "BEARER"), gives: 200, headers: ["content-length": "*"]),
        Self("9110 15.5.1", post("\(call)?timeout=0x10", "BEARER"), gives: 400, text: "timeout: expected"),
        Self("9110 15.5.1", post("\(call)?timeout=1e2", "BEARER"), gives: 400, text: "timeout: expected"),
        Self("9110 15.3.1", post("\(call)?timeout=90.5", "BEARER"), gives: 200),
        Self("9110 15.5.5", post("/call/WebPagesLink/nothing", "BEARER"), gives: 404),
    ]
}
