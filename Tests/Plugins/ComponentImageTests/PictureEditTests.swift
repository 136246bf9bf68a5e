import ComponentHost
import ComponentImageContract
import ComponentKit
import Foundation
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentImage

/// An edit of a picture of 60 × 40 pixels, red, green, blue and white by rows.
private struct EditSample: Sendable, CustomTestStringConvertible {
    let selector: String
    let values: [String: Payload]
    /// The name of the new file, and what its header says.
    let name: String
    let text: String
    /// The colours near the corners of the result, by rows; nil for colours that a format changes.
    let colors: String?

    var testDescription: String { "\(selector) \(values.payload)" }

    static let all = [
        EditSample("crop", ["x": 0, "y": 0, "width": 30, "height": 20], "a-crop.png", "png 30 × 20", "RRRR"),
        EditSample("crop", ["x": 10, "y": 20, "width": 40, "height": 20], "a-crop.png", "png 40 × 20", "BWBW"),
        EditSample("rotate", ["degrees": 90.0], "a-rotated.png", "png 40 × 60", "GWRB"),
        EditSample("rotate", ["degrees": -180.0], "a-rotated.png", "png 60 × 40", "WBGR"),
        EditSample("grayscale", [:], "a-gray.png", "png 60 × 40", nil),
        EditSample("convert", ["format": "jpeg"], "a-converted.jpg", "jpeg 60 × 40", nil),
        EditSample("convert", ["format": "webp"], "a-converted.webp", "webp 60 × 40", nil),
        EditSample("thumbnail", ["longest": 30], "a-small.png", "png 30 × 20", "RGBW"),
    ]

    private init(
        _ selector: String, _ values: [String: Payload], _ name: String, _ text: String, _ colors: String?
    ) {
        (self.selector, self.values, self.name) = (selector, values, name)
        (self.text, self.colors) = (text, colors)
    }
}

extension LinkHost {
    /// Edits a picture, or undoes that, as an action of its page does. Returns where the action leads.
    fileprivate func edit(
        _ selector: String, of name: String, _ values: [String: Payload] = [:], in directory: String = "pictures"
    ) async throws -> String? {
        let place: [String: Payload] = ["name": .string(name), "directory": .string(directory)]
        let answer = try await call("ImagePages", selector, values.merging(place) { $1 }.payload)
        return ActionOutcome(answer: answer)?.page
    }

    /// What the page of a picture says of it.
    fileprivate func facts(of name: String) async throws -> [String] {
        try await view("image.picture", data: ["name": .string(name)]).all.compactMap {
            if case .row(let row) = $0.content { "\(row.title): \(row.detail ?? "")" } else { nil }
        }
    }
}

extension ThumbnailPlace {
    /// The names of the pictures and of all hidden files.
    fileprivate func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(of: "")).sorted()
    }

    fileprivate func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(of: name))))
    }
}

@Suite("The page of a picture")
struct PicturePageTests {
    @Test("it shows the picture and what is known of it, whatever its name", arguments: ComponentDepth.allCases)
    func shown(depth: ComponentDepth) async throws {
        let place = try ThumbnailPlace()
        let names = ["a.png", "%2e%2e%2f.png", "e\u{301}", "ein Bild – größer.png", "a&b=c?d#e+f.png", "-rf"]
        let png = try Samples.bytes(of: "rgb8.png")
        for name in names { try place.write(png, to: name) }
        try place.write(try Samples.bytes(of: "rgb24.bmp"), to: "b.bmp")
        try place.write(Array(png.prefix(20)), to: "cut.png")
        try await place.withHost(depth, files: []) { host in
            let gallery = try await host.view("image.gallery")
            for name in names {
                let view = try await host.view("image.picture", data: ["name": .string(name)])
                let images = view.all.compactMap { try? ShownPicture($0) }
                #expect(images.map(\.bytes) == [png])
                let page = PageAddress(name: "picture", values: ["name": .string(name)]).id
                #expect(gallery.all.contains { $0.action == .show(page: page) }, "\(name)")
            }
            let facts = ["Size: 37 × 23 pixels", "Format: PNG", "Colours: 3 × 8 bits", "File: 203 bytes"]
            #expect(try await host.facts(of: "a.png") == facts)
            #expect(try await host.facts(of: "b.bmp").first == "Size: 37 × 23 pixels")
            let cut = try await host.view("image.picture", data: ["name": "cut.png"])
            #expect(cut.texts == ["The picture cannot be read: the file is cut off."])
        }
    }

