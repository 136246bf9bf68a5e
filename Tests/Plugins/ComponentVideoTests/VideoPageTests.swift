import ComponentHost
import ComponentKit
import ComponentVideoContract
import Foundation
import HostTestSupport
import NXKit
import PageKit
import TestSupport
import Testing

@testable import ComponentVideo

extension ComponentDepth {
    /// Calls `body` with a host and with the data directory, in whose library there are films and other files.
    fileprivate func withFilms<Value>(
        body: (LinkHost, TemporaryDirectory) async throws -> Value
    ) async throws -> Value {
        let data = try TemporaryDirectory()
        for folder in ["ComponentVideo", "ComponentVideo/films", "ComponentVideo/films/folder"] {
            try data.makeDirectory(folder)
        }
        let clip = try Samples.bytes(of: "clip.mp4")
        for name in ["films/clip.mp4", "films/my film #1?.mp4", "films/.hidden.mp4", "films/line\nbreak", "beside.mp4"]
        {
            try data.write(clip, to: "ComponentVideo/\(name)")
        }
        try data.write(clip.prefix(3000), to: "ComponentVideo/films/cut.mp4")
        try data.write(try Samples.bytes(of: "rgb8.png"), to: "ComponentVideo/films/picture.mp4")
        try FileManager.default.createSymbolicLink(
            atPath: data.path(of: "ComponentVideo/films/link.mp4"),
            withDestinationPath: data.path(of: "ComponentVideo/beside.mp4"))
        return try await withHost(["ComponentVideo"]) { options in
            options.dataDirectory = data.path
        } body: { host in
            try await body(host, data)
        }
    }
}

