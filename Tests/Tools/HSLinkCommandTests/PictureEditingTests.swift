import Foundation
import TestSupport
import Testing

@Suite("Pictures are edited with libgd", .enabled(if: ComponentTests.isBuilt("ComponentImage")))
struct PictureEditingTests {
    struct Picture: Decodable, Equatable {
        let format: String
        let width, height: Int
        let hasAlpha: Bool
    }

    static var hasLibrary: Bool {
        ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"].contains {
            FileManager.default.fileExists(atPath: "\($0)/libgd.so.3")
        }
    }

    private static let description = BuiltProducts.packageDirectory.appending(
        path: "Plugins/ComponentImage/gd.hslink.json")

    @Test(
        "each selector writes a picture of the right size and format", .enabled(if: hasLibrary),
        arguments: [
            (["thumbnail", "width=20", "height=20"], "a.png", "png", 20, 12),
            (["thumbnail", "width=1000", "height=1000"], "a.webp", "webp", 37, 23),
            (["crop", "x=1", "y=2", "width=10", "height=20"], "a.jpg", "jpeg", 10, 20),
            (["rotate", "degrees=90"], "a.png", "png", 23, 37),
            (["rotate", "degrees=-450.0"], "a.png", "png", 23, 37),
            (["grayscale"], "a.jpeg", "jpeg", 37, 23),
            (["convert"], "a.WEBP", "webp", 37, 23),
        ])
    func edits(arguments: [String], name: String, format: String, width: Int, height: Int) async throws {
        let directory = try TemporaryDirectory()
        try await withPlugins("ComponentImage") { plugins in
            try plugins.add(file: PictureEditingTests.description)
            for sample in ["baseline.jpg", "rgba8.png", "lossy.webp", "palette4.png"] {
                let run = try await hslink(
                    ["call", "ImageEditLink", arguments[0], "path=\(Samples.path(of: sample))"]
                        + ["to=\(directory.path(of: name))"] + arguments.dropFirst() + ["--plugins", plugins.path])
                #expect(run.standardError == "")
                let picture = try JSONDecoder().decode(Picture.self, from: Data(run.standardOutput.utf8))
                #expect(picture.format == format)
                #expect((picture.width, picture.height) == (width, height), "\(sample)")
            }
        }
    }

    @Test(
        "an impossible edit is an error, and leaves no file", .enabled(if: hasLibrary),
        arguments: [
            (
                ["crop", "x=30", "y=0", "width=10", "height=10"], "baseline.jpg", "a.png",
                "expected a rectangle within 37 x 23"
            ),
            (
                ["crop", "x=-1", "y=0", "width=10", "height=10"], "baseline.jpg", "a.png",
                "expected a rectangle within 37 x 23"
            ),
            (
                ["crop", "x=9223372036854775807", "y=0", "width=10", "height=10"], "baseline.jpg", "a.png",
                "expected a rectangle"
            ),
            (["thumbnail", "width=0", "height=5"], "baseline.jpg", "a.png", "expected at least 1"),
            (["convert"], "baseline.jpg", "a.gif", "expected a name that ends with .png"),
            (["convert"], "still.gif", "a.png", "expected a PNG, JPEG or WebP file, found gif"),
            (["convert", "quality=0"], "baseline.jpg", "a.png", "quality: expected 1 to 100"),
            (["convert"], "missing.jpg", "a.png", "No such file"),
            (
                ["rotate", "degrees=90"], "baseline.jpg", "no/such/a.png",
                "cannot be written: No such file or directory"
            ),
        ])
    func refusals(arguments: [String], sample: String, name: String, words: String) async throws {
        let directory = try TemporaryDirectory()
        try await withPlugins("ComponentImage") { plugins in
            try plugins.add(file: PictureEditingTests.description)
            let run = try await hslink(
                ["call", "ImageEditLink", arguments[0], "path=\(Samples.path(of: sample))"]
                    + ["to=\(directory.path(of: name))"] + arguments.dropFirst() + ["--plugins", plugins.path])
            #expect(run.status == 1)
            #expect(run.standardError.contains(words), "\(run.standardError)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
        }
    }

    @Test("without libgd headers are still read, and edits fail with the loader's message")
    func without() async throws {
        let directory = try TemporaryDirectory()
        try await withPlugins("ComponentImage") { plugins in
            let text = try String(contentsOf: PictureEditingTests.description, encoding: .utf8)
            try plugins.write(text.replacing("libgd.so.3", with: "libgd.so.99"), to: "gd.hslink.json")
            let info = try await hslink(
                "call", "ImageLink", "info", "path=\(Samples.path(of: "baseline.jpg"))", "--plugins", plugins.path)
            #expect(info.status == 0)
            let edit = try await hslink(
                "call", "ImageEditLink", "convert", "path=\(Samples.path(of: "baseline.jpg"))",
                "to=\(directory.path(of: "a.png"))", "--plugins", plugins.path)
            #expect(edit.status == 1)
            #expect(
                edit.standardError.contains("libgd.so.99: cannot open shared object file: No such file or directory"))
        }
    }

    @Test(
        "a picture is edited on its page, and that is undone",
        .enabled(if: hasLibrary && ComponentTests.isBuilt("ComponentPages")))
    func page() async throws {
        let data = try TemporaryDirectory()
        try data.makeDirectory("ComponentImage/pictures")
        try data.setMode(0o700, of: "ComponentImage")
        let folder = data.path(of: "ComponentImage/pictures")
        try data.write(try Samples.bytes(of: "rgb8.png"), to: "ComponentImage/pictures/a b.png")
        try await withPlugins("ComponentImage", "ComponentPages") { plugins in
            try plugins.add(file: PictureEditingTests.description)
            let options = [
                "--plugins", plugins.path, "--data", data.path, "--set", "ComponentPages.timeout=300",
            ]
            /// Shows the page of a picture, and returns the address of an action on it.
            func address(_ name: String, of action: String) async throws -> String {
                let shown = try await hslink(["page", "picture", "name=\(name)", "--unfold"] + options)
                let words = shown.standardOutput.split { " \n'".contains($0) }
                let found = words.first { $0.hasPrefix("\(action)@") }
                return try String(#require(found, "\(shown)"))
            }
            func perform(_ name: String, _ arguments: String...) async throws -> ProgramRun {
                try await hslink(["page", "picture?name=\(name)", "--json", "--perform"] + arguments + options)
            }
            let cropping = try await address("a b.png", of: "edit/crop/crop")
            let wrong = try await perform("a%20b.png", cropping, "x=0", "y=0", "width=99", "height=1")
            #expect(wrong.status != 0 && wrong.standardError.contains("width"), "\(wrong)")
            let crop = try await perform("a%20b.png", cropping, "x=1", "y=1", "width=9", "height=8")
            #expect(crop == printed(#"{"page":"picture?name=a%20b-crop.png","value":null}"#))
            #expect(FileManager.default.fileExists(atPath: "\(folder)/a b-crop.png"))
            let undoing = try await address("a b-crop.png", of: "image.picture/undo/undo")
            let undo = try await perform("a%20b-crop.png", undoing, "--yes")
            #expect(undo == printed(#"{"page":"picture?name=a%20b.png","value":null}"#))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a b.png"])
        }
    }

    @Test(
        "on a full disk, an edit is an error that says so",
        .enabled(if: hasLibrary && MountNamespace.isAllowed, "needs root or user namespaces, to mount a small disk"))
    func full() async throws {
        let place = try TemporaryDirectory()
        try place.makeDirectory("disk")
        let (disk, picture) = (place.path(of: "disk"), Samples.path(of: "rgb8.png"))
        try await withPlugins("ComponentImage") { plugins in
            try plugins.add(file: PictureEditingTests.description)
            let run = try await MountNamespace.run(
                "mount -t tmpfs -o size=200k,mode=700 tmpfs \"$1\" && mkdir -m 700 \"$1/ComponentImage\" "
                    + "&& mkdir \"$1/ComponentImage/pictures\" && cp \"$2\" \"$1/ComponentImage/pictures/a.png\" "
                    + "&& { head -c 300k /dev/zero >\"$1/ballast\" || true; }",
                [disk, picture], BuiltProducts.hslink,
                [
                    "call", "ImagePages", "grayscale", "name=a.png", "--plugins", plugins.path, "--data", disk,
                ])
            #expect(run.status == 1)
            #expect(run.standardError.contains("No space left on device"), "\(run)")
        }
    }
}
