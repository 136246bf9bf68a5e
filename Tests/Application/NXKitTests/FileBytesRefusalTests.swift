import Foundation
import Glibc
import NXKit
import TestSupport
import Testing

@Suite("Files that are not opened")
struct FileBytesRefusalTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func refusal(_ path: String) -> FileError? {
        do throws(FileError) {
            let file = try FileBytes(path: path)
            Issue.record("\(path) was opened and has \(file.size) bytes")
            return nil
        } catch {
            return error
        }
    }

    @Test("a missing file is reported with the system's error message and the path")
    func missing() {
        let error = refusal(directory.path(of: "clip.mp4"))
        #expect(error?.code == .notFound)
        let reason = "it cannot be opened: No such file or directory; check the path"
        #expect(error?.description == "\"\(directory.path(of: "clip.mp4"))\": \(reason)")
    }

    @Test("a path through a file is refused")
    func throughFile() throws {
        let error = refusal(try directory.write([1], to: "file") + "/clip.mp4")
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("Not a directory") == true)
    }

    @Test("a directory is refused")
    func noDirectory() {
        let error = refusal(directory.path)
        #expect(error?.code == .notRegularFile)
        #expect(error?.message.hasSuffix("it is a directory; give the path of a regular file") == true)
    }

    @Test("a FIFO without a writer is refused without waiting")
    func fifo() {
        #expect(unsafe mkfifo(directory.path(of: "fifo"), 0o600) == 0)
        let error = refusal(directory.path(of: "fifo"))
        #expect(error?.code == .notRegularFile)
        #expect(error?.message.contains("it is a FIFO") == true)
    }

    @Test("a symbolic link is refused where links are not followed")
    func link() throws {
        let (path, link) = (try directory.write([1, 2], to: "file"), directory.path(of: "link"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let sizes = [try FileBytes(path: link).size, try FileBytes(path: path, followingLinks: false).size]
        #expect(sizes == [2, 2])
        let error = #expect(throws: FileError.self) { _ = try FileBytes(path: link, followingLinks: false) }
        #expect(error?.code == .notRegularFile)
        #expect(error?.message.contains("it is a symbolic link") == true)
    }

    @Test("a device is refused")
    func device() {
        let error = refusal("/dev/zero")
        #expect(error?.code == .notRegularFile)
        #expect(error?.message == "\"/dev/zero\": it is a character device; give the path of a regular file")
    }

    @Test("an empty path is refused")
    func emptyPath() {
        #expect(refusal("")?.code == .notFound)
    }

    @Test("a path with a NUL does not open the part before the NUL")
    func embeddedNul() throws {
        let error = refusal(try directory.write([1], to: "file") + "\0.png")
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("\\u{0}.png") == true)
    }

    @Test("a cycle of links is reported with the system's error message")
    func circle() throws {
        let path = directory.path(of: "circle")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        let error = refusal(path)
        #expect(error?.code == .inputOutput)
        #expect(error?.message.contains("Too many levels of symbolic links") == true)
    }

    @Test("a file that may not be read is refused as such", .enabled(if: geteuid() != 0, "root may read everything"))
    func permission() throws {
        let path = try directory.write([1], to: "secret")
        #expect(unsafe chmod(path, 0) == 0)
        #expect(refusal(path)?.code == .permissionDenied)
    }

    @Test("control characters in a path do not reach the message")
    func escaped() {
        let error = FileError(.malformed, path: "a\nb\u{1B}[2J\u{202E}", "it is broken")
        #expect(error.message == #""a\nb\u{1b}[2J\u{202e}": it is broken"#)
    }
}
