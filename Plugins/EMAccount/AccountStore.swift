import ComponentKit
import Crypto
import EMAccountContract
import Foundation
import GRDB
import NXStorage

/// The SQL statements of EMAccount. Failures of the database become ``AccountError/storage(failure:message:)``.
struct AccountStore: Sendable {
    private let storage: Storage
    private let limits: SessionLimits

    /// The number of names whose failed sign-ins are remembered.
    private static let attemptLimit = 10_000

    init(_ storage: Storage, limits: SessionLimits = SessionLimits()) {
        self.storage = storage
        self.limits = limits
    }

    /// The stored data that a sign-in needs.
    struct Start: Sendable {
        let account: Account?
        let attempts: Attempts?
        /// Whether the account has been signed in in this session before: then these are the failures in it only.
        let isKnown: Bool
        /// The cost of new hashes.
        let cost: PasswordCost
        /// The distinct costs of the stored hashes, in a fixed order.
        let costsInUse: [PasswordCost]
    }

    /// Whether the account of a name has been signed in in a session before.
    func isKnown(_ name: AccountName, in session: SessionDigest) async throws -> Bool {
        try await storage.reading { try KnownSessions.attempts(name, of: session, in: $0) != nil }
    }

    /// Returns the account of a name, its failures and the costs of hashes, all from one snapshot.
    func start(_ name: AccountName, in session: SessionDigest = .none) async throws -> Start {
        try await storage.reading { db in
            let row = try Row.fetchOne(db, sql: "SELECT * FROM account WHERE key = ?", arguments: [name.key])
            let attempts = try Row.fetchOne(
                db, sql: "SELECT * FROM attempt WHERE digest = ?", arguments: [try AccountStore.digest(name, db)])
            let known = try KnownSessions.attempts(name, of: session, in: db)
            return Start(
                account: try row.map(AccountStore.account), attempts: try known ?? attempts.map(AccountStore.attempts),
                isKnown: known != nil, cost: try AccountStore.cost(db), costsInUse: try AccountStore.costsInUse(db))
        }
    }

