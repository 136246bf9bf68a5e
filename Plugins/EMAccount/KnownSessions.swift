import ComponentKit
import Foundation
import GRDB
import NXStorage

/// The SQL statements of the table of known sessions: those in which an account has been signed in before, also after
/// it was signed out there.
///
/// Wrong passwords of others do not count there, so that no one who knows a name can keep its owner out. Each known
/// session has failures of its own, so its password can be guessed no faster than elsewhere.
enum KnownSessions {
    /// How many are kept of an account.
    private static let mostOfAccount = 20
    /// The time after which one is forgotten, in milliseconds: a year.
    private static let memory: Int64 = 365 * 24 * 3_600_000

    /// Returns the failures of an account in a session; nil if it has not been signed in there. Calls without a session
    /// are never known: programs share them.
    static func attempts(_ name: AccountName, of session: SessionDigest, in db: Database) throws -> Attempts? {
        guard session != .none else { return nil }
        return try Row.fetchOne(
            db,
            sql: """
                SELECT known.failures, known.failedAt FROM known JOIN account ON account.id = known.account
                WHERE known.digest = ? AND account.key = ?
                """,
            arguments: [session.data, name.key]
        ).map { row in
            Attempts(
                failures: try row.decode(Int.self, forColumn: "failures"),
                failedAt: Timestamp(milliseconds: try row.decode(Int64.self, forColumn: "failedAt")))
        }
    }

    static func fail(
        _ name: AccountName, _ attempts: Attempts, of session: SessionDigest, in db: Database
    ) throws {
        try db.execute(
            sql: """
                UPDATE known SET failures = ?, failedAt = ?
                WHERE digest = ? AND account = (SELECT id FROM account WHERE key = ?)
                """,
            arguments: [attempts.failures, attempts.failedAt.milliseconds, session.data, name.key])
    }

    /// Notes that an account is signed in in a session, and forgets its failures there.
    static func add(_ session: SessionDigest, _ account: String, at now: Timestamp, in db: Database) throws {
        guard session != .none else { return }
        try db.execute(
            sql: "INSERT OR REPLACE INTO known VALUES (?, ?, 0, ?, ?)",
            arguments: [session.data, account, now.milliseconds, now.milliseconds])
        try db.execute(sql: "DELETE FROM known WHERE usedAt < ?", arguments: [now.milliseconds - memory])
        try db.execute(
            sql: """
                DELETE FROM known WHERE account = ? AND digest IN (
                    SELECT digest FROM known WHERE account = ? AND digest != ? ORDER BY usedAt DESC LIMIT -1 OFFSET ?)
                """,
            arguments: [account, account, session.data, mostOfAccount - 1])
    }

    /// Moves what is known of a session to the one that takes its place.
    static func move(from former: SessionDigest, to next: SessionDigest, in db: Database) throws {
        try db.execute(
            sql: "UPDATE OR REPLACE known SET digest = ? WHERE digest = ?", arguments: [next.data, former.data])
    }

    static func migrate(_ db: Database) throws {
        try db.execute(
            sql: """
                -- Where an account has been signed in before, by the SHA-256 of the session's id.
                CREATE TABLE known (
                    digest BLOB NOT NULL, account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                    failures INTEGER NOT NULL, failedAt INTEGER NOT NULL, usedAt INTEGER NOT NULL,
                    PRIMARY KEY (digest, account)
                ) STRICT;
                CREATE INDEX knownAccount ON known (account, usedAt);
                CREATE INDEX knownUse ON known (usedAt);
                """)
    }
}
