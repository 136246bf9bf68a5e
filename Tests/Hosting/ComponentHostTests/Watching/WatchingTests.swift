import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

@Suite("Watching directories")
struct WatchingTests {
    @Test("an added component can be called, a removed one cannot")
    func dropIn() async throws {
        try await withPlugins("CGood") { directory in
            try await withWatchedHost(over: directory.path) { host, told in
                try directory.add("VersionedOld")
                #expect(await told.ends(with: "appeared Versioned 1.0.0"))
                let value1 = try await host.call("VersionedLink", "version", kind: .class)
                #expect(value1 == "1.0.0")
                try directory.delete("libCGood.so")
                #expect(await told.ends(with: "vanished CGood 1.0.0"))
                #expect(await host.blockingCall("CGoodLink", "state").error?.code == .classNotFound)
                try directory.replace("libVersionedOld.so", with: "VersionedNew")
                #expect(await told.ends(with: "restartNeeded Versioned 1.0.0→2.0.0 in memory"))
                let value2 = try await host.call("VersionedLink", "version", kind: .class)
                #expect(value2 == "1.0.0")
            }
        }
    }

    @Test("files added between the first scan and the watching are found")
    func between() async throws {
        try await withPlugins { directory in
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            try directory.add("CGood")
            var changes = host.watch().makeAsyncIterator()
            #expect(await changes.next(isolation: nil)?.summary == "appeared CGood 1.0.0")
        }
    }

    @Test("a file that is written slowly is used once it is complete")
    func slowCopy() async throws {
        try await withPlugins { directory in
            try await withWatchedHost(over: directory.path) { host, told in
                let (handle, rest) = try directory.beginCopy(of: "CGood", as: "libCGood.so", bytes: 100)
                for start in stride(from: 0, to: rest.count, by: 4096) {
                    let piece = rest.dropFirst(start).prefix(4096)
                    try handle.write(contentsOf: piece)
                    try await Task.sleep(for: .milliseconds(150))
                }
                try handle.close()
                // The first scan may have found its beginning.
                #expect(await told.ends(with: "appeared CGood 1.0.0"))
                #expect(told.all.filter { $0.kind == .appeared }.count == 1)
                let value3 = try await host.call("CGoodLink", "state", kind: .class)
                #expect(value3 == 1)
            }
        }
    }

    @Test("half of a file is refused, and the complete file is used")
    func half() async throws {
        try await withPlugins { directory in
            try await withWatchedHost(over: directory.path) { host, told in
                let (handle, rest) = try directory.beginCopy(of: "CGood", as: "libCGood.so", bytes: 5000)
                try handle.close()
                #expect(await told.ends(with: "fileRefused libCGood.so"))
                #expect(await host.blockingCall("CGoodLink", "state").error?.code == .classNotFound)
                let again = try FileHandle(forWritingTo: URL(filePath: directory.file("libCGood.so")))
                try again.seekToEnd()
                try again.write(contentsOf: rest)
                try again.close()
                #expect(await told.ends(with: "appeared CGood 1.0.0"))
                let value4 = try await host.call("CGoodLink", "state", kind: .class)
                #expect(value4 == 1)
            }
        }
    }

    @Test("files with other names are ignored, and wake no watcher", arguments: ["dropped in", "seen"])
    func aside(way: String) async throws {
        try await withPlugins("VersionedOld") { directory in
            guard way == "dropped in" else {
                var watches = InotifyWatches(formats: [.description])
                watches.arm([directory.path])
                for name in [".libA.so", "libA.so~", "libA.so.bak", "libA.so.dpkg-new", "a.json", "libA.so.1"] {
                    try directory.write("x", to: name)
                    let isNoticed = watches.readEvents()
                    #expect(!isNoticed, "\(name)")
                }
                for name in ["libA.so", "a.hslink.json"] {
                    try directory.write("x", to: name)
                    let isNoticed = watches.readEvents()
                    #expect(isNoticed, "\(name)")
                }
                return
            }
            try await withWatchedHost(over: directory.path) { host, told in
                try directory.add("VersionedNew", as: "libVersionedOld.so.dpkg-new")
                try directory.add("CGood")
                #expect(await told.ends(with: "appeared CGood 1.0.0"))
                #expect(told.all.count == 1)
                #expect(host.catalog.entry(named: "Versioned")?.manifest.version.description == "1.0.0")
            }
        }
    }

