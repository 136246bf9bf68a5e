import ComponentHost
import ComponentKit
import FixtureContract
import Foundation
import TestSupport
import Testing

/// A way to make a call, with what follows its answer. New ways belong into this table.
///
/// Some of its cells cannot exist. Without a timeout are the forms of `LinkObject`, also for closures, and clients of
/// services; only `Link.call` gives an object a deadline. Only tasks cancel calls: the forms with a callback return
/// nothing to cancel with, and nothing ends a blocking form early. Components open URLs in asynchronous forms, and block
/// only in clients through routes. Once a host has stopped, no further call is made, so that no follow-up tells its
/// session. `LentContextTests` has the calls of components in C, which can cancel each call, `EventContextTests` those of
/// handlers, and other targets those of clients (`ClientContextTests`) and of browsers (`RequestContextTests`).
private enum Way: String, CaseIterable, CustomTestStringConvertible {
    case parts, callback, async, blocking
    case boundCallback, boundAsync, boundBlocking
    case actionCallback, actionAsync, actionBlocking
    case objectCallback, objectAsync, objectBlocking, objectThroughLink
    case closure, closureAsync, closureBlocking, closureThroughLink
    case asyncMethod, componentsCallback, componentsAsync, componentsBlocking
    case client, clientThroughRoutes, stream
    case urlParts, urlCallback, urlAsync, urlBlocking, urlTyped, urlThroughLink
    case urlFromComponent, urlTypedFromComponent, urlBlockingFromComponent
    case urlSecondStep, urlIntercepted, urlRedirected, urlOpenedFirst, urlReplaced
    case urlActionCallback, urlActionAsync, urlActionBlocking
    case urlClosure, urlClosureIntercepts, urlUnhandled

    var testDescription: String { rawValue }

    /// Whether the caller's task can be cancelled.
    var isTask: Bool {
        [
            .async, .boundAsync, .actionAsync, .objectAsync, .objectThroughLink, .closureAsync, .closureThroughLink,
            .componentsAsync, .client, .clientThroughRoutes, .stream, .urlAsync, .urlTyped, .urlThroughLink,
            .urlTypedFromComponent, .urlActionAsync,
        ].contains(self)
    }

    /// Whether the call can have a deadline.
    var takesTimeout: Bool {
        ![
            .objectCallback, .objectAsync, .objectBlocking, .closure, .closureAsync, .closureBlocking, .client,
            .clientThroughRoutes, .stream, .urlBlockingFromComponent,
        ].contains(self)
    }

    /// The method of `WhoseLink` that makes the call as one of its own, and then answers with what it has seen after it.
    private var ownCall: String? {
        switch self {
        case .componentsCallback: "callback"
        case .componentsAsync: "await"
        case .componentsBlocking: "wait"
        case .urlTypedFromComponent: "openRoute"
        case .urlBlockingFromComponent: "openAndWait"
        default: nil
        }
    }

    /// Whether the answer is the session that the method saw, rather than something else.
    var answersWhose: Bool { ownCall == nil }

    /// The URL that the way opens, if it opens one.
    private func url(_ selector: String) -> String {
        switch self {
        case .urlSecondStep: "fixture://whose-second/\(selector)"
        case .urlIntercepted: "fixture://whose-guarded/\(selector)"
        case .urlRedirected: "fixture://whose-moved/\(selector)"
        case .urlOpenedFirst: "fixture://whose-after/\(selector)"
        case .urlFromComponent: "fixture://through?url=fixture%3A%2F%2Fwhose%2F\(selector)"
        case .urlActionCallback, .urlActionAsync, .urlActionBlocking: "action://Whose/\(selector)"
        case .urlReplaced, .urlClosure, .urlClosureIntercepts, .urlUnhandled: "own://whose/\(selector)"
        default: "fixture://whose/\(selector)"
        }
    }

