import ComponentHost
import ComponentImageContract
import ComponentKit
import Foundation
import Logging
import TestSupport
import Testing

/// ComponentImage linked into the test program, and as the real component file.
enum ImageDepth: String, CaseIterable, CustomTestStringConvertible {
    case builtIn, file

    var testDescription: String { self == .builtIn ? "built in" : "from its file" }

    /// Calls `body` with a host that lets browsers open URLs, and with a data directory, and stops the host.
    func withHost<Value>(body: (LinkHost, TemporaryDirectory) async throws -> Value) async throws -> Value {
        let data = try TemporaryDirectory()
        return try await withPlugins { plugins in
            if self == .file { try plugins.add("ComponentImage") }
            var options = HostOptions()
            options.dataDirectory = data.path
            options.logger.logLevel = .critical
            options.routes.remoteSources = ["browser"]
            let host = LinkHost(components: [plugins.path], includesBuiltIn: self == .builtIn, options: options)
            do {
                let value = try await body(host, data)
                await host.stop()
                return value
            } catch {
                await host.stop()
                throw error
            }
        }
    }
}

@Suite("URLs of pictures")
struct RouteTests {
    @Test("a picture is described from inside only", arguments: ImageDepth.allCases)
    func info(depth: ImageDepth) async throws {
        try await depth.withHost { host, _ in
            for sample in Sample.all.prefix(3) {
                let route = ImageServiceRoutes.info(path: sample.path)
                let info = try await host.open(route)
                #expect(info == sample.info)
                let error = await #expect(throws: LinkError.self) {
                    try await host.open(route.url, from: .remote("browser"))
                }
                #expect(error?.code == .routeNotFound)
            }
        }
    }

    @Test("without a signed-in user, no URL writes a file", arguments: ImageDepth.allCases)
    func refused(depth: ImageDepth) async throws {
        try await depth.withHost { host, data in
            let target = data.path(of: "new.png")
            for selector in ["thumbnail", "convert"] {
                let url = try host.routes.url(
                    for: "ImageEditLink", selector,
                    ["path": .string(Samples.path(of: "rgb8.png")), "to": .string(target), "width": 8, "height": 8])
                let error = await #expect(throws: LinkError.self) { try await host.open(url) }
                #expect(error?.code == .routeRefused, "\(url)")
                #expect(!FileManager.default.fileExists(atPath: target))
            }
        }
    }
}
