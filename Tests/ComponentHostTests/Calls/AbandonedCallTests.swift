import CHSLink
import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Calls that have ended while their methods are inside")
struct AbandonedCallTests {
    @Test("cancelled calls count until they return, and at the limit the component is stuck", arguments: Depth.allCases)
    func cancelled(depth: Depth) async throws {
        let log = CollectedLog()
        var options = log.options
        options.stuckLimit = 2
        options.stuckPatience = .milliseconds(50)
        let host = try depth.host(options: options)
        let valve = Valve()
        let closure = valve.closure(host.link)
        _ = try await host.call("FixtureLink", "nothing")
        for count in 1...2 {
            let task = Task { await answer { try await host.call("FixtureLink", "apply", ["closure": closure]) } }
            #expect(await holds { valve.arrivals == count })
            task.cancel()
            #expect(await task.value.error?.code == .cancelled)
            #expect(try host.fixture.stuckCalls == count)
            #expect(try host.fixture.callsInFlight == 0)
        }
        // As soon as they have been inside for a moment.
        let limiter = try #require(host.core.registry.unit(named: "FixtureComponent")?.limiter)
        #expect(await holds { limiter.isStuck })
        for form in CallForm.allCases { #expect(await form.perform(host, "nothing").error?.code == .stuck) }
        #expect(await holds { log.lines.all.contains { $0.contains("it is stuck: 2 threads or more are inside") } })
        valve.open()
        #expect(await holds { (try? host.fixture.stuckCalls) == 0 })
        #expect(await CallForm.async.perform(host, "nothing").returnValue == .null)
        #expect(await holds { log.lines.all.contains { $0.contains("it takes calls again") } })
        #expect(await host.stop() == StopReport())
    }

    @Test(
        "impatient callers do not make a component stuck whose methods are about to return", arguments: Depth.allCases)
    func impatient(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.stuckLimit = 2
        options.stuckPatience = .seconds(300)
        let host = try depth.host(options: options)
        let valve = Valve()
        let closure = valve.closure(host.link)
        _ = try await host.call("FixtureLink", "nothing")
        for count in 1...4 {
            let task = Task { await answer { try await host.call("FixtureLink", "apply", ["closure": closure]) } }
            #expect(await holds { valve.arrivals == count })
            task.cancel()
            #expect(await task.value.error?.code == .cancelled)
        }
        // Longer than many a method takes.
        try await Task.sleep(for: .milliseconds(200))
        #expect(try host.fixture.stuckCalls == 4)
        for form in CallForm.allCases { #expect(await form.perform(host, "nothing").returnValue == .null) }
        valve.open()
        #expect(await host.stop(timeout: .seconds(300)) == StopReport())
    }

    @Test("a component whose methods reply and stay gets stuck instead of holding calls for ever")
    func staying() async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 2
        // A limit beyond the places would never be reached.
        options.stuckLimit = 16
        try await withHost(["Hangs"], options: options) { host, _ async throws in
            for _ in 0..<2 {
                #expect(try await host.call("HangsLink", "stay", kind: .class, timeout: .seconds(300)) == true)
            }
            #expect(try await eventually { host.info("Hangs")?.stuckCalls == 2 })
            let answer = await answer { try await host.call("HangsLink", "stay", kind: .class) }
            #expect(answer.error?.code == .stuck)
            #expect(await host.blockingCall("HangsLink", "inside").error?.code == .stuck)
            try await stopHanging(host)
        }
    }

    @Test("calls that wait for a place behind stuck ones are refused")
    func waitingBehind() async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 2
        options.stuckLimit = 2
        try await withHost(["Hangs"], options: options) { host, _ async throws in
            let hanging = (0..<2).map { _ in
                Task { await answer { try await host.call("HangsLink", "hang", kind: .class) } }
            }
            #expect(try await eventually { try await host.value("HangsLink", "inside") == 2 })
            let waiting = (0..<3).map { _ in
                Task { await answer { try await host.call("HangsLink", "hang", kind: .class) } }
            }
            #expect(try await eventually { host.info("Hangs")?.callsInFlight == 5 })
            for task in hanging { task.cancel() }
            for task in waiting { #expect(await task.value.error?.code == .stuck) }
            try await stopHanging(host)
        }
    }

    /// The class takes no calls any more, so an object of it is told.
    private func stopHanging(_ host: LinkHost) async throws {
        #expect(await host.stop(timeout: .zero).stillRunning == ["Hangs"])
    }

    @Test("hung objects of one component do not stop those of another")
    func objects() async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 2
        options.stuckLimit = 2
        try await withHost(["Hangs", "CGood"], options: options) { host, _ async throws in
            let hanging = try await host.value("HangsLink", "makeHanging").object()
            let counter = try await host.value("CGoodLink", "makeCounter").object()
            let calls = (0..<4).map { _ in
                Task { await answer { try await host.link.call(hanging, "hang", timeout: .milliseconds(100)) } }
            }
            for call in calls { #expect([.deadlineExceeded, .stuck].contains(await call.value.error?.code)) }
            let limiter = try #require(host.core.registry.unit(named: "Hangs")?.limiter)
            #expect(await holds { limiter.isStuck })
            // Those of another component have places of their own.
            #expect(try await host.link.call(counter, "increment", timeout: .seconds(300)) == 1)
            // Those of the same one are refused.
            let refused = await answer { try await host.link.call(hanging, "now", timeout: .seconds(300)) }
            #expect(refused.error?.code == .stuck)
            #expect(host.info("Hangs")?.stuckCalls == 2)
            #expect(await host.blockingCall("HangsLink", "inside").error?.code == .stuck)
            _ = try await onThread { try hanging.callAndWait("release") }
            #expect(
                try await eventually {
                    (try? await host.link.call(hanging, "now", timeout: .seconds(300))) == true
                })
        }
    }

