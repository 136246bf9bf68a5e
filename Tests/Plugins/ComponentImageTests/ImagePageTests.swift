import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import PageKit
import TestSupport
import Testing

extension ComponentDepth {
    /// Calls `body` with a host and with the folder of the component's data.
    fileprivate func withPictures<Value>(
        _ files: [String: [UInt8]] = [:], body: (LinkHost, TemporaryDirectory) async throws -> Value
    ) async throws -> Value {
        let data = try TemporaryDirectory()
        try data.makeDirectory("ComponentImage/pictures")
        try data.setMode(0o755, of: "ComponentImage")
        for (name, bytes) in files { try data.write(bytes, to: "ComponentImage/\(name)") }
        return try await withHost(["ComponentImage"]) { options in
            options.dataDirectory = data.path
        } body: { host in
            try await body(host, data)
        }
    }
}

extension ViewNode {
    /// The cards of a gallery, with what they show: the keys of the cards, and the kinds and texts of the views on them.
    fileprivate var cards: [[String]] {
        let grid = all.first { if case .grid = $0.content { true } else { false } }
        return (grid?.children ?? []).map { card in [card.key] + card.children.map(\.content.kind) + card.texts }
    }
}

@Suite("Pages of pictures")
struct ImagePageTests {
    @Test("a gallery shows the pictures of a folder, whatever their names", arguments: ComponentDepth.allCases)
    func gallery(depth: ComponentDepth) async throws {
        let png = try Samples.bytes(of: "rgb8.png")
        let files = [
            "pictures/a.png": png, "pictures/b": try Samples.bytes(of: "baseline.jpg"),
            "pictures/c.txt": try Samples.bytes(of: "still.gif"),
            "pictures/d.webp": try Samples.bytes(of: "lossy.webp"),
            "pictures/e.bmp": try Samples.bytes(of: "rgb24.bmp"), "pictures/f.png": Array(png.prefix(20)),
            "pictures/g.png": Array("no picture, but long enough to be read".utf8), "pictures/.hidden.png": png,
            "pictures/line\nbreak.png": png, "beside.png": png,
        ]
        try await depth.withPictures(files) { host, data in
            try data.makeDirectory("ComponentImage/pictures/folder.png")
            try FileManager.default.createSymbolicLink(
                atPath: data.path(of: "ComponentImage/pictures/link.png"),
                withDestinationPath: data.path(of: "ComponentImage/beside.png"))
            let view = try await host.view("image.gallery", data: ["directory": "pictures"])
            #expect(
                view.cards == [
                    ["a.png", "image", "text", "37 × 23, PNG, 203 bytes"],
                    ["b", "image", "text", "37 × 23, JPEG, 353 bytes"],
                    ["c.txt", "image", "text", "37 × 23, GIF, 221 bytes"],
                    ["d.webp", "image", "text", "37 × 23, WEBP, 126 bytes"],
                    ["e.bmp", "icon", "text", "37 × 23, BMP, 2.6 kB"],
                    ["f.png", "icon", "text", "The picture cannot be read: the file is cut off."],
                ])
            let images = view.all.compactMap { if case .image(let image) = $0.content { image } else { nil } }
            #expect(images.first?.source == .bytes(png, type: "image/png"))
            #expect(images.first?.description == "a.png")
            // The folder is the usual one if the page names none.
            #expect(try await host.view("image.gallery") == view)
            #expect(try await host.view("image.gallery", data: [:]) == view)
        }
    }

    @Test("pictures whose names look the same are two pictures")
    func sameLooks() async throws {
        let files = [
            "pictures/e\u{301}": try Samples.bytes(of: "rgb8.png"), "pictures/f": try Samples.bytes(of: "gray8.png"),
        ]
        try await ComponentDepth.file.withPictures(files) { host, data in
            try data.write(try Samples.bytes(of: "baseline.jpg"), to: "ComponentImage/pictures/\u{E9}")
            let cards = try await host.view("image.gallery").cards
            #expect(cards.map(\.[0]) == ["f", "e\u{301}", "e\u{301}/2"])
            #expect(
                Set(cards.suffix(2).map { $0.last ?? "" }) == ["37 × 23, PNG, 203 bytes", "37 × 23, JPEG, 353 bytes"])
        }
    }

    @Test("a gallery stays small enough for a page")
    func limits() async throws {
        let png = try Samples.bytes(of: "rgb8.png")
        func picture(_ size: Int) -> [UInt8] { png + [UInt8](repeating: 0, count: size - png.count) }
        var files = ["large/a": picture(256 << 10), "large/b": picture(256 << 10 + 1)]
        for number in 10..<20 { files["much/\(number)"] = picture(255 << 10) }
        for number in 100..<161 { files["many/\(number)"] = png }
        try await ComponentDepth.file.withPictures { host, data in
            for folder in ["large", "much", "many"] { try data.makeDirectory("ComponentImage/\(folder)") }
            for (name, bytes) in files { try data.write(bytes, to: "ComponentImage/\(name)") }
            #expect(
                try await host.view("image.gallery", data: ["directory": "large"]).cards.map(\.[1]) == [
                    "image", "icon",
                ])
            let much = try await host.view("image.gallery", data: ["directory": "much"]).cards.map(\.[1])
            #expect(much == Array(repeating: "image", count: 8) + ["icon", "icon"])
            let many = try await host.view("image.gallery", data: ["directory": "many"])
            #expect(many.cards.count == 60 && many.cards.last?.first == "159")
            #expect(many.texts.last == "Only the first 60 pictures are shown.")
        }
    }

    @Test(
        "a folder is named, and nothing leads out of the data",
        arguments: [
            "", ".", "..", "../ComponentImage", "pictures/", "/etc", "pictures/../pictures", ".hidden",
            // A slash that is part of a longer character, and a name that C would cut.
            "a/\u{301}b", "pictures\u{0}x", "pictures\n",
        ])
    func unsafe(name: String) async throws {
        try await ComponentDepth.file.withPictures { host, data in
            let error = await #expect(throws: LinkError.self) {
                try await host.answer("image.gallery", data: ["directory": .string(name)])
            }
            #expect(error?.domain == "ComponentImage" && error?.number == 1, "\(String(describing: error))")
        }
    }

    @Test("a folder that is empty, missing or none is no gallery", arguments: ComponentDepth.allCases)
    func noPictures(depth: ComponentDepth) async throws {
        try await depth.withPictures(["file": [1, 2, 3]]) { host, data in
            for name in ["pictures", "missing"] {
                let view = try await host.view("image.gallery", data: ["directory": .string(name)])
                #expect(view == Placeholder("There are no pictures in \(name).").node)
            }
            let error = await #expect(throws: LinkError.self) {
                try await host.answer("image.gallery", data: ["directory": "file"])
            }
            #expect(error?.domain == "ComponentImage" && error?.number == 2)
            #expect(error?.message.contains("the folder file cannot be read: it is not a folder") == true)
            #expect("\(String(describing: error))".contains(data.path) == false)
        }
    }

    @Test("their pages are among the resources")
    func files() async throws {
        try await ComponentDepth.file.withPictures { host, _ in
            try await host.checkPages(
                of: "ComponentImage", ["gallery.json", "picture.json"], foreign: ["account.greeting"])
        }
    }
}
