import ComponentHost
import ComponentKit
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Routes that the program adds")
struct HostRouteTests {
    @Test("a closure answers its route until its token is removed")
    func handler() async throws {
        let host = try Depth.builtIn.host()
        let token = try host.routes.add("debug://page/:name") { request in
            "\(request.pattern) \(try request.parameters.string("name")) \(request.source ?? "inside")"
        }
        #expect(host.canOpen("debug://page/start"))
        #expect(try await host.open("debug://page/start?x=1").string() == "debug://page/:name start inside")
        #expect(throws: LinkError.self) {
            try host.routes.add("debug://page/:other") { _ in "" }
        }
        await token.remove()
        #expect(!host.canOpen("debug://page/start"))
        #expect(await answer { try await host.open("debug://page/start") }.error?.code == .routeNotFound)
        let again = try host.routes.add("debug://page/:other") { _ in "again" }
        // The first token is used up.
        await token.remove()
        #expect(try await host.open("debug://page/start").string() == "again")
        await again.remove()
        await host.stop()
    }

    @Test("a route that is no pattern is refused with the reason")
    func invalid() throws {
        let host = try Depth.builtIn.host()
        let error = #expect(throws: LinkError.self) { try host.routes.add("debug://a//b") { _ in "" } }
        #expect(error?.message.contains("debug://a//b") == true)
    }

    @Test("a handler that declines leaves the URL to the next route")
    func declines() async throws {
        let host = try Depth.builtIn.host()
        let token = try host.routes.add("fixture://item/:id<int>", priority: 5) { request in
            guard try request.parameters.int("id") == 1 else { throw RouteDeclined() }
            return "mine"
        }
        #expect(try await host.open("fixture://item/1").string() == "mine")
        #expect(try await host.open("fixture://item/2").string() == "2")
        await token.remove()
        #expect(try await host.open("fixture://item/1").string() == "1")
        await host.stop()
    }

    @Test("interceptors of the program are asked in the order of their priorities")
    func interceptors() async throws {
        let host = try Depth.builtIn.host()
        let asked = Collected<String>()
        let tokens = [(1, "low"), (50, "high"), (50, "high too")].map { priority, name in
            host.routes.intercept(priority: priority) { request in
                asked.add("\(name) \(request.selector)")
                return .pass
            }
        }
        let tagged = host.routes.intercept(tags: ["other"]) { _ in .refuse(reason: "must not be asked") }
        #expect(try await host.open("fixture://item/new").string() == "new")
        #expect(await asked.first(3) == ["high newItem", "high too newItem", "low newItem"])
        for token in tokens + [tagged] { await token.remove() }
        #expect(try await host.open("fixture://item/new").string() == "new")
        #expect(asked.all.count == 3)
        await host.stop()
    }

    @Test("redirects lead to other URLs, and never in a circle")
    func redirects() async throws {
        let host = try Depth.builtIn.host()
        try host.routes.setRedirects(["old://thing/:id": "fixture://item/:id", "fixture://a": "fixture://item/new"])
        #expect(try await host.open("old://thing/7?loud=true").string() == "7!")
        #expect(try await host.open("fixture://a").string() == "new")
        #expect(host.canOpen("old://thing/7"))
        #expect(!host.canOpen("old://thing/x"))
        for wrong in [["a//b": "c://d"], ["a://b": "c://:d"], ["a://:x": "b", "a://:y": "b"]] {
            #expect(throws: LinkError.self) { try host.routes.setRedirects(wrong) }
        }
        // Those before remain.
        #expect(try await host.open("fixture://a").string() == "new")
        try host.routes.setRedirects(["x://a": "x://b", "x://b": "x://c", "x://c": "x://a"])
        let error = await answer { try await host.open("x://a") }.error
        #expect(error?.message.contains("x://a → x://b → x://c → x://a") == true)
        #expect(!host.canOpen("x://a"))
        try host.routes.setRedirects([:])
        #expect(await answer { try await host.open("fixture://a") }.error?.code == .routeNotFound)
        await host.stop()
    }

    @Test("a class that displaces another takes its routes away, and closes what it guards")
    func displaced() async throws {
        let host = try Depth.file.host(provides: [ProvidedClass(HostLink.self, name: "RoutedLink")])
        #expect(host.route(for: "fixture://item/7") == nil)
        #expect(host.routes.refused.contains { $0.pattern == "/watch/:id" && $0.reason.contains("the program") })
        let token = try host.routes.add("fixture://guarded", tags: ["fixture-signed-in"]) { _ in "must not run" }
        let error = await answer { try await host.open("fixture://guarded") }.error
        #expect(error?.code == .routeRefused)
        let problem = "RoutedLink.guardSecrets of FixtureComponent cannot be asked"
        #expect(error?.message.contains(problem) == true)
        let explained = try host.callAndWait("hslink.Routes", "explain", ["url": "fixture://guarded"], kind: .class)
        #expect(explained["interceptors"] == nil)
        #expect(try explained.value("problems", 0).string().contains(problem))
        await token.remove()
        await host.stop()
    }

    @Test("removing a guard while a URL is being opened does not open it")
    func removedGuard() async throws {
        let host = try Depth.builtIn.host()
        let isAsked = Collected<Bool>()
        let isRemoved = Collected<Bool>()
        try host.routes.add("vault://open", tags: ["vault"]) { _ in "open" }
        host.routes.intercept(priority: 10) { _ in
            isAsked.add(true)
            _ = await isRemoved.first(1)
            return .pass
        }
        let token = host.routes.intercept(tags: ["vault"]) { _ in .pass }
        async let opened = answer { try await host.open("vault://open") }
        _ = await isAsked.first(1)
        await token.remove()
        isRemoved.add(true)
        #expect(await opened.error?.code == .routeRefused)
        await host.stop()
    }

    @Test("one URL does not lead to any number of others")
    func manyURLs() async throws {
        let host = try Depth.builtIn.host()
        for number in 0..<9 { try host.routes.add("chain://\(number)") { _ in number } }
        for _ in 0..<2 {
            host.routes.intercept { request in
                let number = Int(request.url.dropFirst("chain://".count)) ?? 8
                return number < 8 ? .openFirst(url: "chain://\(number + 1)") : .pass
            }
        }
        #expect(await answer { try await host.open("chain://0") }.error?.code == .tooDeep)
        #expect(try await host.open("chain://4").int() == 4)
        await host.stop()
    }

    @Test("any priority can be listed")
    func priorities() throws {
        let host = try Depth.builtIn.host()
        for priority in [Int.min, 0, .max] { try host.routes.add("p://x", priority: priority) { _ in priority } }
        #expect(host.routes.all.filter { $0.pattern == "p://x" }.map(\.priority) == [.max, 0, .min])
    }

    @Test("classes of the program have routes, too")
    func programClasses() async throws {
        let host = try Depth.file.host(provides: [ProvidedClass(ProgramPages.self)])
        #expect(try await host.open("program://page/7?loud").string() == "page 7!")
        #expect(host.route(for: "program://page/7")?.className == "ProgramPages")
        #expect(!host.canOpen("program://page/x"))
        // Not every host provides the class.
        #expect(try !Depth.file.host().canOpen("program://page/7"))
        await host.stop()
    }

    @Test("an interceptor can open a URL first that only the closure for the others answers")
    func unhandledFirst() async throws {
        let host = try Depth.builtIn.host()
        host.routes.setUnhandled { _ in "handled" }
        host.routes.intercept { request in
            request.selector == "newItem" ? .openFirst(url: "nowhere://first") : .pass
        }
        #expect(try await host.open("fixture://item/new").string() == "new")
        await host.stop()
    }

    @Test("a URL can name a target and an action")
    func targetActions() async throws {
        let host = try Depth.builtIn.host()
        #expect(!host.canOpen("app://Fixture/sum"))
        let token = try host.routes.addTargetActions(scheme: "app")
        #expect(host.canOpen("app://Fixture/sum"))
        #expect(!host.canOpen("app://Fixture/absent"))
        #expect(!host.canOpen("app://Nothing/sum"))
        #expect(try await host.open("app://Fixture/sum?a=1&b=2", ["c": 3]).int() == 6)
        #expect(try await host.open("APP://Fixture/length?text=a%20b").int() == 3)
        // The host's own classes are not for URLs.
        let own = await answer { try await host.open("app://hslink.Routes/routes") }
        #expect(own.error?.code == .routeNotFound)
        #expect(await answer { try await host.open("app://Fixture/sum?a=x") }.error?.code == .payloadMismatch)
        #expect(await answer { try await host.open("app://Nothing/sum") }.error?.code == .classNotFound)
        #expect(await answer { try await host.open("app://Fixture/absent") }.error?.code == .selectorNotFound)
        let mine = try host.routes.add("app://Fixture/sum") { _ in "mine" }
        #expect(try await host.open("app://Fixture/sum?a=1").string() == "mine")
        await mine.remove()
        await token.remove()
        #expect(await answer { try await host.open("app://Fixture/sum") }.error?.code == .routeNotFound)
        await host.stop()
    }

    @Test("a closure can answer URLs that no route matches")
    func unhandled() async throws {
        let host = try Depth.builtIn.host()
        host.routes.setUnhandled { request in "nothing at \(request.url)" }
        #expect(try await host.open("fixture://nowhere").string() == "nothing at fixture://nowhere")
        #expect(!host.canOpen("fixture://nowhere"))
        #expect(try await host.open("fixture://item/7").string() == "7")
        host.routes.setUnhandled((@Sendable (RouteRequest) async throws -> String)?.none)
        #expect(await answer { try await host.open("fixture://nowhere") }.error?.code == .routeNotFound)
        await host.stop()
    }

    @Test("a URL is made from the route of a selector")
    func urls() throws {
        let routes = try Depth.builtIn.host().routes
        #expect(try routes.url(for: "RoutedLink", "item", ["id": 7]) == "fixture://item/7")
        #expect(
            try routes.url(for: "RoutedLink", "item", ["id": 7, "loud": true, "tags": ["a", "b c"]])
                == "fixture://item/7?loud=true&tags=a&tags=b%20c")
        #expect(try routes.url(for: "RoutedLink", "file", ["path": ["a", "b/c"]]) == "fixture://files/a/b%2Fc")
        for (selector, payload) in [
            ("item", Payload.null), ("item", ["id": "x"]), ("item", ["id": ["a": 1]]), ("signOut", .null),
            ("no", .null),
        ] {
            #expect(throws: LinkError.self) { try routes.url(for: "RoutedLink", selector, payload) }
        }
    }

    @Test("closures are released when the host has stopped")
    func released() async throws {
        final class Held: Sendable {
            let isReleased: Collected<Bool>
            init(_ isReleased: Collected<Bool>) { self.isReleased = isReleased }
            deinit { isReleased.add(true) }
        }
        let released = Collected<Bool>()
        do {
            let host = try Depth.builtIn.host()
            let (one, two, three) = (Held(released), Held(released), Held(released))
            try host.routes.add("held://one") { _ in withExtendedLifetime(one) { 1 } }
            host.routes.intercept { _ in withExtendedLifetime(two) { .pass } }
            host.routes.setUnhandled { _ in withExtendedLifetime(three) { 3 } }
            #expect(try await host.open("held://one").int() == 1)
            #expect(try await host.open("held://other").int() == 3)
        }
        #expect(await released.first(3).count == 3)
    }

    @Test("ten threads add, remove and open routes, and no removed handler is called")
    func removal() async throws {
        let host = try Depth.builtIn.host()
        // The sanitizers run it for longer.
        let seconds = ProcessInfo.processInfo.environment["HSLINK_STRESS_SECONDS"].flatMap(Double.init) ?? 1
        let start = ContinuousClock.now
        let (hasAdded, hasOpened) = (Flag(), Flag())
        // On a busy machine, the time may pass before they have begun.
        let goesOn: @Sendable () -> Bool = {
            let limit = hasAdded.isSet && hasOpened.isSet ? Duration.seconds(seconds) : TestPatience.limit(.seconds(60))
            return ContinuousClock.now - start < limit
        }
        let lateCalls = Collected<String>()
        let counts = try await withThrowingTaskGroup(of: (added: Int, opened: Int).self) { group in
            for number in 0..<4 {
                group.addTask {
                    var added = 0
                    while goesOn() {
                        let box = Flag()
                        let url = "race://\(number)"
                        let token = try host.routes.add(url) { _ in
                            if box.isSet { lateCalls.add(url) }
                            return 1
                        }
                        #expect(try await host.open(url).int() == 1)
                        if added.isMultiple(of: 2) {
                            await token.remove()
                        } else {
                            try await onThread { token.remove() }
                        }
                        box.set()
                        added += 1
                        hasAdded.set()
                    }
                    return (added, 0)
                }
            }
            for number in 0..<6 {
                group.addTask {
                    try await onThread {
                        var opened = 0
                        while goesOn() {
                            let url = "race://\((opened + number) % 4)"
                            if number < 3 { _ = host.canOpen(url) }
                            guard (try? host.openAndWait(url)) != nil else { continue }
                            opened += 1
                            hasOpened.set()
                        }
                        return (0, opened)
                    }
                }
            }
            return try await group.reduce(into: (added: 0, opened: 0)) {
                $0 = ($0.added + $1.added, $0.opened + $1.opened)
            }
        }
        #expect(counts.added > 0 && counts.opened > 0)
        await host.stop()
        #expect(lateCalls.all.isEmpty)
    }

    @Test("a route is only added with tags that manifests could have, and before the stop")
    func refusedAdditions() async throws {
        let host = try Depth.builtIn.host()
        for tags in [[""], ["a b"], ["a", "a"], Array(repeating: "t", count: 17)] {
            #expect(throws: LinkError.self) { try host.routes.add("own://x", tags: tags) { _ in 1 } }
            #expect(throws: LinkError.self) { try host.routes.addTargetActions(scheme: "own", tags: tags) }
        }
        await host.stop()
        let error = #expect(throws: LinkError.self) { try host.routes.add("own://x") { _ in 1 } }
        #expect(error?.code == .stopped)
    }

    @Test("an explanation follows redirects, as an opening does")
    func explainedRedirects() async throws {
        let host = try Depth.builtIn.host()
        try host.routes.setRedirects(["old://item/:id": "middle://:id", "middle://:id": "fixture://item/:id"])
        let explain = { (url: String) in
            try host.callAndWait("hslink.Routes", "explain", ["url": .string(url)], kind: .class)
        }
        let explained = try explain("old://item/7")
        #expect(explained["redirects"] == ["middle://7", "fixture://item/7"])
        #expect(try explained.value("candidates", 0, "route", "selector") == "item")
        #expect(try explain("fixture://item/7")["redirects"] == nil)
        try host.routes.setRedirects(["one://x": "two://x", "two://x": "one://x"])
        #expect(try explain("one://x").value("problems", 0).string().contains("circle"))
        await host.stop()
    }

    @Test("a source outside learns nothing from what its URL leads to")
    func silent() async throws {
        var options = HostOptions.quiet
        options.routes.remoteSources = ["browser"]
        let host = try Depth.builtIn.host(options: options)
        try host.routes.add("own://endless/:step<int>") { request in
            try await host.open("own://endless/\(request.parameters.int("step") + 1)")
        }
        try host.routes.add("pub://long/:token", public: true) { _ in try await host.open("own://endless/0") }
        try host.routes.setRedirects(["pub://short": "pub://long/token"])
        try host.routes.addTargetActions(scheme: "ta", public: true)
        let cases: [(String, LinkError.Code)] = [
            ("pub://short", .tooDeep), ("ta://RoutedLink/ite", .routeNotFound), ("ta://Nobody/item", .routeNotFound),
        ]
        for (url, code) in cases {
            let error = await answer { try await host.open(url, from: .remote("browser")) }.error
            #expect(error?.code == code, "\(url): \(String(describing: error))")
            #expect(error?.description == LinkError(code).description, "\(url)")
        }
        await host.stop()
    }

    @Test("requests to hslink.Routes are read strictly")
    func strictRequests() async throws {
        let host = try Depth.builtIn.host()
        let cases: [(String, Payload, String)] = [
            ("open", ["url": "fixture://item/7", "source": .null], "source"),
            ("open", ["url": "fixture://item/7", "sorce": "browser"], "sorce"),
            ("open", ["url": 7], "url"), ("open", .null, "map"), ("canOpen", [:], "url"),
            ("url", ["class": "RoutedLink", "selector": "item", "kind": "objekt"], "kind"),
        ]
        for (selector, payload, words) in cases {
            let error = await answer { try await host.call("hslink.Routes", selector, payload, kind: .class) }.error
            #expect(error?.code == .payloadMismatch, "\(selector) \(payload)")
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
        await host.stop()
    }

    /// Whether something has happened, such as the removal of a handler.
    private final class Flag: Sendable {
        private let state = Atomic<Bool>(false)
        var isSet: Bool { state.load(ordering: .sequentiallyConsistent) }
        func set() { state.store(true, ordering: .sequentiallyConsistent) }
    }
}

/// A class of the program with a route.
@LinkClass
final class ProgramPages {
    init() {}

    @Route("program://page/:number") func page(number: Int, loud: Bool = false) -> String {
        "page \(number)\(loud ? "!" : "")"
    }
}
