import ComponentHost
import ComponentKit
import Logging
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

    @Test("ends at the first component that cannot start, if it is to")
    func endsAtFailure() async throws {
        try await withPlugins("StartsWell", "StartsBadly") { (directory: PluginDirectory) async throws in
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let report = await host.start(endsAtFailure: true)
            #expect(report.started == [])
            #expect(report.failures.map(\.component) == ["StartsBadly"])
            #expect(!host.isLoaded("StartsWellLink"))
            await host.stop()
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

    @Test("a start that is ended returns at once, and loads no further component")
    func ended() async throws {
        try await withPlugins("StartsSlowly", "StartsWell") { (directory: PluginDirectory) async throws in
            let valve = Valve()
            var options = HostOptions()
            options.logger = Logger(label: "test") { _ in ValveLog(valve: valve, text: "StartsSlowly starts") }
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: options)
            async let start = host.start()
            #expect(await holds { valve.arrivals == 1 })
            host.endStart()
            // The component is still starting.
            let report = await start
            #expect(report.started.isEmpty && report.failures.isEmpty)
            valve.open()
            #expect(await holds { host.isLoaded("StartsSlowlyLink") })
            #expect(await host.start().started.isEmpty)
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
            #expect(!host.isLoaded("StartsWellLink"))
        }
    }
}