    @Test("objects of a Swift component count as calls of it", arguments: Depth.allCases)
    func swiftObjects(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.stuckLimit = 1
        options.stuckPatience = .milliseconds(50)
        let host = try depth.host(options: options)
        let valve = Valve()
        let closure = try await host.call("FixtureLink", "passing", ["closure": valve.closure(host.link)]).object()
        let call = Task { await answer { try await host.link.call(closure) } }
        #expect(await holds { valve.arrivals == 1 })
        call.cancel()
        #expect(await call.value.error?.code == .cancelled)
        #expect(try host.fixture.stuckCalls == 1)
        let limiter = try #require(host.core.registry.unit(named: "FixtureComponent")?.limiter)
        #expect(await holds { limiter.isStuck })
        #expect(await CallForm.async.perform(host, "nothing").error?.code == .stuck)
        valve.open()
        #expect(await holds { (try? host.fixture.stuckCalls) == 0 })
        #expect(await host.stop() == StopReport())
    }

    @Test("deadlines end calls also when no thread is left for methods")
    func fullPool() async throws {
        var options = HostOptions.quiet
        options.threadLimit = 3
        try await withHost(["Hangs", "CGood"], options: options) { host, _ async throws in
            _ = try await host.value("CGoodLink", "state")
            let hanging = (0..<3).map { _ in
                Task { await answer { try await host.call("HangsLink", "hang", kind: .class) } }
            }
            #expect(try await eventually { try await host.value("HangsLink", "inside") == 3 })
            for form in CallForm.allCases {
                let answer = await form.perform(
                    host, "count", className: "CGoodLink", timeout: .milliseconds(20))
                #expect(answer.error?.code == .deadlineExceeded)
            }
            _ = try await host.value("HangsLink", "release")
            for call in hanging { #expect(await call.value.returnValue == true) }
        }
    }

    @Test("calls that wait for calls of their own component do not wait for one another", arguments: Depth.allCases)
    func nested(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 4
        let host = try depth.host(options: options)
        let arguments: Payload = ["depth": 3, "timeout": 300]
        await withTaskGroup(of: Answer.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    await answer { try await host.call("FixtureLink", "nest", arguments, timeout: .seconds(300)) }
                }
            }
            for await answer in group { #expect(answer.returnValue == 3) }
        }
        #expect(await host.stop() == StopReport())
    }

