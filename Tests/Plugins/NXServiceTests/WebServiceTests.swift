import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import NXServiceContract
import TestSupport
import Testing

/// A host with NXService, a cache directory and a configuration.
struct WebPlace {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    var kept: String { directory.path(of: "cache/NXService/web") }

    /// Calls `body` with a host whose configuration of NXService is `options`, as JSON.
    func withWeb<Value>(
        _ depth: ComponentDepth = .file, _ options: String = "{}",
        body: (WebServiceClient, LinkHost) async throws -> Value
    ) async throws -> Value {
        let file = try directory.write("{\"NXService\": \(options)}", to: "\(UUID().uuidString).json")
        return try await depth.withHost(["NXService"]) { settings in
            settings.cacheDirectory = directory.path(of: "cache")
            settings.configuration = HostConfiguration(files: [file], environmentPrefix: nil)
        } body: { host async throws in
            try await body(try host.service(WebServiceClient.self), host)
        }
    }
}

/// Returns the error of a request; records an issue if there is none, or one of another kind.
func webError<Answer>(_ body: () async throws -> Answer) async -> WebError? {
    do {
        let answer = try await body()
        Issue.record("expected an error, there was \(answer)")
        return nil
    } catch {
        #expect(error is WebError, "\(error)")
        return error as? WebError
    }
}

