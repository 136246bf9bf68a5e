import Foundation
import Glibc
import TestSupport
import Testing

@testable import ComponentHost
@testable import ComponentKit

@Suite("Names of resources that are refused")
struct ResourceNameTests {
    let place: TemporaryDirectory

    init() throws { place = try TemporaryDirectory() }

    /// Names, and the numbers of the errors for them.
    private static let names: [(String, Int)] = [
        ("", 2), (".", 2), ("..", 2), ("../secret.txt", 2), ("../\u{301}x", 2), ("/etc/passwd", 2),
        ("a/../../secret.txt", 2),
        ("a/../fine.txt", 2), ("./fine.txt", 2), ("a//fine.txt", 2), ("a/", 2), ("/", 2), ("fine.txt\0", 2),
        ("\0", 2), (String(repeating: "x", count: 5000), 2), (String(repeating: "x/", count: 2500) + "x", 2),
        (String(repeating: "x", count: 1025), 2), (String(repeating: "x", count: 1024), 8),
        (String(repeating: "a/", count: 511) + "a", 1), ("absent", 1), ("fine.txt/x", 1), ("a/absent", 1),
        ("nowhere", 1), ("passwd", 3), ("beside", 3), ("etc/passwd", 3), ("up/secret.txt", 3), ("itself", 8),
        ("round", 8), ("a", 5), ("folder", 5), ("pipe", 5), ("socket", 5), ("linked pipe", 5), ("open.txt", 4),
        ("open/x.txt", 4), ("way/x.txt", 4),
    ]

    private func fill(_ folder: String) throws {
        try place.write("secret", to: "secret.txt")
        // A combining mark makes one character of it and the slash before it.
        try place.write("secret", to: "\u{301}x")
        try place.makeDirectory("\(folder)/a")
        try place.setMode(0o755, of: folder)
        try place.write("fine", to: "\(folder)/fine.txt")
        for (name, target) in [
            ("nowhere", "absent"), ("passwd", "/etc/passwd"), ("beside", "../secret.txt"), ("etc", "/etc"),
            ("up", ".."), ("itself", "itself"), ("round", "trip"), ("trip", "round"), ("folder", "a"),
            ("linked pipe", "pipe"), ("way", "open"),
        ] {
            try place.link("\(folder)/\(name)", to: target)
        }
        #expect(unsafe mkfifo(place.path(of: "\(folder)/pipe"), 0o644) == 0)
        #expect(unsafe mknod(place.path(of: "\(folder)/socket"), S_IFSOCK | 0o644, 0) == 0)
        try place.write("open", to: "\(folder)/open.txt")
        try place.setMode(0o666, of: "\(folder)/open.txt")
        try place.makeDirectory("\(folder)/open")
        try place.write("open", to: "\(folder)/open/x.txt")
        try place.setMode(0o777, of: "\(folder)/open")
    }

    @Test(
        "each is refused with its reason, and none waits", .timeLimit(.minutes(5 * TestPatience.factor)),
        arguments: ResourceReader.allCases)
    func hostile(reader: ResourceReader) async throws {
        try fill("\(reader.component).resources")
        let host = try reader.host(in: place)
        #expect(await reader.read(host, "fine.txt") == "fine")
        for (name, number) in Self.names {
            for form in ["read", "path"] {
                let error = try #require(await reader.ask(host, form, name).error, "\(name)")
                #expect((error.domain, Int(error.number)) == ("hslink.resources", number), "\(form) \(name): \(error)")
                #expect(error.component == reader.component)
                #expect(name.isEmpty || error.message.hasPrefix("the resource \"\(name.prefix(1).escapedNUL)"))
            }
        }
        // They are not in the way of others.
        #expect(await reader.read(host, "fine.txt") == "fine")
        await host.stop()
    }

    @Test("folders are refused like files", arguments: ResourceReader.allCases)
    func folders(reader: ResourceReader) async throws {
        try fill("\(reader.component).resources")
        let host = try reader.host(in: place)
        for (name, number) in [
            ("..", 2), ("/etc", 2), ("a/..", 2), ("etc", 3), ("up", 3), ("itself", 8), ("absent", 1), ("fine.txt", 1),
            ("pipe", 1), ("open", 4),
        ] {
            let error = try #require(await reader.ask(host, "names", name).error, "\(name)")
            #expect((error.domain, Int(error.number)) == ("hslink.resources", number), "\(name): \(error)")
        }
        await host.stop()
    }

    @Test("a folder of a language does not lead out either", arguments: ResourceReader.allCases)
    func languages(reader: ResourceReader) async throws {
        try fill("\(reader.component).resources")
        try place.link("\(reader.component).resources/de.lproj", to: "..")
        let host = try reader.host(in: place)
        #expect(await reader.read(host, "secret.txt", languages: "de") == "error 3")
        #expect(await reader.read(host, "secret.txt", languages: "../..,/,a/b,\u{0}") == "error 1")
        #expect(await reader.read(host, "fine.txt", languages: String(repeating: "x-", count: 3000)) == "fine")
        await host.stop()
    }

    @Test(
        "a device is refused", .enabled(if: ResourceNameTests.makesDevices, "this process cannot make devices"),
        arguments: ResourceReader.allCases)
    func device(reader: ResourceReader) async throws {
        try fill("\(reader.component).resources")
        // /dev/zero
        let path = place.path(of: "\(reader.component).resources/zero")
        #expect(unsafe mknod(path, S_IFCHR | 0o644, 0x105) == 0)
        let host = try reader.host(in: place)
        #expect(await reader.read(host, "zero") == "error 5")
        await host.stop()
    }

    private static let makesDevices: Bool = {
        let path = "\(NSTemporaryDirectory())/hslink-device-\(getpid())"
        defer { unsafe unlink(path) }
        return unsafe mknod(path, S_IFCHR | 0o644, 0x105) == 0
    }()

    @Test(
        "a file that may not be read is refused", .enabled(if: geteuid() != 0, "root may read every file"),
        arguments: ResourceReader.allCases)
    func unreadable(reader: ResourceReader) async throws {
        try fill("\(reader.component).resources")
        try place.setMode(0, of: "\(reader.component).resources/fine.txt")
        let host = try reader.host(in: place)
        let error = try #require(await reader.ask(host, "read", "fine.txt").error)
        #expect(error.number == 8)
        #expect(error.message.contains("Permission denied"))
        await host.stop()
    }
}

extension Substring {
    /// The text with NUL as messages show it.
    fileprivate var escapedNUL: String { self == "\0" ? #"\u{0}"# : String(self) }
}
