import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Components that break the rules")
struct UnbalancedTests {
    @Test("unbalanced enter, leave and end_work do no harm")
    func marks() async throws {
        let log = CollectedLog()
        try await withHost(["Unbalanced"], options: log.options) { host, _ async throws in
            for _ in 0..<2 {
                #expect(try await host.value("UnbalancedLink", "leave") == true)
                // As many as fit in addition to the call itself.
                #expect(try await host.value("UnbalancedLink", "enter") == 511)
            }
            #expect(try await host.value("UnbalancedLink", "endWork") == true)
            #expect(host.info("Unbalanced")?.openWork == 1)
            #expect(try await host.value("UnbalancedLink", "run") == true)
            #expect(host.info("Unbalanced")?.openWork == 0)
            #expect(log.lines.all.contains { $0.contains("called leave more often than enter") })
            #expect(log.lines.all.contains { $0.contains("called enter more often than leave") })
            #expect(log.lines.all.contains { $0.contains("called end_work more often than begin_work") })
            #expect(await host.stop(timeout: .seconds(300)) == StopReport())
        }
    }

    @Test("an object that enters without leaving does no harm")
    func object() async throws {
        let log = CollectedLog()
        try await withHost(["Unbalanced"], options: log.options) { host, _ async throws in
            let object = try await host.value("UnbalancedLink", "object").object()
            for _ in 0..<2 { #expect(try await onThread { try object.callAndWait("enter") } == true) }
            let lines = log.lines.all.filter { $0.contains("entering.enter called enter more often than leave") }
            #expect(lines.count == 2)
            #expect(await host.stop(timeout: .seconds(300)) == StopReport())
        }
    }

    @Test("a callback that enters without leaving does no harm")
    func callback() async throws {
        let log = CollectedLog()
        try await withHost(["Unbalanced"], options: log.options) { host, _ async throws in
            for _ in 0..<2 { #expect(try await host.value("UnbalancedLink", "ask") == true) }
            #expect(
                await holds {
                    log.lines.all.count { $0.contains("a callback called enter more often than leave") } == 2
                })
            #expect(await host.stop(timeout: .seconds(300)) == StopReport())
        }
    }

    @Test("a thread of a component whose start failed still gets answers")
    func failedCreate() async throws {
        try await withPlugins("CreateFailsLate") { directory async throws in
            let mark = directory.file("mark")
            unsafe setenv("HSLINK_MARK_LATE", mark, 1)
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let error = await host.blockingCall("CreateFailsLateLink", "run").error
            #expect(error?.cause?.code == .createFailed)
            #expect(
                await holds {
                    (try? FileManager.default.attributesOfItem(atPath: mark)[.size] as? Int) == 5
                })
            unsafe unsetenv("HSLINK_MARK_LATE")
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
        }
    }
}
