import ComponentHost
import ComponentKit
import Foundation
import Testing

/// libcurl's functions for URLs, against those of Python.
@Suite("URLs of libcurl", .enabled(if: SystemLibraries.has("libcurl.so.4")))
struct CurlTests {
    @Test(
        "are taken apart as Python does",
        arguments: [
            "https://ada:secret@www.example.com:8443/a/b%20c?q=1&r=%C3%BC#top", "http://example.com/",
            "ftp://[2001:db8::1]:2121/file",
        ])
    func parts(url: String) async throws {
        try await withLibraries("curl") { host async throws in
            let handle = try await host.call("CurlURL", "curl_url")
            _ = try await host.call(
                "CurlURL", "curl_url_set",
                ["handle": handle, "part": "CURLUPART_URL", "content": .string(url), "flags": 0])
            var found: [String] = []
            for part in ["SCHEME", "USER", "PASSWORD", "HOST", "PORT", "PATH", "QUERY", "FRAGMENT"] {
                let answer = try? await host.call(
                    "CurlURL", "curl_url_get", ["handle": handle, "what": .string("CURLUPART_\(part)"), "flags": 0])
                found.append(try answer?["part"]?.string() ?? "")
            }
            let expected = try await python(
                """
                import sys, urllib.parse
                u = urllib.parse.urlsplit(sys.argv[1])
                host = u.hostname if ":" not in u.hostname else f"[{u.hostname}]"
                print("|".join([u.scheme, u.username or "", u.password or "", host, str(u.port or ""), u.path, u.query, u.fragment]))
                """, url)
            #expect(found.joined(separator: "|") + "\n" == expected)
        }
    }

    @Test("that are none are errors with libcurl's words")
    func wrong() async throws {
        try await withLibraries("curl") { host async throws in
            let handle = try await host.call("CurlURL", "curl_url")
            for (part, content) in [("CURLUPART_URL", "http://exa mple/"), ("CURLUPART_PORT", "99999")] {
                let error = await failure {
                    try await host.call(
                        "CurlURL", "curl_url_set",
                        ["handle": handle, "part": .string(part), "content": .string(content), "flags": 0])
                }
                #expect(error?.code == .methodFailed && error?.domain == "curl", "\(part)")
                // The words of curl_url_strerror.
                #expect(error?.message.contains(" ") == true && error?.number != 0, "\(part)")
            }
            let unknown = await failure {
                try await host.call(
                    "CurlURL", "curl_url_set", ["handle": handle, "part": "CURLUPART_PROT", "content": "1", "flags": 0])
            }
            #expect(unknown?.code == .payloadMismatch)
        }
    }
}
