import ComponentHost
import ComponentImageContract
import ComponentKit
import Foundation
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentImage

/// A folder of pictures, and the cache of a host that shows them.
struct ThumbnailPlace {
    let data: TemporaryDirectory
    let cache: TemporaryDirectory

    /// The description of libgd.
    static let description = BuiltProducts.packageDirectory.appending(path: "Plugins/ComponentImage/gd.hslink.json")

    static var hasLibrary: Bool {
        ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"].contains {
            FileManager.default.fileExists(atPath: "\($0)/libgd.so.3")
        }
    }

    /// Whether there is a component that composes pages.
    static var hasPages: Bool {
        FileManager.default.fileExists(atPath: BuiltProducts.component("ComponentPages").path)
    }

    init() throws {
        data = try TemporaryDirectory()
        cache = try TemporaryDirectory()
        try data.makeDirectory("ComponentImage/pictures")
        try data.setMode(0o755, of: "ComponentImage")
        try cache.makeDirectory("ComponentImage")
    }

    func path(of name: String) -> String { data.path(of: "ComponentImage/pictures/\(name)") }

    func write(_ bytes: [UInt8], to name: String) throws {
        try data.write(bytes, to: "ComponentImage/pictures/\(name)")
    }

    /// Calls `body` with a host that has libgd, or what other files describe.
    func withHost<Value>(
        _ depth: ComponentDepth = .file, _ components: [String] = [], files: [URL] = [description],
        body: (LinkHost) async throws -> Value
    ) async throws -> Value {
        try await depth.withHost(["ComponentImage"] + components, files: files) { options in
            options.dataDirectory = data.path
            options.cacheDirectory = cache.path
        } body: { host in
            try await body(host)
        }
    }

    /// The names of all files in the cache, also those that begin with a dot.
    func kept() throws -> [String] {
        let folder = cache.path(of: "ComponentImage/thumbnails")
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    /// What is shown of each picture, by its name; nil if there is an icon in its place.
    func shown(_ host: LinkHost) async throws -> [String: ShownPicture?] {
        let view = try await host.view("image.gallery")
        var result: [String: ShownPicture?] = [:]
        for card in view.all {
            guard case .card = card.content else { continue }
            let images = card.children.compactMap { try? ShownPicture($0) }
            #expect(images.count <= 1)
            result[card.key] = .some(images.first)
        }
        return result
    }

    /// Asks for the gallery until these pictures are shown small. A slow computer makes some thumbnails later.
    func thumbnails(_ host: LinkHost, of names: [String]) async throws -> [String: ShownPicture] {
        var found: [String: ShownPicture] = [:]
        let isDone = await holds {
            found = try await shown(host).compactMapValues(\.self)
            return names.allSatisfy { found[$0]?.isSmall == true }
        }
        #expect(isDone, "\(found.mapValues { "\($0.width) × \($0.height), \($0.bytes.count) bytes" })")
        return found
    }
}

/// A picture on a page.
struct ShownPicture: Hashable, Sendable {
    let bytes: [UInt8]
    let type: String
    let width, height: Int

    /// Whether it can be a thumbnail.
    var isSmall: Bool { max(width, height) <= 480 && bytes.count <= (2 << 20) / 60 }

    var text: String { "\(type) \(width) × \(height)" }

    init(_ view: ViewNode) throws {
        guard case .image(let image) = view.content, case .bytes(let bytes, let type) = image.source else {
            throw CocoaError(.fileReadUnknown)
        }
        (self.bytes, self.type) = (bytes, type)
        let file = try TemporaryFile(bytes)
        let info = try ImageInfo.read(path: file.path)
        (width, height) = (info.width, info.height)
        #expect("image/\(info.format.rawValue)" == type)
    }
}