    @Test(
        "there is no page of what is no picture of the folder",
        arguments: [
            "", ".", "..", "../pictures/a.png", "./a.png", "/etc/passwd", ".hidden.png", "missing.png", "link.png",
            "folder.png", "text.png", "a.png\u{0}", "a.png\n", "a/\u{301}b", "\u{E9}",
        ])
    func unknown(name: String) async throws {
        let place = try ThumbnailPlace()
        let png = try Samples.bytes(of: "rgb8.png")
        for name in ["a.png", ".hidden.png", "e\u{301}"] { try place.write(png, to: name) }
        try place.write(Array("no picture, but long enough to be read".utf8), to: "text.png")
        try place.data.makeDirectory("ComponentImage/pictures/folder.png")
        try FileManager.default.createSymbolicLink(
            atPath: place.path(of: "link.png"), withDestinationPath: place.path(of: "a.png"))
        let files = try place.files()
        try await place.withHost { host async throws in
            for module in ["image.picture", "image.picture.edit"] {
                for data in [["name": .string(name)], ["name": "a.png", "directory": "../x"]] as [Payload] {
                    let error = await #expect(throws: LinkError.self) { try await host.view(module, data: data) }
                    guard case PageError.unknownPage? = error?.original else {
                        Issue.record("\(String(describing: error))")
                        continue
                    }
                }
            }
            for selector in ["grayscale", "undo"] {
                let error = await #expect(throws: LinkError.self) { try await host.edit(selector, of: name) }
                #expect(error?.message.contains(place.data.path) == false)
                // What the name cannot be is for programs, and what the editor refuses for people, too.
                let isForPeople = error?.original as? PageError != nil
                #expect(isForPeople || error?.domain == "ComponentImage")
            }
            await #expect(throws: LinkError.self) { try await host.edit("grayscale", of: "a.png", in: "..") }
            #expect(try place.files() == files)
        }
    }

    @Test("a picture that cannot be edited has no forms, and the page says why")
    func reasons() async throws {
        let place = try ThumbnailPlace()
        for sample in ["still.gif", "rgb24.bmp", "animated.webp", "rgb8.png"] {
            try place.write(try Samples.bytes(of: sample), to: sample)
        }
        try place.write(Make.png(width: UInt32(ThumbnailMaker.limits.pixels) + 1), to: "wide.png")
        try place.write(Array(try Samples.bytes(of: "rgb8.png").prefix(20)), to: "cut.png")
        try await place.withHost(files: []) { host in
            for (name, words) in [
                ("still.gif", "Only PNG"), ("rgb24.bmp", "Only PNG"), ("animated.webp", "Only PNG"),
                ("wide.png", "32 megapixels"), ("cut.png", "damaged"), ("rgb8.png", "libgd is missing"),
            ] {
                let view = try await host.view("image.picture.edit", data: ["name": .string(name)])
                #expect(view.texts.count == 1 && view.texts[0].contains(words) && view.fields.isEmpty, "\(name)")
                await #expect(throws: LinkError.self) { try await host.edit("grayscale", of: name) }
            }
            #expect(try place.files().count == 6)
        }
    }
}

@Suite("The sizes of turned pictures")
struct TurnedPictureTests {
    @Test(
        "a picture is not turned if it would become much larger",
        arguments: [
            (5792, 5792, 45.0, true), (40_000, 800, 90, true), (40_000, 800, -450, true), (40_000, 800, 0, true),
            (40_000, 800, 45, false), (40_000, 800, -225, false), (1 << 25, 1, 90, true), (1 << 25, 1, 1, false),
            (1, 1 << 25, -1, false), (60, 40, 12.5, true),
        ] as [(Int, Int, Double, Bool)])
    func turned(width: Int, height: Int, degrees: Double, isAllowed: Bool) {
        var problem: PageError?
        do throws(PageError) {
            try PictureEdit.rotate(degrees: degrees).check(width: width, height: height)
        } catch {
            problem = error
        }
        if isAllowed {
            #expect(problem == nil)
        } else {
            guard case .invalidValue("degrees", _)? = problem else {
                Issue.record("\(String(describing: problem))")
                return
            }
        }
    }
}

