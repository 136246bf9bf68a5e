import Foundation
import TestSupport
import Testing

@testable import hslink

@Suite("Files that commands write")
struct OutputFileTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: directory.path(of: name), encoding: .utf8)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    @Test("a new file has the text, and nothing else is left", arguments: ["a", "\u{301}a"])
    func new(name: String) throws {
        #expect(OutputFile.write("new\n", to: directory.path(of: name)) == 0)
        #expect(try text(name) == "new\n")
        #expect(try names() == [name])
    }

    @Test("a file that was there is replaced as a whole, and keeps its permissions")
    func replaces() throws {
        let path = try directory.write("old", to: "a")
        try directory.setMode(0o600, of: "a")
        let open = try #require(FileHandle(forReadingAtPath: path))
        #expect(OutputFile.write("new", to: path) == 0)
        #expect(try text("a") == "new")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try open.readToEnd() == Data("old".utf8))
        #expect(try names() == ["a"])
    }

    @Test("a link stays, and the file that it names is written", arguments: [true, false])
    func link(isThere: Bool) throws {
        if isThere { try directory.write("old", to: "a") }
        let link = directory.path(of: "link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a")
        #expect(OutputFile.write("new", to: link) == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a")
        #expect(try text("a") == "new")
        #expect(try names() == ["a", "link"])
    }

    @Test("devices are written to, and what cannot be written says why")
    func others() throws {
        #expect(OutputFile.write("new", to: "/dev/null") == 0)
        #expect(OutputFile.write("new", to: "/dev/full") == ENOSPC)
        #expect(OutputFile.write("new", to: directory.path) == EISDIR)
        #expect(OutputFile.write("new", to: directory.path(of: "nowhere/a")) == ENOENT)
        try directory.write("old", to: "a")
        #expect(OutputFile.write("new", to: directory.path(of: "a/")) == ENOTDIR)
        #expect(try text("a") == "old")
        #expect(try names() == ["a"])
    }
}
