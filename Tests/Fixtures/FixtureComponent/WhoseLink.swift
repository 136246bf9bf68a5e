import ComponentKit
import FixtureContract
import Foundation
import Synchronization

/// Tells whose session its code runs in, at once or when somebody lets it.
@LinkClass
final class WhoseLink {
    private struct Held: Sendable {
        let whose: String
        let reply: Reply
    }

    /// Whose session instances, components and handlers began in, as they have seen it.
    private struct Seen: Sendable {
        var held: [Held] = []
        var cancelled: [String] = []
        var handled: [String] = []
    }

    private let context: ComponentContext
    private let madeFor = whoseSession()
    private let seen = Lock(Seen())

    init(_ context: ComponentContext) { self.context = context }

    static let rows: [LinkMethod<WhoseLink>] = [
        .method("now") { _, _ in whoseSession() },
        .method("nowQuick", quick: true) { _, _ in whoseSession() },
        .method("madeFor") { link, _ in link.madeFor },
        .classMethod("createdFor") { _, call in (call.context?.component as? FixtureComponent)?.createdFor },
        .deferredMethod("hold") { link, _, reply in
            let whose = whoseSession()
            reply.onCancel { link.seen.withLock { $0.cancelled.append(whoseSession()) } }
            link.seen.withLock { $0.held.append(Held(whose: whose, reply: reply)) }
        },
        .asyncMethod("suspend") { link, _ in
            let whose = whoseSession()
            try await withTaskCancellationHandler {
                _ = try await link.context.link.call("WhoseLink", "hold")
            } onCancel: {
                link.seen.withLock { $0.cancelled.append(whoseSession()) }
            }
            return whose
        },
        .deferredMethod("thread") { _, _, reply in
            let whose = whoseSession()
            Thread.detachNewThread {
                try? Session.with(Session(id: "a-thread")) { _ = reply.succeed(whose) }
            }
        },
        .method("letGo") { link, _ in link.letGo() },
        .method("letGoQuick", quick: true) { link, _ in link.letGo() },
        .method("heldCount", quick: true) { link, _ in link.seen.withLock { $0.held.count } },
        .method("cancelled") { link, _ in link.seen.withLock { $0.cancelled } },
        .method("handled") { link, _ in link.seen.withLock { $0.handled } },
        .method("object") { link, _ in link.context.link.object(link) },
        // Ignores its cancellation until there is a file.
        .asyncMethod("waitForFile") { _, payload -> Payload in
            let path = try payload.string("path")
            await Task.detached {
                while !FileManager.default.fileExists(atPath: path) { try? await Task.sleep(for: .milliseconds(5)) }
            }.value
            return .null
        },
        // Calls an object, and blocks its thread meanwhile.
        .method("callAndWait") { _, payload in try payload.copy().object("object").callAndWait("keep") },
        // A closure that calls itself without an end.
        .method("recursion") { link, _ -> Payload in
            let own = Lock<LinkObject?>(nil)
            let closure = link.context.link.closure { level -> Payload in
                let level = try level.copy().int()
                defer { if level == 1 { own.withLock { $0 = nil } } }
                return try own.withLock { $0 }?.callAndWait("", Payload(level + 1)) ?? .null
            }
            let object = try closure.object()
            own.withLock { $0 = object }
            return closure
        },
        .method("closure") { link, payload -> Payload in
            let selector = try payload.string("selector")
            let name = try payload.stringIfPresent("class") ?? "WhoseLink"
            return link.context.link.asyncClosure { _ in try await link.context.link.call(name, selector) }
        },
        // What the code of a component sees after a call of its own, in each form, however the call ends.
        .deferredMethod("callback") { link, payload, reply in
            let question: WhoseQuestion = try payload.copy().value()
            link.context.link.call("WhoseLink", question.selector, timeout: question.timeout) { _ in
                reply.succeed(link.seenAfterwards())
            }
        },
        .asyncMethod("await") { link, payload in
            let question: WhoseQuestion = try payload.value()
            _ = try? await link.context.link.call("WhoseLink", question.selector, timeout: question.timeout)
            return link.seenAfterwards()
        },
        .method("wait") { link, payload in
            let question: WhoseQuestion = try payload.copy().value()
            _ = try? link.context.link.callAndWait("WhoseLink", question.selector, timeout: question.timeout)
            return link.seenAfterwards()
        },
        .asyncMethod("openRoute") { link, payload in
            let question: WhoseQuestion = try payload.value()
            let route = WhoseServiceRoutes.ask(question.selector)
            _ = try? await link.context.link.open(route, timeout: question.timeout)
            return link.seenAfterwards()
        },
        .method("openAndWait") { link, payload in
            let question: WhoseQuestion = try payload.copy().value()
            let client = try link.context.link.service(WhoseServiceClient.self, through: .routes)
            _ = try? client.askAndWait(question.selector)
            return link.seenAfterwards()
        },
        // Posts an event as the handler of another one, for whoever handles that.
        .method("post") { link, payload in
            link.context.events.post(WhoseAsked(selector: try payload.string("selector"), step: 1))
        },
    ]

