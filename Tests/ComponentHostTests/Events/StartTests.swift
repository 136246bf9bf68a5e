import ComponentHost
import ComponentKit
import TestSupport
import Testing

@Suite("Starting a host")
struct StartTests {
    @Test("loads the components that start with it, and reports those that cannot")
    func start() async throws {
        try await withPlugins("StartsWell", "StartsBadly", "CGood") { (directory: PluginDirectory) async throws in
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            #expect(!host.isLoaded("StartsWellLink"))
            let report = await host.start()
            #expect(report.started == ["StartsWell"])
            #expect(report.failures.map(\.component) == ["StartsBadly"])
            #expect(report.failures.first?.error.code == .createFailed)
            #expect(host.isLoaded("StartsWellLink") && !host.isLoaded("CGoodLink"))
            // The second time, nothing is left to do.
            let again = await host.start()
            #expect(again.started.isEmpty && again.failures.isEmpty)
            await host.stop()
            let late = await host.start()
            #expect(late.started.isEmpty)
        }
    }

    @Test("priorities count over all directories, and a requirement starts before what requires it")
    func order() async throws {
        try await withPlugins("StartsWell", "StartsFirst") { (first: PluginDirectory) async throws in
            try await withPlugins("StartsAfter") { (second: PluginDirectory) async throws in
                let log = CollectedLog()
                let host = LinkHost(
                    components: [first.path, second.path], includesBuiltIn: false, options: log.options)
                let report = await host.start()
                #expect(report.started == ["StartsAfter", "StartsFirst", "StartsWell"])
                #expect(
                    log.lines.all.filter { $0.hasSuffix(" starts") } == [
                        "StartsWell starts", "StartsAfter starts", "StartsFirst starts",
                    ])
                await host.stop()
            }
        }
    }
}
