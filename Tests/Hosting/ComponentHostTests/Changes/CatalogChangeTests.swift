import ComponentKit
import Foundation
import HostContract
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Changes that a rescan reports")
struct CatalogChangeTests {
    @Test("none, if nothing has changed, however often it runs")
    func nothing() async throws {
        let fixtures = ["CGood", "VersionedOld", "NeedsMissing", "TextFile", "CreateFails"]
        try await withHost(fixtures) { host, _ async throws in
            #expect(host.told() == [])
            _ = try await host.value("CGoodLink", "state")
            #expect(await host.blockingCall("CreateFailsLink", "run").error?.code == .notLoaded)
            for _ in 0..<3 { #expect(host.told() == []) }
        }
    }

    @Test("a component is added and removed")
    func comesAndGoes() async throws {
        try await withHost(["CGood"]) { host, directory async throws in
            try directory.add("CxxGood")
            #expect(host.told() == ["appeared CxxGood 1.0.0"])
            let value1 = try await host.value("CxxGoodLink", "echo", 7)
            #expect(value1 == 7)
            try directory.delete("libCGood.so")
            try directory.delete("libCxxGood.so")
            let changes = host.rescan()
            #expect(changes.map(\.summary) == ["vanished CGood 1.0.0", "vanished CxxGood 1.0.0 in memory"])
            #expect(
                changes.map(\.description) == [
                    "vanished (\(directory.file("libCGood.so"))); version 1.0.0 can no longer be called",
                    "vanished (\(directory.file("libCxxGood.so"))); version 1.0.0 is in memory and keeps running "
                        + "until the host ends",
                ])
            #expect(await host.blockingCall("CGoodLink", "state").error?.code == .classNotFound)
            let value2 = try await host.value("CxxGoodLink", "echo", 8)
            #expect(value2 == 8)
            #expect(host.info("CxxGood")?.onDisk == .gone)
            #expect(host.info("CxxGood")?.reason == "its file is gone; it keeps running until the host stops")
            #expect(host.told() == [])
        }
    }

    @Test("a loaded component whose directory becomes writable names the directory as the reason")
    func directoryOpened() async throws {
        try await withHost(["CGood"]) { host, directory async throws in
            #expect(try await host.value("CGoodLink", "echo", 7) == 7)
            try directory.setMode(0o777, of: directory.path)
            let reason = try #require(host.rescan().first { $0.component == "CGood" }?.description)
            #expect(reason.contains("its file can no longer be used"))
            #expect(host.info("CGood")?.reason.hasPrefix("its file would not be loaded again: ") == true)
            #expect(host.info("CGood")?.reason.contains("chmod") == true)
            try directory.setMode(0o755, of: directory.path)
            #expect(host.rescan().contains { $0.component == "CGood" && $0.kind == .restored })
            #expect(host.info("CGood")?.reason == "")
        }
    }

    @Test("the same if the path of the directory leads through a link")
    func linkedDirectoryOpened() async throws {
        try await withPlugins { directory async throws in
            try directory.add("CGood", as: "one/libCGood.so")
            try FileManager.default.createSymbolicLink(atPath: directory.file("here"), withDestinationPath: ".")
            let host = LinkHost(
                components: [directory.file("here/one")], includesBuiltIn: false, options: .quiet)
            #expect(try await host.value("CGoodLink", "echo", 7) == 7)
            try directory.setMode(0o777, of: directory.file("one"))
            host.rescan()
            #expect(host.info("CGood")?.reason.hasPrefix("its file would not be loaded again: ") == true)
            await host.stop()
        }
    }

