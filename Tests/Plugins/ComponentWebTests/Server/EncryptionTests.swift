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
            let page = try await curl("--cacert", certificate, "--include", "\(address)pages/home")
            #expect(page.status == 0, "\(page.standardError)")
            #expect(page.standardOutput.hasPrefix("HTTP/1.1 200"))
            let headers = page.standardOutput.lowercased()
            #expect(headers.contains("strict-transport-security: max-age="))
            #expect(headers.contains("set-cookie: __host-hslink-\(web.port)=") && headers.contains("; secure"))
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
