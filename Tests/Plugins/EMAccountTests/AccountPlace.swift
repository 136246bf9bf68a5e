import ComponentKit
import GRDB
import NXStorage
import TestSupport

@testable import EMAccount

/// A data directory for one test, with very cheap hashes.
struct AccountPlace {
    let directory: TemporaryDirectory
    let clock = TestClock()

    /// - Parameter cost: The cost of new hashes; nil for the standard cost.
    init(cost: String? = "2 1 1") throws {
        directory = try TemporaryDirectory()
        try directory.makeDirectory("EMAccount")
        let queue = try DatabaseQueue(path: file)
        try AccountSchema.migrations.migrate(queue)
        try queue.close()
        try set(cost: cost)
    }

    var file: String { directory.path(of: "EMAccount/accounts.sqlite") }

    /// Reads or changes the file while no process has it open.
    func edit<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let queue = try DatabaseQueue(path: file)
        defer { try? queue.close() }
        return try queue.write(body)
    }

    func set(cost: String?) throws {
        try edit { db in
            try db.execute(sql: "DELETE FROM setting WHERE name = 'scrypt'")
            if let cost { try db.execute(sql: "INSERT INTO setting VALUES ('scrypt', ?)", arguments: [cost]) }
        }
    }

    /// The costs of all derived hashes, in order.
    let costs = CostLog()

    /// Opens the storage and its accounts, with the clock of this value.
    func open() -> (Storage, Accounts) {
        let path = directory.path(of: "EMAccount")
        let storage = Storage("accounts.sqlite", migrations: AccountSchema.migrations) { path }
        let hasher = PasswordHasher { [costs] in costs.add($0) }
        return (storage, Accounts(AccountStore(storage), hasher: hasher, now: { [clock] in clock.now }))
    }

    /// Opens, and closes again.
    func withAccounts<Value>(_ body: (Accounts) async throws -> Value) async throws -> Value {
        let (storage, accounts) = open()
        defer { storage.close() }
        return try await body(accounts)
    }
}

/// The recorded costs of hashes.
final class CostLog: Sendable {
    private let costs = Lock<[PasswordCost]>([])

    func add(_ cost: PasswordCost) { costs.withLock { $0.append(cost) } }

    /// Returns the costs since the last call.
    func take() -> [PasswordCost] {
        costs.withLock { costs in
            defer { costs = [] }
            return costs
        }
    }
}

/// A clock that moves only when it is set.
final class TestClock: Sendable {
    let start = Timestamp(seconds: 1_800_000_000)
    private let time: Lock<Timestamp>

    init() { time = Lock(start) }

    var now: Timestamp { time.withLock { $0 } }

    func advance(by seconds: Double) {
        time.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + Int64(seconds * 1000)) }
    }
}
