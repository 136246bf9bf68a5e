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

    private func check(_ depth: Depth, _ answerer: Answerer, _ person: String?) async throws {
        let comment: Comment = "\(person ?? "nobody")"
        let host = try depth.host(options: EventContextTests.options(answerer))
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
        if answerer.selector == "hold" {
            #expect(await holds { try await host.call("WhoseLink", "heldCount") == 1 }, comment)
        }
        if answerer == .cancellation { Session.with(grace) { delivery.cancel() } }
        if answerer == .cancellation || answerer == .otherCall {
            // Ends the delivery that the posts of its handler wait for.
            let count = try await Session.with(grace) { try await host.call("WhoseLink", "letGo") }
            #expect(count == 1, comment)
        }
        let isLate = answerer == .deadline
        let result = try #require(await outcome.first(1).first, comment)
        #expect(result.failures.map(\.error.code) == (isLate ? [.deadlineExceeded] : []), comment)
        #expect(result.handled == (isLate ? 1 : 2), comment)
        let expected = person ?? "nobody"
        #expect(await told.first(3) == (1...3).map { "\($0) \(expected), then \(expected)" }, comment)
        var handled = (1...3).flatMap { ["\($0) \(expected)", "\($0) \(expected) after"] }
        // What a handler waits for ends with it.
        if isLate { handled.remove(at: 1) }
        #expect(
            try await host.call("WhoseLink", "handled").items().map { try $0.string() } == handled, comment)
        if isLate {
            #expect(await holds { try await host.call("WhoseLink", "cancelled") == [.string(expected)] }, comment)
        }
        await host.stop()
    }

    @Test(
        "is the poster's in what a handler does when it is ended", arguments: Depth.allCases,
        [Answerer.deadline, .stop])
    func ended(depth: Depth, answerer: Answerer) async throws {
        for person in [nil, "ada"] {
            let comment: Comment = "\(person ?? "nobody")"
            let host = try depth.host(options: EventContextTests.options(answerer))
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
            #expect(await begun.first(1) == [expected], comment)
            if answerer == .stop {
                let grace = try Session(id: "grace")
                await Session.with(grace) { _ = await host.stop(timeout: .zero) }
            }
            #expect(
                await told.first(1) == [answerer == .stop ? expected : "\(expected), then \(expected)"], comment)
            await host.stop()
        }
    }

    /// Whose session the code runs in, and whose its next call does.
    private static func seen(_ host: LinkHost) -> String {
        let next = try? host.callAndWait("WhoseLink", "nowQuick").string()
        return "\(whose()), then \(next ?? "nothing")"
    }

    private static func options(_ answerer: Answerer) -> HostOptions {
        var options = HostOptions.quiet
        if answerer == .deadline { options.handlerTimeout = TestPatience.limit(.seconds(1)) }
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
