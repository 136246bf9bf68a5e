import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite("A component that changes the current directory")
struct CurrentDirectoryTests {
    /// Copies fixtures to `plugins` in a directory, which becomes the current one of this process.
    private static func enter(_ place: TemporaryDirectory, _ fixtures: String...) throws {
        try place.makeDirectory("plugins")
        for name in fixtures {
            try FileManager.default.copyItem(
                at: try Fixtures.file(name), to: URL(filePath: place.path(of: "plugins/lib\(name).so")))
            try place.setMode(0o755, of: "plugins/lib\(name).so")
        }
        try #require(FileManager.default.changeCurrentDirectoryPath(place.path))
    }

    @Test("moves neither the directory of plugin files nor those of data and caches")
    func directories() async {
        await #expect(processExitsWith: .success) {
            let place = try TemporaryDirectory()
            try CurrentDirectoryTests.enter(place, "ChangesDirectory", "KeepsData")
            var options = HostOptions.quiet
            options.dataDirectory = "data"
            options.cacheDirectory = "./cache"
            #expect(options.dataDirectory == place.path(of: "data"))
            #expect(options.cacheDirectory == place.path(of: "cache"))
            let host = LinkHost(components: ["plugins", "none"], includesBuiltIn: false, options: options)
            #expect(host.catalog.rejectedDirectories.map(\.path) == [place.path(of: "none")])
            #expect(try await host.value("ChangesDirectoryLink", "run") == true)
            try #require(FileManager.default.currentDirectoryPath == "/")
            #expect(host.rescan() == [])
            #expect(host.components.map(\.onDisk) == [.same, .same])
            #expect(try await host.value("KeepsDataLink", "directory") == .string(place.path(of: "data/KeepsData")))
            #expect(try host.claimDataDirectory() == place.path(of: "data"))
            await host.stop()
        }
    }

    @Test("moves neither the files of its configuration nor the secrets")
    func configuration() async {
        await #expect(processExitsWith: .success) {
            let place = try TemporaryDirectory()
            try CurrentDirectoryTests.enter(place, "ChangesDirectory", "Configured")
            try place.write(#"{"Configured": {"limit": 7}}"#, to: "host.json")
            try place.makeDirectory("secrets")
            try place.write("a", to: "secrets/Configured.address")
            var configuration = HostConfiguration(files: ["host.json"], environmentPrefix: nil)
            configuration.secrets = ["secrets"]
            #expect(configuration.files == [place.path(of: "host.json")])
            #expect(configuration.secrets == [place.path(of: "secrets")])
            var options = HostOptions.quiet
            options.configuration = configuration
            let host = LinkHost(components: ["plugins"], includesBuiltIn: false, options: options)
            _ = try await host.value("ChangesDirectoryLink", "run")
            try #require(FileManager.default.currentDirectoryPath == "/")
            try place.write(#"{"Configured": {"limit": 8}}"#, to: "host.json")
            #expect(try host.reloadConfiguration() == ["Configured"])
            #expect(try host.configurationProblems() == [])
            #expect(try await host.value("ConfiguredInC", "values")["limit"] == 8)
            await host.stop()
        }
    }
}
