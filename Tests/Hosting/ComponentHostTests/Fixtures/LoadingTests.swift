import ComponentHost
import ComponentKit
import Foundation
import Logging
import TestSupport
import Testing

@Suite("Components are loaded once, at the first call")
struct LoadingTests {
    @Test("first calls of 16 threads run create once")
    func slowCreate() async throws {
        try await withHost(["SlowCreate"]) { host, _ async throws in
            let values = try await withThrowingTaskGroup(of: Payload.self) { group in
                for _ in 0..<16 { group.addTask { try await host.value("SlowCreateLink", "created") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(values.count == 16)
            #expect(values.allSatisfy { $0 == 1 })
        }
    }

    @Test("a component that makes calls while it starts can be started from many threads")
    func createCallsBack() async throws {
        try await withHost(["CreateCallsBack", "CGood", "CreateCallsItself"]) { host, _ async throws in
            let values = try await withThrowingTaskGroup(of: Payload.self) { group in
                for index in 0..<12 {
                    group.addTask {
                        switch index % 3 {
                        case 0: try await host.value("CreateCallsBackLink", "answer")
                        case 1: try await host.value("CGoodLink", "sum", ["a": 40, "b": 2])
                        default: Payload(Int(try await host.value("CreateCallsItselfLink", "answer").int("code")) + 29)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(values.count == 12)
            #expect(values.allSatisfy { $0 == 42 })
        }
    }

    @Test("two hosts with one file keep separate state, even when one stops")
    func twoHosts() async throws {
        try await withHost(["CGood", "RustGood"].filter { $0 != "RustGood" || Fixtures.hasRust }) {
            first, directory async throws in
            let second = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            for name in first.components.map(\.name) {
                for expected in [1, 2, 3] as [Payload] {
                    let value = try await first.value("\(name)Link", "state")
                    #expect(value == expected)
                }
                let other = try await second.value("\(name)Link", "state")
                #expect(other == 1)
                let shared = try await first.value("\(name)Link", "count", kind: .object)
                #expect(shared == 1)
                let otherShared = try await second.value("\(name)Link", "count", kind: .object)
                #expect(otherShared == 1)
            }
            await first.stop()
            #expect(await first.blockingCall("CGoodLink", "state").error?.code == .stopped)
            let going = try await second.value("CGoodLink", "state")
            #expect(going == 2)
            await second.stop()
        }
    }

    @Test("the higher of two versions wins, the other is listed as shadowed")
    func versions() async throws {
        try await withHost(["VersionedOld", "VersionedNew"]) { host, directory async throws in
            let version = try await host.value("VersionedLink", "version")
            #expect(version == "2.0.0")
            #expect(host.components.map(\.name) == ["Versioned", "Versioned"])
            let shadowed = try #require(host.components.first { $0.manifest.version.description == "1.0.0" })
            #expect(shadowed.path == directory.file("libVersionedOld.so"))
            #expect(shadowed.state.description == "shadowed")
            #expect(shadowed.reason.contains(directory.file("libVersionedNew.so")))
            #expect(host.state(of: "Versioned")?.description == "running")
            #expect(try !isMapped(directory.file("libVersionedOld.so")))
        }
    }

    @Test("an unmet optional requirement is listed as a limitation")
    func optional() async throws {
        try await withHost(["NeedsOptional"]) { host, _ async throws in
            let info = try #require(host.info("NeedsOptional"))
            #expect(info.state.description == "available")
            #expect(info.limitations.count == 1)
            #expect(info.reason.hasPrefix("lacks component NotThere: "))
            let has = try await host.value("NeedsOptionalLink", "hasNotThere")
            #expect(has == false)
            #expect(host.info("NeedsOptional")?.state.description == "running")
        }
    }

    @Test("a failed component stays failed until it is repaired and tried again")
    func retry() async throws {
        try await withPlugins { directory async throws in
            // A unique name, because the loader would reuse a library with the same name from another test.
            try directory.add("Beside")
            let renamed = try ["libBeside.so", "libBesideText.so"].map { name in
                try directory.rename("libBesideText.so", to: "libBesideSoon.so", in: name)
            }
            try FileManager.default.removeItem(atPath: directory.file("libBesideText.so"))
            try directory.write(renamed[0], to: "libBeside.so")
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)

            for _ in 0..<2 {
                let error = await host.blockingCall("BesideLink", "run").error
                #expect(error?.cause?.code == .cannotLink)
                #expect(error?.message.contains("libBesideSoon.so") == true)
            }
            try directory.write(renamed[1], to: "libBesideSoon.so")
            #expect(await host.blockingCall("BesideLink", "run").error?.cause?.code == .cannotLink)
            #expect(!host.isAvailable("BesideLink"))

            #expect(host.retry("Beside"))
            #expect(host.isAvailable("BesideLink"))
            let value = try await host.value("BesideLink", "run")
            #expect(value == "from beside")
            #expect(host.state(of: "Beside")?.description == "running")
            #expect(!host.retry("Beside"))
            #expect(!host.retry("NotThere"))
            await host.stop()
        }
    }

    @Test("a broken component fails again, and requirements are tried again only after a rescan")
    func retryInVain() async throws {
        try await withHost(["CreateFails", "NeedsMissing", "NeedsFailing"]) { host, _ async throws in
            for _ in 0..<3 {
                #expect(await host.blockingCall("NeedsFailingLink", "run").error?.cause?.code == .requirementNotMet)
                #expect(await host.blockingCall("CreateFailsLink", "run").error?.cause?.code == .createFailed)
                #expect(host.retry("CreateFails"))
                #expect(host.retry("NeedsFailing"))
            }
            #expect(!host.retry("NeedsMissing"))
            #expect(host.failure(of: "NeedsMissing")?.code == .requirementNotMet)
        }
    }

    @Test("a rescan finds new files, forgets removed ones and keeps loaded ones")
    func rescan() async throws {
        try await withHost(["CGood", "CxxGood", "NeedsNewer", "VersionedOld"]) { host, directory async throws in
            let first = try await host.value("CGoodLink", "state")
            #expect(first == 1)
            let version = try await host.value("VersionedLink", "version")
            #expect(version == "1.0.0")
            let bound = try await onThread { try host.bind("CGoodLink", "state", kind: .class) }
            #expect(host.state(of: "FutureMinor") == nil)

            try directory.add("FutureMinor")
            try directory.add("VersionedNew")
            try FileManager.default.removeItem(atPath: directory.file("libCxxGood.so"))
            try FileManager.default.removeItem(atPath: directory.file("libCGood.so"))
            host.rescan()

            let new = try await host.value("FutureMinorLink", "run")
            #expect(new == true)
            #expect(host.state(of: "CxxGood") == nil)
            #expect(await host.blockingCall("CxxGoodLink", "echo").error?.code == .classNotFound)
            // The component in memory stays, whatever the file is now.
            let second = try await host.value("CGoodLink", "state")
            #expect(second == 2)
            let third = try await onThread { try bound(.null) }
            #expect(third == 3)
            let still = try await host.value("VersionedLink", "version")
            #expect(still == "1.0.0")
            #expect(host.components.filter { $0.name == "CGood" }.count == 1)

            try FileManager.default.removeItem(atPath: directory.file("libFutureMinor.so"))
            try directory.add("NeedsOptional")
            for _ in 0..<20 { host.rescan() }
            let kept = try await host.value("FutureMinorLink", "again")
            #expect(kept == true)
            #expect(host.state(of: "NeedsOptional")?.description == "available")
        }
    }

    @Test("a requirement that a new file meets is met after a rescan")
    func rescanMeetsDemands() async throws {
        try await withHost(["CreateCallsBack"]) { host, directory async throws in
            let error = await host.blockingCall("CreateCallsBackLink", "answer").error
            #expect(error?.cause?.code == .requirementNotMet)
            try directory.add("CGood")
            #expect(await host.blockingCall("CreateCallsBackLink", "answer").error?.cause?.code == .requirementNotMet)
            host.rescan()
            let value = try await host.value("CreateCallsBackLink", "answer")
            #expect(value == 42)
        }
    }

    @Test("a rescan while a component starts does not start it twice")
    func rescanDuringLoad() async throws {
        let valve = Valve()
        var options = HostOptions.quiet
        options.logger = Logger(label: "test") { _ in ValveLog(valve: valve, text: "StartsSlowly starts") }
        try await withHost(["StartsSlowly"], options: options) { host, directory async throws in
            async let first = host.value("StartsSlowlyLink", "run")
            #expect(await holds { valve.arrivals == 1 })
            #expect(host.state(of: "StartsSlowly")?.description == "starting")
            #expect(try isMapped(directory.file("libStartsSlowly.so")))
            host.rescan()
            async let second = host.value("StartsSlowlyLink", "run")
            valve.open()
            let values = [try await first, try await second]
            #expect(values == [true, true])
            #expect(valve.arrivals == 1)
        }
    }

    @Test("a file that was replaced after the listing is not loaded until a rescan")
    func exchanged() async throws {
        try await withHost(["VersionedOld"]) { host, directory async throws in
            let path = directory.file("libVersionedOld.so")
            try FileManager.default.removeItem(atPath: path)
            try directory.add("VersionedNew", as: "libVersionedOld.so")
            let error = await host.blockingCall("VersionedLink", "version").error
            #expect(error?.cause?.code == .fileChanged)
            #expect(try !isMapped(path))
            host.rescan()
            let version = try await host.value("VersionedLink", "version")
            #expect(version == "2.0.0")
        }
    }

    @Test("a file that was removed after the listing is distinguished from one that never existed")
    func vanished() async throws {
        try await withHost(["CGood", "CxxGood"]) { host, directory async throws in
            try FileManager.default.removeItem(atPath: directory.file("libCGood.so"))
            #expect(await host.blockingCall("CGoodLink", "sum").error?.cause?.code == .fileChanged)
            let value = try await host.value("CxxGoodLink", "echo", 1)
            #expect(value == 1)
        }
    }

    @Test("a directory that does not exist, or is a file, is listed with its reason")
    func noDirectory() async throws {
        try await withPlugins("CGood") { directory async throws in
            let host = LinkHost(
                components: [directory.file("nowhere"), directory.file("libCGood.so"), directory.path],
                includesBuiltIn: false, options: .quiet)
            #expect(host.catalog.rejectedDirectories.map(\.code) == [.notFound, .notADirectory])
            #expect(host.components.map(\.name) == ["CGood"])
            let value = try await host.value("CGoodLink", "sum", ["a": 1, "b": 2])
            #expect(value == 3)
            await host.stop()
        }
    }
}

extension PluginDirectory {
    /// Returns the bytes of a file with one name replaced by another of the same length.
    fileprivate func rename(_ old: String, to new: String, in name: String) throws -> Data {
        precondition(old.utf8.count == new.utf8.count)
        var data = try Data(contentsOf: URL(filePath: file(name)))
        while let range = data.firstRange(of: Data(old.utf8)) { data.replaceSubrange(range, with: Data(new.utf8)) }
        return data
    }

    fileprivate func write(_ data: Data, to name: String) throws {
        try? FileManager.default.removeItem(atPath: file(name))
        try data.write(to: URL(filePath: file(name)))
        try setMode(0o755, of: file(name))
    }
}