    @Test("links are added and removed like files")
    func links() async throws {
        try await withPlugins { directory in
            let folder = directory.file("versions")
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            try directory.add("VersionedOld", as: "versions/old.so")
            try directory.add("VersionedNew", as: "versions/new.so")
            try await withWatchedHost(over: directory.path) { _, told in
                let link = directory.file("libVersioned.so")
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "versions/old.so")
                #expect(await told.ends(with: "appeared Versioned 1.0.0"))
                try FileManager.default.createSymbolicLink(
                    atPath: directory.file(".next"), withDestinationPath: "versions/new.so")
                #expect(unsafe rename(directory.file(".next"), link) == 0)
                #expect(await told.ends(with: "replaced Versioned 1.0.0→2.0.0"))
                try FileManager.default.removeItem(atPath: link)
                #expect(await told.ends(with: "vanished Versioned 2.0.0"))
                #expect(unsafe Glibc.link(directory.file("versions/old.so"), directory.file("hard.so")) == 0)
                #expect(await told.ends(with: "appeared Versioned 1.0.0"))
            }
        }
    }

    @Test("a file that gets its name once it is complete is found, although nobody closes it under that name")
    func nameless() async throws {
        try await withPlugins { directory in
            try await withWatchedHost(over: directory.path) { host, told in
                // The watching has begun when a change is seen.
                try directory.add("CGood")
                #expect(await told.ends(with: "appeared CGood 1.0.0"))
                try directory.link("VersionedOld", as: "libVersioned.so")
                #expect(await told.ends(with: "appeared Versioned 1.0.0"))
                let version = try await host.call("VersionedLink", "version", kind: .class)
                #expect(version == "1.0.0")
            }
        }
    }

    @Test("a missing directory is waited for, with each of its parents")
    func notThereYet() async throws {
        try await withPlugins("CGood") { directory in
            let deep = directory.file("a/b/c")
            try await withWatchedHost(over: deep) { host, told in
                for _ in 0..<3 {
                    for name in ["a", "a/b", "a/b/c"] {
                        try FileManager.default.createDirectory(
                            atPath: directory.file(name), withIntermediateDirectories: false,
                            attributes: [.posixPermissions: 0o755])
                    }
                    try directory.add("VersionedOld", as: "a/b/c/libVersionedOld.so")
                    #expect(await told.has("directoryFound c"))
                    #expect(await holds { host.isAvailable("VersionedLink") })
                    try FileManager.default.moveItem(atPath: directory.file("a"), toPath: directory.file("z"))
                    #expect(await holds { !host.isAvailable("VersionedLink") })
                    try FileManager.default.moveItem(atPath: directory.file("z/b"), toPath: directory.file("b"))
                    try FileManager.default.removeItem(atPath: directory.file("z"))
                    try FileManager.default.removeItem(atPath: directory.file("b"))
                }
            }
        }
    }

    @Test("a link to a directory may be changed to another one")
    func turnedLink() async throws {
        try await withPlugins { directory in
            for (name, fixture) in [("one", "VersionedOld"), ("two", "VersionedNew")] {
                try directory.add(fixture, as: "\(name)/lib.so")
            }
            let current = directory.file("current")
            try FileManager.default.createSymbolicLink(atPath: current, withDestinationPath: "one")
            try await withWatchedHost(over: current) { host, told in
                #expect(host.isAvailable("VersionedLink"))
                let next = directory.file("next")
                try FileManager.default.createSymbolicLink(atPath: next, withDestinationPath: directory.file("two"))
                #expect(unsafe rename(next, current) == 0)
                #expect(await told.ends(with: "replaced Versioned 1.0.0→2.0.0"))
                try directory.add("CGood", as: "two/libCGood.so")
                #expect(await told.ends(with: "appeared CGood 1.0.0"))
            }
        }
    }

    @Test("permissions are watched, of files and of the directory itself")
    func permissions() async throws {
        try await withPlugins("CGood") { directory in
            try await withWatchedHost(over: directory.path) { host, told in
                for path in [directory.file("libCGood.so"), directory.path] {
                    try directory.setMode(0o777, of: path)
                    #expect(await holds { !host.isAvailable("CGoodLink") })
                    try directory.setMode(0o755, of: path)
                    #expect(await holds { host.isAvailable("CGoodLink") })
                }
                #expect(await told.has("vanished CGood 1.0.0"))
            }
        }
    }

    @Test("thousands of new files end up in the table, and the host keeps answering")
    func storm() async throws {
        try await withPlugins("CGood") { directory in
            try await withWatchedHost(over: directory.path) { host, told in
                let bytes = try Data(contentsOf: try Fixtures.file("VersionedOld"))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for lane in 0..<4 {
                        group.addTask {
                            try await onThread {
                                for round in 0..<1000 {
                                    let name = directory.file("lib\(lane)-\(round % 10).so")
                                    if round % 3 == 2 {
                                        try? FileManager.default.removeItem(atPath: name)
                                    } else {
                                        try (round % 2 == 0 ? bytes : bytes.prefix(round))
                                            .write(to: URL(filePath: name))
                                    }
                                }
                                for index in 0..<10 {
                                    try? FileManager.default.removeItem(
                                        atPath: directory.file("lib\(lane)-\(index).so"))
                                }
                            }
                        }
                    }
                    for round in 0..<200 {
                        let echoed = try await host.call("CGoodLink", "echo", Payload(round), kind: .class)
                        #expect(echoed == Payload(round))
                    }
                    try await group.waitForAll()
                }
                try directory.add("FutureMinor")
                #expect(await told.has("appeared FutureMinor 1.0.0"))
                #expect(await holds { host.components.map(\.name).sorted() == ["CGood", "FutureMinor"] })
                #expect(host.catalog.rejectedFiles.isEmpty)
            }
        }
    }

    @Test("every watcher is notified, also of manual rescans")
    func several() async throws {
        try await withPlugins { directory in
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let told = (0..<3).map { _ in Collected<CatalogChange>() }
            let readers = told.map { told in
                let changes = host.watch()
                return Task { for await change in changes { told.add(change) } }
            }
            try directory.add("CGood")
            host.rescan()
            for told in told { #expect(await told.ends(with: "appeared CGood 1.0.0")) }
            readers[0].cancel()
            await readers[0].value
            // The first scan may have found the file before its copy was complete.
            let count = told[0].all.count
            try directory.add("CxxGood")
            for told in told.dropFirst() { #expect(await told.ends(with: "appeared CxxGood 1.0.0")) }
            #expect(told[0].all.count == count)
            await host.stop()
            for reader in readers { await reader.value }
            var late = host.watch().makeAsyncIterator()
            #expect(await late.next(isolation: nil) == nil)
        }
    }

    @Test("releasing the sequence or the host ends the thread and closes its descriptors")
    func letGo() async throws {
        try await withPlugins("CGood") { directory in
            for _ in 0..<100 {
                let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
                for _ in 0..<3 { _ = host.watch() }
                withExtendedLifetime(host.watch()) { _ = host.rescan() }
            }
            let hasEnded = await holds {
                let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
                return threads?.contains { thread in
                    let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
                    return name == "hslink-watch\n"
                } == false
            }
            #expect(hasEnded)
        }
    }
}