@Suite("Pictures are edited on pages", .enabled(if: ThumbnailPlace.hasLibrary, "libgd is needed"))
struct PictureEditTests {
    @Test(
        "an edit makes a new picture beside the original, and undoing deletes it",
        arguments: ComponentDepth.allCases, EditSample.all)
    private func edits(depth: ComponentDepth, sample: EditSample) async throws {
        let place = try ThumbnailPlace()
        let pixels = try Pixels()
        let original = Painting.quarters(width: 60, height: 40)
        try place.write(original, to: "a.png")
        try await place.withHost(depth, files: [ThumbnailPlace.description, pixels.description]) { host in
            let forms = try await host.view("image.picture.edit", data: ["name": "a.png"])
            #expect(Set(forms.fields.map(\.name)).isSuperset(of: sample.values.keys))
            let page = try await host.edit(sample.selector, of: "a.png", sample.values)
            #expect(page == "picture?name=\(sample.name)")
            let info = try ImageInfo.read(path: place.path(of: sample.name))
            #expect("\(info.format.rawValue) \(info.width) × \(info.height)" == sample.text)
            if let colors = sample.colors {
                let shown = try ShownPicture(
                    Image(.bytes(try place.bytes(of: sample.name), type: "image/png"), describing: "").node)
                let names: [UInt32: Character] = [0xFF_0000: "R", 0x00_FF00: "G", 0x00_00FF: "B", 0xFF_FFFF: "W"]
                #expect(String(try await pixels.corners(of: shown, host).map { names[$0] ?? "?" }) == colors)
            }
            #expect(try await host.facts(of: sample.name).last == "Edited from: a.png")
            #expect(try await host.facts(of: "a.png").last == "\(sample.name): ")
            #expect(try await host.view("image.gallery").all.contains { $0.key == sample.name })

            #expect(try await host.edit("undo", of: sample.name) == "picture?name=a.png")
            #expect(try place.files() == ["a.png"])
            #expect(try place.bytes(of: "a.png") == original)
        }
    }