    /// Adds an account, and deletes the failures under its name: there was nothing to guess, and they would keep its
    /// owner out.
    ///
    /// - Throws: ``AccountError/nameTaken``.
    func add(_ account: Account, _ name: AccountName) async throws {
        try await storage.writing { db in
            guard try String.fetchOne(db, sql: "SELECT id FROM account WHERE key = ?", arguments: [name.key]) == nil
            else { throw AccountError.nameTaken }
            let password = account.password
            try db.execute(
                sql: "INSERT INTO account VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    account.user.id.uuidString, name.key, name.text, account.user.createdAt.milliseconds,
                    Data(password.salt), Data(password.hash), password.cost.rounds, password.cost.blockSize,
                    password.cost.parallelism,
                ])
            try db.execute(
                sql: "DELETE FROM attempt WHERE digest = ?", arguments: [try AccountStore.digest(name, db)])
        }
    }

    /// Signs the account in, deletes the failures that counted, and replaces its hash unless `rehashed` is nil.
    ///
    /// - Parameter isKnown: whether only those of a known session counted: what others have tried still counts for them.
    func succeed(
        _ account: Account, _ name: AccountName, in session: SessionDigest, isKnown: Bool, at now: Timestamp,
        rehashed: PasswordHash?
    ) async throws {
        try await storage.writing { db in
            if !isKnown {
                try db.execute(
                    sql: "DELETE FROM attempt WHERE digest = ?", arguments: [try AccountStore.digest(name, db)])
            }
            try KnownSessions.add(session, account.user.id.uuidString, at: now, in: db)
            try SessionTable.start(session, account.user.id.uuidString, at: now, limits: limits, in: db)
            guard let rehashed else { return }
            try db.execute(
                sql: "UPDATE account SET salt = ?, hash = ?, rounds = ?, blockSize = ?, parallelism = ? WHERE id = ?",
                arguments: [
                    Data(rehashed.salt), Data(rehashed.hash), rehashed.cost.rounds, rehashed.cost.blockSize,
                    rehashed.cost.parallelism, account.user.id.uuidString,
                ])
        }
    }

    /// Stores the failures under the name, including a new one.
    ///
    /// - Parameter known: the session to which they belong; nil if it is not known.
    func fail(_ name: AccountName, _ attempts: Attempts, in known: SessionDigest?) async throws {
        try await storage.writing { db in
            if let known { return try KnownSessions.fail(name, attempts, of: known, in: db) }
            try db.execute(
                sql: "INSERT OR REPLACE INTO attempt VALUES (?, ?, ?)",
                arguments: [
                    try AccountStore.digest(name, db), attempts.failures, attempts.failedAt.milliseconds,
                ])
            let forgotten = attempts.failedAt.milliseconds - Int64(Attempts.memory) * 1000
            try db.execute(sql: "DELETE FROM attempt WHERE failedAt < ?", arguments: [forgotten])
            let surplus = try (Int.fetchOne(db, sql: "SELECT count(*) FROM attempt") ?? 0) - AccountStore.attemptLimit
            guard surplus > 0 else { return }
            // The oldest are deleted first: pushing a name out takes as many attempts as there are rows, at full cost.
            try db.execute(
                sql: """
                    DELETE FROM attempt
                    WHERE digest IN (SELECT digest FROM attempt ORDER BY failedAt, failures LIMIT ?)
                    """,
                arguments: [surplus])
        }
    }

    /// Signs out in a session.
    ///
    /// - Returns: The user who was signed in there; nil if there was none or the account cannot be read.
    func signOut(_ session: SessionDigest, at now: Timestamp) async throws -> User? {
        try await storage.writing { db in
            // Who was signed in matters only to listeners: a failure to read it must not keep the session open.
            let row = try? SessionTable.account(session, at: now, db)
            try SessionTable.end(session, db)
            return row.flatMap { try? AccountStore.account($0).user }
        }
    }

    /// Moves the sign-in of a session to the one that takes its place.
    func move(from former: SessionDigest, to next: SessionDigest) async throws {
        try await storage.writing { db in
            try SessionTable.move(from: former, to: next, in: db)
            try KnownSessions.move(from: former, to: next, in: db)
        }
    }

    /// Returns the user who is signed in in a session, and notes that the session is in use.
    func currentUser(_ session: SessionDigest, at now: Timestamp) async throws -> User? {
        let found = try await storage.reading { db in
            try SessionTable.account(session, at: now, db).map { row in
                (try AccountStore.account(row).user, try SessionTable.isOutdated(session, row, at: now))
            }
        }
        guard let (user, isOutdated) = found else { return nil }
        // A database that cannot be written still says who is signed in.
        if isOutdated { try? await storage.writing { try SessionTable.touch(session, at: now, $0) } }
        return user
    }
}

