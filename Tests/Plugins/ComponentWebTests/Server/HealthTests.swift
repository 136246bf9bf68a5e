import TestSupport
import Testing

@Suite("Health of the host", .enabled(if: WebPlace.isComplete))
struct HealthTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    @Test(
        "is told by any name, without a session",
        arguments: [("/healthz", "ok\n"), ("/readyz", "ready\n")])
    func healthy(path: String, text: String) async throws {
        try await place.withWeb(others: []) { web in
            for name in ["localhost", "10.1.2.3:8080", "pod.internal", "evil.example"] {
                let answer = try await web.ask("GET", path, host: name)
                #expect(answer.status == 200, "\(name)")
                #expect(answer.text == text, "\(name)")
                #expect(answer.headers["set-cookie"] == nil, "\(name)")
                #expect(answer.headers["cache-control"] == "no-store", "\(name)")
                #expect(answer.headers["content-type"] == "text/plain; charset=utf-8", "\(name)")
            }
            let head = try await web.ask("HEAD", path)
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            let post = try await web.ask("POST", path, body: "")
            #expect(post.status == 405)
            #expect(post.headers["allow"] == "GET, HEAD")
        }
    }

    @Test("is told by a component that does not start, and no reason")
    func failed() async throws {
        try await place.withWeb(others: ["StartsBadly"], movable: ["StartsBadly"]) { web in
            #expect(try await web.ask("GET", "/healthz").status == 200)
            let answer = try await web.ask("GET", "/readyz", host: "10.1.2.3")
            #expect(answer.status == 503)
            #expect(answer.text == "not ready: StartsBadly cannot start\n")
        }
    }
}