    @Test("the second of two edits has another name, also if both are made at once")
    func names() async throws {
        let place = try ThumbnailPlace()
        let long = String(repeating: "é", count: 127)
        for name in ["a.png", "b", long] { try place.write(Painting.plain(width: 20, height: 10), to: name) }
        try place.write(Array("not to be replaced".utf8), to: "b-gray.png")
        try await place.withHost { host in
            let pages = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var page: String?
                        // On a busy machine, one may be told to try again later.
                        _ = await holds {
                            page = try await host.edit("grayscale", of: "a.png")
                            return true
                        }
                        return page
                    }
                }
                return try await group.reduce(into: []) { $0.append($1 ?? "") }
            }
            let expected = ["", "-2", "-3", "-4"].map { "picture?name=a-gray\($0).png" }
            #expect(pages.sorted() == expected.sorted())
            #expect(try await host.edit("grayscale", of: "b") == "picture?name=b-gray-2.png")
            #expect(try place.bytes(of: "b-gray.png") == Array("not to be replaced".utf8))
            // An edit of an edit, back to its original, which has been deleted meanwhile.
            #expect(try await host.edit("thumbnail", of: "b-gray-2.png", ["longest": 5]) != nil)
            try FileManager.default.removeItem(atPath: place.path(of: "b-gray-2.png"))
            #expect(try await host.edit("undo", of: "b-gray-2-small.png") == "gallery")
            // A long name is cut, not within a character.
            let page = try #require(try await host.edit("grayscale", of: long))
            #expect(page == PictureView.page(of: String(repeating: "é", count: 100) + "-gray.png", in: "pictures"))
            let view = try await host.view("image.picture", data: ["name": .string(long)])
            #expect(view.all.contains { !$0.sideActions.isEmpty })
        }
    }

    @Test(
        "a form is told which field is wrong, and nothing is written",
        arguments: [
            ("crop", ["x": -1, "y": 0, "width": 1, "height": 1], "x"),
            ("crop", ["x": 60, "y": 0, "width": 1, "height": 1], "x"),
            ("crop", ["x": 0, "y": .int(.max), "width": 1, "height": 1], "y"),
            ("crop", ["x": 59, "y": 39, "width": 2, "height": 1], "width"),
            ("crop", ["x": 0, "y": 0, "width": 60, "height": 0], "height"),
            ("crop", ["x": 0, "y": 1, "width": 60, "height": .int(.max)], "height"),
            ("rotate", ["degrees": .double(.infinity)], "degrees"), ("convert", ["format": "gif"], "format"),
            ("thumbnail", ["longest": 0], "longest"), ("thumbnail", ["longest": 61], "longest"),
        ] as [(String, [String: Payload], String)])
    func refused(selector: String, values: [String: Payload], field: String) async throws {
        let place = try ThumbnailPlace()
        try place.write(Painting.plain(width: 60, height: 40), to: "a.png")
        try await place.withHost { host async throws in
            let error = await #expect(throws: LinkError.self) {
                try await host.edit(selector, of: "a.png", values)
            }
            guard case PageError.invalidValue(field, _)? = error?.original else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try place.files() == ["a.png"])
        }
    }

    @Test("a photo is edited as people see it")
    func upright() async throws {
        let place = try ThumbnailPlace()
        try place.write(Painting.quarters(width: 60, height: 40), to: "a.png")
        try await place.withHost { host in
            _ = try await host.edit("convert", of: "a.png", ["format": "jpeg"])
            let plain = try place.bytes(of: "a-converted.jpg")
            // It was held so that it lies on its side.
            try place.write(plain.prefix(2) + Make.exif(6) + plain.dropFirst(2), to: "side.jpg")
            #expect(try await host.facts(of: "side.jpg").first == "Size: 40 × 60 pixels")
            _ = try await host.edit("crop", of: "side.jpg", ["x": 0, "y": 0, "width": 40, "height": 60])
            #expect(try await host.facts(of: "side-crop.jpg").first == "Size: 40 × 60 pixels")
        }
    }

    @Test("a damaged picture is not edited, and the reason does not contain the folder")
    func damaged() async throws {
        let place = try ThumbnailPlace()
        let whole = Painting.plain(width: 600, height: 100)
        try place.write(Array(whole.prefix(1000)), to: "cut.png")
        try place.write(Make.jpeg(height: 600, width: 600), to: "header.jpg")
        try place.write(Make.webp("VP8L", [0x2F, 0xFF, 0xC3, 0xFF, 0x0F]), to: "header.webp")
        try await place.withHost { host in
            for name in try place.files() {
                let error = await #expect(throws: LinkError.self) { try await host.edit("grayscale", of: name) }
                #expect(error?.message.contains("The picture cannot be read") == true, "\(String(describing: error))")
                #expect("\(String(describing: error))".contains(place.data.path) == false)
            }
            #expect(try place.files().count == 3)
        }
    }

    @Test("a page performs edits with checked fields, and ends with its picture", .enabled(if: ThumbnailPlace.hasPages))
    func page() async throws {
        let place = try ThumbnailPlace()
        try place.write(Painting.quarters(width: 60, height: 40), to: "a.png")
        try place.data.makeDirectory("ComponentPages/pages")
        try place.data.setMode(0o755, of: "ComponentPages")
        try await place.withHost(.file, ["ComponentPages"]) { host in
            let pages = try host.service(PageServiceClient.self)
            func loaded(_ id: String) async throws -> Page {
                var page = try await pages.page(id: id, after: nil)
                while page.isLoading { page = try await pages.page(id: id, after: page.revision) }
                return page
            }
            let edit = try #require(try await loaded("picture?name=a.png").section(named: "edit"))
            let form = try #require(edit.view.all.first { $0.key == "crop" }?.action)
            func perform(_ values: [String: String]) async throws -> ActionOutcome {
                try await pages.perform(page: "picture?name=a.png", section: "edit", action: form, values: values)
            }
            for (values, field) in [
                (["x": "-1", "y": "0", "width": "9", "height": "9"], "x"),
                (["x": "0", "y": "0", "width": "", "height": "9"], "width"),
                (["x": "59", "y": "0", "width": "60", "height": "9"], "width"),
            ] {
                let error = await #expect(throws: PageError.self) { try await perform(values) }
                guard case .invalidValue(field, _)? = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
            let outcome = try await perform(["x": "1", "y": "2", "width": "9", "height": "9"])
            #expect(outcome.page == "picture?name=a-crop.png")
            let edited = try #require(try await loaded("picture?name=a-crop.png").sections.first)
            let undo = try #require(edited.view.all.compactMap(\.action).first { $0.confirmation != nil })
            let back = try await pages.perform(
                page: "picture?name=a-crop.png", section: edited.name, action: undo, values: [:])
            #expect(back.page == "picture?name=a.png")
            #expect(
                await holds {
                    do {
                        _ = try await loaded("picture?name=a-crop.png")
                        return false
                    } catch {
                        return true
                    }
                })
        }
    }

    @Test("readers of the page see that an edit is being made, and the folder as it is then")
    func events() async throws {
        let place = try ThumbnailPlace()
        try place.write(Painting.plain(width: 60, height: 40), to: "a.png")
        try await place.withHost { host in
            var changes = host.events.stream(PageModuleChanged.self).makeAsyncIterator()
            _ = try await host.edit("grayscale", of: "a.png")
            // Waiting, and four steps.
            for _ in 0..<5 { #expect(await changes.next() == PageModuleChanged("image.picture")) }
            for module in ["image.gallery", "image.picture", "image.picture.edit"] {
                #expect(await changes.next() == PageModuleChanged(module))
            }
            let view = try await host.view("image.picture", data: ["name": "a.png"])
            #expect(!view.all.contains { if case .progress = $0.content { true } else { false } })
        }
    }
}
