import ComponentHost
import ComponentKit
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Many threads, deep calls, and objects that outlive their host")
struct StressTests {
    @Test("calls that race with stop are performed or answered as stopped, and nothing is left behind")
    func stopRace() async throws {
        let names = ["CGood", "CxxGood", "RustGood"].filter { $0 != "RustGood" || Fixtures.hasRust }
        for round in 0..<10 {
            try await withHost(names) { host, _ async throws in
                for name in names { try await onThread { try host.load(name) } }
                let isOver = Atomic(false)
                let ends = try await withThrowingTaskGroup(of: LinkError.Code?.self) { group in
                    for index in 0..<6 {
                        let name = "\(names[index % names.count])Link"
                        group.addTask { @Sendable in
                            try await onThread {
                                index < 3
                                    ? callUntilError(isOver) { try host.callAndWait(name, "echo", $0, kind: .class) }
                                    : try callUntilError(isOver, host.bind(name, "echo", kind: .class).callAsFunction)
                            }
                        }
                    }
                    try await Task.sleep(for: .milliseconds(5 + 2 * round))
                    let report = await host.stop(timeout: .seconds(300))
                    #expect(report == StopReport())
                    isOver.store(true, ordering: .releasing)
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(ends == Array(repeating: .stopped, count: 6))
            }
        }
    }

    @Test("calls continue while the host rescans repeatedly")
    func rescanRace() async throws {
        try await withHost(["CGood", "CxxGood", "FutureMinor"]) { host, _ async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { try await onThread { for _ in 0..<100 { host.rescan() } } } }
                for thread in 0..<4 {
                    group.addTask {
                        try await onThread {
                            for index in 0..<2_000 {
                                let name = ["CGoodLink", "CxxGoodLink"][(index + thread) % 2]
                                let value = Payload(index)
                                let echoed = try host.callAndWait(name, "echo", value, kind: .class)
                                #expect(echoed == value)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(host.components.map(\.name).sorted() == ["CGood", "CxxGood", "FutureMinor"])
        }
    }

    @Test("deeply nested calls end before stop, which finds no thread left")
    func deep() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let link = host.link
            // Each step is a call of a method and one of a closure. Sanitizers make frames larger.
            let wanted = BuiltProducts.sanitizer == nil ? 200 : 100
            let depth = try await onThread { try descend(wanted, link) }
            #expect(depth == wanted)
            #expect(await host.stop(timeout: .seconds(300)) == StopReport())
        }
    }

    @Test("an object that outlives the host answers stopped")
    func outlive() async throws {
        try await withPlugins("CGood") { directory async throws in
            var host: LinkHost? = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let link = try #require(host?.link)
            let bound = try #require(try host?.bind("CGoodLink", "sum", kind: .class))
            let counter = try await link.call("CGoodLink", "makeCounter", kind: .class).object()
            let closure = link.closure { _ in 1 }
            host = nil
            for ended in [
                await answer { try await onThread { try bound(["a": 1, "b": 2]) } },
                await answer { try await bound.call(["a": 1, "b": 2]) },
                await answer { try await onThread { try counter.callAndWait("increment") } },
                await answer { try await link.call("CGoodLink", "sum", kind: .class) },
                await answer { try await onThread { try link.callAndWait("CGoodLink", "sum", kind: .class) } },
                await answer { try await link.call("CGoodLink", "sum", kind: .class, timeout: .seconds(300)) },
            ] {
                #expect(ended.error?.code == .stopped)
                #expect(!ended.classIsLoad)
            }
            // A closure of the program itself is never stopped.
            let value = try await onThread { try closure.object().callAndWait() }
            #expect(value == 1)
        }
    }

    @Test("a component that starts while the host stops is stopped, too")
    func stopDuringLoad() async throws {
        try await withHost(["SlowCreate"]) { host, directory async throws in
            async let first = host.blockingCall("SlowCreateLink", "created")
            let file = directory.file("libSlowCreate.so")
            #expect(await holds { try isMapped(file) })
            _ = await host.stop(timeout: .seconds(300))
            let answer = await first
            #expect(answer.returnValue == 1 || answer.error?.code == .stopped)
            let later = await host.blockingCall("SlowCreateLink", "created")
            #expect(host.state(of: "SlowCreate")?.description == "stopped")
            #expect(!host.isLoaded("SlowCreateLink"))
            #expect(later.error?.code == .stopped)
        }
    }

    @Test("stop before anything was loaded leaves nothing to load")
    func stopFirst() async throws {
        try await withHost(["CGood", "MissingSymbol"]) { host, directory async throws in
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
            for name in ["CGoodLink", "MissingSymbolLink"] {
                let ended = await host.blockingCall(name, "sum")
                #expect(ended.error?.code == .stopped)
                #expect(!ended.classIsLoad)
            }
            #expect(throws: LinkError.self) { try host.load("CGood") }
            #expect(throws: LinkError.self) { try host.bind("CGoodLink", "sum", kind: .class) }
            #expect(!host.isAvailable("CGoodLink"))
            #expect(!host.retry("CGood"))
            host.rescan()
            #expect(await host.blockingCall("CGoodLink", "sum").error?.code == .stopped)
            #expect(try !isMapped(directory.file("libCGood.so")))
        }
    }

    @Test("a closure that is called later, while the host stops, does no harm")
    func laterDuringStop() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let valve = Valve()
            let closure = valve.closure(host.link)
            async let later = host.blockingCall("CGoodLink", "applyLater", ["closure": closure, "argument": 5])
            #expect(await holds { valve.arrivals == 1 })
            let report = await host.stop(timeout: .milliseconds(50))
            #expect(report.cancelledCalls == 1)
            #expect(await later.error?.code == .cancelled)
            valve.open()
            #expect(await holds { host.info("CGood")?.lateReplies == 1 })
        }
    }

    @Test("very large and very deep payloads make a round trip, one level more does not")
    func bigPayloads() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let wide = Payload((0..<100_000).map { ["n": .int($0), "text": "text", "list": [1, 2.5, nil]] })
            let echoed = try await host.value("CGoodLink", "echo", wide)
            #expect(echoed == wide)
            let large = Payload.bytes(.init(repeating: 0xA5, count: 64 << 20))
            let back = try await host.value("CGoodLink", "echo", large)
            #expect(back == large)
            var deep = Payload.null
            for _ in 0..<64 { deep = [deep] }
            let deepest = try await host.value("CGoodLink", "echo", deep)
            #expect(deepest == deep)
            let error = await host.blockingCall("CGoodLink", "echo", [deep]).error
            #expect(error?.code == .invalidReply)
        }
    }
}

/// Returns the depth that it reached: each level is a call of CGood that calls a closure.
private func descend(_ depth: Int, _ link: Link) throws -> Int {
    guard depth > 0 else { return 0 }
    let closure = link.closure { _ in Payload(try descend(depth - 1, link)) }
    return 1 + (try link.callAndWait("CGoodLink", "apply", ["closure": closure], kind: .class).int())
}

/// Makes calls until one is not performed.
///
/// - Returns: The code of its error; nil if calls are still performed once `isOver`.
private func callUntilError(
    _ isOver: borrowing Atomic<Bool>, _ echo: (Payload) throws -> Payload
) -> LinkError.Code? {
    for number in 0... {
        let wasOver = isOver.load(ordering: .acquiring)
        do {
            guard try echo(Payload(number)) == Payload(number) else { return .invalidReply }
        } catch {
            return (error as? LinkError)?.code ?? .methodFailed
        }
        if wasOver { return nil }
    }
    return nil
}
