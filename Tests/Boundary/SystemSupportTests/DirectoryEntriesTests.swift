import Foundation
import TestSupport
import Testing

@testable import SystemSupport

@Suite("The entries of a directory")
struct DirectoryEntriesTests {
    @Test("each entry comes once, with its type, and without the directory itself")
    func entries() throws {
        let place = try TemporaryDirectory()
        try place.makeDirectory("folder")
        try place.write("", to: "caf\u{E9}")
        try place.write("", to: "cafe\u{301}")
        try place.link("link", to: "nowhere")
        #expect(unsafe mkfifo(place.path(of: "pipe"), 0o644) == 0)
        let invalid = Array(place.path.utf8) + [UInt8(ascii: "/"), 0xFF, 0]
        let file = unsafe invalid.withUnsafeBytes { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { path in
                unsafe path.baseAddress.map { unsafe open($0, O_CREAT | O_WRONLY, 0o644) } ?? -1
            }
        }
        try #require(file >= 0)
        close(file)
        let entries = try DirectoryEntries(place.path)
        var found: [ExactText: DirectoryEntries.Kind] = [:]
        var broken: [String] = []
        for entry in entries {
            if entry.isText { found[ExactText(entry.name)] = entry.kind } else { broken.append(entry.name) }
        }
        #expect(entries.failure == 0)
        #expect(
            found == ["folder": .directory, "caf\u{E9}": .file, "cafe\u{301}": .file, "link": .link, "pipe": .special])
        #expect(broken == ["\u{FFFD}"])
    }

    @Test("an open directory is read from its beginning each time, and keeps its position")
    func again() throws {
        let place = try TemporaryDirectory()
        try place.write("", to: "a")
        let directory = unsafe open(place.path, O_RDONLY | O_DIRECTORY)
        defer { close(directory) }
        for _ in 0..<2 { #expect(try DirectoryEntries(of: directory).map(\.name) == ["a"]) }
    }

    @Test("what is no directory is told with the system's error", arguments: [("none", ENOENT), ("file", ENOTDIR)])
    func failure(name: String, number: Int32) throws {
        let place = try TemporaryDirectory()
        try place.write("", to: "file")
        let error = #expect(throws: DirectoryEntries.Failure.self) { try DirectoryEntries(place.path(of: name)) }
        #expect(error?.number == number)
    }

    @Test("the directories that are read are counted")
    func count() throws {
        let place = try TemporaryDirectory()
        let count = DirectoryReading.count {
            for _ in 0..<3 { _ = try? DirectoryEntries(place.path) }
            _ = try? DirectoryEntries(place.path(of: "none"))
        }
        #expect(count == 3)
    }
}
