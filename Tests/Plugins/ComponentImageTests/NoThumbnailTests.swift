import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import TestSupport
import Testing

@testable import ComponentImage

@Suite("Galleries without thumbnails")
struct NoThumbnailTests {
    /// Descriptions of a library that is not there, or none.
    enum Missing: String, CaseIterable {
        case description, library
    }

    @Test(
        "without libgd, a gallery shows pictures as they are", arguments: ComponentDepth.allCases, Missing.allCases)
    func without(depth: ComponentDepth, missing: Missing) async throws {
        let place = try ThumbnailPlace()
        let large = Painting.plain(width: 600, height: 100)
        try place.write(large, to: "a.png")
        try place.write(try Samples.bytes(of: "rgb8.png"), to: "b.png")
        try place.write(Painting.plain(width: 600, height: 400), to: "too-large.png")
        let directory = try TemporaryDirectory()
        let text = try String(contentsOf: ThumbnailPlace.description, encoding: .utf8)
        try directory.write(text.replacing("libgd.so.3", with: "libgd.so.99"), to: "gd.hslink.json")
        let files = missing == .library ? [URL(filePath: directory.path(of: "gd.hslink.json"))] : []
        try await place.withHost(depth, files: files) { host in
            for _ in 0..<2 {
                let shown = try await place.shown(host)
                #expect(shown.count == 3)
                #expect(shown["a.png"]??.bytes == large)
                #expect(shown["b.png"]??.text == "image/png 37 × 23")
                #expect(shown["too-large.png"] == .some(nil))
            }
            #expect(try place.kept() == [])
        }
    }

    @Test("a picture that is damaged is shown as it is, and costs the others nothing")
    func damaged() async throws {
        let place = try ThumbnailPlace()
        let whole = Painting.plain(width: 600, height: 100)
        try place.write(whole, to: "whole.png")
        for size in [60, 1000, whole.count / 2, whole.count - 20] {
            try place.write(Array(whole.prefix(size)), to: "cut-\(size).png")
        }
        try place.write(whole.prefix(5000) + [1, 2, 3] + whole.dropFirst(5003), to: "changed.png")
        try place.write(Make.jpeg(height: 600, width: 600), to: "header.jpg")
        try place.write(Make.webp("VP8L", [0x2F, 0xFF, 0xC3, 0xFF, 0x0F]), to: "header.webp")
        try await place.withHost { host in
            if ThumbnailPlace.hasLibrary {
                #expect(try await place.thumbnails(host, of: ["whole.png"])["whole.png"]?.text == "image/png 480 × 80")
            }
            let shown = try await place.shown(host)
            #expect(shown.count == 8)
            for name in ["cut-60.png", "cut-1000.png", "header.jpg", "header.webp"] {
                #expect(
                    try shown[name]??.bytes == Array(Data(contentsOf: URL(filePath: place.path(of: name)))), "\(name)")
            }
            // Nothing is tried again.
            #expect(try await place.shown(host) == shown)
        }
    }

    @Test("a picture that would take too much memory or time is not read, and is shown to nobody")
    func bombs() async throws {
        let place = try ThumbnailPlace()
        let wide = UInt32(ThumbnailMaker.limits.pixels) + 1
        try place.write(Make.png(width: wide), to: "wide.png")
        try place.write(Make.png(width: .init(Int32.max)), to: "widest.png")
        try place.write(Make.jpeg(height: .max, width: .max), to: "a.jpg")
        try place.write(Make.webp("VP8X", [0, 0, 0, 0, 255, 255, 0, 255, 255, 0]), to: "a.webp")
        // As many pixels as there may be, in a file that is longer than any may be.
        let long = try FileHandle(
            forWritingTo: {
                try place.write(Make.png(width: wide - 1), to: "long.png")
                return URL(filePath: place.path(of: "long.png"))
            }())
        try long.truncate(atOffset: ThumbnailMaker.limits.bytes + 1)
        try await place.withHost { host in
            let shown = try await place.shown(host)
            #expect(shown.count == 5 && shown.values.allSatisfy { $0 == nil })
            #expect(try place.kept() == [])
        }
    }

    @Test("a cache that cannot be written costs the thumbnails, and not the gallery")
    func noCache() async throws {
        let place = try ThumbnailPlace()
        for name in ["a.png", "b.png", "c.png"] { try place.write(Painting.plain(width: 600, height: 100), to: name) }
        try place.cache.write("no folder", to: "ComponentImage/thumbnails")
        try await place.withHost { host async throws in
            for _ in 0..<3 { #expect(try await place.shown(host).values.compactMap(\.self).count == 3) }
        }
    }

    @Test("a JPEG has a limit on scans, and what only looks like one does not count")
    func scans() throws {
        func jpeg(scans: Int, _ before: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
            let scan = Make.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4]
            let all = [[UInt8]](repeating: scan, count: scans).flatMap(\.self)
            return [0xFF, 0xD8] + before + Make.jpeg().dropFirst(2) + all + [0xFF, 0xD9] + after
        }
        let scans = [UInt8]([[UInt8]](repeating: [0xFF, 0xDA, 0, 2], count: 200).flatMap(\.self))
        try JPEGScans.check(jpeg(scans: 100))
        try JPEGScans.check(jpeg(scans: 10, Make.segment(0xE1, scans), after: scans))
        for bytes in [jpeg(scans: 101), jpeg(scans: 101, [0xFF, 0xFF, 0xFF, 0xFE, 0, 2]), [0xFF, 0xD8] + scans] {
            let error = #expect(throws: LinkError.self) { try JPEGScans.check(bytes) }
            #expect(error?.message == "path: the picture has more than 100 scans")
        }
        // Cut off anywhere, it is left to the decoder.
        let whole = jpeg(scans: 3, Make.segment(0xE0, [1, 2, 3]))
        for size in 0...whole.count { try JPEGScans.check(Array(whole.prefix(size))) }
    }
}