    @Test(
        "calls that wait for calls take no thread from these, however few there are", .timeLimit(.minutes(2)),
        arguments: Depth.allCases)
    func fewThreads(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.threadLimit = 4
        let host = try depth.host(options: options)
        let arguments: Payload = ["depth": 5, "timeout": 300]
        await withTaskGroup(of: Answer.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    await answer { try await host.call("FixtureLink", "nest", arguments, timeout: .seconds(300)) }
                }
            }
            for await answer in group { #expect(answer.returnValue == 5) }
        }
        #expect(await host.stop() == StopReport())
    }

    @Test("many calls that wait for their turn can be given up", arguments: Depth.allCases)
    func manyWaiting(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 1
        let host = try depth.host(options: options)
        let valve = Valve()
        let arguments: Payload = ["closure": valve.closure(host.link)]
        let first = Task { await answer { try await host.call("FixtureLink", "apply", arguments) } }
        #expect(await holds { valve.arrivals == 1 })
        let answers = Collected<LinkError.Code?>()
        for _ in 0..<20_000 {
            host.link.call("FixtureLink", "count", timeout: .milliseconds(1)) { answers.add($0.error?.code) }
        }
        #expect(await answers.first(20_000).allSatisfy { $0 == .deadlineExceeded })
        valve.open()
        #expect(await first.value.returnValue == "passed")
        #expect(try await host.call("FixtureLink", "count") == 1)
        #expect(await host.stop() == StopReport())
    }
}

@Suite("Recursion through a host")
struct RecursionTests {
    @Test("is refused beyond a depth, with the way shown, and the host goes on", arguments: Depth.allCases)
    func inPlace(depth: Depth) async throws {
        let host = try depth.host()
        let answer = await CallForm.blocking.perform(host, "nest", ["depth": 3000])
        #expect(answer.error?.code == .tooDeep)
        #expect(answer.classIsLoad)
        #expect(answer.error?.message.contains("FixtureLink.nest → FixtureLink.nest → ") == true)
        #expect(answer.error?.message.contains(" more …") == true)
        // Sanitizers make frames larger.
        let depth = BuiltProducts.sanitizer == nil ? 300 : 50
        #expect(await CallForm.blocking.perform(host, "nest", ["depth": Payload(depth)]).returnValue == Payload(depth))
        #expect(await host.stop() == StopReport())
    }

    @Test("over threads of the host counts as much", arguments: Depth.allCases)
    func overThreads(depth: Depth) async throws {
        let host = try depth.host()
        let answer = await CallForm.blocking.perform(host, "nest", ["depth": 600, "timeout": 300])
        #expect(answer.error?.code == .tooDeep)
        #expect(answer.error?.message.contains("FixtureLink.nest → FixtureLink.nest → ") == true)
        #expect(await CallForm.blocking.perform(host, "nest", ["depth": 20, "timeout": 300]).returnValue == 20)
        #expect(await host.stop() == StopReport())
    }

    @Test("has its share of the threads of all components", arguments: Depth.allCases)
    func share(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.sleeperLimit = 10
        let host = try depth.host(options: options)
        let answer = await CallForm.async.perform(host, "nest", ["depth": 20, "timeout": 300])
        #expect(answer.error?.code == .tooDeep)
        #expect(await CallForm.async.perform(host, "nest", ["depth": 9, "timeout": 300]).returnValue == 9)
        #expect(await host.stop() == StopReport())
    }

    @Test("is not remembered as a failed start, wherever that was tried", arguments: [449, 470, 509, 510, 511])
    func start(levels: Int) async throws {
        try await withHost(["Unbalanced", "CreateCallsBack", "CGood"]) { host, _ async throws in
            let call: Payload = ["levels": .int(Int64(levels))]
            #expect(try await host.value("UnbalancedLink", "deep", call) == Payload(Int(HSLINK_ERROR_TOO_DEEP)))
            #expect(try await host.value("CreateCallsBackLink", "answer") == 42)
        }
    }

