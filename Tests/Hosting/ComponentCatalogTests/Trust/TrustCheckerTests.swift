import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog

@Suite("Opening files and directories")
struct TrustCheckerTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.makeDirectory("plugins")
        try directory.write("content", to: "plugins/a.so")
    }

    /// Returns the result of opening `plugins/NAME`.
    private func open(_ name: String, _ policy: TrustPolicy = .strict, caller: uid_t = geteuid()) throws
        -> ComponentFileError?
    {
        try refusal {
            var checker = TrustChecker(policy: policy, caller: caller)
            _ = try checker.openFile(path: directory.path(of: "plugins/\(name)"))
        }
    }

    @Test("a file is opened by its resolved path, and recognised again")
    func opening() throws {
        try directory.link("way", to: "plugins")
        var checker = TrustChecker()
        let file = try checker.openFile(path: directory.path(of: "way/../way/a.so"))
        let path = file.path
        #expect(path == directory.path(of: "plugins/a.so"))
        let size = file.identity.size
        #expect(size == 7)
        let isUnchanged = file.isUnchanged
        #expect(isUnchanged)
        try directory.write("changed", to: "new.so")
        #expect(unsafe rename(directory.path(of: "new.so"), path) == 0)
        let isReplaced = !file.isUnchanged
        #expect(isReplaced)
    }

    @Test("a file that was written to is a changed file")
    func writing() throws {
        var checker = TrustChecker()
        let file = try checker.openFile(path: directory.path(of: "plugins/a.so"))
        let handle = try #require(FileHandle(forWritingAtPath: file.path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([1]))
        let isChanged = !file.isUnchanged
        #expect(isChanged)
    }

    @Test("a file that was written to is a changed file, even with its size and time restored")
    func writingUnnoticed() throws {
        var checker = TrustChecker()
        let path = directory.path(of: "plugins/a.so")
        let file = try checker.openFile(path: path)
        try rewrite(path) { $0[0] ^= 1 }
        let isChanged = !file.isUnchanged
        #expect(isChanged)
    }

    @Test(
        "unsafe permissions are refused on the file, its directory and its parents",
        arguments: [
            ("plugins/a.so", mode_t(0o666)), ("plugins", 0o777), ("plugins", 0o1777), (".", 0o777),
        ])
    func worldWritable(name: String, mode: mode_t) throws {
        try directory.setMode(mode, of: name)
        #expect(try open("a.so")?.code == .worldWritable)
        #expect(try open("a.so", .unchecked) == nil)
    }

    @Test("a sticky parent directory is accepted")
    func sticky() throws {
        try directory.setMode(0o1777, of: ".")
        #expect(try open("a.so") == nil)
    }

    @Test("a file of neither root nor the caller is refused", .enabled(if: geteuid() != 0))
    func otherCaller() throws {
        #expect(try open("a.so", caller: geteuid() + 1)?.code == .foreignOwner)
    }

    @Test("a file of another user is refused, and one writable by another group", .enabled(if: geteuid() == 0))
    func otherOwner() throws {
        let path = directory.path(of: "plugins/a.so")
        #expect(unsafe chown(path, 4321, 0) == 0)
        #expect(try open("a.so")?.code == .foreignOwner)
        #expect(try open("a.so", caller: 4321) == nil)
        #expect(unsafe chown(path, 0, 4321) == 0)
        #expect(try open("a.so") == nil)
        try directory.setMode(0o664, of: "plugins/a.so")
        #expect(try open("a.so")?.code == .groupWritable)
        #expect(try open("a.so", .unchecked) == nil)
    }

    @Test("a link inside the directory is followed, one that leads out is refused")
    func links() throws {
        try directory.makeDirectory("plugins/sub")
        try directory.write("x", to: "plugins/sub/b.so")
        try directory.write("x", to: "outside.so")
        try directory.makeDirectory("plugins2")
        try directory.write("x", to: "plugins2/c.so")
        try directory.link("plugins/inside.so", to: "a.so")
        try directory.link("plugins/deeper.so", to: "sub/b.so")
        try directory.link("plugins/out.so", to: "../outside.so")
        try directory.link("plugins/neighbour.so", to: directory.path(of: "plugins2/c.so"))
        try directory.link("plugins/twice.so", to: "out.so")

        for name in ["inside.so", "deeper.so"] { #expect(try open(name) == nil) }
        for name in ["out.so", "neighbour.so", "twice.so"] {
            let error = try #require(try open(name))
            #expect(error.code == .linkOutside)
            #expect(error.message.contains("outside of its directory"))
            #expect(try open(name, .unchecked) == nil)
        }
        try directory.setMode(0o777, of: "plugins/sub")
        #expect(try open("deeper.so")?.code == .worldWritable)
    }

    @Test("anything but a regular file is refused with its kind")
    func noFiles() throws {
        try directory.makeDirectory("plugins/sub")
        try directory.link("plugins/dangling", to: "nowhere")
        try directory.link("plugins/circle", to: "circle")
        #expect(unsafe mkfifo(directory.path(of: "plugins/fifo"), 0o644) == 0)
        let expected: [(String, ComponentFileError.Code, String)] = [
            ("missing.so", .notFound, "the system could not open it: No such file or directory"),
            ("sub", .notAFile, "expected a regular file, found a directory"),
            ("fifo", .notAFile, "expected a regular file, found a special file"),
            (".", .notAFile, "expected a file, but"),
            ("dangling", .notFound, "it is a link that leads nowhere"),
            ("circle", .notReadable, "Too many levels of symbolic links"),
            ("a.so/b.so", .notADirectory, "it is a file; give the directory that contains it"),
        ]
        for (name, code, message) in expected {
            let error = try #require(try open(name), "\(name)")
            #expect(error.code == code)
            #expect(error.message.contains(message), "\(error)")
        }
    }

    @Test(
        "anything but a directory is refused with its kind",
        arguments: [
            ("nowhere", ComponentFileError.Code.notFound), ("plugins/a.so", .notADirectory),
            ("plugins/a.so/b", .notADirectory),
        ])
    func noDirectories(name: String, code: ComponentFileError.Code) throws {
        let error = try refusal {
            var checker = TrustChecker()
            _ = try checker.openDirectory(directory.path(of: name))
        }
        #expect(error?.code == code)
    }

    @Test("files are closed")
    func closing() throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        for _ in 0..<100 {
            _ = try open("a.so")
            _ = try open("missing.so")
        }
        // Other tests run at the same time and open files too.
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count < before + 90)
    }
}
