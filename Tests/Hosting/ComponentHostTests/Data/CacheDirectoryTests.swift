import CHSLink
import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite("The directories for caches")
struct CacheDirectoryTests {
    @Test("each component has one of its own, which hosts share", arguments: Depth.allCases)
    func directories(depth: Depth) async throws {
        let folder = try TemporaryDirectory()
        var options = HostOptions.quiet
        options.cacheDirectory = folder.path(of: "cache")
        let hosts = [try depth.host(options: options), try depth.host(options: options)]
        for host in hosts {
            let path: String = try await host.call("FixtureResources", "cache").value()
            #expect(path == folder.path(of: "cache/FixtureComponent"))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
            #expect(try await host.call("FixtureResources", "cache") == .string(path))
        }
        for host in hosts { await host.stop() }
    }

    @Test(
        "without a directory in the options, and in one that others can change, there is none",
        arguments: Depth.allCases)
    func refusals(depth: Depth) async throws {
        let folder = try TemporaryDirectory()
        try folder.makeDirectory("open")
        try folder.setMode(0o777, of: "open")
        for (path, code) in [(nil, HSLINK_DATA_NONE), (folder.path(of: "open"), HSLINK_DATA_UNTRUSTED)] {
            var options = HostOptions.quiet
            options.cacheDirectory = path
            let host = try depth.host(options: options)
            let error = await #expect(throws: LinkError.self) { try await host.call("FixtureResources", "cache") }
            #expect(error?.domain == HSLINK_DATA_DOMAIN)
            #expect(error?.number == Int32(code))
            #expect(error?.message.contains("cache directory") == true)
            await host.stop()
        }
    }

    @Test("the one for data is none, also if a link leads to it", arguments: Depth.allCases, [true, false])
    func sameAsData(depth: Depth, isDataLinked: Bool) async throws {
        let folder = try TemporaryDirectory()
        try folder.link("here", to: ".")
        try folder.makeDirectory("kept")
        let paths = [folder.path(of: "kept"), folder.path(of: "here/kept")]
        var options = HostOptions.quiet
        options.dataDirectory = paths[isDataLinked ? 1 : 0]
        options.cacheDirectory = paths[isDataLinked ? 0 : 1]
        let host = try depth.host(options: options)
        let error = await #expect(throws: LinkError.self) { try await host.call("FixtureResources", "cache") }
        #expect(error?.domain == HSLINK_DATA_DOMAIN)
        #expect(error?.message.contains("must not be the one for data") == true)
        await host.stop()
    }
}
