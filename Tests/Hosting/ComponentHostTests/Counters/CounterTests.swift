import ComponentKit
import Foundation
import HostContract
import Instrumentation
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Counters of calls", .timeLimit(.minutes(5 * TestPatience.factor)))
struct CounterTests {
    @Test("every call of many threads is counted, in every form", arguments: Depth.allCases)
    func exact(depth: Depth) async throws {
        let host = try depth.host()
        try await onThread { try host.load("FixtureComponent") }
        let (threads, calls) = (16, 2000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<threads {
                group.addTask {
                    try await onOwnThread {
                        let bound = try host.bind("FixtureLink", "sum")
                        let payload: Payload = ["a": 1, "b": 2, "c": 3]
                        for call in 0..<calls {
                            switch (thread + call) % 4 {
                            case 0: _ = try bound(payload)
                            case 1: _ = try host.callAndWait("FixtureLink", "sum", payload)
                            case 2: host.call("FixtureLink", "sum", payload) { (_: Answer) in }
                            default: _ = try host.callAndWait("FixtureLink", "sum", payload, timeout: .seconds(300))
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        // The threads have ended; what they counted is kept.
        let sum = try host.row("FixtureLink", "sum")
        #expect(sum.calls == threads * calls)
        #expect(sum.failures == [:])
        #expect(sum.inFlight == 0 && sum.stuck == 0 && sum.lateReplies == 0)
        // A sample of the calls in place, and all others.
        #expect(sum.durations.count > threads * calls / 2 && sum.durations.count < threads * calls * 2)
        #expect(sum.durations.sum > .zero)
        #expect(host.counters(of: "FixtureComponent").calls == threads * calls)
        #expect(host.counters.first?.className == "FixtureLink")
        await host.stop()
        #expect(try host.row("FixtureLink", "sum").calls == threads * calls)
    }

    @Test("what each form of a call counts, and by which code it fails", arguments: CallForm.allCases)
    func forms(form: CallForm) async throws {
        let host = try Depth.file.host()
        for timeout in [nil, Duration.seconds(300)] {
            for selector in ["sum", "throwOwn", "throwOther", "drop", "asyncSum", "asyncThrow", "echo"] {
                let payload: Payload = selector == "sum" ? ["a": 1] : ["a": 1, "b": 2]
                _ = await form.perform(host, selector, payload, timeout: timeout)
            }
        }
        for (selector, code) in [
            ("sum", .payloadMismatch), ("throwOwn", .methodFailed), ("throwOther", .methodFailed),
            ("drop", .replyDropped), ("asyncThrow", .methodFailed), ("asyncSum", nil), ("echo", nil),
        ] as [(String, LinkError.Code?)] {
            let counters = try host.row("FixtureLink", selector)
            #expect(counters.calls == 2, "\(selector)")
            #expect(counters.failures == (code.map { [$0: 2] } ?? [:]), "\(selector)")
            // The first calls of a thread are all timed. A thread that has counted for a method of a former host in the
            // same cell is past them.
            let isFirst = host.core.engine.counters.all.contains {
                $0.key.className == "FixtureLink" && $0.key.selector == selector && $0.base == 0
            }
            if isFirst { #expect(counters.durations.count == 2, "\(selector)") }
        }
        await host.stop()
    }

    @Test("calls that find no class, no selector or no component that loads")
    func refused() async throws {
        try await withHost(["CGood", "CreateFails"]) { host, _ async throws in
            #expect(host.counters.isEmpty)
            for form in [CallForm.callback, .async, .blocking] {
                for (className, selector) in [("NoLink", "a"), ("CGoodLink", "a\n\"b"), ("CreateFailsLink", "run")] {
                    _ = await form.perform(host, selector, className: className, kind: .class)
                }
            }
            // Binding is no call.
            _ = await CallForm.boundAsync.perform(host, "nothing", className: "NoLink")
            let rows = host.counters.map { "\($0.component)/\($0.className)/\($0.selector)" }
            #expect(rows.sorted() == ["//", "CGood/CGoodLink/", "CreateFails/CreateFailsLink/run"])
            for row in host.counters {
                #expect(row.counters.calls == 3)
                let code: LinkError.Code =
                    switch row.component {
                    case "": .classNotFound
                    case "CGood": .selectorNotFound
                    default: .notLoaded
                    }
                #expect(row.counters.failures == [code: 3])
            }
            _ = await CallForm.blocking.perform(host, "missing", className: "CGoodLink", kind: .class)
            #expect(host.counters(of: "CGood").failures == [.selectorNotFound: 4])
        }
    }

    @Test("the three parts of calls that find nothing, which are counted as others are", arguments: [nil, 300])
    func parts(timeout: Int?) async throws {
        try await withHost(["CGood", "CreateFails"]) { host, _ async throws in
            @Sendable func parts(_ className: String, _ selector: String) async -> [Bool] {
                await awaitResume { resume in
                    host.call(className, selector, kind: .class, timeout: timeout.map { .seconds($0) }) {
                        resume([$0 != nil, $1, $2])
                    }
                }
            }
            // The second call finds the component in memory.
            for _ in 0..<2 {
                #expect(await parts("NoLink", "a") == [false, false, false])
                #expect(await parts("CGoodLink", "nothing") == [false, false, true])
                #expect(await parts("CreateFailsLink", "run") == [false, false, false])
            }
            var context = ServiceContext.topLevel
            context.carried = ["key": String(repeating: "x", count: 9000)]
            await ServiceContext.withValue(context) {
                // It carries too much, whether or not there is such a class.
                #expect(await parts("NoLink", "a") == [false, false, true])
            }
            let failures = Dictionary(uniqueKeysWithValues: host.counters.map { ($0.component, $0.counters) })
            #expect(failures[""]?.failures == [.classNotFound: 2])
            #expect(failures["CGood"]?.failures == [.selectorNotFound: 2])
            #expect(failures["CreateFails"]?.failures == [.notLoaded: 2])
            #expect(failures.values.allSatisfy { $0.calls == 2 })
            await host.stop()
            #expect(await parts("CGoodLink", "nothing") == [false, false, false])
        }
    }

    @Test("a component's own numbers for errors share one place")
    func strangeCodes() throws {
        let counters = MethodCounters(.init(component: "a", className: "b", selector: "c", kind: .object))
        for code in [0, 1, 23, 24, 99, 100, 115, 116, .max, .min] as [Int32] {
            counters.refuse(LinkError.Code(rawValue: code))
        }
        let failures = counters.failures
        #expect(failures[.other] == 5)
        #expect(failures.count == 6)
        #expect(LinkError.Code.other.countedName == "other")
        #expect(LinkError.Code.stuck.countedName == "stuck")
    }

    @Test("calls in flight, whether they hold a thread or wait for an answer", arguments: Depth.allCases)
    func inFlight(depth: Depth) async throws {
        let host = try depth.host()
        try await onThread { try host.load("FixtureComponent") }
        let valve = Valve()
        let closure = valve.closure(host.link)
        async let inPlace = onOwnThread { try host.callAndWait("FixtureLink", "apply", ["closure": closure]) }
        async let onHost = host.call("FixtureLink", "apply", ["closure": closure])
        try await onThread { host.call("FixtureLink", "keep") { (_: Answer) in } }
        #expect(await holds { valve.arrivals == 2 })
        #expect(await holds { (try? host.row("FixtureLink", "apply").inFlight) == 2 })
        #expect(try host.row("FixtureLink", "keep").inFlight == 1)
        #expect(host.counters(of: "FixtureComponent").inFlight == 3)
        valve.open()
        _ = try await (inPlace, onHost)
        #expect(await holds { (try? host.row("FixtureLink", "apply").inFlight) == 0 })
        _ = try await host.call("FixtureLink", "answerKept")
        #expect(try host.row("FixtureLink", "keep").inFlight == 0)
        #expect(try host.row("FixtureLink", "keep").durations.count == 1)
        await host.stop()
    }

    @Test("deadlines, calls that are stuck, and replies that come late, by method")
    func late() async throws {
        try await withHost(["CGood", "LateThread"]) { host, _ async throws in
            let latch = Latch()
            try await onThread { try host.load("CGood") }
            let payload: Payload = ["closure": latch.closure(host.link), "argument": .bytes([40, 2])]
            let error = await answer {
                try await host.call("CGoodLink", "apply", payload, kind: .class, timeout: .milliseconds(300))
            }.error
            #expect(error?.code == .deadlineExceeded)
            let apply = try host.row("CGoodLink", "apply")
            #expect(apply.failures == [.deadlineExceeded: 1])
            #expect(apply.inFlight == 0)
            // The method may still be about to begin.
            #expect(await holds { (try? host.row("CGoodLink", "apply").stuck) == latch.count })
            let inside = latch.count
            #expect(apply.durations.quantile(0.5) ?? .zero >= .milliseconds(300))
            latch.open()
            #expect(await holds { (try? host.row("CGoodLink", "apply").lateReplies) == inside })
            #expect(await holds { (try? host.row("CGoodLink", "apply").stuck) == 0 })
            #expect(host.info("CGood")?.lateReplies == inside)
            #expect(host.counters(of: "CGood").lateReplies == inside)

            try await onThread { try host.load("LateThread") }
            // A deadline may pass before the method begins, and then there is no late reply. Or the host notices it too
            // late.
            var late = 0
            await withMorePatience(from: .milliseconds(100)) { timeout in
                let seconds = 2 * (timeout / .seconds(1)) + 1
                let code = await answer {
                    try await host.call(
                        "LateThreadLink", "later", ["seconds": .double(seconds)], kind: .class, timeout: timeout)
                }.error?.code
                guard code == .deadlineExceeded else { return false }
                late += 1
                return await holds(within: .seconds(seconds + 10)) {
                    try host.row("LateThreadLink", "later").lateReplies == 1
                }
            }
            #expect(try host.row("LateThreadLink", "later").failures == [.deadlineExceeded: late])
            // A deadline that has passed already.
            for _ in 0..<3 {
                _ = await answer {
                    try await host.call("LateThreadLink", "lateReplies", kind: .class, timeout: .seconds(-1))
                }
            }
            #expect(try host.row("LateThreadLink", "lateReplies").failures == [.deadlineExceeded: 3])
        }
    }

    @Test("a stopped component, and calls that are nested too deeply")
    func stopped() async throws {
        let host = try Depth.file.host()
        let bound = try await onThread { try host.bind("FixtureLink", "sum") }
        _ = await answer { try await host.call("FixtureLink", "nest", ["depth": 600]) }
        #expect(try host.row("FixtureLink", "nest").failures.keys.contains(.tooDeep))
        await host.stop()
        #expect(await answer { try await onThread { try bound(["a": 1]) } }.error?.code == .stopped)
        #expect(await answer { try await bound.call(["a": 1]) }.error?.code == .stopped)
        #expect(try host.row("FixtureLink", "sum").failures == [.stopped: 2])
    }

    @Test("a component that a rescan replaces goes on counting")
    func replaced() async throws {
        try await withHost(["VersionedOld", "CreateFails"]) { host, directory async throws in
            _ = await host.blockingCall("VersionedLink", "missing")
            #expect(try host.row("CreateFailsLink", "run", orNone: true).calls == 0)
            _ = await host.blockingCall("CreateFailsLink", "run")
            let file = "libVersionedOld.so"
            try directory.replace(file, with: "VersionedNew")
            host.rescan()
            let version = try await host.value("VersionedLink", "version")
            _ = await host.blockingCall("CreateFailsLink", "run")
            #expect(try host.row("CreateFailsLink", "run").failures == [.notLoaded: 2])
            #expect(version == "1.0.0" || version == "2.0.0")
            #expect(host.counters(of: "Versioned").calls == 2)
        }
    }

    @Test("hosts count for themselves, and what one has counted does not reach the next")
    func hosts() async throws {
        for round in 1...3 {
            let first = try Depth.builtIn.host()
            let second = try Depth.builtIn.host()
            for _ in 0..<(round * 100) { _ = try await first.call("FixtureLink", "echo", 1) }
            _ = try await second.call("FixtureLink", "echo", 1)
            #expect(try first.row("FixtureLink", "echo").calls == round * 100)
            #expect(try second.row("FixtureLink", "echo").calls == 1)
            await first.stop()
            await second.stop()
        }
    }

    @Test("calls between components and handlers of events count, calls to closures do not")
    func inside() async throws {
        let host = try Depth.file.host()
        _ = try await host.call(
            "FixtureLink", "callOther",
            ["class": "FixtureLink", "selector": "sum", "payload": ["a": 1, "b": 2, "c": 3] as Payload])
        let closure = host.link.closure { try $0.int() }
        _ = try await host.call("FixtureLink", "apply", ["closure": closure, "argument": 1])
        #expect(try host.row("FixtureLink", "callOther").calls == 1)
        #expect(try host.row("FixtureLink", "sum").calls == 1)
        #expect(host.counters(of: "FixtureComponent").calls == 3)
        await host.stop()
    }

    @Test("the host's own class answers the same, in any language")
    func ownClass() async throws {
        let host = try Depth.file.host()
        for _ in 0..<5 { _ = await answer { try await host.call("FixtureLink", "throwOwn") } }
        _ = try await host.call("FixtureLink", "echo", "x")
        let answered = try await host.call("hslink.Counters", "all", kind: .class)
        let rows = try answered.value(as: CountedMethods.self).counters.filter { $0.component == "FixtureComponent" }
        let own = host.counters.filter { $0.component == "FixtureComponent" }
        #expect(rows.map(\.class) == own.map(\.className) && rows.map(\.selector) == own.map(\.selector))
        #expect(rows.map(\.calls) == own.map(\.counters.calls))
        #expect(rows.map { DurationHistogram($0.durations) } == own.map(\.counters.durations))
        #expect(rows.first?.failures == ["methodFailed": 5])
        let text = try await host.call("hslink.Counters", "prometheus", kind: .class)
        #expect(try text.string("type") == PrometheusText.contentType)
        #expect(try text.string("text").contains("code=\"methodFailed\"} 5\n"))
        await host.stop()
    }
}

extension LinkHost {
    /// Returns what has been counted of a method.
    fileprivate func row(_ className: String, _ selector: String, orNone: Bool = false) throws -> CallCounters {
        let row = counters.first { $0.className == className && $0.selector == selector }?.counters
        return orNone ? row ?? CallCounters() : try #require(row)
    }
}
