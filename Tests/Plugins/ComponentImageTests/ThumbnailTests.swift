import ComponentHost
import ComponentImageContract
import ComponentKit
import Foundation
import HostTestSupport
import PageKit
import TestSupport
import Testing

@Suite("Thumbnails in galleries", .enabled(if: ThumbnailPlace.hasLibrary, "libgd is needed"))
struct ThumbnailTests {
    @Test("large pictures are shown small, and small ones as they are", arguments: ComponentDepth.allCases)
    func gallery(depth: ComponentDepth) async throws {
        let place = try ThumbnailPlace()
        try place.write(Painting.plain(width: 600, height: 400), to: "drawing.png")
        try place.write(Painting.noise(width: 500, height: 400), to: "noise.png")
        try place.write(Painting.plain(width: 500, height: 1000, 0x3366_9980), to: "opaque.png")
        try place.write(
            Painting.png(width: 600, height: 400, hasAlpha: true) { x, _ in x < 300 ? 0 : 0xFF00_00FF },
            to: "half.png")
        try place.write(Painting.noise(width: 481, height: 481, hasAlpha: true), to: "glass.png")
        // Its sides are small, but not its file.
        try place.write(Painting.noise(width: 200, height: 100), to: "heavy.png")
        try place.write(Painting.plain(width: 4000, height: 1), to: "line.png")
        for sample in ["rgb8.png", "baseline.jpg", "lossy.webp", "still.gif", "animated.webp"] {
            try place.write(try Samples.bytes(of: sample), to: sample)
        }
        try await place.withHost(depth) { host in
            for name in ["a.jpg", "b.webp"] {
                _ = try await host.call(
                    "ImageEditLink", "convert",
                    ["path": .string(place.path(of: "drawing.png")), "to": .string(place.path(of: name))])
            }
            let large = [
                "a.jpg": "image/jpeg 480 × 320", "b.webp": "image/jpeg 480 × 320",
                "drawing.png": "image/png 480 × 320", "opaque.png": "image/png 240 × 480",
                "half.png": "image/png 480 × 320", "line.png": "image/png 480 × 1",
                // As PNG, they would have too many bytes.
                "noise.png": "image/jpeg 320 × 256", "heavy.png": "image/jpeg 200 × 100",
                "glass.png": "image/png 80 × 80",
            ]
            let found = try await place.thumbnails(host, of: Array(large.keys))
            for (name, text) in large { #expect(found[name]?.text == text, "\(name)") }
            for name in ["rgb8.png", "baseline.jpg", "lossy.webp", "still.gif", "animated.webp"] {
                #expect(try found[name]?.bytes == Samples.bytes(of: name), "\(name)")
            }
            #expect(try place.kept().count == large.count)
            // They are made once.
            let kept = try place.kept()
            try FileManager.default.removeItem(atPath: place.path(of: "a.jpg"))
            #expect(try await place.shown(host).count == found.count - 1)
            #expect(try place.kept() == kept)
        }
        // The next host has them, too, even if it has no libgd.
        try await place.withHost(depth, files: []) { host async throws in
            #expect(try await place.shown(host)["glass.png"]??.text == "image/png 80 × 80")
        }
    }

    @Test("what is transparent stays transparent")
    func transparent() async throws {
        let place = try ThumbnailPlace()
        try place.write(
            Painting.png(width: 600, height: 400, hasAlpha: true) { x, _ in x < 300 ? 0 : 0xFF00_00FF }, to: "a.png")
        let pixels = try Pixels()
        try await place.withHost(files: [ThumbnailPlace.description, pixels.description]) { host in
            let picture = try #require(try await place.thumbnails(host, of: ["a.png"])["a.png"])
            #expect(try await pixels.corners(of: picture, host).map { $0 >> 24 } == [127, 0, 127, 0])
        }
    }

    @Test("names of any kind have thumbnails, and those of others have none")
    func names() async throws {
        let names = [
            "my picture #1?.png", "ein Bild – größer.png", "🖼.png", "%2e%2e%2f.png", "a;b&c='\"<d>.png", "-rf", "~",
            String(repeating: "x", count: 255), "file:", "pictures", "e\u{301}",
        ]
        let place = try ThumbnailPlace()
        for (index, name) in names.enumerated() {
            try place.write(Painting.plain(width: 500, height: 101 + index), to: name)
        }
        try place.write(Painting.plain(width: 500, height: 100), to: ".hidden.png")
        try await place.withHost { host in
            let found = try await place.thumbnails(host, of: names)
            #expect(Set(found.keys) == Set(names))
            #expect(try place.kept().count == names.count)
        }
    }

    @Test("a picture that changes has a new thumbnail", arguments: ComponentDepth.allCases)
    func changed(depth: ComponentDepth) async throws {
        let place = try ThumbnailPlace()
        try place.write(Painting.plain(width: 600, height: 400), to: "a.png")
        try await place.withHost(depth) { host in
            let first = try await place.thumbnails(host, of: ["a.png"])["a.png"]
            #expect(first?.text == "image/png 480 × 320")
            try place.write(Painting.plain(width: 600, height: 300), to: "a.png")
            #expect(try await place.thumbnails(host, of: ["a.png"])["a.png"]?.text == "image/png 480 × 240")
            // As many bytes, but another time.
            try place.write(Painting.plain(width: 600, height: 300, 0xFFFF_00FF), to: "a.png")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: place.path(of: "a.png"))
            let last = try await place.thumbnails(host, of: ["a.png"])["a.png"]
            #expect(try place.kept().count == 3)
            // A thumbnail that is damaged, or no file, is made anew.
            let kept = try place.kept().map { place.cache.path(of: "ComponentImage/thumbnails/\($0)") }
            for path in kept { try Data("damaged".utf8).write(to: URL(filePath: path)) }
            #expect(try await place.thumbnails(host, of: ["a.png"])["a.png"] == last)
            for path in kept {
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
            }
            #expect(try await place.thumbnails(host, of: ["a.png"])["a.png"] == last)
        }
    }

