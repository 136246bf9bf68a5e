import ComponentHost
import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Sign-ins and address changes while files are added and removed")
struct ChurnTests {
    /// The operations of one thread.
    private struct Tally: Sendable {
        var signIns = 0
        var added = 0
        var deleted = 0
        /// The number of addresses that belonged to a user whom another thread had signed in meanwhile.
        var notFound = 0
        var surprises: [String] = []
    }

    private static let threads = 8
    private static let rounds = TestLength.rounds(200, long: 625)

    /// A sign-in and an address change in each round.
    private static func work(_ host: LinkHost, _ number: Int) -> Tally {
        var tally = Tally()
        var last: Int?
        for round in 0..<rounds {
            do throws(LinkError) {
                _ = try host.callAndWait(
                    "AccountLink", "signIn", ["name": .string("user \(number)"), "password": "correct horse"])
                tally.signIns += 1
                if round.isMultiple(of: 3), let id = last {
                    last = nil
                    _ = try host.callAndWait("OwnerLink", "deleteAddress", ["id": Payload(id)])
                    tally.deleted += 1
                } else {
                    let address = try host.callAndWait(
                        "OwnerLink", "addAddress", ["label": .string("\(number)-\(round)"), "street": "1", "city": "X"])
                    last = try? address.int("id")
                    tally.added += 1
                }
            } catch {
                if case .notFound? = error.original as? OwnerError {
                    tally.notFound += 1
                } else {
                    tally.surprises.append("\(error)")
                }
            }
        }
        return tally
    }

    /// Adds and removes files, and lets the host rescan, until everything is done.
    private static func churn(_ host: LinkHost, _ plugins: PluginDirectory, until isDone: () -> Bool) throws -> Int {
        let manager = FileManager.default
        var looks = 0
        while !isDone() {
            try plugins.add("CGood")
            try plugins.write("half of a file", to: "libBroken.so")
            host.rescan()
            _ = try? host.callAndWait("CGoodLink", "sum", ["a": 1, "b": 2], kind: .class)
            for name in ["CGood", "Broken", "EMAccount", "ComponentOwner"] {
                try manager.removeItem(atPath: plugins.file("lib\(name).so"))
            }
            host.rescan()
            // Their resources are still there.
            for name in ["EMAccount", "ComponentOwner"] { try plugins.add(file: BuiltProducts.component(name)) }
            host.rescan()
            looks += 3
        }
        return looks
    }

    @Test(
        "thousands of calls from eight threads are answered and leave intact files",
        .enabled(if: OwnerPlace.hasAccounts, "EMAccount is not in the package"))
    func churn() async throws {
        let place = try OwnerPlace()
        // In memory if possible, because this test does not measure how long a disk takes to sync.
        let memory = "/dev/shm/hslink-\(UUID().uuidString)"
        let hasMemory = unsafe mkdir(memory, 0o700) == 0
        defer { try? FileManager.default.removeItem(atPath: memory) }
        let data = hasMemory ? memory : place.path
        try await place.makeAccounts(
            "user 0", "user 1", "user 2", "user 3", "user 4", "user 5", "user 6", "user 7", data: data)
        let tallies = try await place.withHost("EMAccount", "ComponentOwner", data: data, areMovable: true) {
            host, plugins in
            // Load both, because a component that is removed before its first call cannot be called.
            _ = try await host.service(OwnerServiceClient.self).profile()
            let results = Lock<[Tally]>([])
            for number in 0..<Self.threads {
                Thread.detachNewThread {
                    let tally = Self.work(host, number)
                    results.withLock { $0.append(tally) }
                }
            }
            let looks = try await awaitResume { resume in
                Thread.detachNewThread {
                    resume(Result { try Self.churn(host, plugins) { results.withLock { $0.count } == Self.threads } })
                }
            }.get()
            #expect(looks > 3)
            return results.withLock { $0 }
        }
        let sum = tallies.reduce(into: Tally()) { sum, tally in
            sum.signIns += tally.signIns
            sum.added += tally.added
            sum.deleted += tally.deleted
            sum.notFound += tally.notFound
            sum.surprises += tally.surprises
        }
        #expect(sum.surprises == [])
        #expect(sum.signIns == Self.threads * Self.rounds)
        #expect(sum.added + sum.deleted + sum.notFound == Self.threads * Self.rounds)
        let (rows, owners, check) = try OwnerPlace.edit("\(data)/ComponentOwner/owner.sqlite") { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM address"),
                try Int.fetchOne(db, sql: "SELECT count(DISTINCT owner) FROM address"),
                try String.fetchOne(db, sql: "PRAGMA integrity_check")
            )
        }
        #expect(rows == sum.added - sum.deleted)
        #expect((1...8).contains(owners ?? 0))
        #expect(check == "ok")
        let (accounts, attempts, accountCheck) = try OwnerPlace.edit("\(data)/EMAccount/accounts.sqlite") { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM account"),
                try Int.fetchOne(db, sql: "SELECT count(*) FROM attempt"),
                try String.fetchOne(db, sql: "PRAGMA integrity_check")
            )
        }
        #expect(accounts == 8 && attempts == 0 && accountCheck == "ok")
    }
}
