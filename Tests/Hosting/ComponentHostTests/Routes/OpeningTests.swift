import ComponentHost
import ComponentKit
import Synchronization
import Testing

/// The forms in which a URL is opened.
enum OpeningForm: String, CaseIterable, CustomTestStringConvertible {
    case callback, async, blocking, fromComponent

    var testDescription: String { rawValue }

    func open(
        _ host: LinkHost, _ url: String, _ payload: Payload = .null, from origin: RouteOrigin = .inside,
        timeout: Duration? = nil
    ) async -> Answer {
        switch self {
        case .callback:
            let collected = Collected<Answer>()
            host.open(url, payload, from: origin, timeout: timeout) { collected.add($0) }
            return await collected.first(1).first ?? Answer(.failure(LinkError(.noReply)))
        case .async: return await answer { try await host.open(url, payload, from: origin, timeout: timeout) }
        case .blocking:
            return await answer {
                try await onThread { try host.openAndWait(url, payload, from: origin, timeout: timeout) }
            }
        case .fromComponent:
            return await answer {
                try await host.link.open(url, payload, fromSource: origin.source, timeout: timeout)
            }
        }
    }
}

@Suite("Opening URLs")
struct OpeningTests {
    @Test("a URL calls the selector that has the route", arguments: Depth.allCases, OpeningForm.allCases)
    func opens(_ depth: Depth, _ form: OpeningForm) async throws {
        let host = try depth.host()
        let cases: [(String, Payload, Payload)] = [
            ("fixture://item/7", .null, "7"),
            ("FIXTURE://ITEM/7?loud=true", .null, "7!"),
            ("fixture://item/7?loud", .null, "7!"),
            ("fixture://item/7?tags=a&tags=b%20c", .null, "7 a+b c"),
            ("fixture://item/7?tags=one", .null, "7 one"),
            ("fixture://item/7?utm_source=mail", .null, "7"),
            ("fixture://item/7", ["loud": true], "7!"),
            // The path is stronger than the payload, and that is stronger than the query.
            ("fixture://item/7?loud=true", ["id": 8, "loud": false], "7"),
            ("https://example.com/watch/7", .null, "7"),
            ("other://watch/7", .null, "7"),
            ("/watch/7", .null, "7"),
            ("fixture://item/new", .null, "new"),
            ("fixture://files", .null, []),
            ("fixture://files/a/b%2Fc", .null, ["a", "b/c"]),
            (
                "fixture://numbers?small=-8&large=18446744073709551615&part=1.5", .null,
                ["-8", "18446744073709551615", "1.5"]
            ),
            ("fixture://named/known", .null, "by name"),
            ("fixture://named/other", .null, "anything"),
            ("fixture://named/known/further", .null, "anything"),
        ]
        for (url, payload, expected) in cases {
            let answer = await form.open(host, url, payload)
            #expect(answer.returnValue == expected, "\(url): \(answer)")
        }
        await host.stop()
    }

    @Test("what a URL cannot be opened with is told", arguments: Depth.allCases, OpeningForm.allCases)
    func fails(_ depth: Depth, _ form: OpeningForm) async throws {
        let host = try depth.host()
        let cases: [(String, Payload, LinkError.Code, String)] = [
            ("fixture://nothing", .null, .routeNotFound, "fixture://nothing"),
            ("fixture://item/x", .null, .routeNotFound, "fixture://item/x"),
            ("", .null, .routeNotFound, "\"\""),
            ("fixture://numbers?small=x", .null, .payloadMismatch, "\"small\""),
            (
                "fixture://numbers?small=200", .null, .payloadMismatch,
                "\"200\" is out of range for Int8, which is -128 to 127"
            ),
            (
                "fixture://numbers?small=1&large=-1", .null, .payloadMismatch,
                "\"-1\" is out of range for UInt64, which is 0 to 18446744073709551615"
            ),
            ("fixture://numbers?small=1&large=1.5", .null, .payloadMismatch, "that is not negative, found \"1.5\""),
            ("fixture://numbers?small=1&small=2", .null, .payloadMismatch, "one value"),
            ("fixture://numbers", .null, .payloadMismatch, "small"),
            ("fixture://item/7", [1], .payloadMismatch, "must be a map"),
            ("fixture://named-only/x", .null, .routeDeclined, "no x"),
            ("fixture://unguarded", .null, .routeRefused, "fixture-nobody"),
            ("fixture://secret/403", .null, .routeRefused, "never"),
            ("fixture://secret/508", .null, .tooDeep, "in a circle"),
        ]
        for (url, payload, code, words) in cases {
            let answer = await form.open(host, url, payload)
            #expect(answer.error?.code == code, "\(url): \(answer)")
            #expect(answer.error?.message.contains(words) == true, "\(url): \(answer.error?.message ?? "")")
            #expect(answer.returnValue == nil)
        }
        await host.stop()
    }

    @Test("interceptors decide about tagged routes", arguments: Depth.allCases, OpeningForm.allCases)
    func interceptors(_ depth: Depth, _ form: OpeningForm) async throws {
        let host = try depth.host()
        #expect(await form.open(host, "fixture://secret/7").error?.code == .routeRefused)
        #expect(await form.open(host, "fixture://secret/302").returnValue == "302!")
        #expect(await form.open(host, "fixture://secret/2").returnValue == "secret 22")
        // Signs in first, and then opens what was asked for.
        #expect(await form.open(host, "fixture://secret/1").returnValue == "secret 1")
        #expect(await form.open(host, "fixture://secret/7").returnValue == "secret 7")
        _ = try await host.call("RoutedLink", "signOut")
        #expect(await form.open(host, "fixture://secret/7").error?.code == .routeRefused)
        await host.stop()
    }

