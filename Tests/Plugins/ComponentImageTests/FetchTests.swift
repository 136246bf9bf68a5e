import ComponentHost
import ComponentImageContract
import ComponentKit
import Foundation
import HostTestSupport
import TestSupport
import Testing

/// Whether the components that a fetched picture needs are in the package.
private func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: BuiltProducts.component(name).path)
}

@Suite("Pictures from the web", .enabled(if: has("NXService") && has("NXUI"), "NXService and NXUI are needed"))
struct FetchTests {
    private let cache: TemporaryDirectory

    init() throws { cache = try TemporaryDirectory() }

    private func withImages<Value>(
        _ components: String..., body: (ImageServiceClient) async throws -> Value
    ) async throws -> Value {
        try await ComponentDepth.file.withHost(["ComponentImage"] + components) { options in
            options.cacheDirectory = cache.path
        } body: { host async throws in
            try await body(try host.service(ImageServiceClient.self))
        }
    }

    private func failure(_ body: () async throws -> FetchedPicture) async -> ImageError? {
        await #expect(throws: ImageError.self) { try await body() }
    }

    @Test("a picture is fetched, described, and there without the server")
    func fetched() async throws {
        let sample = try #require(Sample.all.first)
        let bytes = Array(try Data(contentsOf: URL(filePath: sample.path)))
        let server = try WebServer(["/a": .document(type: "image/png", bytes)])
        try await withImages("NXService") { images async throws in
            let picture = try await images.fetch(url: server.url("/a"), placeholder: nil)
            #expect(picture.info == sample.info)
            #expect(picture.reason == nil)
            #expect(!picture.isPlaceholder)
            #expect(picture.path.hasPrefix(cache.path))
            #expect(Array(try Data(contentsOf: URL(filePath: picture.path))) == bytes)
            #expect(try await images.info(path: picture.path) == sample.info)
            server.stop()
            let again = try await images.fetch(url: server.url("/a"), placeholder: true)
            #expect(again.path == picture.path)
            #expect(!again.isPlaceholder)
            #expect(again.reason?.contains("127.0.0.1") == true)
        }
    }

    @Test("what is no picture is not kept")
    func noPicture() async throws {
        let server = try WebServer(["/a": .document(type: "image/png", Array("<html>".utf8)), "/empty": .status(200)])
        try await withImages("NXService") { images async throws in
            for path in ["/a", "/empty"] {
                let error = await failure { try await images.fetch(url: server.url(path), placeholder: nil) }
                guard case .notAPicture? = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: cache.path(of: "ComponentImage/pictures"))
            #expect(files == [])
            // A picture that was fetched before stays.
            let sample = try #require(Sample.all.first)
            server.answer(
                "/a", .document(type: "image/png", Array(try Data(contentsOf: URL(filePath: sample.path)))))
            let picture = try await images.fetch(url: server.url("/a"), placeholder: nil)
            server.answer("/a", .document(type: "text/html", Array("<html>".utf8)))
            _ = await failure { try await images.fetch(url: server.url("/a"), placeholder: nil) }
            #expect(try await images.info(path: picture.path) == sample.info)
        }
    }

    @Test("without NXService there is an answer, and with NXUI a placeholder")
    func alone() async throws {
        try await withImages { images async throws in
            let error = await failure { try await images.fetch(url: "http://127.0.0.1:1/", placeholder: true) }
            guard case .noWeb? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        try await withImages("NXUI") { images async throws in
            let picture = try await images.fetch(url: "http://127.0.0.1:1/", placeholder: true)
            #expect(picture.isPlaceholder)
            #expect(picture.info.width == 96)
            #expect(picture.reason?.contains("no component can fetch") == true)
        }
        try await withImages("NXService", "NXUI") { images async throws in
            let picture = try await images.fetch(url: "http://127.0.0.1:1/", placeholder: true)
            #expect(picture.isPlaceholder)
            #expect(picture.reason?.contains("127.0.0.1") == true)
            let error = await failure { try await images.fetch(url: "file:///etc/passwd", placeholder: nil) }
            guard case .notFetched? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}
