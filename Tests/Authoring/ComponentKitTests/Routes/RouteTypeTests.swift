import FoundationEssentials
import Testing

@testable import ComponentKit

@Suite("What interceptors and openers exchange")
struct RouteTypeTests {
    private static let request = RouteRequest(
        url: "studio://video/7?autoplay=true", pattern: "studio://video/:id", component: "Video",
        className: "VideoLink", selector: "open", kind: .class, parameters: ["id": 7, "autoplay": true],
        tags: ["signed-in"], isPublic: true, source: "https")

    @Test("a request travels as a map")
    func request() throws {
        #expect(try Self.request.payload.value() == Self.request)
        #expect(
            Self.request.payload == [
                "url": "studio://video/7?autoplay=true", "pattern": "studio://video/:id", "component": "Video",
                "class": "VideoLink", "selector": "open", "kind": "class",
                "parameters": ["id": 7, "autoplay": true], "tags": ["signed-in"], "public": true, "source": "https",
            ])
    }

    @Test("a request needs only its texts")
    func smallest() throws {
        let payload: Payload = ["url": "a", "pattern": "b", "component": "c", "class": "d", "selector": "e"]
        #expect(
            try payload.value()
                == RouteRequest(url: "a", pattern: "b", component: "c", className: "d", selector: "e"))
    }

    @Test("a request from inside the process has no source")
    func inside() throws {
        var request = Self.request
        request.source = nil
        #expect(request.payload["source"]?.isNull == true)
        #expect(try request.payload.value(as: RouteRequest.self).source == nil)
    }

    @Test(
        "decisions travel as models do",
        arguments: [
            (RouteDecision.pass, "pass"), (.change(parameters: ["id": 8]), ["change": ["parameters": ["id": 8]]]),
            (.redirect(url: "a:b"), ["redirect": ["url": "a:b", "parameters": nil]]),
            (
                .openFirst(url: "studio://sign-in", parameters: ["why": "x"]),
                ["openFirst": ["url": "studio://sign-in", "parameters": ["why": "x"]]]
            ),
            (.refuse(reason: "not now"), ["refuse": ["reason": "not now"]]),
        ] as [(RouteDecision, Payload)])
    func decisions(decision: RouteDecision, payload: Payload) throws {
        #expect(decision.payload == payload)
        #expect(try payload.value() == decision)
    }

    @Test("parameters beside a URL may be missing")
    func bare() throws {
        let payload: Payload = ["openFirst": ["url": "a"]]
        #expect(try payload.value() == RouteDecision.openFirst(url: "a"))
    }

    @Test(
        "what is no decision is refused",
        arguments: [
            ("allow", "expected one of pass, change, redirect, openFirst, refuse"),
            (["redirect": ["parameters": [:]]], "redirect.url: expected string, found nothing"),
            (["change": [:]], "change.parameters: "), (["pass": [:], "refuse": [:]], "found 2 keys"), (7, "found int"),
        ] as [(Payload, String)])
    func noDecision(payload: Payload, message: String) throws {
        let error = #expect(throws: PayloadError.self) { try payload.value(as: RouteDecision.self) }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test("a method that declines is recognised by its code on the other side")
    func declined() throws {
        let error = LinkError(thrown: RouteDeclined("no video 7"))
        #expect(error.code == .routeDeclined)
        #expect(error.message == "no video 7")
        #expect(error.classIsLoad)
        #expect(LinkError(thrown: RouteDeclined()).message == "the method declined the URL")
        let copy = unsafe error.withUnsafeError { unsafe LinkError(copying: $0) }
        #expect(copy.code == .routeDeclined)
        #expect(copy.message == "no video 7")
    }

    @Test("a class is not needed to find that there is no route, or that it is refused")
    func codes() {
        #expect(!LinkError(.routeNotFound).classIsLoad)
        #expect(!LinkError(.routeRefused).classIsLoad)
    }
}

@Suite("Routes with types")
struct TypedRouteTests {
    private enum Format: String, Codable {
        case mp4
        case webm = "web m"
    }
    private struct Options: PayloadConvertible {
        var payload: Payload { ["deep": 1] }
        init() {}
        init(payload: borrowing PayloadView) throws(PayloadError) {}
    }

    private let link = Link(NoBackend())

    private func route(_ pattern: String, _ add: (inout __RouteBuilder) -> Void) -> TypedRoute<Int> {
        var builder = __RouteBuilder(pattern)
        add(&builder)
        return builder.route { reply, _ in try reply.int() }
    }

