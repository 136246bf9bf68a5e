import Foundation
import Glibc
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost
@testable import ComponentKit

@Suite("Which data directory is trusted")
struct DataTrustTests {
    let place: TemporaryDirectory

    init() throws {
        place = try TemporaryDirectory()
        try place.makeDirectory("data")
    }

    /// Returns why FixtureComponent has no directory in `data`; nil if it has one.
    private func refusal(_ policy: TrustPolicy = .strict) throws -> LinkError? {
        let data = DataDirectory(.data, place.path(of: "data"), policy: policy)
        do throws(LinkError) {
            _ = try data.directory(of: "FixtureComponent")
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "other users cannot write to it, its parents or a component's directory",
        arguments: ["data", ".", "data/FixtureComponent"], [mode_t(0o777), 0o1777])
    func writable(name: String, mode: mode_t) throws {
        try place.makeDirectory("data/FixtureComponent")
        try place.setMode(mode, of: name)
        // In a sticky parent such as /tmp, no other user can rename it.
        let isFine = name == "." && mode == 0o1777
        let error = try refusal()
        #expect((error == nil) == isFine)
        #expect(try refusal(.unchecked) == nil)
        guard let error else { return }
        #expect((error.domain, error.number) == ("hslink.data", 3))
        #expect(error.message.contains("writable by everyone"))
        #expect(error.message.contains("chmod o-w "))
    }

    @Test(
        "another user's directory is refused", .enabled(if: geteuid() == 0, "only root gives files away"),
        arguments: [".", "data", "data/FixtureComponent"])
    func foreign(name: String) throws {
        try place.makeDirectory("data/FixtureComponent")
        #expect(unsafe chown(place.path(of: name), 4321, 0) == 0)
        #expect(try refusal()?.number == 3)
        #expect(try refusal(.unchecked) == nil)
    }

    @Test("a component's directory is no link or file", arguments: [true, false], [TrustPolicy.strict, .unchecked])
    func noDirectory(isLink: Bool, policy: TrustPolicy) throws {
        if isLink {
            try place.makeDirectory("elsewhere")
            try place.link("data/FixtureComponent", to: "../elsewhere")
        } else {
            try place.write("x", to: "data/FixtureComponent")
        }
        let error = try #require(try refusal(policy))
        #expect((error.domain, error.number) == ("hslink.data", 3))
        #expect(error.message.contains("is a file or a symbolic link, not a directory"))
    }

    @Test("the directory itself may be a link")
    func link() throws {
        try place.link("way", to: "data")
        let data = DataDirectory(.data, place.path(of: "way"), policy: .strict)
        #expect(try data.claim() == place.path(of: "data"))
    }

    @Test(
        "a directory that cannot be made is reported with the system's error message",
        arguments: [("file", "Not a directory"), ("file/below", "Not a directory"), ("dangling", "No such file")])
    func system(name: String, words: String) throws {
        try place.write("x", to: "file")
        try place.link("dangling", to: "nowhere/at all")
        let data = DataDirectory(.data, place.path(of: name), policy: .strict)
        let error = try #require(#expect(throws: LinkError.self) { try data.claim() })
        #expect((error.domain, error.number) == ("hslink.data", 4))
        #expect(error.message.contains(words) || error.message.contains("it is a file"), "\(error)")
    }

    @Test("a lock file that is not a regular file is refused", arguments: ["directory", "link"])
    func lockFile(kind: String) throws {
        if kind == "link" {
            try place.write("precious", to: "other")
            try place.link("data/.host.lock", to: "../other")
        } else {
            try place.makeDirectory("data/.host.lock")
        }
        #expect(try refusal()?.number == 4)
        if kind == "link" {
            #expect(FileManager.default.contents(atPath: place.path(of: "other")) == Data("precious".utf8))
        }
    }

    @Test("a request that failed is tried again")
    func again() throws {
        let data = DataDirectory(.data, place.path(of: "data"), policy: .strict)
        try place.setMode(0o777, of: "data")
        #expect(throws: LinkError.self) { try data.directory(of: "FixtureComponent") }
        try place.setMode(0o700, of: "data")
        #expect(try data.directory(of: "FixtureComponent") == place.path(of: "data/FixtureComponent"))
    }
}
