import Foundation
import TestSupport
import Testing

@testable import ModelDrift

@Suite("Files that cannot be read")
struct OddFileTests {
    /// Writes a file beside two copies that differ, and expects the warnings about it and about the copies.
    private func expect(_ messages: [String], _ prepare: (TemporaryDirectory) throws -> Void) throws {
        let directory = try TemporaryDirectory()
        try directory.write("struct User { var a: Int }", to: "A.swift")
        try directory.write("struct B_User { var a: Int8 }", to: "Z.swift")
        try prepare(directory)
        let found = DriftCheck(paths: [directory.path]).run().lines(below: directory.path)
        #expect(found == messages + ["Z.swift:1:21: B_User.a is Int8, but Int in User (A.swift:1)"])
    }

    @Test(
        "the contents are the reason",
        arguments: [
            ([], []), ([0xEF, 0xBB, 0xBF], []), (Array("\r\r\n".utf8), []),
            ([0x0A, 0xFF], ["2:1: not read: not UTF-8"]), (Array("a é".utf8) + [0xC3], ["1:5: not read: not UTF-8"]),
            ([0x61, 0x00], ["1:2: not read: not a text file, it has a zero byte"]),
        ] as [([UInt8], [String])])
    func contents(bytes: [UInt8], messages: [String]) throws {
        for name in ["M.swift", "M.h"] {
            try expect(messages.map { "\(name):\($0)" }) { try $0.write(bytes, to: name) }
        }
    }

    @Test("a syntax error is told with its place, and what comes after it is read")
    func syntaxError() throws {
        try expect([
            "M.swift:2:16: syntax error; models in this file may be read incompletely",
            "M.swift:3:21: C_User.a is Bool, but Int in User (A.swift:1)",
        ]) {
            try $0.write("let a = 1\nlet b: Int = 1 )\nstruct C_User { var a: Bool }", to: "M.swift")
        }
    }

    @Test("a large file is not read")
    func large() throws {
        try expect(["M.swift: not read: the file has 104857600 bytes, the limit is 1048576"]) { directory in
            let handle = try FileHandle(forWritingTo: URL(filePath: directory.write("", to: "M.swift")))
            try handle.truncate(atOffset: 100 << 20)
            try handle.close()
        }
    }

    @Test("links, pipes and devices are told or followed once")
    func kinds() throws {
        try expect([
            "M.swift: not read: not a regular file", "N.h: not read: No such file or directory",
            "O.swift: not read: Too many levels of symbolic links", "P.h: not read: not a regular file",
        ]) { directory in
            #expect(unsafe mkfifo(directory.path(of: "M.swift"), 0o644) == 0)
            try directory.link("N.h", to: "nowhere.h")
            try directory.link("O.swift", to: "O.swift")
            try directory.link("P.h", to: "/dev/zero")
            try directory.makeDirectory("sub")
            try directory.link("sub/up", to: "..")
            try directory.link("again", to: "sub")
            try directory.link("Same.swift", to: "A.swift")
        }
    }

    @Test("a file without permission is told", .enabled(if: geteuid() != 0, "root may read all files"))
    func permission() throws {
        try expect(["M.swift: not read: Permission denied"]) {
            try $0.write("", to: "M.swift")
            try $0.setMode(0, of: "M.swift")
        }
    }

    @Test("a name that is not UTF-8 is told")
    func name() throws {
        try expect(["M\u{FFFD}.swift: not read: the name is not UTF-8; rename it"]) { directory in
            var path = Array(directory.path(of: "M").utf8CString.dropLast())
            path += [CChar(bitPattern: 0xFF)] + ".swift".utf8CString
            let descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
            #expect(descriptor >= 0)
            close(descriptor)
        }
    }

    @Test("a file that another program writes at the same time is read or told, and never crashes the check")
    func changing() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("struct User { var a: Int }", to: "A.swift")
        let path = try directory.write("", to: "M.swift")
        let short = Array("struct B_User { var a: Int }".utf8)
        let long = short + Array(repeating: UInt8(ascii: "\n"), count: 200_000)
        async let written: Void = onOwnThread {
            for round in 0..<200 { try Data(round.isMultiple(of: 2) ? long : short).write(to: URL(filePath: path)) }
        }
        for _ in 0..<50 {
            let report = DriftCheck(paths: [directory.path]).run()
            // While it is being written, the file may be empty or end early.
            let messages: Set = [
                "not read: the file changes while it is being read",
                "syntax error; models in this file may be read incompletely",
            ]
            #expect(report.findings.allSatisfy { messages.contains($0.message) || $0.message.contains("B_User lacks") })
        }
        try await written
    }
}

@Suite("Finding files")
struct SourceFinderTests {
    private func files(_ excluded: [String], _ paths: [String] = [""]) throws -> [String] {
        let directory = try TemporaryDirectory()
        for path in ["A/M.swift", "A/M.h", "A/M.m", "A/.build/N.swift", "A/Tests/T.swift", "B/M.swift", "B/sub/A/N.h"] {
            try write([], to: path, in: directory)
        }
        var finder = SourceFinder(excluded: excluded)
        for path in paths { finder.search(path.isEmpty ? directory.path : directory.path(of: path)) }
        return finder.files.sorted().map { String($0.dropFirst(directory.path.count + 1)) }
    }

    @Test(
        "patterns exclude names, or paths if they have a slash",
        arguments: [
            ([], ["A/M.h", "A/M.swift", "A/Tests/T.swift", "B/M.swift", "B/sub/A/N.h"]),
            (["A"], ["B/M.swift"]), (["./A/"], ["B/M.swift"]), (["*.swift"], ["A/M.h", "B/sub/A/N.h"]),
            (["A/*.h", "B/sub"], ["A/M.swift", "A/Tests/T.swift", "B/M.swift"]), (["?", "Tests"], []),
            (["B/*"], ["A/M.h", "A/M.swift", "A/Tests/T.swift"]),
            (["*/Tests"], ["A/M.h", "A/M.swift", "B/M.swift", "B/sub/A/N.h"]),
        ])
    func patterns(excluded: [String], files: [String]) throws { #expect(try self.files(excluded) == files) }

    @Test("a directory or file that is given twice is read once")
    func twice() throws {
        #expect(try files([], ["A", "A/Tests", "A/M.h", "A"]) == ["A/M.h", "A/M.swift", "A/Tests/T.swift"])
        #expect(try files([], ["A/M.m"]) == ["A/M.m"])
    }
}