    @Test("code on a stack of its own calls as any other does")
    func fiber() async throws {
        try await withHost(["OnFiber", "CGood"]) { host, _ async throws in
            for _ in 0..<3 { #expect(try await host.value("OnFiberLink", "run") == 42) }
            #expect(try await host.call("OnFiberLink", "run", kind: .class) == 42)
        }
    }
}

@Suite("Replies that are passed on in a chain")
struct ChainTests {
    @Test("end, or are cancelled, however long the chain is")
    func long() async throws {
        try await withHost(["Chain"]) { host, _ async throws in
            let answer = try await host.call("ChainLink", "start", ["links": 20_000], kind: .class)
            #expect(answer == true)
            let hanging = Task {
                await ComponentHostTests.answer {
                    try await host.call("ChainLink", "start", ["links": 19_999, "hangs": true], kind: .class)
                }
            }
            // Not the links of the chain before.
            #expect(try await eventually { try await host.value("ChainLink", "begun") == 19_999 })
            hanging.cancel()
            #expect(await hanging.value.error?.code == .cancelled)
            #expect(try await eventually { host.info("Chain")?.callsInFlight == 0 })
        }
    }

    @Test("a thread that sleeps for a reply that is passed on gives one place away, and takes it back once")
    func passedOn() async throws {
        try await withHost(["PassesOn", "NeverReplies"], options: .quiet) { host, directory async throws in
            try directory.add("FixtureComponent")
            host.rescan()
            let call: Payload = ["class": "PassesOnLink", "selector": "run", "kind": "class"]
            let begun = try await host.value("NeverRepliesLink", "begun").int()
            let task = Task { await answer { try await host.call("FixtureLink", "callOther", call) } }
            #expect(try await eventually { try await host.value("NeverRepliesLink", "begun").int() > begun })
            let limiter = try #require(host.core.registry.unit(named: "FixtureComponent")?.limiter)
            #expect(await holds { limiter.sleepingCount > 0 })
            #expect(try await eventually { host.info("PassesOn")?.callsInFlight == 1 })
            #expect(limiter.sleepingCount == 1)
            await host.stop(timeout: .milliseconds(50))
            #expect(await task.value.error?.code == .cancelled)
            #expect(await holds { limiter.sleepingCount == 0 })
        }
    }
}

@Suite("A component that waits for itself while it starts")
struct StartDeadlockTests {
    @Test("is told so, whichever thread its call comes from")
    func refused() async throws {
        try await withHost(["CreateWaits"], options: .impatient) { host, _ async throws in
            #expect(try await host.value("CreateWaitsLink", "codes") == [13, 13, 13])
            #expect(try await host.value("CreateWaitsLink", "run") == true)
        }
    }

    @Test("is told so, where another component waits for it on its behalf")
    func throughOthers() async throws {
        try await withHost(["CreateAsks", "AnswersLater"], options: .impatient) { host, _ async throws in
            #expect(try await host.value("CreateAsksLink", "codes") == [13, 13, 13])
            #expect(try await host.value("CreateAsksLink", "run") == true)
        }
    }