    @Test("a newer version of an unloaded component is used, and the older one after its removal")
    func replaced() async throws {
        try await withHost(["VersionedOld"]) { host, directory async throws in
            let file = "libVersionedOld.so"
            try directory.replace(file, with: "VersionedNew")
            let changes = host.rescan()
            #expect(changes.map(\.summary) == ["replaced Versioned 1.0.0→2.0.0"])
            #expect(changes.first?.description == "version 2.0.0 replaces 1.0.0 (\(directory.file(file)))")
            try directory.replace(file, with: "VersionedOld")
            #expect(host.told() == ["replaced Versioned 2.0.0→1.0.0"])
            try directory.add("VersionedNew")
            #expect(host.told() == ["replaced Versioned 1.0.0→2.0.0"])
            try directory.delete("libVersionedNew.so")
            #expect(host.told() == ["replaced Versioned 2.0.0→1.0.0"])
            let value3 = try await host.value("VersionedLink", "version")
            #expect(value3 == "1.0.0")
        }
    }

    @Test("another version of a component in memory waits for a restart", arguments: [("Old", "New"), ("New", "Old")])
    func restartNeeded(first: String, second: String) async throws {
        let versions = ["Old": "1.0.0", "New": "2.0.0"]
        let (own, other) = (try #require(versions[first]), try #require(versions[second]))
        try await withHost(["Versioned\(first)"]) { host, directory async throws in
            let file = "libVersioned\(first).so"
            let value4 = try await host.value("VersionedLink", "version")
            #expect(value4 == .string(own))
            // The mapped file must stay as it is.
            try directory.replace(file, with: "Versioned\(second)")
            let changes = host.rescan()
            #expect(changes.map(\.summary) == ["restartNeeded Versioned \(own)→\(other) in memory"])
            #expect(
                changes.first?.description
                    == "version \(other) is on disk, \(own) is in memory (\(directory.file(file))): restart to use it")
            let value5 = try await host.value("VersionedLink", "version")
            #expect(value5 == .string(own))
            let info = try #require(host.info("Versioned"))
            #expect(info.state.description == "running")
            #expect("\(info.manifest.version)" == own)
            #expect(info.reason == "restart to use \(other)")
            #expect(host.catalog.entry(named: "Versioned")?.manifest.version.description == other)
            #expect(host.components.count == 1)
            #expect(host.told() == [])
            try directory.delete(file)
            #expect(host.told() == ["vanished Versioned \(own) in memory"])
        }
    }

    @Test("the file of a component in memory may be moved away and back, or rewritten")
    func restored() async throws {
        try await withHost(["VersionedOld"]) { host, directory async throws in
            let (file, aside) = (directory.file("libVersionedOld.so"), directory.file(".aside"))
            let value6 = try await host.value("VersionedLink", "version")
            #expect(value6 == "1.0.0")
            try FileManager.default.moveItem(atPath: file, toPath: aside)
            #expect(host.told() == ["vanished Versioned 1.0.0 in memory"])
            try FileManager.default.moveItem(atPath: aside, toPath: file)
            #expect(host.told() == ["restored Versioned 1.0.0 in memory"])
            #expect(host.info("Versioned")?.reason == "")
            try directory.replace("libVersionedOld.so", with: "VersionedOld")
            let changes = host.rescan()
            #expect(changes.map(\.summary) == ["restartNeeded Versioned 1.0.0→1.0.0 in memory"])
            #expect(host.info("Versioned")?.reason == "restart to use the new file of version 1.0.0")
        }
    }

