import Foundation
import TestSupport
import Testing

@Suite("hslink copy")
struct CopyTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.makeDirectory("built")
        try addComponent(to: "built")
    }

    private var target: String { directory.path(of: "host") }

    private func addComponent(to folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: directory.path(of: folder), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: try Fixtures.file("CGood").path, toPath: directory.path(of: "\(folder)/libCGood.so"))
    }

    /// Writes files and the folders above them.
    private func write(_ files: [String: String], in folder: String) throws {
        for (name, text) in files {
            let path = directory.path(of: "\(folder)/\(name)")
            try FileManager.default.createDirectory(
                atPath: path.splitDirectory, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path))
        }
    }

    /// Returns what is in the target, with the permissions, contents and destinations of links.
    private func found() throws -> [String: String] {
        var found: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: target) {
            let path = "\(target)/\(name)"
            var status = stat()
            try #require(unsafe lstat(path, &status) == 0)
            found[name] =
                switch status.st_mode & S_IFMT {
                case S_IFDIR: String(status.st_mode & 0o777, radix: 8)
                case S_IFLNK: "-> \(try FileManager.default.destinationOfSymbolicLink(atPath: path))"
                default:
                    name.hasSuffix(".so")
                        ? String(status.st_mode & 0o777, radix: 8)
                        : "\(String(status.st_mode & 0o777, radix: 8)) \(try String(contentsOfFile: path, encoding: .utf8))"
                }
        }
        return found
    }

    private func inode(_ name: String) -> ino_t {
        var status = stat()
        return unsafe lstat("\(target)/\(name)", &status) == 0 ? status.st_ino : 0
    }

    private func copy(_ folder: String = "built") async throws -> ProgramRun {
        try await hslink("copy", directory.path(of: folder), "--components", target)
    }

    @Test("a component is copied with its resources, and then what has changed or has been deleted")
    func changes() async throws {
        try write(["a.txt": "a", "b.txt": "b", "de.lproj/a.txt": "A", "old/c.txt": "c"], in: "built/CGood.resources")
        try directory.link("built/CGood.resources/link.txt", to: "de.lproj/a.txt")
        try directory.setMode(0o666, of: "built/CGood.resources/a.txt")
        try directory.setMode(0o700, of: "built/CGood.resources/de.lproj")
        let resources = "\(target)/CGood.resources"
        #expect(try await copy() == printed("\(resources): 5 files copied", "\(target)/libCGood.so: copied"))
        var expected = [
            "libCGood.so": "755", "CGood.resources": "755", "CGood.resources/a.txt": "644 a",
            "CGood.resources/b.txt": "644 b", "CGood.resources/de.lproj": "755",
            "CGood.resources/de.lproj/a.txt": "644 A", "CGood.resources/link.txt": "-> de.lproj/a.txt",
            "CGood.resources/old": "755", "CGood.resources/old/c.txt": "644 c",
        ]
        #expect(try found() == expected)
        let list = try await hslink("list", "--plugins", target)
        #expect(list.standardOutput.contains("CGood"), "\(list)")

        let names = ["libCGood.so", "CGood.resources", "CGood.resources/a.txt", "CGood.resources/b.txt"]
        let former = names.map(inode)
        #expect(try await copy() == printed("\(resources): unchanged", "\(target)/libCGood.so: unchanged"))
        #expect(names.map(inode) == former)

        // Of the same length.
        try write(["b.txt": "B", "new/d.txt": "d"], in: "built/CGood.resources")
        try FileManager.default.removeItem(atPath: directory.path(of: "built/CGood.resources/old"))
        #expect(
            try await copy()
                == printed("\(resources): 2 files copied, 1 removed", "\(target)/libCGood.so: unchanged"))
        expected["CGood.resources/b.txt"] = "644 B"
        expected["CGood.resources/new"] = "755"
        expected["CGood.resources/new/d.txt"] = "644 d"
        for name in ["CGood.resources/old", "CGood.resources/old/c.txt"] { expected[name] = nil }
        #expect(try found() == expected)
        #expect(inode(names[2]) == former[2] && inode(names[3]) != former[3])

        // Another user could change it.
        try directory.setMode(0o777, of: "host/CGood.resources")
        #expect(try await copy().status == 0)
        #expect(try found() == expected)
    }

    @Test(
        "the resources are beside the file or in its project, else they are the bundle of SwiftPM",
        arguments: [
            ("project/.build/debug", ["project/.build/debug/CGood.resources", "project/CGood.resources"]),
            ("project/.build/debug", ["project/CGood.resources", "project/.build/debug/Pack_CGood.resources"]),
            ("project/.build/x86/debug", ["project/Sources/CGood/CGood.resources"]),
            ("project/build", ["project/Plugins/CGood/CGood.resources"]),
            (
                "project/.build/debug",
                ["project/.build/debug/Pack_CGood.resources", "project/.build/debug/Pack_Other.resources"]
            ),
            ("project", ["Sources/CGood/CGood.resources"]), ("project", []),
        ])
    func places(folder: String, places: [String]) async throws {
        try addComponent(to: folder)
        try directory.write("", to: folder.hasSuffix("build") ? "project/Makefile" : "project/Package.swift")
        for place in places { try write(["a.txt": place], in: place) }
        let run = try await copy(folder)
        #expect(run.status == 0, "\(run)")
        var expected = ["libCGood.so": "755"]
        if let first = places.first, first.hasPrefix("project/") {
            let name = try #require(first.split(separator: "/").last.map(String.init))
            expected.merge([name: "755", "\(name)/a.txt": "644 \(first)"]) { $1 }
        }
        #expect(try found() == expected)
    }

    @Test(
        "what no host would open is refused, and the former copy stays",
        arguments: ["/etc/hostname", "../libCGood.so", "de.lproj/../../libCGood.so", "gone.txt", nil])
    func refused(link: String?) async throws {
        try write(["a.txt": "a", "de.lproj/a.txt": "A"], in: "built/CGood.resources")
        #expect(try await copy().status == 0)
        let former = try found()
        try write(["a.txt": "other"], in: "built/CGood.resources")
        let path = directory.path(of: "built/CGood.resources/x.txt")
        if let link {
            try directory.link("built/CGood.resources/x.txt", to: link)
        } else {
            try #require(unsafe mkfifo(path, 0o644) == 0)
        }
        let run = try await copy()
        #expect(run.status == 1 && run.standardError.hasPrefix("Error: \(path): "), "\(run)")
        #expect(try found() == former)
    }

    @Test("resources that cannot be read are an error, and the former copy stays", .enabled(if: geteuid() != 0))
    func unreadable() async throws {
        try write(["a.txt": "a"], in: "built/CGood.resources")
        #expect(try await copy().status == 0)
        let former = try found()
        for name in ["built/CGood.resources/a.txt", "built/CGood.resources"] {
            try directory.setMode(0, of: name)
            let run = try await copy()
            try directory.setMode(0o755, of: name)
            #expect(run == failed("Error: \(directory.path(of: name)): cannot be read: Permission denied"))
            #expect(try found() == former)
        }
    }

    @Test("a former copy that cannot be read is an error, and stays with nothing beside it")
    func unreadableCopy() async throws {
        try write(["a.txt": "a"], in: "built/CGood.resources")
        #expect(try await copy().status == 0)
        try write(["a.txt": "b"], in: "built/CGood.resources")
        // A name that is not UTF-8.
        let path = "\(target)/CGood.resources/".utf8CString.dropLast() + [CChar(truncatingIfNeeded: 0xFF), 0]
        let file = unsafe open(Array(path), O_WRONLY | O_CREAT, 0o644)
        try #require(file >= 0)
        close(file)
        for _ in 0..<2 {
            let run = try await copy()
            #expect(run.status == 1 && run.standardOutput.isEmpty, "\(run)")
            #expect(run.standardError.hasPrefix("Error: \(target)/CGood.resources: expected names in UTF-8"), "\(run)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: target).sorted() == [
                    "CGood.resources", "libCGood.so",
                ])
            #expect(try String(contentsOfFile: "\(target)/CGood.resources/a.txt", encoding: .utf8) == "a")
        }
    }

    @Test("what an interrupted copy has left is removed")
    func interrupted() async throws {
        try write(["a.txt": "a"], in: "built/CGood.resources")
        try write(
            [
                ".CGood.resources.new/half/b.txt": "b", ".CGood.resources.old/c.txt": "c", ".libCGood.so.new": "half",
                "CGood.resources/kept.txt": "k", "mine.txt": "m",
            ], in: "host")
        try directory.link("host/.CGood.resources.new/out", to: directory.path(of: "built"))
        #expect(try await copy().status == 0)
        #expect(
            try found().keys.sorted() == ["CGood.resources", "CGood.resources/a.txt", "libCGood.so", "mine.txt"])
        #expect(FileManager.default.fileExists(atPath: directory.path(of: "built/libCGood.so")))
    }

    @Test("several at once each copy a whole folder")
    func together() async throws {
        let names = (0..<40).map { "\($0).txt" }
        for letter in ["a", "b"] {
            try addComponent(to: letter)
            try write(
                Dictionary(uniqueKeysWithValues: names.map { ($0, letter) }), in: "\(letter)/CGood.resources")
        }
        try await withThrowingTaskGroup(of: ProgramRun.self) { group in
            for letter in ["a", "b", "a", "b", "a", "b"] {
                group.addTask { try await copy(letter) }
            }
            for try await run in group { #expect(run.status == 0, "\(run)") }
        }
        let files = try found().filter { $0.key.hasSuffix(".txt") }
        #expect(files.count == names.count && Set(files.values).count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target).count == 2)
    }

    @Test("resources of an earlier build that a host would take instead are an error")
    func outdated() async throws {
        try write(["a.txt": "a"], in: "built/Pack_CGood.resources")
        for now in ["they are Pack_CGood.resources now", "it has none now"] {
            try write(["a.txt": "old"], in: "host/CGood.resources")
            let run = try await copy()
            #expect(run.status == 1)
            #expect(
                run.standardError
                    == "Error: \(target)/CGood.resources: a host takes this folder as the resources of CGood, "
                    + "but \(now); remove the folder\n")
            try FileManager.default.removeItem(atPath: "\(target)/CGood.resources")
            #expect(try await copy().status == 0)
            for folder in ["built", "host"] {
                try? FileManager.default.removeItem(atPath: directory.path(of: "\(folder)/Pack_CGood.resources"))
            }
        }
    }

    @Test("files that are no components are an error, and left out in a directory")
    func others() async throws {
        try directory.makeDirectory("empty")
        #expect(
            try await copy("empty")
                == failed("Error: \(directory.path(of: "empty")): there is no component in this directory"))
        try directory.write("text", to: "built/libText.so")
        let run = try await copy()
        #expect(run.status == 1 && run.standardOutput == "\(target)/libCGood.so: copied\n", "\(run)")
        #expect(run.standardError.hasPrefix("Error: \(directory.path(of: "built/libText.so")): "))
        let missing = try await hslink("copy", directory.path(of: "none.so"), "--components", target)
        #expect(missing.status == 1 && missing.standardError.contains("none.so: "), "\(missing)")
        #expect(try await hslink("copy", directory.path(of: "built")).status == 64)
        #expect(try await hslink("copy", directory.path(of: "built"), "--components", "").status == 64)
    }
}

extension String {
    /// The path without its last name.
    fileprivate var splitDirectory: String { URL(filePath: self).deletingLastPathComponent().path }
}