    @Test("placeholders are in the path, other values in the query, percent-encoded")
    func url() {
        let route = route("studio://video/:id.html") { builder in
            builder.add("id", "a b/c")
            builder.add("autoplay", true)
            builder.add("since & until", 1.5)
        }
        #expect(route.url == "studio://video/a%20b%2Fc.html?autoplay=true&since%20%26%20until=1.5")
        #expect("\(route)" == route.url)
    }

    @Test("values of each type are written as text")
    func texts() throws {
        let id = try #require(UUID(uuidString: "1B671A64-40D5-491E-99B0-DA01FF1F3341"))
        let address = try #require(URL(string: "https://example.com/?a=b"))
        let unused: (Link?) throws -> Payload = { _ in .null }
        let found = route("/a") { builder in
            builder.add("int", -7)
            builder.add("uint", UInt8(7))
            builder.add("float", Float(0.1))
            builder.add("uuid", id)
            builder.add("url", address)
            builder.add("date", Date(timeIntervalSince1970: 0))
            builder.add("raw", Format.webm, unused)
            builder.add("raws", [Format.mp4, .webm], unused)
            builder.add("list", [1, 2])
            builder.add("none", [String]())
            builder.add("nil", Int?.none)
            builder.add("nilRaw", Format?.none, unused)
            builder.add("some", Int?.some(3))
        }
        #expect(
            found.url.split(separator: "?").last?.split(separator: "&") == [
                "date=1970-01-01T00%3A00%3A00.000000000Z", "float=0.1", "int=-7", "list=1", "list=2", "raw=web%20m",
                "raws=mp4", "raws=web%20m", "some=3", "uint=7", "url=https%3A%2F%2Fexample.com%2F%3Fa%3Db",
                "uuid=1B671A64-40D5-491E-99B0-DA01FF1F3341",
            ])
    }

    @Test("an array fills a rest of the path, and an optional group is left out")
    func rest() {
        #expect(route("studio://files/*path") { $0.add("path", ["a", "b c"]) }.url == "studio://files/a/b%20c")
        #expect(route("studio://files/*path") { $0.add("path", [String]()) }.url == "studio://files")
        #expect(route("/a(/:id)") { $0.add("id", Int?.none) }.url == "/a")
        #expect(route("/a(/:id)") { $0.add("id", Int?.some(7)) }.url == "/a/7")
    }

    @Test("what a URL cannot carry is passed beside it")
    func beside() throws {
        let found = route("/a/:id") { builder in
            builder.add("id", 7)
            builder.add("options", Options()) { _ in ["deep": 1] }
            builder.add("missing", Options?.none) { _ in .null }
            builder.add("done", making: { link in link.isLoaded("X") ? 1 : 2 })
        }
        #expect(found.url == "/a/7")
        #expect(!found.isURLOnly)
        #expect(try found.payload(for: link) == ["options": ["deep": 1], "done": 2])
        #expect(try found.result(of: 3, for: link) == 3)
    }

    @Test("an empty array is passed beside the URL, unless it is a rest of the path")
    func emptyArray() throws {
        let query = route("/a") { builder in
            builder.add("none", [String]())
            builder.add("optional", [Int]?.some([]))
            builder.add("nil", [Int]?.none)
        }
        #expect(query.url == "/a")
        #expect(try query.payload(for: link) == ["none": [], "optional": []])
        let path = route("/a/*rest") { $0.add("rest", [String]()) }
        #expect(try path.payload(for: link).isNull)
    }

    @Test("a URL alone passes nothing beside it")
    func alone() throws {
        let found = route("/a/:id") { $0.add("id", 7) }
        #expect(found.isURLOnly)
        #expect(try found.payload(for: link).isNull)
    }

    @Test("an argument without a place in the URL fails when it is opened, with the reason")
    func noPlace() throws {
        let found = route("/a/:id") { $0.add("id", "") }
        #expect(!found.isURLOnly)
        let error = try #require(throws: LinkError.self) { try found.payload(for: link) }
        #expect(error.code == .payloadMismatch)
        #expect(error.message.hasPrefix("/a/:id: the value for \"id\" is empty"), "\(error)")
    }

    @Test("a value that cannot travel fails when the route is opened")
    func cannotTravel() throws {
        let found = route("/a") { builder in
            builder.add("options", Options()) { _ in throw LinkError(.methodFailed, message: "broken") }
        }
        let error = try #require(throws: LinkError.self) { try found.payload(for: link) }
        #expect(error.message == "broken")
    }
}
