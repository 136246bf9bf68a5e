import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

@Suite("A component that waits for itself while it starts")
struct StartDeadlockTests {
    @Test("gets an error, whichever thread makes the call")
    func refused() async throws {
        try await withHost(["CreateWaits"], options: .impatient) { host, _ async throws in
            #expect(try await host.value("CreateWaitsLink", "codes") == [13, 13, 13])
            #expect(try await host.value("CreateWaitsLink", "run") == true)
        }
    }

    @Test("gets an error when another component waits on its behalf")
    func throughOthers() async throws {
        try await withHost(["CreateAsks", "AnswersLater"], options: .impatient) { host, _ async throws in
            #expect(try await host.value("CreateAsksLink", "codes") == [13, 13, 13])
            #expect(try await host.value("CreateAsksLink", "run") == true)
        }
    }

    @Test("gets an error when it waits through an object")
    func throughObject() async throws {
        for depth in Depth.allCases { try await checkObject(depth) }
    }

    private func checkObject(_ depth: Depth) async throws {
        let host = try depth.host(provides: [ProvidedClass(SelfWaitingLink.self)], options: .impatient)
        let call: Payload = ["class": "SelfWaitingLink", "selector": "code"]
        let closure = try await host.call("WhoseLink", "closure", call).object()
        SelfWaitingLink.closure.withLock { $0 = closure }
        let code = try await host.call("SelfWaitingLink", "code", timeout: .seconds(60))
        #expect(try code.int() == Int(LinkError.Code.wouldDeadlock.rawValue))
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test("components wait for a slow start that does not wait for them")
    func slow() async throws {
        var options = HostOptions.impatient
        options.startPatience = .zero
        try await withHost(["SlowCreate", "CGood"], options: options) { host, _ async throws in
            _ = try await host.value("CGoodLink", "state")
            // One of them starts it, within a method of the component that the others call.
            let call: Payload = ["class": "SlowCreateLink", "selector": "created", "kind": "class"]
            try await withThrowingTaskGroup(of: Payload.self) { group in
                for _ in 0..<8 { group.addTask { try await host.value("CGoodLink", "viaHost", call) } }
                for _ in 0..<2 { group.addTask { try await host.value("SlowCreateLink", "created") } }
                for try await value in group { #expect(value == 1) }
            }
        }
    }

    @Test("a call that ended while its method still runs is not part of a cycle")
    func abandoned() async throws {
        try await withHost(["Hangs", "SlowCreate"]) { host, _ async throws in
            let gates = host.core.engine.gates
            // Repeat until one of them has begun in time.
            let hangs = await holds {
                let call = await answer { try await host.value("HangsLink", "hang", timeout: .milliseconds(50)) }
                #expect(call.error?.code == .deadlineExceeded)
                return try await host.value("HangsLink", "inside").int() > 0
            }
            #expect(hangs)
            #expect(await holds { gates.sleeperCount == 0 })
            _ = try await host.value("HangsLink", "release")
        }
    }

    @Test("gets an error when its own thread needs the instance that is being made")
    func instance() async throws {
        try await withHost(["MakeWaits"], options: .impatient) { host, _ async throws in
            #expect(try await host.value("MakeWaitsLink", "run", kind: .object) == 13)
        }
    }

    @Test(
        "a thread of the host that its own caller waits for is known to the gate, also if replies are forwarded to it",
        arguments: 0...2)
    func sleepers(forwarding: Int) async throws {
        let gates = OnceGates()
        let gate = OnceGate()
        let limit = ContinuousClock.now + TestPatience.limit(.seconds(60))
        let code = try await onThread { () -> LinkError.Code? in
            let result = Collected<LinkError.Code?>()
            try gates.pass(gate, unless: false) { () throws(LinkError) in
                let sleep = gates.beginSleep(owedBy: .host)
                // Those of the calls whose methods have forwarded their replies.
                let outer = (0..<forwarding).map { _ in gates.beginSleep(owedBy: .host) }
                let isOver = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    gates.beginCarrying(sleep)
                    do throws(LinkError) {
                        try gates.pass(gate, unless: false, isWanted: { ContinuousClock.now < limit }) {}
                        result.add(nil)
                    } catch {
                        result.add(error.code)
                    }
                    gates.endCarrying(sleep)
                    isOver.signal()
                }
                isOver.wait()
                for sleep in [sleep] + outer { gates.endSleep(sleep) }
            }
            return result.all.first ?? nil
        }
        #expect(code == .wouldDeadlock)
    }
}

/// Waits for a closure, which calls it, while its instance is made.
private final class SelfWaitingLink: LinkClass {
    /// What the instance that is made next waits for.
    static let closure = Lock<LinkObject?>(nil)

    /// The code of the closure's error.
    private let code: Int

    init(_ context: ComponentContext) {
        let closure = Self.closure.withLock { $0 }
        do throws(LinkError) {
            _ = try closure?.callAndWait()
            code = 0
        } catch {
            code = Int(error.code.rawValue)
        }
    }

    static let methods: [LinkMethod<SelfWaitingLink>] = [.method("code") { link, _ in link.code }]
}

extension HostOptions {
    /// Notifies callers early that a start may be waiting for them.
    fileprivate static var impatient: HostOptions {
        var options = HostOptions.quiet
        options.startPatience = .milliseconds(50)
        return options
    }
}
