import Foundation
import TestSupport
import Testing

@Suite("The components of this package through the command line")
struct ComponentTests {
    /// A component may be removed from the package; then there is nothing to test.
    static func isBuilt(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: BuiltProducts.component(name).path)
    }

    @Test("an image is described", .enabled(if: isBuilt("ComponentImage")))
    func image() async throws {
        struct Answer: Decodable, Equatable {
            struct Image: Decodable, Equatable {
                let format: String
                let width, height, bitDepth: Int
            }
            let returnValue: Image
            let performSuccess, classIsLoad: Bool
        }
        try await withPlugins("ComponentImage") { plugins in
            let run = try await hslink(
                "call", "ImageLink", "info", "path=\(Samples.path(of: "rgba8.png"))", "--json", "--plugins",
                plugins.path)
            #expect(run.status == 0)
            #expect(run.standardError == "")
            let answer = try JSONDecoder().decode(Answer.self, from: Data(run.standardOutput.utf8))
            let image = Answer.Image(format: "png", width: 37, height: 23, bitDepth: 8)
            #expect(answer == Answer(returnValue: image, performSuccess: true, classIsLoad: true))
        }
    }

    @Test("a film is described", .enabled(if: isBuilt("ComponentVideo")))
    func film() async throws {
        struct Film: Decodable, Equatable {
            let duration, frameRate: Double
            let width, height: Int
            let codecs: [String]
        }
        try await withPlugins("ComponentVideo") { plugins in
            let run = try await hslink(
                "call", "VideoLink", "probe", "path=\(Samples.path(of: "clip.mp4"))", "--plugins", plugins.path)
            #expect(run.status == 0)
            #expect(run.standardError == "")
            let film = try JSONDecoder().decode(Film.self, from: Data(run.standardOutput.utf8))
            #expect(
                film
                    == Film(
                        duration: 2, frameRate: 25, width: 320, height: 180, codecs: ["avc1.640015", "mp4a.40.2"]))
        }
    }

    @Test("with one component removed, the others answer and its class is missing")
    func takenOut() async throws {
        try await withPlugins("FixtureComponent", "CGood") { plugins in
            let probe = ["call", "CGoodLink", "sum", "a=1", "b=2", "--class-method", "--plugins", plugins.path]
            let sum = ["call", "FixtureLink", "sum", "a=1", "b=2", "c=3", "--plugins", plugins.path]
            let before = try await hslink(probe)
            #expect(before == printed("3"))
            try FileManager.default.removeItem(atPath: plugins.file("libCGood.so"))
            let after = try await hslink(probe + ["--json"])
            #expect(try PrintedAnswer(after).error?.code == "classNotFound")
            #expect(after.status == 1)
            let other = try await hslink(sum)
            #expect(other == printed("6"))
        }
    }
}