    /// Whose session the code runs in that follows a call, and whose its next call does.
    private func seenAfterwards() -> [String] {
        let next = try? context.link.callAndWait("WhoseLink", "now").string()
        return [whoseSession(), next ?? "nothing"]
    }

    /// Answers all calls that are held, and returns their number.
    private func letGo() -> Int {
        let held = seen.withLock { seen in
            defer { seen.held = [] }
            return seen.held
        }
        for held in held { held.reply.succeed(held.whose) }
        return held.count
    }

    /// Answers all calls that are held, as a handler that the poster's thread runs.
    @Selector(.quick) @On("org.hslink.fixture/letGo") func letGoSoon(_ value: Payload) { _ = letGo() }

    @Route("fixture://whose/:way") func open(way: String) async throws -> String {
        try await context.link.call("WhoseLink", way).string()
    }

    /// The first step of two: it declines when it is let go.
    @Route("fixture://whose-second/:way", priority: 1) func decline(way: String) async throws -> String {
        _ = try await context.link.call("WhoseLink", way)
        throw RouteDeclined("the next one answers")
    }

    /// Opened once the interceptor is let go.
    @Route("fixture://whose-guarded/:way", tags: ["fixture-whose"])
    func guarded(way: String) -> String { whoseSession() }

    @Intercepts(tags: ["fixture-whose"]) func letPass(request: RouteRequest) async throws -> RouteDecision {
        _ = try await context.link.call("WhoseLink", request.parameters.string("way"))
        return .pass
    }

    /// Leads elsewhere once the interceptor is let go.
    @Route("fixture://whose-moved/:way", tags: ["fixture-whose-moved"])
    func moved(way: String) -> String { "not moved" }

    @Intercepts(tags: ["fixture-whose-moved"]) func move(request: RouteRequest) async throws -> RouteDecision {
        _ = try await context.link.call("WhoseLink", request.parameters.string("way"))
        return .redirect(url: "fixture://whose/now")
    }

    /// Opened once another URL is let go.
    @Route("fixture://whose-after/:way", tags: ["fixture-whose-after"])
    func after(way: String) -> String { whoseSession() }

    @Intercepts(tags: ["fixture-whose-after"]) func openOther(request: RouteRequest) throws -> RouteDecision {
        .openFirst(url: "fixture://whose/\(try request.parameters.string("way"))")
    }

    @Route("fixture://whose-second/*rest") func second(rest: [String]) -> String { whoseSession() }

    @On func asked(_ event: WhoseAsked) async throws {
        seen.withLock { $0.handled.append("\(event.step) \(whoseSession())") }
        if event.step < 3 { context.events.post(WhoseAsked(selector: event.selector, step: event.step + 1)) }
        if event.step == 1 { _ = try await context.link.call("WhoseLink", event.selector) }
        seen.withLock { $0.handled.append("\(event.step) \(whoseSession()) after") }
    }
}

/// Tells whose session the instance of its caller was made in.
@LinkClass(instances: .perConsumer)
final class WhoseConsumerLink {
    private let madeFor = whoseSession()

    static let rows: [LinkMethod<WhoseConsumerLink>] = [.method("madeFor") { link, _ in link.madeFor }]
}

/// The class `WhoseLink` with a client.
@LinkClass(provides: (any WhoseService).self)
final class WhoseServiceLink: WhoseService {
    private let link: Link

    init(_ context: ComponentContext) { link = context.link }

    func ask(_ selector: String) async throws -> String { try await link.call("WhoseLink", selector).string() }

    func askAndWait(_ selector: String) throws -> String { try link.callAndWait("WhoseLink", selector).string() }

    func answers(of selector: String) async throws -> AsyncThrowingStream<String, any Error> {
        AsyncThrowingStream { try await self.ask(selector) }
    }
}

extension WhoseQuestion {
    var timeout: Duration? { seconds.map { .seconds($0) } }
}

/// The id of the session that the running code belongs to; "nobody" if there is none.
func whoseSession() -> String { Session.current?.id ?? "nobody" }
