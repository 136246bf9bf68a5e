import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Threads for callbacks and handlers")
struct CallerThreadTests {
    /// A few more than the limit of one component.
    private static var few: HostOptions {
        var options = HostOptions.quiet
        options.callerThreadLimit = 72
        return options
    }

    @Test(
        "handlers and callbacks that hang in one component take no thread from other components",
        arguments: ["run", "call"])
    func staying(selector: String) async throws {
        try await withHost(["Blocks", "NeverReplies"], options: CallerThreadTests.few) { host, _ async throws in
            // Calls whose deadline passes before they begin have no hanging handler.
            let stay = await holds {
                if selector == "call" {
                    _ = try await host.value("BlocksLink", "call", ["count": 40])
                } else {
                    for _ in 0..<40 {
                        host.link.call("BlocksLink", "run", kind: .class, timeout: .milliseconds(100)) { _ in }
                    }
                }
                return try await host.value("BlocksLink", "inside").int() >= 64
            }
            #expect(stay)
            // Another component's handler, and a callback of the host's own.
            let cancelled = try await host.value("NeverRepliesLink", "cancelled").int()
            let answers = Collected<LinkError.Code?>()
            let isTold = await holds {
                let count = answers.all.count
                host.link.call("NeverRepliesLink", "run", kind: .class, timeout: .milliseconds(20)) {
                    answers.add($0.error?.code)
                }
                #expect(await answers.first(count + 1).last == .deadlineExceeded)
                return try await host.value("NeverRepliesLink", "cancelled").int() > cancelled
            }
            #expect(isTold)
            #expect(try await host.value("BlocksLink", "inside") == 64)
            _ = try await host.value("BlocksLink", "release")
            #expect(await holds { try await host.value("BlocksLink", "inside").int() > 64 })
        }
    }

    @Test("a component that ends more work than it has begun does not end while its handlers run")
    func endedWork() async throws {
        try await withHost(["Blocks"]) { host, _ async throws in
            // A call whose deadline passes before it begins has no handler. The handler of an earlier one may be late, so
            // several may be inside.
            let isInside = await holds {
                let call = await answer {
                    try await host.call("BlocksLink", "run", kind: .class, timeout: .milliseconds(100))
                }
                #expect(call.error?.code == .deadlineExceeded)
                return try await host.value("BlocksLink", "inside").int() >= 1
            }
            #expect(isInside)
            _ = try await host.value("BlocksLink", "endWork")
            #expect(await host.stop(timeout: .zero).stillRunning == ["Blocks"])
        }
    }

    @Test("a callback that another thread runs is one task of its component")
    func movedCallback() async throws {
        try await withHost(["Blocks", "NeverReplies"]) { host, _ async throws in
            // The callback of a call whose deadline passes before it begins does not stay, so there may be several.
            let stays = await holds {
                _ = try await host.value("BlocksLink", "call", ["count": 1])
                return try await host.value("BlocksLink", "inside").int() >= 1
            }
            #expect(stays)
            let isEachCountedOnce = await holds {
                let inside = try await host.value("BlocksLink", "inside").int()
                return host.info("Blocks")?.openWork == Int(inside)
            }
            #expect(isEachCountedOnce)
            _ = try await host.value("BlocksLink", "release")
            #expect(await holds { host.info("Blocks")?.openWork == 0 })
        }
    }

    @Test("handlers of objects without an owner have their own share of threads")
    func objects() async throws {
        let host = LinkHost(components: [], includesBuiltIn: false, options: CallerThreadTests.few)
        let valve = Valve()
        let object = try host.link.object(KeepsReplies(valve)).object()
        // Calls whose deadline passes before they begin have no handler.
        let areInside = await holds {
            let calls = (0..<100).map { _ in
                Task { await answer { try await host.link.call(object, "run", timeout: .milliseconds(100)) } }
            }
            for call in calls { #expect(await call.value.error?.code == .deadlineExceeded) }
            return await holds(within: .seconds(1)) { valve.arrivals >= 64 }
        }
        #expect(areInside)
        #expect(valve.arrivals == 64)
        valve.open()
        await host.stop(timeout: .seconds(300))
    }

    @Test(
        "a component that sleeps in a call is woken at its deadline, even when those threads are busy",
        arguments: Depth.allCases)
    func sleeping(depth: Depth) async throws {
        try await withPlugins("NeverReplies") { directory async throws in
            if depth == .file { try directory.add("FixtureComponent") }
            var options = HostOptions.quiet
            options.callerThreadLimit = 2
            let host = LinkHost(
                components: [directory.path], includesBuiltIn: depth == .builtIn, provides: [], options: options)
            let valve = Valve()
            for _ in 0..<2 {
                // On this thread if the deadline passes before the call begins.
                Thread.detachNewThread {
                    host.link.call("NeverRepliesLink", "run", kind: .class, timeout: .milliseconds(100)) { _ in
                        valve.pass()
                    }
                }
            }
            #expect(await holds { valve.arrivals == 2 })
            let call: Payload = ["class": "NeverRepliesLink", "selector": "run", "kind": "class", "timeout": 0.05]
            #expect(await CallForm.blocking.perform(host, "callOther", call).error?.code == .deadlineExceeded)
            valve.open()
            await host.stop(timeout: .seconds(300))
        }
    }
}

/// Keeps the replies of its calls, whose handlers block until a valve is open.
private final class KeepsReplies: LinkClass {
    private let valve: Valve
    private let replies = Lock<[Reply]>([])

    init(_ valve: Valve) { self.valve = valve }
    init(_ context: ComponentContext) { valve = Valve() }

    static let methods: [LinkMethod<KeepsReplies>] = [
        .deferredMethod("run") { target, _, reply in
            reply.onCancel { target.valve.pass() }
            target.replies.withLock { $0.append(reply) }
        }
    ]
}
