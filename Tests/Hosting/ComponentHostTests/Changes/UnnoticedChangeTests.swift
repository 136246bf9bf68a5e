import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite("Files that change but keep their size and time")
struct UnnoticedChangeTests {
    @Test("a file whose manifest changed after the listing is not loaded until a rescan")
    func listed() async throws {
        try await withHost(["CGood"]) { host, directory async throws in
            try rewrite(directory.file("libCGood.so")) { bytes in
                guard let place = bytes.firstRange(of: Array("business".utf8)) else { return }
                bytes.replaceSubrange(place, with: "universe".utf8)
            }
            #expect(await host.blockingCall("CGoodLink", "state").error?.cause?.code == .fileChanged)
            #expect(host.told() == ["replaced CGood 1.0.0→1.0.0"])
            #expect(host.info("CGood")?.manifest.layer == "universe")
            let value = try await host.value("CGoodLink", "state")
            #expect(value == 1)
        }
    }

    @Test("the next rescan treats a file that was written to as changed")
    func writtenTo() async throws {
        try await withHost(["VersionedOld"]) { host, directory async throws in
            // The last byte belongs to the section headers, which are not loaded.
            try rewrite(directory.file("libVersionedOld.so")) { $0[$0.count - 1] ^= 1 }
            #expect(host.told() == ["replaced Versioned 1.0.0→1.0.0"])
            #expect(host.told() == [])
        }
    }

    @Test("a file of a component in memory that was written to needs a restart")
    func inMemory() async throws {
        try await withHost(["VersionedOld"]) { host, directory async throws in
            _ = try await host.value("VersionedLink", "version")
            let file = directory.file("libVersionedOld.so")
            try rewrite(file) { $0[$0.count - 1] ^= 1 }
            #expect(host.told() == ["restartNeeded Versioned 1.0.0→1.0.0 in memory"])
            #expect(host.info("Versioned")?.reason == "restart to use the new file of version 1.0.0")
            #expect(host.told() == [])
            try rewrite(file) { $0[$0.count - 1] ^= 1 }
            #expect(host.told() == ["restored Versioned 1.0.0 in memory"])
        }
    }

    /// Operations that change the state of a file, but not its content.
    static let harmless: [String] = ["chmod", "hard link", "rename"]

    private func touch(_ file: String, _ way: String) throws {
        switch way {
        case "chmod":
            try #require(unsafe chmod(file, 0o700) == 0)
            try #require(unsafe chmod(file, 0o755) == 0)
        case "hard link":
            try #require(unsafe link(file, "\(file).link") == 0)
        default:
            try #require(unsafe rename(file, "\(file).moved") == 0)
            try #require(unsafe rename("\(file).moved", file) == 0)
        }
    }

    @Test("a file in memory with the same content is unchanged, whatever was done to it", arguments: harmless)
    func harmlessInMemory(way: String) async throws {
        try await withHost(["VersionedOld"]) { host, directory async throws in
            _ = try await host.value("VersionedLink", "version")
            let file = directory.file("libVersionedOld.so")
            try touch(file, way)
            #expect(host.told() == [])
            #expect(host.info("Versioned")?.reason == "")
            #expect(host.info("Versioned")?.onDisk == .same)
            // Another host may have it too, under the name that the loader knows.
            let other = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let value = try await other.value("VersionedLink", "version")
            #expect(value == "1.0.0")
            #expect(other.told() == [])
            await other.stop()
        }
    }

    @Test("a file with the listed manifest is loaded, whatever was done to it since", arguments: harmless)
    func harmlessBeforeLoading(way: String) async throws {
        try await withHost(["VersionedOld"]) { host, directory async throws in
            try touch(directory.file("libVersionedOld.so"), way)
            let value = try await host.value("VersionedLink", "version")
            #expect(value == "1.0.0")
            #expect(host.told() == [])
            #expect(host.info("Versioned")?.reason == "")
        }
    }

    @Test("the same applies to descriptions of libraries")
    func description() async throws {
        try await withPlugins { directory async throws in
            let text = """
                {"name": "Lib", "version": "1.0.0", "library": "libm.so.6", "class": "Lib",
                 "declarations": ["double fabs(double x);"]}
                """
            try directory.write(text, to: "lib.hslink.json")
            let file = directory.file("lib.hslink.json")
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            _ = try await host.value("Lib", "fabs", ["x": -1.5], kind: .object)
            try touch(file, "chmod")
            #expect(host.told() == [])
            #expect(host.info("Lib")?.reason == "")
            try rewrite(file) { bytes in
                guard let place = bytes.firstRange(of: Array("fabs".utf8)) else { return }
                bytes.replaceSubrange(place, with: "ceil".utf8)
            }
            #expect(host.told() == ["restartNeeded Lib 1.0.0→1.0.0 in memory"])
            await host.stop()
        }
    }
}
