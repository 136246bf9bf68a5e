import ComponentHost
import ComponentKit
import ComponentVideoContract
import Foundation
import HostTestSupport
import TestSupport
import Testing

extension ComponentDepth {
    /// Calls `body` with a host that lets browsers open URLs, and with its data directory.
    ///
    /// The library has a film, a hidden film, a text, a folder, and a link to another film next to it.
    fileprivate func withLibrary<Value>(body: (LinkHost, TemporaryDirectory) async throws -> Value) async throws
        -> Value
    {
        let data = try TemporaryDirectory()
        for folder in ["ComponentVideo", "ComponentVideo/films", "ComponentVideo/films/folder"] {
            try data.makeDirectory(folder)
        }
        let film = try Samples.bytes(of: "clip.mp4")
        for name in ["films/clip.mp4", "films/.hidden.mp4", "beside.mp4"] {
            try data.write(film, to: "ComponentVideo/\(name)")
        }
        try data.write("no film", to: "ComponentVideo/films/text.mp4")
        try FileManager.default.createSymbolicLink(
            atPath: data.path(of: "ComponentVideo/films/link.mp4"),
            withDestinationPath: data.path(of: "ComponentVideo/beside.mp4"))
        return try await withHost(["ComponentVideo"]) { options in
            options.dataDirectory = data.path
            options.routes.remoteSources = ["browser"]
        } body: { host in
            try await body(host, data)
        }
    }
}

@Suite("URLs of films")
struct RouteTests {
    @Test("a film of the library is opened from inside and from outside", arguments: ComponentDepth.allCases)
    func film(depth: ComponentDepth) async throws {
        try await depth.withLibrary { host, _ in
            let route = VideoServiceRoutes.film(name: "clip.mp4")
            #expect(route.url == "studio://film/clip.mp4")
            let info = try await host.open(route)
            #expect(info.duration == 2 && info.width == 320)
            for url in [route.url, "/watch/clip.mp4", "https://studio.example.com/watch/clip.mp4"] {
                #expect(try await host.open(url, from: .remote("browser")).int("width") == 320, "\(url)")
            }
        }
    }

    @Test("a name leads to nothing but the films of the library", arguments: ComponentDepth.allCases)
    func names(depth: ComponentDepth) async throws {
        try await depth.withLibrary { host, _ in
            let names = [
                "missing.mp4", "folder", "link.mp4", ".hidden.mp4", "..", "..%2Fbeside.mp4", "folder%2F..%2Fclip.mp4",
                // A slash that is part of a longer character, and a name that C would cut.
                "folder%2F%CC%81clip.mp4", "clip.mp4%00.txt",
            ]
            for name in names {
                let error = await #expect(throws: LinkError.self) {
                    try await host.open("/watch/\(name)", from: .remote("browser"))
                }
                #expect(error?.code == .routeDeclined, "\(name): \(String(describing: error))")
            }
        }
    }

    @Test("an error about a film does not tell where the library is", arguments: ComponentDepth.allCases)
    func noFilm(depth: ComponentDepth) async throws {
        try await depth.withLibrary { host, data in
            let error = await #expect(throws: LinkError.self) {
                try await host.open("/watch/text.mp4", from: .remote("browser"))
            }
            #expect(error?.code == .methodFailed)
            #expect(error?.message.contains(data.path) == false)
        }
    }

    @Test("a URL with a path is opened from inside only", arguments: ComponentDepth.allCases)
    func path(depth: ComponentDepth) async throws {
        try await depth.withLibrary { host, _ in
            let route = VideoServiceRoutes.probe(path: Samples.path(of: "clip.mp4"))
            let film = try await host.open(route)
            #expect(film.width == 320)
            for source in ["browser", "stranger"] {
                let error = await #expect(throws: LinkError.self) {
                    try await host.open(route.url, from: .remote(source))
                }
                #expect(error?.code == .routeNotFound)
            }
        }
    }
}