    @Test("closures and objects travel beside a URL, and as its answer", arguments: Depth.allCases)
    func objects(_ depth: Depth) async throws {
        let host = try depth.host()
        let twice = host.link.typedClosure { (number: Int) in number * 2 }
        #expect(try await host.open("fixture://call?number=21", ["done": twice]).int() == 42)
        #expect(try await host.open("fixture://call", ["done": twice]).int() == 40)
        let counter = try await host.object(for: "fixture://counter")
        #expect(try await counter.call("increment").int() == 1)
        #expect(try await counter.call("increment").int() == 2)
        await #expect(throws: LinkError.self) { try await host.object(for: "fixture://item/7") }
        await host.stop()
    }

    @Test("a component opens URLs through its link", arguments: Depth.allCases)
    func fromComponent(_ depth: Depth) async throws {
        let host = try depth.host()
        #expect(try await host.open("fixture://through?url=fixture%3A%2F%2Fitem%2F7").string() == "7")
        await host.stop()
    }

    @Test(
        "URLs that open others without an end are refused, with the way", arguments: Depth.allCases,
        OpeningForm.allCases)
    func recursion(_ depth: Depth, _ form: OpeningForm) async throws {
        let host = try depth.host()
        let error = await form.open(host, "fixture://endless/0", timeout: .seconds(300)).error
        #expect(error?.code == .tooDeep)
        let message = error?.message ?? ""
        #expect(message.contains(#/; opened by fixture://endless/\d+ ← fixture://endless/\d+ ← .* ← …/#), "\(message)")
        await host.stop()
    }

    @Test("a route of the program that opens itself is refused, too")
    func ownRecursion() async throws {
        let host = try Depth.builtIn.host()
        try host.routes.add("own://endless/:step<int>") { request in
            // Also after the closure has given its thread away.
            await Task.yield()
            return try await host.open("own://endless/\(request.parameters.int("step") + 1)")
        }
        let error = await answer { try await host.open("own://endless/0", timeout: .seconds(300)) }.error
        #expect(error?.code == .tooDeep)
        let way = "own://endless/0 → own://endless/1 → own://endless/2 → … → "
        #expect(error?.message.contains(way) == true, "\(error?.message ?? "")")
        await host.stop()
    }

    @Test("whether a URL can be opened is known without loading anything")
    func presence() throws {
        let host = try Depth.file.host()
        let cases: [(String, Bool, String?)] = [
            ("fixture://item/7", true, "item"), ("fixture://item/new", true, "newItem"),
            ("fixture://item/x", false, nil), ("fixture://nothing", false, nil), ("", false, nil),
            ("https://example.com/watch/7", true, "item"),
        ]
        for (url, canOpen, selector) in cases {
            #expect(host.canOpen(url) == canOpen, "\(url)")
            #expect(host.link.canOpen(url) == canOpen, "\(url)")
            let route = host.route(for: url)
            #expect(route?.selector == selector)
            #expect(route.map { $0.component } == (canOpen ? "FixtureComponent" : nil))
        }
        #expect(!host.isLoaded("RoutedLink"))
    }

    @Test("a route that is public for some sources is there for these only", arguments: Depth.allCases)
    func sources(_ depth: Depth) async throws {
        var options = HostOptions.quiet
        options.routes.remoteSources = ["mail", "browser", "chat"]
        let host = try depth.host(options: options)
        try host.routes.add("own://chat", public: ["chat"]) { _ in "chat" }
        for (url, sources) in [("fixture://mail", ["mail"]), ("own://chat", ["chat"]), ("/watch/7", ["mail", "chat"])] {
            #expect(host.canOpen(url))
            for source in ["mail", "letter", "chat"] {
                let answer = await OpeningForm.async.open(host, url, from: .remote(source))
                #expect(answer.performSuccess == sources.contains(source), "\(url) \(source)")
                #expect(host.canOpen(url, from: .remote(source)) == sources.contains(source), "\(url) \(source)")
            }
        }
        let route = try #require(host.route(for: "fixture://mail"))
        #expect(route.isPublic && route.sources == ["mail", "letter"])
        for sources in [["a b"], ["a", "a"]] as [RouteAccess] {
            let error = #expect(throws: LinkError.self) {
                try host.routes.add("own://wrong", public: sources) { _ in "" }
            }
            #expect(error?.code == .payloadMismatch)
        }
        await host.stop()
    }

    @Test("from outside, only public routes are there", arguments: OpeningForm.allCases)
    func remote(_ form: OpeningForm) async throws {
        var options = HostOptions.quiet
        options.routes.remoteSources = ["browser"]
        let host = try Depth.builtIn.host(options: options)
        #expect(await form.open(host, "fixture://item/7", from: .remote("browser")).returnValue == "7")
        let nothing = await form.open(host, "fixture://does-not-exist", from: .remote("browser"))
        #expect(nothing.error?.code == .routeNotFound)
        let refused: [(String, RouteOrigin)] = [
            ("fixture://item/new", .remote("browser")), ("fixture://files/a", .remote("browser")),
            ("fixture://item/7", .remote("stranger")), ("fixture://named/known", .remote("browser")),
        ]
        for (url, origin) in refused {
            let answer = await form.open(host, url, from: origin)
            // The answer does not tell what exists.
            #expect(answer.error?.description == nothing.error?.description, "\(url)")
            #expect(answer.classIsLoad == nothing.classIsLoad)
            #expect(!host.canOpen(url, from: origin))
            #expect(host.route(for: url, from: origin) == nil)
        }
        // A guard that sends elsewhere does not make that public.
        #expect(await form.open(host, "fixture://secret/302", from: .remote("browser")).returnValue == "302!")
        #expect(await form.open(host, "fixture://secret/1", from: .remote("browser")).returnValue == "secret 1")
        await host.stop()
    }
}