    /// Adds to the host what the way needs; in nobody's session, so that it is the call that brings the caller's.
    func prepare(_ host: LinkHost) throws {
        let ask = { @Sendable (request: RouteRequest) async throws -> String in
            let selector = request.url.split(separator: "/").last.map(String.init) ?? ""
            return try await host.call("WhoseLink", selector).string()
        }
        switch self {
        case .urlActionCallback, .urlActionAsync, .urlActionBlocking:
            try host.routes.addTargetActions(scheme: "action")
        case .urlReplaced: try host.routes.setRedirects(["own://whose/:way": "fixture://whose/:way"])
        case .urlClosure: try host.routes.add("own://whose/:way", ask)
        case .urlClosureIntercepts:
            try host.routes.add("own://whose/:way", tags: ["own"]) { _ in "not redirected" }
            host.routes.intercept(tags: ["own"]) { request in
                _ = try await ask(request)
                return .redirect(url: "fixture://whose/now")
            }
        case .urlUnhandled: host.routes.setUnhandled(ask)
        default: break
        }
    }

    /// Makes a call for a selector of `WhoseLink`, and calls `then` with the answer: in the callback, or after the call.
    ///
    /// - Returns: The task that makes the call; nil if a callback follows.
    func begin(
        _ host: LinkHost, _ selector: String, _ timeout: Duration?, then: @escaping @Sendable (Answer) -> Void
    ) async throws -> Task<Void, Never>? {
        let person = Session.current
        func blocking(_ call: @escaping @Sendable () throws -> Payload) {
            Thread.detachNewThread {
                Session.with(person) {
                    do {
                        then(Answer(.success(try call())))
                    } catch {
                        then(Answer(.failure(error as? LinkError ?? LinkError(.methodFailed, message: "\(error)"))))
                    }
                }
            }
        }
        func task(_ call: @escaping @Sendable () async throws -> Payload) -> Task<Void, Never> {
            Task { then(await answer(call)) }
        }
        func object() async throws -> LinkObject { try await host.call("WhoseLink", "object").object() }
        func client(_ access: ServiceAccess = .calls) async throws -> WhoseServiceClient {
            try await onThread { try host.service(WhoseServiceClient.self, through: access) }
        }
        func closure() async throws -> LinkObject {
            try await host.call("WhoseLink", "closure", ["selector": .string(selector)]).object()
        }
        let url = url(selector)
        let ownCall = ownCall ?? ""
        let question: Payload = [
            "selector": .string(selector), "seconds": timeout.map { .double($0 / .seconds(1)) } ?? .null,
        ]
        switch self {
        case .parts:
            host.call("WhoseLink", selector, timeout: timeout) { value, performed, _ in
                then(Answer(performed ? .success(value ?? .null) : .failure(LinkError(.methodFailed))))
            }
        case .callback: host.call("WhoseLink", selector, timeout: timeout) { then($0) }
        case .async: return task { try await host.call("WhoseLink", selector, timeout: timeout) }
        case .blocking: blocking { try host.callAndWait("WhoseLink", selector, timeout: timeout) }
        case .boundCallback:
            try await onThread { try host.bind("WhoseLink", selector) }.call(.null, timeout: timeout, callback: then)
        case .boundAsync:
            let bound = try await onThread { try host.bind("WhoseLink", selector) }
            return task { try await bound.call(.null, timeout: timeout) }
        case .boundBlocking:
            let bound = try await onThread { try host.bind("WhoseLink", selector) }
            blocking { try timeout.map { try bound(.null, timeout: $0) } ?? bound(.null) }
        case .actionCallback: host.perform(target: "WhoseLink", action: selector, timeout: timeout) { then($0) }
        case .actionAsync:
            return task { try await host.perform(target: "WhoseLink", action: selector, timeout: timeout) }
        case .actionBlocking:
            blocking { try host.performAndWait(target: "WhoseLink", action: selector, timeout: timeout) }
        case .objectCallback: try await object().call(selector) { then($0) }
        case .objectAsync:
            let object = try await object()
            return task { try await object.call(selector) }
        case .objectBlocking:
            let object = try await object()
            blocking { try object.callAndWait(selector) }
        case .objectThroughLink:
            let object = try await object()
            return task { try await host.link.call(object, selector, timeout: timeout) }
        case .closure: try await closure().call { then($0) }
        case .closureAsync:
            let closure = try await closure()
            return task { try await closure.call() }
        case .closureBlocking:
            let closure = try await closure()
            blocking { try closure.callAndWait() }
        case .closureThroughLink:
            let closure = try await closure()
            return task { try await host.link.call(closure, timeout: timeout) }
        case .asyncMethod:
            host.call("WhoseLink", selector == "hold" ? "suspend" : selector, timeout: timeout) { then($0) }
        case .componentsCallback:
            host.call("WhoseLink", ownCall, question) { then($0) }
        case .componentsBlocking, .urlBlockingFromComponent:
            // Their methods block, and threads of Swift's pool must not.
            _ = task { try await host.call("WhoseLink", ownCall, question) }
        case .componentsAsync, .urlTypedFromComponent:
            return task { try await host.call("WhoseLink", ownCall, question) }
        case .client, .clientThroughRoutes:
            let client = try await client(self == .client ? .calls : .routes)
            return task { try await .string(client.ask(selector)) }
        case .stream:
            // Whoever reads the stream asks, not whoever got it.
            let answers = try await Session.with(Session(id: "heidi")) { try await client().answers(of: selector) }
            return task {
                for try await answer in answers { return .string(answer) }
                throw LinkError(.cancelled)
            }
        case .urlParts:
            host.open(url, timeout: timeout) { value, performed, _ in
                then(Answer(performed ? .success(value ?? .null) : .failure(LinkError(.methodFailed))))
            }
        case .urlAsync, .urlActionAsync: return task { try await host.open(url, timeout: timeout) }
        case .urlBlocking, .urlActionBlocking: blocking { try host.openAndWait(url, timeout: timeout) }
        case .urlTyped:
            return task { try await .string(host.open(WhoseServiceRoutes.ask(selector), timeout: timeout)) }
        case .urlThroughLink: return task { try await host.link.open(url, timeout: timeout) }
        case .urlCallback, .urlFromComponent, .urlSecondStep, .urlIntercepted, .urlRedirected, .urlOpenedFirst,
            .urlReplaced, .urlActionCallback, .urlClosure, .urlClosureIntercepts, .urlUnhandled:
            host.open(url, timeout: timeout) { then($0) }
        }
        return nil
    }
}

