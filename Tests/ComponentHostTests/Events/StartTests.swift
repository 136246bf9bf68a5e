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

    /// A log that ends the start of a host when a component says that it starts.
    private struct EndsStart: LogHandler {
        /// The host, once it exists.
        final class Place: Sendable {
            let host = Lock<LinkHost?>(nil)
        }

        let place: Place
        var logLevel = Logger.Level.debug
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            if "\(event.message)" == "StartsSlowly starts" { place.host.withLock { $0 }?.endStart() }
        }
    }

    @Test("a start that is to end loads no further component")
    func ended() async throws {
        try await withPlugins("StartsSlowly", "StartsWell") { (directory: PluginDirectory) async throws in
            let place = EndsStart.Place()
            var options = HostOptions()
            options.logger = Logger(label: "test") { _ in EndsStart(place: place) }
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: options)
            place.host.withLock { $0 = host }
            let report = await host.start()
            #expect(report.started == ["StartsSlowly"])
            #expect(report.failures.isEmpty)
            #expect(!host.isLoaded("StartsWellLink"))
            await host.stop()
            place.host.withLock { $0 = nil }
        }
    }
}
