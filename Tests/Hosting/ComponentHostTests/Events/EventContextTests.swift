import ComponentHost
import ComponentKit
import FixtureContract
import TestSupport
import Testing

/// What `CallerContextTests` checks of calls, for events: whoever ends a handler lends the thread to the handlers after it,
/// and to the posts that wait for it.
///
/// Nobody can cancel a delivery: it goes on without the task that waits for it, which is checked. A stop leaves no time for
/// what follows the handler that it ends, so that only this one tells its session.
@Suite("The context of handlers of events")
struct EventContextTests {
    @Test(
        "is the poster's, as that of their posts, whoever ends the handler before", arguments: Depth.allCases,
        [Answerer.method, .thread, .otherCall, .deadline, .cancellation])
    func handlers(depth: Depth, answerer: Answerer) async throws {
        for person in [nil, "ada"] { try await check(depth, answerer, person) }
    }

    /// What a delivery leads to.
    private struct Seen: Equatable {
        var handled = 2
        var failures: [LinkError.Code] = []
        /// Whose session the closure ran in that follows the component's handler, in each step.
        var told: [String] = []
        /// Whose session the component's handler ran in, at its beginning and at its end.
        var steps: [String] = []
        /// Whose session handlers of cancelled calls ran in.
        var cancelled: [String] = []
    }

    private func check(_ depth: Depth, _ answerer: Answerer, _ person: String?) async throws {
        let expected = person ?? "nobody"
        var wanted = Seen()
        wanted.told = (1...3).map { "\($0) \(expected), then \(expected)" }
        wanted.steps = (1...3).flatMap { ["\($0) \(expected)", "\($0) \(expected) after"] }
        if answerer == .deadline {
            (wanted.handled, wanted.failures, wanted.cancelled) = (1, [.deadlineExceeded], [expected])
            // What a handler waits for ends with it.
            wanted.steps.remove(at: 1)
        }
        var seen = Seen()
        for timeout in EventContextTests.timeouts(answerer) where seen != wanted {
            seen = try await delivery(depth, answerer, person, timeout)
        }
        #expect(seen == wanted)
    }

    private func delivery(
        _ depth: Depth, _ answerer: Answerer, _ person: String?, _ timeout: Duration?
    ) async throws -> Seen {
        let comment: Comment = "\(person ?? "nobody")"
        let host = try depth.host(options: EventContextTests.options(timeout))
        _ = try await host.call("WhoseLink", "now")
        // Follows the component's handler of the same event.
        let told = Collected<String>()
        host.events.on(WhoseAsked.self, priority: -1) { event in
            told.add("\(event.step) \(EventContextTests.seen(host))")
        }
        let session = try person.map { try Session(id: $0) }
        let grace = try Session(id: "grace")
        let outcome = Collected<EventOutcome>()
        let delivery = Session.with(session) {
            Task { outcome.add(await host.events.deliver(WhoseAsked(selector: answerer.selector, step: 1))) }
        }
        let isLate = answerer == .deadline
        if answerer.selector == "hold", !isLate {
            #expect(await holds { try await host.call("WhoseLink", "heldCount") == 1 }, comment)
        }
        if answerer == .cancellation { Session.with(grace) { delivery.cancel() } }
        if answerer == .cancellation || answerer == .otherCall {
            // Ends the delivery that the posts of its handler wait for.
            let count = try await Session.with(grace) { try await host.call("WhoseLink", "letGo") }
            #expect(count == 1, comment)
        }
        let result = try #require(await outcome.first(1).first, comment)
        var seen = Seen()
        (seen.handled, seen.failures) = (result.handled, result.failures.map(\.error.code))
        // They may be missing if the time was too short.
        let patience = Duration.seconds(isLate ? 10 : 180)
        _ = await holds(within: patience) { told.all.count >= 3 }
        seen.told = told.all
        seen.steps = try await host.call("WhoseLink", "handled").items().map { try $0.string() }
        if isLate {
            _ = await holds(within: patience) { try await host.call("WhoseLink", "cancelled") != [] }
            seen.cancelled = try await host.call("WhoseLink", "cancelled").items().map { try $0.string() }
        }
        await host.stop()
        return seen
    }

    @Test(
        "is the poster's in what a handler does when it is ended", arguments: Depth.allCases,
        [Answerer.deadline, .stop])
    func ended(depth: Depth, answerer: Answerer) async throws {
        for person in [nil, "ada"] {
            var hasBegun = false
            for timeout in EventContextTests.timeouts(answerer) where !hasBegun {
                hasBegun = try await end(depth, answerer, person, timeout)
            }
            #expect(hasBegun)
        }
    }

    /// - Returns: Whether the handler has begun, for which the time may be too short.
    private func end(
        _ depth: Depth, _ answerer: Answerer, _ person: String?, _ timeout: Duration?
    ) async throws -> Bool {
        let comment: Comment = "\(person ?? "nobody")"
        let host = try depth.host(options: EventContextTests.options(timeout))
        _ = try await host.call("WhoseLink", "now")
        let (begun, told) = (Collected<String>(), Collected<String>())
        let event = "org.hslink.fixture/waited"
        host.events.on(event) { _ in
            begun.add(whose())
            // Nothing but its end wakes it.
            try await withTaskCancellationHandler {
                try await Task.sleep(for: .seconds(3600))
            } onCancel: {
                told.add(answerer == .stop ? whose() : EventContextTests.seen(host))
            }
        }
        let session = try person.map { try Session(id: $0) }
        Session.with(session) { host.events.post(event, .null) }
        let expected = person ?? "nobody"
        guard await holds(within: .seconds(30), { !begun.all.isEmpty }) else {
            await host.stop()
            return false
        }
        #expect(begun.all == [expected], comment)
        if answerer == .stop {
            let grace = try Session(id: "grace")
            await Session.with(grace) { _ = await host.stop(timeout: .zero) }
        }
        #expect(await told.first(1) == [answerer == .stop ? expected : "\(expected), then \(expected)"], comment)
        await host.stop()
        return true
    }

    /// Whose session the code runs in, and whose its next call does.
    private static func seen(_ host: LinkHost) -> String {
        let next = try? host.callAndWait("WhoseLink", "nowQuick").string()
        return "\(whose()), then \(next ?? "nothing")"
    }

    /// The times that handlers have, one after the other until one suffices: on a busy machine it may pass before a handler
    /// begins that is to be held, or while one runs that nobody holds. Nil is the usual time.
    private static func timeouts(_ answerer: Answerer) -> [Duration?] {
        answerer == .deadline ? [.seconds(1), .seconds(4), .seconds(16)] : [nil]
    }

    private static func options(_ timeout: Duration?) -> HostOptions {
        var options = HostOptions.quiet
        if let timeout { options.handlerTimeout = TestPatience.limit(timeout) }
        return options
    }

    @Test("carries nothing for events of the host that a component has missed", arguments: Depth.allCases)
    func missedEvents(depth: Depth) async throws {
        let host = try depth.host()
        _ = await host.start()
        #expect(!host.isLoaded("EventLink"))
        let ada = try Session(id: "ada")
        // On the caller's own thread, which then loads the component.
        let whose = try await onThread { try Session.with(ada) { try host.callAndWait("EventLink", "startedFor") } }
        #expect(whose == "nobody")
        await host.stop()
    }
}