    @Test("a start that takes long is waited for by components that it does not wait for")
    func slow() async throws {
        var options = HostOptions.impatient
        options.startPatience = .zero
        try await withHost(["SlowCreate", "CGood"], options: options) { host, _ async throws in
            _ = try await host.value("CGoodLink", "state")
            // One of them starts it, inside of a method of the component that the others call for.
            let call: Payload = ["class": "SlowCreateLink", "selector": "created", "kind": "class"]
            try await withThrowingTaskGroup(of: Payload.self) { group in
                for _ in 0..<8 { group.addTask { try await host.value("CGoodLink", "viaHost", call) } }
                for _ in 0..<2 { group.addTask { try await host.value("SlowCreateLink", "created") } }
                for try await value in group { #expect(value == 1) }
            }
        }
    }

    @Test("a call that has ended while its method stays leads nowhere")
    func abandoned() async throws {
        try await withHost(["Hangs", "SlowCreate"]) { host, _ async throws in
            let gates = host.core.engine.gates
            // Until one of them has begun in time.
            let hangs = try await eventually {
                let call = await answer { try await host.value("HangsLink", "hang", timeout: .milliseconds(50)) }
                #expect(call.error?.code == .deadlineExceeded)
                return try await host.value("HangsLink", "inside") == 1
            }
            #expect(hangs)
            #expect(await holds { gates.sleeperCount == 0 })
            _ = try await host.value("HangsLink", "release")
        }
    }

    @Test("is told so, where a thread of its own needs the instance that is being made")
    func instance() async throws {
        try await withHost(["MakeWaits"], options: .impatient) { host, _ async throws in
            #expect(try await host.value("MakeWaitsLink", "run", kind: .object) == 13)
        }
    }

    @Test("a thread of the host that its own caller waits for is known to the gate")
    func sleepers() async throws {
        let gates = OnceGates()
        let gate = OnceGate()
        let code = try await onThread { () -> LinkError.Code? in
            let result = Collected<LinkError.Code?>()
            try gates.pass(gate, unless: false) { () throws(LinkError) in
                let sleep = gates.beginSleep(owedBy: .host, in: nil).sleep
                let isOver = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    gates.beginCarrying(sleep)
                    do throws(LinkError) {
                        try gates.pass(gate, unless: false) {}
                        result.add(nil)
                    } catch {
                        result.add(error.code)
                    }
                    gates.endCarrying(sleep)
                    isOver.signal()
                }
                isOver.wait()
                gates.endSleep(sleep)
            }
            return result.all.first ?? nil
        }
        #expect(code == .wouldDeadlock)
    }
}

@Suite("Components that keep to no rule")
struct UnbalancedTests {
    @Test("leaving too often, entering for ever and ending what never began do no harm")
    func marks() async throws {
        let log = CollectedLog()
        try await withHost(["Unbalanced"], options: log.options) { host, _ async throws in
            for _ in 0..<2 {
                #expect(try await host.value("UnbalancedLink", "leave") == true)
                // As many as fit beside the call itself.
                #expect(try await host.value("UnbalancedLink", "enter") == 511)
            }
            #expect(try await host.value("UnbalancedLink", "endWork") == true)
            #expect(host.info("Unbalanced")?.openWork == 1)
            #expect(try await host.value("UnbalancedLink", "run") == true)
            #expect(host.info("Unbalanced")?.openWork == 0)
            #expect(log.lines.all.contains { $0.contains("left more often than it had entered") })
            #expect(log.lines.all.contains { $0.contains("entered more often than it left") })
            #expect(log.lines.all.contains { $0.contains("ended more work than it had begun") })
            #expect(await host.stop(timeout: .seconds(300)) == StopReport())
        }
    }

    @Test("a thread of a component whose start failed goes on to be answered")
    func failedCreate() async throws {
        try await withPlugins("CreateFailsLate") { directory async throws in
            let mark = directory.file("mark")
            unsafe setenv("HSLINK_MARK_LATE", mark, 1)
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let error = await host.blockingCall("CreateFailsLateLink", "run").error
            #expect(error?.cause?.code == .createFailed)
            #expect(
                try await eventually {
                    (try? FileManager.default.attributesOfItem(atPath: mark)[.size] as? Int) == 5
                })
            unsafe unsetenv("HSLINK_MARK_LATE")
            #expect(await host.stop() == StopReport())
        }
    }
}

extension HostOptions {
    /// Tells callers early that a start may be waiting for them.
    fileprivate static var impatient: HostOptions {
        var options = HostOptions.quiet
        options.startPatience = .milliseconds(50)
        return options
    }
}