extension AccountStore {
    /// Returns the key under which failed sign-ins of a name are stored.
    private static func digest(_ name: AccountName, _ db: Database) throws -> Data {
        guard let secret = try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'secret'") else {
            throw damaged("the setting 'secret' is missing")
        }
        return Data(
            HMAC<SHA256>.authenticationCode(for: Data(name.key.utf8), using: SymmetricKey(data: Data(secret.utf8))))
    }

    private static func cost(_ db: Database) throws -> PasswordCost {
        guard let text = try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'scrypt'") else {
            return .standard
        }
        guard let cost = PasswordCost(text) else { throw damaged("the setting 'scrypt' is not of the form 'N r p'") }
        return cost
    }

    /// Walks from one cost to the next in the index, so the number of accounts does not matter.
    private static func costsInUse(_ db: Database) throws -> [PasswordCost] {
        var costs: [PasswordCost] = []
        var last = [0, 0, 0]
        let next = try db.cachedStatement(
            sql: """
                SELECT rounds, blockSize, parallelism FROM account
                WHERE (rounds, blockSize, parallelism) > (?, ?, ?)
                ORDER BY rounds, blockSize, parallelism LIMIT 1
                """)
        while let row = try Row.fetchOne(next, arguments: StatementArguments(last)) {
            last = [row[0], row[1], row[2]]
            // An invalid cost is reported when its account signs in.
            if let cost = PasswordCost(checking: last[0], last[1], last[2]) { costs.append(cost) }
        }
        return costs
    }

    private static func account(_ row: Row) throws -> Account {
        guard let id = UUID(uuidString: try row.decode(String.self, forColumn: "id")),
            let cost = PasswordCost(
                checking: try row.decode(Int.self, forColumn: "rounds"),
                try row.decode(Int.self, forColumn: "blockSize"), try row.decode(Int.self, forColumn: "parallelism"))
        else { throw damaged("an account has an invalid identifier or cost") }
        let salt = try row.decode(Data.self, forColumn: "salt")
        let hash = try row.decode(Data.self, forColumn: "hash")
        guard salt.count == PasswordHash.saltSize, hash.count == PasswordHash.hashSize else {
            throw damaged("an account has a hash of the wrong size")
        }
        let user = User(
            id: id, name: try row.decode(String.self, forColumn: "name"),
            createdAt: Timestamp(milliseconds: try row.decode(Int64.self, forColumn: "createdAt")))
        return Account(user: user, password: PasswordHash(salt: Array(salt), hash: Array(hash), cost: cost))
    }

    private static func attempts(_ row: Row) throws -> Attempts {
        Attempts(
            failures: try row.decode(Int.self, forColumn: "failures"),
            failedAt: Timestamp(milliseconds: try row.decode(Int64.self, forColumn: "failedAt")))
    }

    private static func damaged(_ words: String) -> AccountError {
        .storage(failure: .corrupt, message: "accounts.sqlite is damaged: \(words); put a backup in its place")
    }
}

extension Storage {
    fileprivate func reading<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await read(body)
        } catch let error as StorageError {
            throw AccountError(error)
        }
    }

    fileprivate func writing<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await write(body)
        } catch let error as StorageError {
            throw AccountError(error)
        }
    }
}

extension AccountError {
    fileprivate init(_ error: StorageError) {
        self = .storage(failure: StorageFailure(rawValue: error.kind.rawValue) ?? .other, message: error.message)
    }
}

/// A stored account.
struct Account: Sendable {
    let user: User
    let password: PasswordHash
}

/// The tables of `accounts.sqlite` and their migrations. Times are milliseconds since 1970.
enum AccountSchema {
    static var migrations: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 accounts") { db in
            try db.execute(
                sql: """
                    CREATE TABLE account (
                        id TEXT NOT NULL PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
                        createdAt INTEGER NOT NULL, salt BLOB NOT NULL, hash BLOB NOT NULL,
                        rounds INTEGER NOT NULL, blockSize INTEGER NOT NULL, parallelism INTEGER NOT NULL
                    ) STRICT;
                    -- Who is signed in: one row or none.
                    CREATE TABLE session (
                        slot INTEGER NOT NULL PRIMARY KEY CHECK (slot = 1),
                        account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE
                    ) STRICT;
                    -- Under a digest of the name: people type passwords where names belong.
                    CREATE TABLE attempt (
                        digest BLOB NOT NULL PRIMARY KEY, failures INTEGER NOT NULL, failedAt INTEGER NOT NULL
                    ) STRICT;
                    -- 'scrypt': the cost of new hashes as 'N r p', instead of the standard; 'secret': the digests' key.
                    CREATE TABLE setting (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT;
                    INSERT INTO setting VALUES ('secret', hex(randomblob(32)));
                    """)
        }
        migrator.registerMigration("2 costs in use") { db in
            try db.execute(sql: "CREATE INDEX accountCost ON account (rounds, blockSize, parallelism)")
        }
        migrator.registerMigration("3 sessions") { db in try SessionTable.migrate(db) }
        migrator.registerMigration("4 known sessions") { db in try KnownSessions.migrate(db) }
        return migrator
    }
}