    @Test("a second file does not displace a component in memory, whatever its version")
    func second() async throws {
        try await withHost(["VersionedOld"]) { host, directory async throws in
            let value7 = try await host.value("VersionedLink", "version")
            #expect(value7 == "1.0.0")
            try directory.add("VersionedNew")
            #expect(host.told() == ["restartNeeded Versioned 1.0.0→2.0.0 in memory"])
            let rows = host.components.map { "\($0.name) \($0.manifest.version) \($0.state)" }
            #expect(rows == ["Versioned 1.0.0 running"])
        }
        try await withHost(["VersionedNew"]) { host, directory async throws in
            let value8 = try await host.value("VersionedLink", "version")
            #expect(value8 == "2.0.0")
            try directory.add("VersionedOld")
            #expect(host.told() == ["shadowed Versioned 1.0.0"])
            #expect(
                host.components.map { "\($0.manifest.version) \($0.state)" } == ["2.0.0 running", "1.0.0 shadowed"])
        }
    }

    @Test("a file is broken, and then repaired")
    func broken() async throws {
        try await withHost(["CGood", "CxxGood"]) { host, directory async throws in
            let value9 = try await host.value("CxxGoodLink", "echo", 1)
            #expect(value9 == 1)
            try directory.replace("libCGood.so", with: "Truncated")
            try directory.replace("libCxxGood.so", with: "Truncated")
            try directory.add("TextFile")
            let changes = host.rescan()
            #expect(
                changes.map(\.summary) == [
                    "vanished CGood 1.0.0", "vanished CxxGood 1.0.0 in memory", "fileRefused libTextFile.so",
                ])
            #expect(changes[0].description.hasPrefix("its file can no longer be used"))
            #expect(changes[0].reason == changes[1].reason)
            #expect(changes.map(\.isProblem) == [true, true, true])
            #expect(host.told() == [])
            try directory.replace("libCGood.so", with: "CGood")
            try directory.replace("libTextFile.so", with: "BrokenJson")
            #expect(host.told() == ["appeared CGood 1.0.0", "fileRefused libTextFile.so"])
            let value10 = try await host.value("CGoodLink", "state")
            #expect(value10 == 1)
        }
    }

    @Test("a file or directory that others can write to is refused until that is revoked")
    func permissions() async throws {
        try await withHost(["CGood"]) { host, directory async throws in
            let file = directory.file("libCGood.so")
            try directory.setMode(0o777, of: file)
            let changes = host.rescan()
            #expect(changes.map(\.summary) == ["vanished CGood 1.0.0"])
            #expect(changes[0].reason.contains("writable by everyone"))
            try directory.setMode(0o755, of: file)
            #expect(host.told() == ["appeared CGood 1.0.0"])
            try directory.setMode(0o777, of: directory.path)
            let name = (directory.path as NSString).lastPathComponent
            #expect(host.told() == ["vanished CGood 1.0.0", "directoryRefused \(name)"])
            try directory.setMode(0o755, of: directory.path)
            #expect(host.told() == ["appeared CGood 1.0.0", "directoryFound \(name)"])
        }
    }

    @Test("requirements become met and unmet")
    func requirements() async throws {
        try await withHost(["CreateCallsBack", "NeedsOptional"]) { host, directory async throws in
            try directory.add("CGood")
            #expect(host.told() == ["appeared CGood 1.0.0", "recovered CreateCallsBack 1.0.0"])
            try directory.delete("libCGood.so")
            let changes = host.rescan()
            #expect(changes.map(\.summary) == ["vanished CGood 1.0.0", "refused CreateCallsBack 1.0.0"])
            #expect(changes.last?.reason.contains("CGood") == true)
            let file = directory.file("libNotThere.so")
            try Data(try CompiledLibrary.component("NotThere")).write(to: URL(filePath: file))
            try directory.setMode(0o755, of: file)
            #expect(host.told() == ["degraded NeedsOptional 1.0.0", "appeared NotThere 1.0.0"])
            try FileManager.default.removeItem(atPath: file)
            #expect(host.told() == ["degraded NeedsOptional 1.0.0", "vanished NotThere 1.0.0"])
        }
    }

    @Test("a component in memory meets requirements without its file, a newer version on disk does not")
    func demandsOfMemory() async throws {
        try await withHost(["CGood", "AccountsOld"]) { host, directory async throws in
            _ = try await host.value("CGoodLink", "state")
            try directory.delete("libCGood.so")
            try directory.add("CreateCallsBack")
            #expect(host.told() == ["vanished CGood 1.0.0 in memory", "appeared CreateCallsBack 1.0.0"])
            let value11 = try await host.value("CreateCallsBackLink", "answer")
            #expect(value11 == 42)

            _ = try await host.value("AccountsLink", "version")
            try directory.replace("libAccountsOld.so", with: "AccountsNew")
            let file = directory.file("libWantsNew.so")
            let requirement = #", "requires": [{"component": "Accounts", "version": ">=1.1.0"}]"#
            try Data(try CompiledLibrary.component("WantsNew", more: requirement)).write(to: URL(filePath: file))
            try directory.setMode(0o755, of: file)
            let changes = host.rescan()
            #expect(
                changes.map(\.summary) == ["restartNeeded Accounts 1.0.0→1.1.0 in memory", "appeared WantsNew 1.0.0"])
            #expect(host.failure(of: "WantsNew")?.code == .requirementNotMet)
            #expect(changes.last?.reason.contains("found Accounts 1.0.0") == true)
        }
    }

    @Test("a failed component is tried again when its file changes, or at the next rescan")
    func failed() async throws {
        try await withHost(["MissingSymbol"]) { host, directory async throws in
            #expect(await host.blockingCall("MissingSymbolLink", "run").error?.cause?.code == .cannotLink)
            try directory.replace("libMissingSymbol.so", with: "CGood")
            #expect(host.told() == ["appeared CGood 1.0.0", "vanished MissingSymbol 1.0.0"])
            let value12 = try await host.value("CGoodLink", "state")
            #expect(value12 == 1)
        }
        try await withHost(["CreateFails"]) { host, _ async throws in
            #expect(await host.blockingCall("CreateFailsLink", "run").error?.cause?.code == .createFailed)
            #expect(host.state(of: "CreateFails")?.description == "failed")
            #expect(host.told() == [])
            #expect(host.state(of: "CreateFails")?.description == "available")
        }
    }

    @Test("a scan that nobody has asked for tries a failed start again only if it finds something new")
    func automatic() async throws {
        try await withHost(["StartsBadly", "MissingSymbol"]) { host, directory async throws in
            let service = try host.service(HostServiceClient.self)
            await host.start()
            _ = await host.blockingCall("MissingSymbolLink", "run")
            host.core.rescan(isAutomatic: true)
            #expect(host.state(of: "StartsBadly")?.description == "failed")
            #expect(try await service.health().failures == ["StartsBadly"])
            // A library may have appeared, which no scan compares.
            #expect(host.state(of: "MissingSymbol")?.description == "available")
            try directory.add("CGood")
            host.core.rescan(isAutomatic: true)
            #expect(host.state(of: "StartsBadly")?.description == "available")
        }
    }

    @Test("code that stays in memory is not run instead of the file on disk")
    func mappedAnyway() async throws {
        try await withHost(["CreateFails"]) { host, directory async throws in
            #expect(await host.blockingCall("CreateFailsLink", "run").error?.cause?.code == .createFailed)
            try directory.replace("libCreateFails.so", with: "CGood")
            #expect(host.told() == ["appeared CGood 1.0.0", "vanished CreateFails 1.0.0"])
            let error = await host.blockingCall("CGoodLink", "state").error
            #expect(error?.cause?.code == .fileChanged)
            #expect(error?.cause?.message.contains("restart the host") == true)
            // It can be loaded from another path.
            try directory.delete("libCreateFails.so")
            try directory.add("CGood")
            #expect(host.told() == ["replaced CGood 1.0.0→1.0.0"])
            let state = try await host.value("CGoodLink", "state")
            #expect(state == 1)
        }
    }

    @Test("concurrent rescans report each change once, and none after stop")
    func concurrent() async throws {
        try await withHost(["CGood"]) { host, directory async throws in
            try directory.add("CxxGood")
            try directory.add("FutureMinor")
            let told = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<8 { group.addTask { try await onThread { host.told() } } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(told.sorted() == ["appeared CxxGood 1.0.0", "appeared FutureMinor 1.0.0"])
            await host.stop()
            try directory.delete("libCGood.so")
            #expect(host.told() == [])
        }
    }
}