@Suite("Pages of films")
struct VideoPageTests {
    @Test(
        "the library lists the films, each of which the player shows when it is chosen",
        arguments: ComponentDepth.allCases)
    func library(depth: ComponentDepth) async throws {
        try await depth.withFilms { host, _ in
            let rows = try await host.view("video.library").children
            #expect(rows.map(\.key) == ["clip.mp4", "cut.mp4", "my film #1?.mp4"])
            #expect(rows[0].content == .row(RowContent(title: "clip.mp4", detail: "0:02, 6.3 kB")))
            #expect(
                rows[1].content
                    == .row(
                        RowContent(
                            title: "cut.mp4", detail: "It cannot be played: the file is cut off. 3.0 kB",
                            badge: "unreadable", tone: .failure)))
            #expect(rows[1].action == nil)
            func shown() async throws -> ViewContent? {
                try await host.view("video.player", data: ["path": "clip.mp4"]).children.first?.content
            }
            func player(_ name: String) -> ViewContent {
                .player(PlayerContent(source: .file(path: "films/\(name)", component: nil), title: name, duration: 2))
            }
            /// The names of the films that the library marks.
            func marked(_ data: Payload? = ["path": "clip.mp4"]) async throws -> [String] {
                try await host.view("video.library", data: data).children.compactMap {
                    if case .row(let row) = $0.content, row.isCurrent { row.title } else { nil }
                }
            }
            #expect(try await shown() == player("clip.mp4"))
            #expect(try await marked() == ["clip.mp4"])
            #expect(try await marked(nil) == [])
            try await host.perform(rows[2].action, of: "video.library")
            #expect(try await marked() == ["my film #1?.mp4"])
            #expect(try await shown() == player("my film #1?.mp4"))
            // In another session, and on another page, it is the one that the page has.
            let another = try Session(id: "another")
            let elsewhere = try await Session.with(another) { try await shown() }
            #expect(elsewhere == player("clip.mp4"))
            #expect(try await Session.with(another) { try await marked() } == ["clip.mp4"])
            for (name, page) in [("none.mp4", "home"), ("../beside.mp4", "home"), ("cut.mp4", "home")] {
                _ = await #expect(throws: LinkError.self, "\(name)") {
                    try await host.call("VideoPages", "show", ["name": .string(name), "page": .string(page)])
                }
            }
            #expect(try await shown() == player("my film #1?.mp4"))
            try await host.perform(rows[0].action, of: "video.library")
            #expect(try await shown() == player("clip.mp4"))
        }
    }

    @Test("films whose names look the same are two films")
    func sameLooks() async throws {
        try await ComponentDepth.file.withFilms { host, data in
            let names = ["e\u{301}.mp4", "\u{E9}.mp4"]
            let sizes = [3000, 6356]
            for (name, size) in zip(names, sizes) {
                try data.write(try Samples.bytes(of: "clip.mp4").prefix(size), to: "ComponentVideo/films/\(name)")
            }
            let rows = try await host.view("video.library").children.filter { names.contains(String($0.key.prefix(5))) }
            #expect(Set(rows.map { $0.key.hasSuffix("/2") }) == [false, true])
            #expect(Set(rows.map { $0.action == nil }) == [false, true])
        }
    }

    @Test("a library that is empty, missing or no folder")
    func noLibrary() async throws {
        let data = try TemporaryDirectory()
        try data.makeDirectory("ComponentVideo")
        try await ComponentDepth.file.withHost(["ComponentVideo"]) { options in
            options.dataDirectory = data.path
        } body: { host in
            #expect(try await host.view("video.library").children == [])
            try data.write("no folder", to: "ComponentVideo/films")
            let error = await #expect(throws: LinkError.self) { try await host.answer("video.library") }
            #expect(error?.message.contains("the folder of the films cannot be read: it is not a folder") == true)
            #expect("\(String(describing: error))".contains(data.path) == false)
        }
    }

    /// The row of a track, whose coding is a name of programs.
    private static func row(_ cells: String...) -> ViewContent {
        .tableRow(TableRowContent(cells: cells, styles: cells.indices.map { $0 == 2 ? .code : .plain }))
    }

    @Test("a player has the film and its tracks", arguments: ComponentDepth.allCases)
    func player(depth: ComponentDepth) async throws {
        try await depth.withFilms { host, _ in
            for name in ["clip.mp4", "my film #1?.mp4"] {
                let view = try await host.view("video.player", data: ["path": .string(name)])
                let player = PlayerContent(
                    source: .file(path: "films/\(name)", component: nil), title: name, duration: 2)
                #expect(view.children.first?.content == .player(player))
                let cells = view.children.last?.children.map(\.content)
                #expect(
                    cells == [
                        Self.row("1", "video", "avc1.640015", "320 × 180, 25 frames/s", "0:02"),
                        Self.row("2", "audio", "mp4a.40.2", "16000 Hz, 1 channel, deu", "0:02"),
                    ])
            }
        }
    }

    @Test("a film that is turned has the size that it is shown with", arguments: ComponentDepth.allCases)
    func rotated(depth: ComponentDepth) async throws {
        try await depth.withFilms { host, data in
            try data.write(try Samples.bytes(of: "rotated.mp4"), to: "ComponentVideo/films/rotated.mp4")
            let view = try await host.view("video.player", data: ["path": "rotated.mp4"])
            let properties = "64 × 96, rotated by 90°, 10 frames/s"
            #expect(
                view.children.last?.children.map(\.content) == [
                    Self.row("1", "video", "avc1.64000A", properties, "0:01")
                ])
        }
    }

    @Test(
        "a player plays nothing but the films of the library",
        arguments: [
            "", ".", "..", "../beside.mp4", "folder", "folder/../clip.mp4", ".hidden.mp4", "missing.mp4", "cut.mp4",
            "picture.mp4", "/etc/passwd", "folder/\u{301}clip.mp4", "clip.mp4\u{0}.txt", "line\nbreak",
        ])
    func unsafe(name: String) async throws {
        try await ComponentDepth.file.withFilms { host, data in
            let error = await #expect(throws: LinkError.self) {
                try await host.answer("video.player", data: ["path": .string(name)])
            }
            #expect(error?.code == .methodFailed, "\(String(describing: error))")
            #expect("\(String(describing: error))".contains(data.path) == false)
        }
    }

    @Test("a film that claims anything can be shown", arguments: [0, 1, 59, 3600, 1 << 40, UInt64.max])
    func hostile(duration: UInt64) throws {
        let time = MediaTime(value: duration, timescale: 1)
        let track = Track(
            id: .max, kind: .video, handler: "\\x00\\x01", codec: FourCC(rawValue: 7).description, codecString: nil,
            isEncrypted: true, width: .max, height: 0, rotation: .min, displayWidth: .min, displayHeight: .max,
            frameRate: Ratio(.max, 1), sampleRate: .max, channels: 0,
            duration: time, sampleCount: .max, language: "deu")
        let film = Film(
            brand: nil, isFragmented: true, isComplete: false, duration: time,
            tracks: Array(repeating: track, count: 1000))
        let view = FilmViews.player(film, name: "a").node
        try view.check()
        #expect(view.texts == ["The file is cut off: the end of the film is missing."])
        let clocks: [UInt64: String] = [0: "0:00", 1: "0:01", 59: "0:59", 3600: "1:00:00"]
        guard case .tableRow(let row)? = view.children.last?.children.first?.content else {
            Issue.record("there is no table")
            return
        }
        #expect(row.cells.last == clocks[duration] ?? "?")
    }

    @Test("a player needs the name of a film, and its page is among the resources")
    func files() async throws {
        try await ComponentDepth.file.withFilms { host, _ in
            try await host.checkPages(of: "ComponentVideo", ["player.json"], foreign: ["account.greeting"])
            for data in [nil, [:], ["path": 7], ["name": "clip.mp4"]] as [Payload?] {
                let error = await #expect(throws: LinkError.self) { try await host.answer("video.player", data: data) }
                #expect(error?.code == .payloadMismatch)
            }
        }
    }
}
