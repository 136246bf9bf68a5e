import ComponentHost
import ComponentKit
import FixtureContract
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Events from many threads")
struct EventStressTests {
    @Test("every delivery is accounted for while listeners and components come and go")
    func everything() async throws {
        let plugins = try ProductFolder.fresh()
        let file = plugins.appending(path: "libFixtureComponent.so")
        let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: .quiet)
        // The sanitizers run it for longer.
        let seconds = ProcessInfo.processInfo.environment["HSLINK_STRESS_SECONDS"].flatMap(Double.init) ?? 1
        let end = ContinuousClock.now + .seconds(seconds)
        let received = Atomic(0)
        let late = Collected<String>()
        let steady = host.events.on(Changed.self, priority: 5) { _ in received.add(1, ordering: .relaxed) }
        let delivered = try await withThrowingTaskGroup(of: Int.self) { group in
            for lane in 0..<6 {
                group.addTask {
                    var delivered = 0
                    while ContinuousClock.now < end {
                        let outcome = await host.events.deliver(Changed(value: lane), sticky: lane == 0)
                        #expect(outcome.handled >= 1 && outcome.isSuccess)
                        delivered += 1
                    }
                    return delivered
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    try await onThread {
                        var posted = 0
                        while ContinuousClock.now < end {
                            host.events.post(Changed(value: posted))
                            posted += 1
                            // So that they do not pile up.
                            usleep(2000)
                        }
                        return posted
                    }
                }
            }
            for lane in 0..<4 {
                group.addTask {
                    while ContinuousClock.now < end {
                        let isRemoved = Atomic(false)
                        let closure = host.events.on(Changed.self, priority: lane) { _ in
                            if isRemoved.load(ordering: .acquiring) { late.add("lane \(lane)") }
                        }
                        if lane.isMultiple(of: 2) {
                            await closure.remove()
                        } else {
                            try await onThread { closure.remove() }
                        }
                        isRemoved.store(true, ordering: .releasing)
                    }
                    return 0
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    while ContinuousClock.now < end {
                        var seen = 0
                        for await _ in host.events.stream(Changed.self, sticky: true) {
                            seen += 1
                            if seen == 3 { break }
                        }
                    }
                    return 0
                }
            }
            group.addTask {
                try await onThread {
                    let source = ProductFolder.products.appending(path: "libFixtureComponent.so")
                    while ContinuousClock.now < end {
                        try FileManager.default.copyItem(at: source, to: file)
                        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
                        host.rescan()
                        #expect(host.events.all.contains { $0.name == Changed.eventName && $0.handlers.count == 3 })
                        try FileManager.default.removeItem(at: file)
                        host.rescan()
                    }
                    return 0
                }
            }
            // Wakes the streams that still wait.
            group.addTask {
                try await Task.sleep(until: end + .milliseconds(50))
                var delivered = 0
                for _ in 0..<20 {
                    _ = await host.events.deliver(Changed(value: -1))
                    delivered += 1
                }
                return delivered
            }
            return try await group.reduce(0, +)
        }
        #expect(await holds { received.load(ordering: .relaxed) == delivered })
        #expect(delivered > 0)
        await steady.remove()
        await host.stop()
        #expect(late.all.isEmpty)
    }
}
