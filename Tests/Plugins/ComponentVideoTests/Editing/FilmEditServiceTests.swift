import ComponentHost
import ComponentKit
import ComponentVideoContract
import Foundation
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentVideo

extension ComponentDepth {
    /// Calls `body` with a host, and with the data directory, in whose library there is a film.
    fileprivate func withClip<Value>(
        body: (LinkHost, TemporaryDirectory) async throws -> Value
    ) async throws -> Value {
        let data = try TemporaryDirectory()
        for folder in ["ComponentVideo", "ComponentVideo/films"] { try data.makeDirectory(folder) }
        try data.write(try Samples.bytes(of: "clip.mp4"), to: "ComponentVideo/films/clip.mp4")
        return try await withHost(["ComponentVideo"]) { options in
            options.dataDirectory = data.path
        } body: { host in
            try await body(host, data)
        }
    }
}

extension TemporaryDirectory {
    /// The names of all files in the library, sorted.
    fileprivate func films() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(of: "ComponentVideo/films")).sorted()
    }
}

extension ViewNode {
    /// The actions of all views, by the texts on their buttons.
    fileprivate func action(_ title: String) -> Action? {
        all.first {
            switch $0.content {
            case .button(let button): button.title == title
            case .form(let form): form.submit == title
            default: false
            }
        }?.action
    }
}

@Suite("Editing films of the library")
struct FilmEditServiceTests {
    @Test("each edit makes a film of the library and keeps the others", arguments: ComponentDepth.allCases)
    func edits(depth: ComponentDepth) async throws {
        try await depth.withClip { host, data in
            let editing = try host.service(FilmEditServiceClient.self)
            let steps = Lock<[Double]>([])
            let cut = try await editing.cut(name: "clip.mp4", from: 0.5, to: 1.5) { step in
                steps.withLock { $0.append(step) }
            }
            #expect(cut.name == "clip cut.mp4")
            #expect(cut.film.duration == 1)
            #expect(cut.film.codecs == ["avc1.640015", "mp4a.40.2"])
            #expect(steps.withLock { $0 }.last == 1)
            let again = try await editing.cut(name: "clip.mp4", from: 1, to: nil, progress: nil)
            #expect(again.name == "clip cut 2.mp4")
            let joined = try await editing.join(names: [cut.name, again.name], progress: nil)
            #expect(joined.name == "clip cut joined.mp4")
            #expect(joined.film.duration == 2)
            let turned = try await editing.rotate(name: "clip.mp4", degrees: 90, progress: nil)
            #expect(turned.film.tracks.map(\.rotation) == [90, nil])
            let sound = try await editing.extract(name: "clip.mp4", track: 2, progress: nil)
            #expect(sound.film.tracks.map(\.kind) == [.audio])
            let made = [cut, again, joined, turned, sound].map(\.name)
            let films = try data.films()
            #expect(films == (made + ["clip.mp4"]).sorted())
            let rows = try await host.view("video.library").children
            #expect(rows.count == 6 && rows.allSatisfy { $0.action != nil })
            for name in made {
                _ = try await host.call("FilmEditLink", "remove", ["name": .string(name)])
                let error = await #expect(throws: LinkError.self) {
                    _ = try await host.call("FilmEditLink", "remove", ["name": .string(name)])
                }
                #expect(error?.message == "no edit has made this film")
            }
            #expect(try data.films() == ["clip.mp4"])
            let content = try Data(contentsOf: URL(filePath: data.path(of: "ComponentVideo/films/clip.mp4")))
            let original = try Samples.bytes(of: "clip.mp4")
            #expect([UInt8](content) == original)
        }
    }

    @Test("an edit ends when the closure for its progress throws", arguments: ComponentDepth.allCases)
    func closure(depth: ComponentDepth) async throws {
        try await depth.withClip { host, data in
            let editing = try host.service(FilmEditServiceClient.self)
            let large = FilmRecipe(count: 30, sync: nil, size: 1_000_000).bytes
            try data.write(large, to: "ComponentVideo/films/large.mp4")
            let error = await #expect(throws: LinkError.self) {
                _ = try await editing.rotate(name: "large.mp4", degrees: 90) { _ in
                    throw LinkError(domain: "test", number: 7, message: "no more")
                }
            }
            #expect(error?.number == 7, "\(String(describing: error))")
        }
    }

    @Test("nothing is left of an edit whose closure throws at its end", arguments: ComponentDepth.allCases)
    func lateClosure(depth: ComponentDepth) async throws {
        try await depth.withClip { host, data in
            let editing = try host.service(FilmEditServiceClient.self)
            let error = await #expect(throws: LinkError.self) {
                _ = try await editing.rotate(name: "clip.mp4", degrees: 90) { step in
                    if step == 1 { throw LinkError(domain: "test", number: 7, message: "no more") }
                }
            }
            #expect(error?.number == 7, "\(String(describing: error))")
            #expect(try data.films() == ["clip.mp4"])
        }
    }

    @Test("a film that has been changed since it was made, or that no edit has made, is not deleted")
    func changed() async throws {
        try await ComponentDepth.file.withClip { host, data in
            let editing = try host.service(FilmEditServiceClient.self)
            let made = try await editing.extract(name: "clip.mp4", track: 1, progress: nil).name
            try data.write("another film", to: "ComponentVideo/films/\(made)")
            for (name, message) in [
                (made, "the film has been changed since it was made"), ("clip.mp4", "no edit has made this film"),
                ("../films/clip.mp4", "no edit has made this film"),
            ] {
                let error = await #expect(throws: LinkError.self) {
                    _ = try await host.call("FilmEditLink", "remove", ["name": .string(name)])
                }
                #expect(error?.message == message)
            }
            #expect(try data.films() == [made, "clip.mp4"].sorted())
        }
    }

    @Test(
        "an edit that cannot be made says why, without the path of the library", arguments: ComponentDepth.allCases)
    func refused(depth: ComponentDepth) async throws {
        try await depth.withClip { host, data in
            let calls: [(String, Payload, String)] = [
                ("cut", ["name": "none.mp4", "from": 0.0], "none.mp4: the library has no such film"),
                ("cut", ["name": "../films/clip.mp4", "from": 0.0], "../films/clip.mp4: the library has no such film"),
                ("cut", ["name": "clip.mp4", "from": 5.0], "clip.mp4: nothing is left: it is 2.0 seconds long"),
                ("rotate", ["name": "clip.mp4", "degrees": 1], "degrees: expected a multiple of 90, found 1"),
                ("extract", ["name": "clip.mp4", "track": 9], "clip.mp4: it has no track 9 with samples"),
                ("join", ["names": .array(["clip.mp4"])], "names: expected 2 to 100 films, found 1"),
            ]
            for (selector, payload, message) in calls {
                let error = await #expect(throws: LinkError.self) {
                    _ = try await host.call("FilmEditLink", selector, payload)
                }
                #expect(error?.message == message)
            }
            let films = try data.films()
            #expect(films == ["clip.mp4"])
            // In the way of the new film.
            try data.makeDirectory("ComponentVideo/films/.edit.part")
            let error = await #expect(throws: LinkError.self) {
                _ = try await host.call("FilmEditLink", "extract", ["name": "clip.mp4", "track": 1])
            }
            #expect(error?.message == "the new film: it cannot be written: File exists; see errno 17")
        }
    }

    @Test(
        "other programs read a film that has been cut as this one does",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffprobe")))
    func otherPrograms() async throws {
        let place = try EditPlace(["clip.mp4": try Samples.bytes(of: "clip.mp4")])
        let path = try place.make(.cut("clip.mp4", from: 0.5, to: 1.5))
        let run = try await ProgramRun.of(
            URL(filePath: "/usr/bin/ffprobe"),
            ["-v", "error", "-show_entries", "stream=codec_type,duration", "-of", "csv=p=0", path])
        #expect(run.standardError == "")
        #expect(run.standardOutput == "video,1.000000\naudio,1.000000\n")
    }
}

