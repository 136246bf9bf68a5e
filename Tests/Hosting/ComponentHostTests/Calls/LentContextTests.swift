import Foundation
import InMemoryTracing
import Instrumentation
import TestSupport
import Testing

@testable import ComponentHost
@testable import ComponentKit

/// Callbacks run on the thread of whoever answers, which is in the middle of something of its own.
@Suite("What callbacks see on threads that they are lent")
struct LentContextTests {
    /// What the one who answers is in the middle of.
    enum Lender: String, CaseIterable, CustomTestStringConvertible {
        case cancelledTask, span, eventClosure, quickHandler, route

        var testDescription: String { rawValue }

        /// Answers all calls that are held, in place.
        ///
        /// - Parameter letGo: does it, unless a component does.
        func lend(_ host: LinkHost, _ letGo: @escaping @Sendable () throws -> Void) async throws {
            switch self {
            case .cancelledTask:
                let task = Task {
                    while !Task.isCancelled { await Task.yield() }
                    try letGo()
                }
                task.cancel()
                try await task.value
            case .span:
                var context = ServiceContext.current ?? .topLevel
                context.inMemorySpanContext = InMemorySpanContext(traceID: "other", spanID: "other", parentSpanID: nil)
                let tracing = context
                try await onThread { try ServiceContext.withValue(tracing) { try letGo() } }
            case .eventClosure:
                host.events.on("org.hslink.fixture/lends") { _ in try letGo() }
                #expect(await host.events.deliver("org.hslink.fixture/lends", true).handled == 1)
            case .quickHandler:
                #expect(await host.events.deliver("org.hslink.fixture/letGo", true).handled == 1)
            case .route:
                try host.routes.add("own://lends") { _ -> String in
                    try letGo()
                    return "lent"
                }
                #expect(try await host.open("own://lends") == "lent")
            }
        }
    }

    /// What code sees of its surroundings.
    private struct Seen: Equatable, Sendable {
        var session: String?
        var isCancelled = false
        var span: InMemorySpanContext?
        /// The delivery of the handler that the thread runs, and that of the handler that the task runs.
        var deliveries: [Int?] = [nil, nil]
        /// The URLs whose closures a URL that the code opens is opened by, with that URL.
        var openedBy: Payload? = ["own://inner"]

        /// - Parameter host: a host with the route `own://inner`.
        static func now(_ host: LinkHost) -> Seen {
            var opening = RouteOpening(
                host.core, host.features.routes.registry.snapshot.value, url: "own://inner", payload: .null,
                from: .inside)
            var openedBy: Payload?
            if case .call(_, let request) = opening.next() { openedBy = request[RouteRequest.openedBy] }
            return Seen(
                session: Session.current?.id, isCancelled: Task.isCancelled,
                span: ServiceContext.current?.inMemorySpanContext,
                deliveries: [EventFeature.deliveryOnThread, __CurrentDelivery.current], openedBy: openedBy)
        }
    }

    @Test("nothing of what the one who answers is in the middle of", arguments: Depth.allCases, Lender.allCases)
    func inSwift(depth: Depth, lender: Lender) async throws {
        let host = try depth.host()
        // Loads the component, so that events reach it.
        _ = try await host.call("WhoseLink", "now")
        try host.routes.add("own://inner") { _ in "inner" }
        let (seen, lent) = (Collected<Seen>(), Collected<Seen>())
        let (ada, grace) = (try Session(id: "ada"), try Session(id: "grace"))
        Session.with(ada) {
            host.call("WhoseLink", "hold") { (_: Answer) in seen.add(.now(host)) }
        }
        #expect(await holds { try await host.call("WhoseLink", "heldCount") == 1 })
        try await Session.with(grace) {
            try await lender.lend(host) { () throws in
                lent.add(.now(host))
                #expect(try host.callAndWait("WhoseLink", "letGoQuick") == 1)
            }
        }
        #expect(await seen.first(1) == [Seen(session: "ada")])
        // There was something that the callback might have inherited, besides the session.
        #expect(lent.all.allSatisfy { $0 != Seen(session: "grace") }, "\(lent.all)")
        #expect(lent.all.count == (lender == .quickHandler ? 0 : 1))
        await host.stop()
    }

    @Test(
        "in C, what their own call carried, not what the one that ends it does", arguments: ["a method", "an object"],
        ["an answer", "a cancellation", "a deadline"])
    func inC(called: String, end: String) async throws {
        try await withPlugins("AsksOthers") { directory in
            let host = LinkHost(
                components: [directory.path, try ProductFolder.plugin("FixtureComponent").path],
                includesBuiltIn: false, options: .quiet)
            let object = try await host.call("WhoseLink", "object")
            let (ada, grace) = (try Session(id: "ada"), try Session(id: "grace"))
            var count = 0
            func ask(_ person: Session?, _ timeout: Duration? = nil) async throws {
                count += 1
                let question: Payload = [
                    "class": "WhoseLink", "selector": "hold", "mode": "call",
                    "object": called == "an object" ? object : .null,
                    "milliseconds": timeout.map { Payload(Int($0 / .milliseconds(1))) } ?? .null,
                ]
                // Not in the session nil: that would be carried, as a text that is not there.
                if let person {
                    _ = try await Session.with(person) {
                        try await host.call("AsksOthersLink", "ask", question, kind: .class)
                    }
                } else {
                    _ = try await host.call("AsksOthersLink", "ask", question, kind: .class)
                }
            }
            func isHeld() async throws -> Bool { try await host.call("WhoseLink", "heldCount") == 1 }
            func hasEnded() async -> Bool {
                await holds { try await host.value("AsksOthersLink", "answered") == Payload(count) }
            }
            for person in [nil, ada] {
                if end == "a deadline" {
                    try await withMorePatience(from: .milliseconds(100)) { timeout in
                        try await ask(person, timeout)
                        #expect(await hasEnded())
                        // No thread may be about to begin the method of a call that has ended.
                        #expect(await holds { host.info("FixtureComponent")?.stuckCalls == 0 })
                        return try await isHeld()
                    }
                } else {
                    try await ask(person)
                    #expect(await holds { try await isHeld() })
                }
                if end == "a cancellation" {
                    _ = try await Session.with(grace) { try await host.call("AsksOthersLink", "cancel", kind: .class) }
                }
                if end != "an answer" { #expect(await hasEnded()) }
                // What has ended is still held.
                let letGo = try await Session.with(grace) { try await host.call("WhoseLink", "letGo") }
                #expect(letGo == 1)
                #expect(await hasEnded())
                let whose = try await host.value("AsksOthersLink", "answer")
                #expect(whose == .string(person?.id ?? "nobody"))
            }
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
        }
    }
}
