import Foundation
import GRDB
import TestSupport
import Testing

@Suite("A host that is killed while writing")
struct KilledWriterTests {
    /// The operations that the driver acknowledged.
    private struct Acknowledged {
        var kept: Set<Int> = []
        var deleted: Set<Int> = []
        /// Items whose deletion had begun: they may or may not exist.
        var open: Set<Int> = []
        var users: Set<String> = []

        mutating func read(_ output: Data) {
            // An incomplete line does not count.
            let text = String(decoding: output, as: UTF8.self)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                let words = line.split(separator: " ")
                guard words.count == 2 else { continue }
                switch words[0] {
                case "added": kept.insert(Int(words[1]) ?? -1)
                case "deleting": open.insert(Int(words[1]) ?? -1)
                case "deleted": deleted.insert(Int(words[1]) ?? -1)
                default: users.insert(String(words[1]))
                }
            }
        }
    }

    /// Starts the driver and kills it at a random moment after it has begun to write.
    private func killedRun(_ plugins: PluginDirectory, _ place: OwnerPlace, _ random: inout SplitMix64) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = BuiltProducts.storageDriver
        process.arguments = ["write", plugins.path, place.path]
        process.standardOutput = output
        try process.run()
        var said = Data()
        let lines = Int.random(in: 1...60, using: &random)
        while said.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            said += more
        }
        usleep(UInt32.random(in: 0..<20_000, using: &random))
        kill(process.processIdentifier, SIGKILL)
        said += output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(
            process.terminationReason == .uncaughtSignal, "it ended by itself: \(String(decoding: said, as: UTF8.self))"
        )
        return said
    }

    @Test("loses nothing that was acknowledged, twenty times")
    func killed() async throws {
        let place = try OwnerPlace()
        if OwnerPlace.hasAccounts { try await place.makeAccounts() }
        try await withPlugins("ComponentOwner") { plugins async throws in
            if OwnerPlace.hasAccounts { try plugins.add("EMAccount") }
            var acknowledged = Acknowledged()
            var random = SplitMix64(seed: 20)
            for round in 1...20 {
                let before = acknowledged.kept.count
                acknowledged.read(try killedRun(plugins, place, &random))
                #expect(acknowledged.kept.count > before)
                let (rows, check) = try OwnerPlace.edit(place.owners) { db in
                    (
                        Set(try Int.fetchAll(db, sql: "SELECT id FROM address")),
                        try String.fetchOne(db, sql: "PRAGMA integrity_check")
                    )
                }
                #expect(check == "ok")
                #expect(
                    acknowledged.kept.isSubset(of: rows), "round \(round): \(acknowledged.kept.subtracting(rows)) lost")
                #expect(acknowledged.deleted.isDisjoint(with: rows), "round \(round)")
                guard OwnerPlace.hasAccounts else { continue }
                let (users, accountCheck) = try OwnerPlace.edit(place.accounts) { db in
                    (
                        Set(try String.fetchAll(db, sql: "SELECT name FROM account")),
                        try String.fetchOne(db, sql: "PRAGMA integrity_check")
                    )
                }
                #expect(accountCheck == "ok")
                #expect(acknowledged.users.isSubset(of: users), "round \(round)")
            }
            #expect(!acknowledged.deleted.isEmpty)
            if OwnerPlace.hasAccounts { #expect(!acknowledged.users.isEmpty) }
        }
    }
}
