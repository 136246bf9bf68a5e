import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("Encrypted connections", .enabled(if: WebPlace.isComplete))
struct EncryptionTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    /// Makes a certificate for "localhost" that is its own issuer.
    private func makeCertificate() async throws -> (certificate: String, key: String) {
        let (certificate, key) = (place.directory.path(of: "cert.pem"), place.directory.path(of: "key.pem"))
        let run = try await ProgramRun.of(
            URL(filePath: "/usr/bin/openssl"),
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
                certificate,
            ])
        #expect(run.status == 0, "\(run.standardError)")
        return (certificate, key)
    }

    private func curl(_ arguments: String...) async throws -> ProgramRun {
        try await ProgramRun.of(
            URL(filePath: "/usr/bin/curl"),
            ["--silent", "--show-error", "--max-time", "\(TestPatience.seconds(60))"] + arguments)
    }

    @Test("use the certificate of the operator, and keep the cookie from connections that are not encrypted")
    func certificate() async throws {
        let (certificate, key) = try await makeCertificate()
        try await place.withWeb(#""certificate": "\#(certificate)", "privateKey": "\#(key)""#) { web in
            let address = try await web.host.call("WebPagesLink", "address").string()
            #expect(address == "https://localhost:\(web.port)/")
            for (version, start) in [("--http2", "HTTP/2 200"), ("--http1.1", "HTTP/1.1 200")] {
                let page = try await curl("--cacert", certificate, version, "--include", "\(address)pages/home")
                #expect(page.status == 0, "\(page.standardError)")
                #expect(page.standardOutput.hasPrefix(start), "\(page.standardOutput.prefix(100))")
                let headers = page.standardOutput.lowercased()
                #expect(headers.contains("strict-transport-security: max-age="))
                #expect(headers.contains("set-cookie: __host-hslink-\(web.port)=") && headers.contains("; secure"))
            }
            // A form of the page itself is taken, one of the same name without encryption is not.
            for (origin, text) in [("https", "This form has expired"), ("http", "The request comes from another site")]
            {
                let answer = try await curl(
                    "--cacert", certificate, "--data", "token=x&section=a&action={}",
                    "--header", "Origin: \(origin)://localhost:\(web.port)", "\(address)pages/home/perform")
                #expect(answer.standardOutput.contains(text), "\(answer.standardOutput)")
            }
            // Who does not know the certificate, or does not encrypt, gets nothing.
            #expect(try await curl("\(address)pages/home").status != 0)
            let plain = try await curl("http://localhost:\(web.port)/pages/home")
            #expect(plain.status != 0 && plain.standardOutput.isEmpty)
            let old = try await curl("--cacert", certificate, "--tls-max", "1.1", "\(address)pages/home")
            #expect(old.status != 0)
            #expect(try await curl("--cacert", certificate, "\(address)pages/home").status == 0)
        }
    }

    @Test("carry many pages over one connection of HTTP/2, which a refused form leaves open")
    func sharedConnection() async throws {
        let (certificate, key) = try await makeCertificate()
        let options = #""certificate": "\#(certificate)", "privateKey": "\#(key)", "maximumConnections": 3"#
        try await place.withWeb(options) { web in
            let url = "https://localhost:\(web.port)/pages/home"
            let first = try await curl("--cacert", certificate, "--http2", "--include", url).standardOutput
            let cookie = try #require(first.firstMatch(of: /(?i)set-cookie: ([^;]+);/)?.output.1)
            let common = ["--cacert", certificate, "--http2", "--write-out", "%{http_version} %{response_code} "]
            let refused = common + ["--output", "/dev/null", "--data", "token=x&section=a&action={}"]
            let both = try await ProgramRun.of(
                URL(filePath: "/usr/bin/curl"),
                ["--silent"] + refused + ["\(url)/perform", "--next", "--silent"] + common
                    + ["--write-out", "%{http_version} %{response_code} %{num_connects}", "--output", "/dev/null", url])
            #expect(both.standardOutput == "2 403 2 200 0", "\(both.standardOutput)")
            // More than a browser opens connections of HTTP/1.1, each of which a page would take.
            let files = (0..<20).map { place.directory.path(of: "stream\($0)") }
            let streams = files.flatMap { ["--output", $0, "\(url)/events"] }
            async let run = ProgramRun.of(
                URL(filePath: "/usr/bin/curl"),
                ["--silent", "--no-buffer", "--parallel", "--cookie", String(cookie)] + common + streams)
            let areOpen = await holds(within: .seconds(60)) {
                files.allSatisfy { file in
                    FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }?
                        .contains("retry:") == true
                }
            }
            #expect(areOpen)
            #expect(await web.host.stop() == StopReport())
            let answers = try await run.standardOutput
            #expect(answers == String(repeating: "2 200 ", count: 20), "\(answers)")
        }
    }

    @Test("of HTTP/2 carry calls of programs, which are cancelled if the program leaves")
    func calls() async throws {
        let (certificate, key) = try await makeCertificate()
        let token = TokenDigest.newToken()
        let options =
            #""certificate": "\#(certificate)", "privateKey": "\#(key)", "#
            + #""programs": {"token": "\#(TokenDigest(of: token))", "classes": ["*"]}"#
        try await place.withWeb(options) { web in
            let common = [
                "--cacert", certificate, "--http2", "--header", "Authorization: Bearer \(token)", "--header",
                "Content-Type: application/json",
            ]
            func call(_ path: String, _ json: String, options: String...) async throws -> ProgramRun {
                try await ProgramRun.of(
                    URL(filePath: "/usr/bin/curl"),
                    ["--silent"] + common + options + ["--data", json, "https://localhost:\(web.port)/call/\(path)"])
            }
            let answer = try await call("WebPagesLink/address", "{}", options: "--write-out", " %{http_version}")
            let text = answer.standardOutput
            #expect(text.contains("localhost:\(web.port)") && text.hasSuffix(" 2"), "\(text)")
            // A page that does not change is waited for. Where it takes long to begin, the program leaves before.
            let isCancelled = await holds {
                let page = try await web.host.call("PagesLink", "page", ["id": "home"])
                let body = #"{"id": "home", "after": \#(try page.int("revision"))}"#
                _ = try await call("PagesLink/page?timeout=300", body, options: "--max-time", "2")
                return web.host.counters.contains {
                    $0.className == "PagesLink" && $0.selector == "page" && $0.counters.failures[.cancelled] != nil
                }
            }
            #expect(isCancelled)
        }
    }

    @Test("let programs send JSON of a length that no header says, and nothing else")
    func programs() async throws {
        let (certificate, key) = try await makeCertificate()
        let token = TokenDigest.newToken()
        let programs = #""programs": {"token": "\#(TokenDigest(of: token))", "classes": ["*"]}"#
        try await place.withWeb(#""certificate": "\#(certificate)", "privateKey": "\#(key)", \#(programs)"#) { web in
            for (type, expected) in [("application/json", "2 200"), ("text/plain", "2 415")] {
                let answer = try await curl(
                    "--cacert", certificate, "--http2", "--write-out", "%{http_version} %{response_code}", "--output",
                    "/dev/null", "--header", "Authorization: Bearer \(token)", "--header", "Content-Type: \(type)",
                    "--header", "Content-Length:", "--data", #"{"password": "correct horse"}"#,
                    "https://localhost:\(web.port)/call/WebPagesLink/hash")
                #expect(answer.standardOutput == expected, "\(answer)")
            }
        }
    }

    @Test("that never begin are closed")
    func silence() async throws {
        let (certificate, key) = try await makeCertificate()
        try await place.withWeb(#""certificate": "\#(certificate)", "privateKey": "\#(key)""#) { web in
            let port = web.port
            let answer = try await onOwnThread { try RawConnection(port: port).readAll() }
            #expect(answer.isEmpty)
        }
    }

    @Test("need a certificate and a key that belong together")
    func mismatch() async throws {
        let (certificate, key) = try await makeCertificate()
        let copy = place.directory.path(of: "first.pem")
        try FileManager.default.copyItem(atPath: certificate, toPath: copy)
        let (_, other) = try await makeCertificate()
        #expect(other == key)
        let error = await #expect(throws: LinkError.self) {
            try await place.withWeb(#""certificate": "\#(copy)", "privateKey": "\#(other)""#) { _ in }
        }
        let text = "\(String(describing: error))"
        #expect(text.contains(copy) && text.contains(other) && text.contains("belong together"), "\(text)")
    }

    @Test("of a proxy count as those of the host")
    func proxy() async throws {
        let hash = try PasswordDigest(of: "correct horse")
        let options = #""behindProxy": true, "hosts": ["studio.example"], "password": "\#(hash)""#
        try await place.withWeb(options) { web in
            #expect(try await web.host.call("WebPagesLink", "address").string() == "http://localhost:\(web.port)/")
            let page = try await web.ask("GET", "/pages/home", host: "studio.example")
            #expect(page.status == 401)
            let cookie = try #require(page.cookie)
            #expect(cookie.hasPrefix("__Host-hslink-\(web.port)="))
            #expect(page.headers["set-cookie"]?.contains("; Secure") == true)
            #expect(page.headers["strict-transport-security"] != nil)
            let form = ["token": try #require(page.token), "secret": "correct horse", "next": "/pages/home"]
            for (origin, status) in [
                ("http://studio.example", 403), ("https://evil.example", 403), ("https://studio.example", 303),
            ] {
                let answer = try await web.ask(
                    "POST", "/sign-in", ["Cookie": cookie, "Origin": origin], body: form.urlEncoded,
                    host: "studio.example")
                #expect(answer.status == status, "\(origin)")
            }
        }
        #expect {
            let options: WebOptions = try Payload(json: #"{"port": 0, "behindProxy": true}"#).value()
            try options.check()
        } throws: { "\($0)".contains("password: expected the hash of a password, since a proxy") }
    }
}