@Suite("Editing films on a page")
struct FilmEditPageTests {
    /// Returns the editor's view once no edit is running.
    private func ended(_ host: LinkHost) async throws -> ViewNode {
        let isEnded = await holds {
            try await host.view("video.editor", data: ["path": "clip.mp4"]).action("Trim") != nil
        }
        #expect(isEnded)
        return try await host.view("video.editor", data: ["path": "clip.mp4"])
    }

    @Test("a film is trimmed, shown, and deleted again", arguments: ComponentDepth.allCases)
    func trim(depth: ComponentDepth) async throws {
        try await depth.withClip { host, data in
            let tools = try await host.view("video.editor", data: ["path": "clip.mp4"])
            #expect(tools.fields.map(\.name) == ["from", "to"])
            #expect(tools.fields.map(\.value) == [.double(0), .double(2)])
            #expect(tools.action("Undo") == nil)
            let trim: Payload = ["name": "clip.mp4", "page": "home", "from": 0.5, "to": 1.5]
            _ = try await host.call("VideoPages", "trim", trim)
            let made = try await ended(host)
            #expect(made.texts.first == "The new film is clip cut.mp4.")
            #expect(try data.films() == ["clip cut.mp4", "clip.mp4"])
            try await host.perform(made.action("Show"), of: "video.editor")
            let player = try await host.view("video.player", data: ["path": "clip.mp4"]).children.first?.content
            #expect(
                player
                    == .player(
                        PlayerContent(
                            source: .file(path: "films/clip cut.mp4", component: nil), title: "clip cut.mp4",
                            duration: 1)))
            // In another session, nothing has been edited.
            let elsewhere = try await Session.with(try Session(id: "another")) {
                try await host.view("video.editor", data: ["path": "clip.mp4"])
            }
            #expect(elsewhere.texts == [])
            #expect(made.action("Undo")?.confirmation == "Delete clip cut.mp4?")
            try await host.perform(made.action("Undo"), of: "video.editor")
            let undone = try await ended(host)
            #expect(undone.texts.first == "The film clip cut.mp4 has been deleted.")
            #expect(try data.films() == ["clip.mp4"])
            // The player shows what its page names again.
            #expect(undone.action("Trim") == tools.action("Trim"))
            let error = await #expect(throws: LinkError.self) {
                _ = try await host.call("VideoPages", "undoEdit", ["page": "home"])
            }
            #expect(error?.message == "there is nothing to undo on this page")
        }
    }

    @Test("a film is rotated to both sides", arguments: ["Rotate left": 270, "Rotate right": 90])
    func rotate(title: String, degrees: Int) async throws {
        try await ComponentDepth.file.withClip { host, data in
            let tools = try await host.view("video.editor", data: ["path": "clip.mp4"])
            try await host.perform(tools.action(title), of: "video.editor")
            #expect(try await ended(host).texts.first == "The new film is clip rotated.mp4.")
            let film = try Film.read(path: data.path(of: "ComponentVideo/films/clip rotated.mp4"))
            #expect(film.tracks[0].rotation == degrees)
        }
    }

    @Test("what cannot be edited is said on the page")
    func refused() async throws {
        try await ComponentDepth.file.withClip { host, data in
            let wrong: Payload = ["name": "clip.mp4", "page": "home", "from": 1.5, "to": 0.5]
            let error = await #expect(throws: LinkError.self) {
                _ = try await host.call("VideoPages", "trim", wrong)
            }
            #expect(error?.message.contains("Write a time after 1.5") == true, "\(String(describing: error))")
            let late: Payload = ["name": "clip.mp4", "page": "home", "from": 5.0, "to": 6.0]
            _ = try await host.call("VideoPages", "trim", late)
            let reason = "clip.mp4: nothing is left: it is 2.0 seconds long"
            #expect(try await ended(host).texts.first == "There is no new film: \(reason)")
            // Films in fragments can only be rotated.
            try data.write(try Samples.bytes(of: "fragmented.mp4"), to: "ComponentVideo/films/fragmented.mp4")
            let tools = try await host.view("video.editor", data: ["path": "fragmented.mp4"])
            #expect(tools.fields == [])
            #expect(tools.action("Rotate left") != nil)
            // Sound cannot be turned.
            try data.write(try Samples.bytes(of: "audio.m4a"), to: "ComponentVideo/films/audio.m4a")
            let sound = try await host.view("video.editor", data: ["path": "audio.m4a"])
            #expect(sound.action("Trim") != nil && sound.action("Rotate left") == nil)
        }
    }

    @Test(
        "the tools show how an edit is going",
        arguments: [
            (.running(0.5), [], ["Cancel"]), (.made("a.mp4"), ["The new film is a.mp4."], ["Show", "Undo"]),
            (.undone("a.mp4"), ["The film a.mp4 has been deleted."], []),
            (.cancelled, ["The edit was cancelled. There is no new film."], []),
            (.failed("no space"), ["There is no new film: no space"], []), (nil, [], []),
        ] as [(FilmDesk.Status?, [String], [String])])
    func status(status: FilmDesk.Status?, texts: [String], buttons: [String]) throws {
        let film = try Film.read(path: Samples.path(of: "clip.mp4"))
        let view = FilmEditViews.editor(film, name: "clip.mp4", page: "home", status: status).node
        try view.check()
        #expect(view.texts == texts)
        for title in ["Cancel", "Show", "Undo"] { #expect((view.action(title) != nil) == buttons.contains(title)) }
        let isRunning = buttons == ["Cancel"]
        for title in ["Trim", "Rotate left", "Rotate right"] { #expect((view.action(title) == nil) == isRunning) }
    }

    @Test("an edit on a page is cancelled", arguments: ComponentDepth.allCases)
    func cancelled(depth: ComponentDepth) async throws {
        try await depth.withClip { host, data in
            // Cancelling may come too late; then the film is there, and complete.
            try data.write(
                FilmRecipe(count: 30, sync: nil, size: 1_000_000).bytes, to: "ComponentVideo/films/large.mp4")
            async let begun: Payload = host.call(
                "VideoPages", "rotate", ["name": "large.mp4", "page": "home", "degrees": 90])
            _ = try await host.call("VideoPages", "cancelEdit", ["page": "home"])
            _ = try await begun
            let outcome = try await ended(host).texts.first
            let films = try data.films()
            if films.contains("large rotated.mp4") {
                #expect(outcome == "The new film is large rotated.mp4.")
            } else {
                #expect(outcome == "The edit was cancelled. There is no new film.")
            }
            #expect(films.filter { $0 != "large rotated.mp4" } == ["clip.mp4", "large.mp4"])
        }
    }
}
