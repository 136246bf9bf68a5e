import ComponentHost
import ComponentImageContract
import ComponentKit
import Foundation
import HostTestSupport
import TestSupport
import Testing

extension ComponentDepth {
    /// Calls `body` with a host that lets browsers open URLs, and with a data directory.
    fileprivate func withHost<Value>(body: (LinkHost, TemporaryDirectory) async throws -> Value) async throws -> Value {
        let data = try TemporaryDirectory()
        return try await withHost(["ComponentImage"]) { options in
            options.dataDirectory = data.path
            options.routes.remoteSources = ["browser"]
        } body: { host in
            try await body(host, data)
        }
    }
}

@Suite("URLs of pictures")
struct RouteTests {
    @Test("a picture is described from inside only", arguments: ComponentDepth.allCases)
    func info(depth: ComponentDepth) async throws {
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

    @Test("without a signed-in user, no URL writes a file", arguments: ComponentDepth.allCases)
    func refused(depth: ComponentDepth) async throws {
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