    @Test("several readers at a time see the same, and nothing is left over", arguments: ComponentDepth.allCases)
    func together(depth: ComponentDepth) async throws {
        let place = try ThumbnailPlace()
        let names = (10..<20).map { "\($0).png" }
        let picture = Painting.quarters(width: 700, height: 500)
        for name in names { try place.write(picture, to: name) }
        try await place.withHost(depth) { host in
            let all = try await withThrowingTaskGroup(of: [String: ShownPicture].self) { group in
                for _ in 0..<4 { group.addTask { try await place.thumbnails(host, of: names) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(all.count == 4 && Set(all).count == 1)
            let kept = try place.kept()
            #expect(kept.count == names.count && !kept.contains { $0.hasPrefix(".") })
        }
    }

    @Test("the page of a gallery shows thumbnails by itself", .enabled(if: ThumbnailPlace.hasPages))
    func page() async throws {
        let place = try ThumbnailPlace()
        let names = (10..<40).map { "\($0).png" }
        let picture = Painting.quarters(width: 1500, height: 1000)
        for name in names { try place.write(picture, to: name) }
        try place.data.makeDirectory("ComponentPages/pages")
        try place.data.setMode(0o755, of: "ComponentPages")
        try place.data.write(
            #"{"page": "p", "sections": [{"module": "image.gallery"}]}"#, to: "ComponentPages/pages/p.json")
        try await place.withHost(.file, ["ComponentPages"]) { host in
            let pages = try host.service(PageServiceClient.self)
            var page = try await pages.page(id: "p", after: nil)
            let isDone = await holds {
                let shown = page.sections[0].view.all.compactMap { try? ShownPicture($0) }
                if shown.count == names.count, shown.allSatisfy(\.isSmall) { return true }
                page = try await pages.page(id: "p", after: page.revision)
                return false
            }
            #expect(isDone)
            #expect(try place.kept().count == names.count)
        }
    }
}