@Suite("Documents from the web")
struct WebServiceTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    @Test("a document is fetched, and kept for when the server is gone", arguments: ComponentDepth.allCases)
    func keeps(depth: ComponentDepth) async throws {
        let content = Array("a picture".utf8)
        let server = try WebServer(["/a": .document(type: "image/png", content)])
        let url = server.url("/a")
        let first = try await place.withWeb(depth) { web, _ async throws in
            let document = try await web.get(url: url, maximumBytes: nil)
            #expect(document.body == Data(content))
            #expect(document.url == url)
            #expect(document.mediaType == "image/png")
            #expect(document.staleReason == nil)
            #expect(abs(document.fetchedAt.timeIntervalSinceNow) < 600)
            #expect(document.fileName.utf8.count == 64)
            // The part after # is not sent, and names no other document.
            #expect(try await web.get(url: "\(url)#top", maximumBytes: nil).fileName == document.fileName)
            server.stop()
            let kept = try await web.get(url: url, maximumBytes: nil)
            // The system may tell of the end of the server's last connection first.
            let reasons = ["127.0.0.1: Connection refused", "127.0.0.1: Connection reset by peer"]
            #expect(reasons.contains(kept.staleReason ?? ""), "\(kept.staleReason ?? "none")")
            return document
        }
        try await place.withWeb(depth) { web, _ async throws in
            var kept = try await web.get(url: url, maximumBytes: nil)
            #expect(kept.staleReason != nil)
            kept.staleReason = nil
            #expect(abs(kept.fetchedAt.timeIntervalSince(first.fetchedAt)) < 600)
            kept.fetchedAt = first.fetchedAt
            #expect(kept == first)
            #expect(
                await webError { try await web.get(url: url, maximumBytes: 3) }
                    == .tooLarge(url: url, maximumBytes: 3))
        }
    }

    @Test("offline, nothing is fetched")
    func offline() async throws {
        let server = try WebServer(["/a": .document(type: "text/plain", [1])])
        try await place.withWeb(.file, #"{"offline": true}"#) { web, _ async throws in
            let error = await webError { try await web.get(url: server.url("/a"), maximumBytes: nil) }
            #expect(error == .unreachable(host: "127.0.0.1", reason: "the configuration says offline"))
        }
        try await place.withWeb { web, _ async throws in _ = try await web.get(url: server.url("/a"), maximumBytes: nil)
        }
        try await place.withWeb(.file, #"{"offline": true}"#) { web, _ async throws in
            #expect(try await web.get(url: server.url("/a"), maximumBytes: nil).body == Data([1]))
        }
        #expect(server.requests == ["/a"])
    }

    @Test("a status of 500 and above gives the kept document, and others do not")
    func statuses() async throws {
        let server = try WebServer(["/a": .document(type: "text/plain", [1])])
        let url = server.url("/a")
        try await place.withWeb { web, _ async throws in
            server.answer("/a", .status(503))
            #expect(await webError { try await web.get(url: url, maximumBytes: nil) } == .status(code: 503, url: url))
            server.answer("/a", .document(type: "text/plain", [1]))
            _ = try await web.get(url: url, maximumBytes: nil)
            server.answer("/a", .status(503))
            let kept = try await web.get(url: url, maximumBytes: nil)
            #expect(kept.staleReason == "\(url) was answered with status 503")
            for code in [201, 204, 304, 401, 404, 410] {
                server.answer("/a", .status(code))
                let error = await webError { try await web.get(url: url, maximumBytes: nil) }
                #expect(error == .status(code: code, url: url))
            }
        }
    }

    @Test(
        "what is not the URL of a document on a server is refused",
        arguments: [
            "", " ", "file:///etc/passwd", "ftp://127.0.0.1/a", "http://", "http:///a", "//127.0.0.1/a", "a",
            "http+unix://%2Frun%2Fx.sock/a", "http://a b/", "http://127.0.0.1/\r\nx", "http://127.0.0.1/ü",
            "http://user@127.0.0.1/", "http://user:secret@127.0.0.1/", "ftp://user:secret@127.0.0.1/",
            "http://user:secret@127.0.0.1/ü", "http://user:secret@\u{301}/", "http://127.0.0.1:99999/",
            "http://127.0.0.1:0/",
            "http://127.0.0.1:99999999999999999999/", "http://127.0.0.1:-1/", "https://[::1]:70000/", "http://a:b/",
            "http://" + String(repeating: "a", count: 9000),
        ])
    func urls(text: String) async throws {
        try await place.withWeb { web, _ async throws in
            let error = await webError { try await web.get(url: text, maximumBytes: nil) }
            guard case .invalidURL? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect("\(String(describing: error))".contains("secret") == false)
        }
    }

    @Test("redirects are followed as far as is safe")
    func redirects() async throws {
        let server = try WebServer(["/end": .document(type: "text/plain", [7])])
        for step in 1...6 {
            server.answer("/\(step)", .redirect(to: step == 1 ? "/end" : "/\(step - 1)"))
        }
        server.answer("/self", .redirect(to: "/self"))
        server.answer("/file", .redirect(to: "file:///etc/passwd"))
        server.answer("/user", .redirect(to: "http://user:secret@127.0.0.1/"))
        server.answer("/nowhere", .redirect(to: nil))
        server.answer("/port", .redirect(to: "http://127.0.0.1:99999/"))
        try await place.withWeb { web, _ async throws in
            let end = try await web.get(url: server.url("/5"), maximumBytes: nil)
            #expect(end.body == Data([7]))
            #expect(end.url == server.url("/end"))
            for (path, words) in [
                ("/6", "more than 5 times"), ("/self", "more than 5 times"), ("/file", "http or https"),
                ("/user", "not sent"), ("/port", "a port is"), ("/nowhere", "without saying where"),
            ] {
                let error = await webError { try await web.get(url: server.url(path), maximumBytes: nil) }
                guard case .redirect(_, let reason)? = error else {
                    Issue.record("\(path): \(String(describing: error))")
                    continue
                }
                #expect(reason.contains(words) && !reason.contains("secret"), "\(reason)")
            }
        }
    }

    @Test("a document that is too large is refused, however it comes")
    func tooLarge() async throws {
        let bomb = Array(try Data(contentsOf: try bomb()))
        let server = try WebServer([
            "/announced": .document(type: "text/plain", [UInt8](repeating: 1, count: 1001)),
            "/unannounced": .unannounced(200_000), "/fits": .unannounced(1000),
            "/bomb": .document(type: "text/plain", bomb, headers: ["content-encoding": "gzip"]),
        ])
        try await place.withWeb(.file, #"{"maximumBytes": 100000}"#) { web, _ async throws in
            #expect(try await web.get(url: server.url("/fits"), maximumBytes: 1000).body.count == 1000)
            for (path, limit) in [("/announced", 1000), ("/unannounced", nil), ("/bomb", nil)] as [(String, Int?)] {
                let error = await webError { try await web.get(url: server.url(path), maximumBytes: limit) }
                #expect(error == .tooLarge(url: server.url(path), maximumBytes: limit ?? 100_000), "\(path)")
            }
            let error = await #expect(throws: LinkError.self) {
                try await web.get(url: server.url("/fits"), maximumBytes: 0)
            }
            #expect(error?.code == .payloadMismatch)
        }
    }

    /// A file of 50 MB of zeros, compressed to 50 kB.
    private func bomb() throws -> URL {
        let file = URL(filePath: place.directory.path(of: "bomb"))
        try Data(count: 50 << 20).write(to: file)
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/usr/bin/env")
        gzip.arguments = ["gzip", file.path]
        try gzip.run()
        gzip.waitUntilExit()
        return file.appendingPathExtension("gz")
    }

    @Test("a server that is silent, slow or gone costs no more than the configured time")
    func slow() async throws {
        let server = try WebServer(["/silence": .silence, "/drip": .drip, "/cut": .cutOff])
        try await place.withWeb(.file, #"{"timeout": 0.5}"#) { web, host async throws in
            for path in ["/silence", "/drip"] {
                let error = await webError { try await web.get(url: server.url(path), maximumBytes: nil) }
                #expect(error == .timedOut(host: "127.0.0.1", seconds: 0.5), "\(path)")
            }
            for url in [server.url("/cut"), "http://127.0.0.1:1/", "https://127.0.0.1:\(server.port)/a"] {
                let error = await webError { try await web.get(url: url, maximumBytes: nil) }
                switch error {
                case .unreachable("127.0.0.1", _)?, .timedOut("127.0.0.1", _)?: break
                default: Issue.record("\(url): \(String(describing: error))")
                }
            }
        }
    }

    @Test(
        "an answer that is not HTTP is an error, and the next one is read",
        arguments: [
            "HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.0 050 X\r\n\r\n", "HTTP/1.1 99 X\r\n\r\n", "hello\r\n\r\n", "\0",
        ])
    func noHTTP(answer: String) async throws {
        let server = try WebServer(raw: answer)
        let good = try WebServer(["/a": .document(type: "text/plain", [1])])
        try await place.withWeb(.file, #"{"timeout": 20}"#) { web, _ async throws in
            for _ in 0..<2 {
                let error = await webError { try await web.get(url: server.url("/"), maximumBytes: nil) }
                guard case .unreachable("127.0.0.1", _)? = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
            #expect(try await web.get(url: good.url("/a"), maximumBytes: nil).body == Data([1]))
        }
    }

    @Test("a change of what may change takes effect at once")
    func changes() async throws {
        let server = try WebServer(["/a": .document(type: "text/plain", [1])])
        let file = try place.directory.write(#"{"NXService": {"offline": true}}"#, to: "changing.json")
        try await ComponentDepth.file.withHost(["NXService"]) { settings in
            settings.cacheDirectory = place.directory.path(of: "cache")
            settings.configuration = HostConfiguration(files: [file], environmentPrefix: nil)
        } body: { host async throws in
            let web = try host.service(WebServiceClient.self)
            #expect(await webError { try await web.get(url: server.url("/a"), maximumBytes: nil) } != nil)
            _ = try place.directory.write(#"{"NXService": {"offline": false}}"#, to: "changing.json")
            #expect(try host.reloadConfiguration() == ["NXService"])
            #expect(await holds { try await web.get(url: server.url("/a"), maximumBytes: nil).body == Data([1]) })
            // What is wrong changes nothing.
            _ = try place.directory.write(#"{"NXService": {"offline": 3}}"#, to: "changing.json")
            #expect(try host.reloadConfiguration() == [])
            #expect(try await web.get(url: server.url("/a"), maximumBytes: nil).staleReason == nil)
            #expect(try host.configurationProblems().count == 1)
            _ = try place.directory.write(#"{"NXService": {"offline": true}}"#, to: "changing.json")
            #expect(try host.reloadConfiguration() == ["NXService"])
            #expect(try host.configurationProblems() == [])
            #expect(await holds { try await web.get(url: server.url("/a"), maximumBytes: nil).staleReason != nil })
        }
    }

    @Test("a request ends with its call, and with the host")
    func ends() async throws {
        let server = try WebServer(["/silence": .silence])
        let url = server.url("/silence")
        try await place.withWeb { web, host async throws in
            // Loaded first, which may take longer than the call.
            _ = await webError { try await web.get(url: "", maximumBytes: nil) }
            let answer = await #expect(throws: LinkError.self) {
                try await host.call("WebLink", "get", ["url": .string(url)], timeout: .milliseconds(200))
            }
            #expect(answer?.code == .deadlineExceeded)
            let before = server.requests.count
            let request = Task { try await web.get(url: url, maximumBytes: nil) }
            #expect(await holds { server.requests.count > before })
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
            await #expect(throws: (any Error).self) { try await request.value }
        }
    }

    @Test("a damaged copy is no copy, and the space for copies is kept")
    func copies() async throws {
        let server = try WebServer()
        for number in 0..<10 {
            server.answer("/\(number)", .document(type: "text/plain", [UInt8](repeating: UInt8(number), count: 1000)))
        }
        try await place.withWeb(.file, #"{"keptBytes": 5000}"#) { web, _ async throws in
            for number in 0..<10 {
                _ = try await web.get(url: server.url("/\(number)"), maximumBytes: nil)
                // Files are told apart by their time.
                try await Task.sleep(for: .milliseconds(20))
            }
            let kept = try FileManager.default.contentsOfDirectory(atPath: place.kept)
            #expect((3...4).contains(kept.count))
            server.stop()
            #expect(try await web.get(url: server.url("/9"), maximumBytes: nil).body.first == 9)
            #expect(await webError { try await web.get(url: server.url("/0"), maximumBytes: nil) } != nil)
            for file in kept { try Data([1, 2, 3]).write(to: URL(filePath: "\(place.kept)/\(file)")) }
            #expect(await webError { try await web.get(url: server.url("/9"), maximumBytes: nil) } != nil)
        }
    }

    @Test(
        "an option out of its range is named",
        arguments: ["connectTimeout": "0", "timeout": "-1", "maximumBytes": "0", "keptBytes": "-1"])
    func options(option: String, value: String) async throws {
        let error = await #expect(throws: LinkError.self) {
            try await place.withWeb(.file, "{\"\(option)\": \(value)}") { web, _ async throws in
                _ = try await web.get(url: "http://127.0.0.1:1/", maximumBytes: nil)
            }
        }
        #expect(error?.message.contains("\(option): expected") == true, "\(String(describing: error))")
    }

    @Test("many requests at a time are all answered")
    func many() async throws {
        let server = try WebServer()
        for number in 0..<50 { server.answer("/\(number)", .document(type: "text/plain", [UInt8(number)])) }
        try await place.withWeb { web, _ async throws in
            try await withThrowingTaskGroup(of: (Int, Data).self) { tasks in
                for number in 0..<50 {
                    tasks.addTask { (number, try await web.get(url: server.url("/\(number)"), maximumBytes: nil).body) }
                }
                for try await (number, body) in tasks { #expect(body == Data([UInt8(number)])) }
            }
        }
    }

    @Test("requests that wait for others to the same server are not taken for ones that cannot connect")
    func queue() async throws {
        let server = try WebServer(["/late": .late(1800)])
        try await place.withWeb(.file, #"{"connectTimeout": 3}"#) { web, _ async throws in
            try await withThrowingTaskGroup { tasks in
                // With eight connections, the last ones are sent after 3.6 s.
                for _ in 0..<24 {
                    tasks.addTask { try await web.get(url: server.url("/late"), maximumBytes: nil).body }
                }
                for try await body in tasks { #expect(body.isEmpty) }
            }
        }
        #expect(server.requests.count == 24)
    }
}
