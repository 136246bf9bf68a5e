import Foundation
import TestSupport
import Testing

@testable import hslink

@Suite("Changes of sources")
struct SourceWatchesTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("hidden files, files of compilers and editors, and files below .build are ignored")
    func ignored() throws {
        for folder in [".build/debug", ".git", "Sources/Weather"] { try directory.makeDirectory(folder) }
        var watches = try SourceWatches(directory.path)
        for name in [
            ".build/debug/a.swift", ".git/index", ".a.c.swp", "Sources/Weather/.hidden.swift", "a.o", "libA.so", "a.c~",
            "Package.resolved", "a.d",
        ] {
            try directory.write("text", to: name)
            #expect(try !watches.readEvents(), "\(name)")
        }
        try directory.makeDirectory(".cache")
        #expect(try !watches.readEvents())
    }

    @Test("what is copied into the directory of a host does not count")
    func copies() throws {
        var watches = try SourceWatches(directory.path, besides: [directory.path(of: "plugins")])
        for name in ["plugins", "plugins/Weather.resources"] {
            try directory.makeDirectory(name)
            #expect(try !watches.readEvents(), "\(name)")
        }
        // Also if the directory is there from the beginning.
        var others = try SourceWatches(directory.path, besides: [directory.path(of: "plugins")])
        try directory.write("text", to: "plugins/Weather.resources/a.txt")
        #expect(try !watches.readEvents())
        #expect(try !others.readEvents())
        try directory.write("text", to: "plugins.txt")
        #expect(try others.readEvents())
    }

    @Test("neither do the data and the socket of a host, whatever is written there or removed")
    func data() throws {
        let others = ["data", "host.sock"].map { directory.path(of: $0) }
        var watches = try SourceWatches(directory.path, besides: others)
        try directory.makeDirectory("data/Weather")
        for name in ["data/Weather/days.json", "host.sock"] {
            try directory.write("text", to: name)
            #expect(try !watches.readEvents(), "\(name)")
        }
        for path in others {
            try FileManager.default.removeItem(atPath: path)
            #expect(try !watches.readEvents(), "\(path)")
        }
    }

    @Test("writing, renaming and deleting a file count, even in new folders")
    func counted() throws {
        try directory.makeDirectory("Sources/Weather")
        var watches = try SourceWatches(directory.path)
        try directory.write("text", to: "Package.swift")
        #expect(try watches.readEvents())
        #expect(try !watches.readEvents())
        try directory.write("text", to: "Sources/Weather/a.swift")
        #expect(try watches.readEvents())
        try directory.makeDirectory("Sources/More/Below")
        #expect(try watches.readEvents())
        try directory.write("text", to: "Sources/More/Below/b.swift")
        #expect(try watches.readEvents())
        try FileManager.default.moveItem(
            atPath: directory.path(of: "Sources/More"), toPath: directory.path(of: "Sources/Other"))
        #expect(try watches.readEvents())
        try directory.write("text", to: "Sources/Other/Below/c.swift")
        #expect(try watches.readEvents())
        try FileManager.default.removeItem(atPath: directory.path(of: "Sources/Other/Below/c.swift"))
        #expect(try watches.readEvents())
    }

    @Test("a file that is being written counts once it is closed")
    func unfinished() throws {
        var watches = try SourceWatches(directory.path)
        let path = directory.path(of: "a.c")
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        try #require(descriptor >= 0)
        #expect(try !watches.readEvents())
        let isWriting = watches.isWriting
        #expect(isWriting)
        close(descriptor)
        #expect(try watches.readEvents())
        let isWritten = !watches.isWriting
        #expect(isWritten)
    }

    @Test("a file that gets its name once it is closed counts as one that is being written")
    func nameless() throws {
        var watches = try SourceWatches(directory.path)
        try directory.write("int a;", to: ".stage")
        let stage = directory.path(of: ".stage")
        let hasMoved = unsafe link(stage, directory.path(of: "a.c")) == 0 && unlink(stage) == 0
        try #require(hasMoved)
        #expect(try !watches.readEvents())
        let isWriting = watches.isWriting
        #expect(isWriting)
        watches.takeAsWritten()
        let isWritten = !watches.isWriting
        #expect(isWritten)
    }
}
