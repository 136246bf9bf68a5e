import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

/// Each test runs in its own process, because environment variables name the marks for the fixtures, and other tests of
/// this process must not see them.
@Suite("Code of a component runs at its first call and not before")
struct MarksTests {
    @Test("listing, asking and refusing run nothing; the first call runs constructor and create once")
    func marks() async {
        await #expect(processExitsWith: .success) {
            try await withPlugins("Marks", "MarksAndMissing") { directory async throws in
                let loaded = MarkFile("HSLINK_MARK", in: directory)
                let created = MarkFile("HSLINK_MARK_CREATE", in: directory)
                let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
                #expect(host.catalog.entries.map(\.manifest.name) == ["Marks", "MarksAndMissing"])
                #expect(host.components.count == 2)
                #expect(host.isAvailable("MarksLink", "run", kind: .class))
                #expect(!host.isLoaded("MarksLink"))
                #expect(host.state(of: "Marks")?.description == "available")
                #expect(await host.blockingCall("MarksAndMissingLink", "run").error?.cause?.code == .requirementNotMet)
                #expect(await host.blockingCall("Missing", "run").error?.code == .classNotFound)
                host.rescan()
                #expect(loaded.count == 0)
                #expect(created.count == 0)

                // The file becomes untrusted after the listing.
                try directory.setMode(0o777, of: directory.file("libMarks.so"))
                #expect(await host.blockingCall("MarksLink", "run").error?.cause?.code == .untrustedFile)
                #expect(loaded.count == 0)
                try directory.setMode(0o755, of: directory.file("libMarks.so"))
                host.retry("Marks")
                host.rescan()

                for _ in 0..<3 {
                    let value = try await host.value("MarksLink", "run")
                    #expect(value == true)
                    let again = try await host.call("MarksLink", "run", kind: .class, timeout: .seconds(300))
                    #expect(again == true)
                }
                #expect(loaded.count == 1)
                #expect(created.count == 1)

                // A second host shares the code, not the component.
                let second = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
                let value = try await second.value("MarksLink", "run")
                #expect(value == true)
                #expect(loaded.count == 1)
                #expect(created.count == 2)
                await host.stop()
                await second.stop()
            }
        }
    }

    @Test("a file that is not trusted runs nothing")
    func untrusted() async {
        await #expect(processExitsWith: .success) {
            try await withPlugins("Marks") { directory async throws in
                let loaded = MarkFile("HSLINK_MARK", in: directory)
                try directory.setMode(0o666, of: directory.file("libMarks.so"))
                let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
                #expect(host.catalog.rejectedFiles.first?.code == .worldWritable)
                #expect(await host.blockingCall("MarksLink", "run").error?.code == .classNotFound)
                #expect(loaded.count == 0)
                await host.stop()
            }
        }
    }

    @Test("stop waits for the call in flight, then destroys once; later calls fail as stopped")
    func stopWaits() async {
        await #expect(processExitsWith: .success) {
            try await withPlugins("StopTracker") { directory async throws in
                let destroyed = MarkFile("HSLINK_MARK_DESTROY", in: directory)
                let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
                let asleep = MarkFile("HSLINK_MARK_SLEEP", in: directory)
                let bound = try await onThread { try host.bind("StopTrackerLink", "sleep", kind: .class) }
                async let inline = host.blockingCall("StopTrackerLink", "sleep", ["seconds": 0.4])
                async let detached = answer {
                    try await host.call("StopTrackerLink", "sleep", ["seconds": 0.4], kind: .class)
                }
                #expect(await holds { asleep.count == 2 })
                #expect(destroyed.count == 0)
                let report = await host.stop(timeout: .seconds(300))
                #expect(report.cancelledCalls == 0)
                #expect(report.stillRunning.isEmpty)
                #expect(destroyed.count == 1)
                #expect(await inline.returnValue == true)
                #expect(await detached.returnValue == true)

                for late in [
                    await host.blockingCall("StopTrackerLink", "sleep"),
                    await answer { try await host.call("StopTrackerLink", "sleep", kind: .class) },
                    await answer { try await onThread { try bound(.null) } },
                    await answer { try await bound.call(.null) },
                ] {
                    #expect(late.error?.code == .stopped)
                    #expect(!late.classIsLoad)
                    #expect(!late.performSuccess)
                }
                #expect(host.state(of: "StopTracker")?.description == "stopped")
                #expect(!host.isLoaded("StopTrackerLink"))
                #expect(!host.isAvailable("StopTrackerLink"))
                #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
                #expect(destroyed.count == 1)
            }
        }
    }

    @Test("stop cancels slow calls, and never destroys a component in which a thread is running")
    func stopCancels() async {
        await #expect(processExitsWith: .success) {
            try await withPlugins("StopTracker") { directory async throws in
                let destroyed = MarkFile("HSLINK_MARK_DESTROY", in: directory)
                let asleep = MarkFile("HSLINK_MARK_SLEEP", in: directory)
                // On a busy machine, a call may have ended before it is cancelled.
                try await withMorePatience(from: .milliseconds(1500)) { time in
                    let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
                    _ = try await host.value("StopTrackerLink", "sleep")
                    let (before, begun) = (destroyed.count, asleep.count)
                    async let detached = answer {
                        let sleep: Payload = ["seconds": .double(time / .seconds(1))]
                        return try await host.call("StopTrackerLink", "sleep", sleep, kind: .class)
                    }
                    #expect(await holds { asleep.count == begun + 1 })
                    let report = await host.stop(timeout: .milliseconds(50))
                    guard await detached.error != nil else { return false }
                    #expect(report.cancelledCalls == 1)
                    #expect(report.stillRunning == ["StopTracker"])
                    #expect(await detached.error?.code == .cancelled)
                    #expect(destroyed.count == before)
                    // The late reply is counted, and does no harm.
                    #expect(await holds { host.info("StopTracker")?.lateReplies == 1 })
                    #expect(destroyed.count == before)
                    return true
                }
            }
        }
    }
}

/// The file that an environment variable names for a fixture: each mark is one byte.
struct MarkFile {
    let path: String

    init(_ variable: String, in directory: PluginDirectory) {
        path = "\(directory.path)-\(variable)"
        unsafe setenv(variable, path, 1)
    }

    /// The number of marks.
    var count: Int { (try? Data(contentsOf: URL(filePath: path)).count) ?? 0 }
}