/// Who ends a call, always in a session of their own.
enum Answerer: String, CaseIterable, CustomTestStringConvertible {
    case method, thread, otherCall, deadline, cancellation, stop

    var testDescription: String { rawValue }

    var selector: String {
        switch self {
        case .method: "now"
        case .thread: "thread"
        case .otherCall, .deadline, .cancellation, .stop: "hold"
        }
    }
}

/// What code after an answer has seen.
private struct Seen: Sendable {
    let answer: Answer
    let session: String
    let isCancelled: Bool
    let followUp: String
}

@Suite("The context of what follows an answer")
struct CallerContextTests {
    @Test("is the caller's, whoever answers", arguments: Depth.allCases, Way.allCases)
    private func matrix(depth: Depth, way: Way) async throws {
        for answerer in Answerer.allCases {
            if answerer == .cancellation, !way.isTask { continue }
            if answerer == .deadline, !way.takesTimeout { continue }
            for person in [nil, "ada"] {
                guard answerer == .deadline else {
                    #expect(try await check(depth, way, answerer, person))
                    continue
                }
                try await withMorePatience(from: .milliseconds(100)) {
                    try await check(depth, way, answerer, person, timeout: $0)
                }
            }
        }
    }

    /// - Returns: Whether the method has begun, for which a timeout may be too short.
    private func check(
        _ depth: Depth, _ way: Way, _ answerer: Answerer, _ person: String?, timeout: Duration? = nil
    ) async throws -> Bool {
        let comment: Comment = "\(depth), \(way), \(answerer), \(person ?? "nobody")"
        let host = try depth.host()
        try way.prepare(host)
        // Loads the component and makes the instance.
        _ = try await host.call("WhoseLink", "now")
        let seen = Collected<Seen>()
        let session = try person.map { try Session(id: $0) }
        let grace = try Session(id: "grace")
        let task = try await Session.with(session) {
            try await way.begin(host, answerer.selector, timeout) { answer in
                let next = try? host.callAndWait("WhoseLink", "nowQuick").string()
                seen.add(
                    Seen(
                        answer: answer, session: whose(), isCancelled: Task.isCancelled,
                        followUp: next ?? "nothing"))
            }
        }
        if answerer == .deadline {
            // The method may be about to begin when its call has ended.
            _ = await holds { try await host.call("WhoseLink", "heldCount") == 1 || !seen.all.isEmpty }
            guard await holds(within: .seconds(1), { try await host.call("WhoseLink", "heldCount") == 1 }) else {
                await host.stop()
                return false
            }
        } else if answerer.selector == "hold" {
            #expect(await holds { try await host.call("WhoseLink", "heldCount") == 1 }, comment)
        }
        var stopping: Task<StopReport, Never>?
        switch answerer {
        case .method, .thread, .deadline: break
        case .otherCall:
            let count = try await Session.with(grace) { try await host.call("WhoseLink", "letGo") }
            #expect(count == 1, comment)
        case .cancellation: Session.with(grace) { task?.cancel() }
        case .stop: stopping = Session.with(grace) { Task { await host.stop(timeout: .zero) } }
        }
        let result = try #require(await seen.first(1).first, comment)
        let expected = person ?? "nobody"
        #expect(result.session == expected, comment)
        if answerer != .stop { #expect(result.followUp == expected, comment) }
        #expect(result.isCancelled == (answerer == .cancellation), comment)
        let value = result.answer.returnValue
        let afterwards: Payload = [.string(expected), .string(expected)]
        switch answerer {
        case .method, .thread, .otherCall:
            #expect(value == (way.answersWhose ? .string(expected) : afterwards), comment)
        // It is the component's own call that has the deadline.
        case .deadline where !way.answersWhose: #expect(value == afterwards, comment)
        // The component may answer before its own call is ended.
        case .stop where !way.answersWhose: break
        case .deadline, .cancellation, .stop: #expect(result.answer.returnValue == nil, comment)
        }
        if answerer == .deadline || answerer == .cancellation {
            // The method's handler, and those of its task.
            #expect(await holds { try await !host.call("WhoseLink", "cancelled").items().isEmpty }, comment)
            for whose in try await host.call("WhoseLink", "cancelled").items() {
                #expect(whose == .string(expected), comment)
            }
            // Let go what waits in methods that were called with the same session.
            _ = try await host.call("WhoseLink", "letGo")
        }
        if let stopping { _ = await stopping.value } else { await host.stop() }
        return true
    }

    @Test(
        "components and instances that are kept begin with nothing carried", arguments: Depth.allCases, [false, true])
    func shared(depth: Depth, inPlace: Bool) async throws {
        let host = try depth.host()
        let ada = try Session(id: "ada")
        let calls: [(className: String, selector: String, kind: SelectorKind, whose: Payload)] = [
            ("WhoseLink", "now", .object, "ada"), ("WhoseLink", "madeFor", .object, "nobody"),
            ("WhoseLink", "createdFor", .class, "nobody"), ("WhoseConsumerLink", "madeFor", .object, "nobody"),
        ]
        for call in calls {
            let (className, selector, kind, expected) = call
            let whose: Payload
            if inPlace {
                // The caller's own thread creates what is missing.
                whose = try await onThread {
                    try Session.with(ada) { try host.callAndWait(className, selector, kind: kind) }
                }
            } else {
                whose = try await Session.with(ada) { try await host.call(className, selector, kind: kind) }
            }
            #expect(whose == expected, "\(call)")
        }
        let madeFor = Session.with(ada) { WhoseSubclass.shareObject(host.link).madeFor }
        #expect(madeFor == "nobody")
        await host.stop()
    }
}

/// Tells whose session its shared instance was made in.
private final class WhoseSubclass: HSLinkClass, @unchecked Sendable {
    // Unchecked: constant.
    let madeFor = whose()
}

/// The id of the session that the running code belongs to; "nobody" if there is none.
func whose() -> String { Session.current?.id ?? "nobody" }
