import ComponentKit
import Crypto
import Foundation
import GRDB
import NXStorage

/// What the database knows of a session: a digest of its id. Who reads the database cannot act in a session.
struct SessionDigest: Hashable, Sendable {
    let data: Data

    /// That of calls without a session, as of the program itself and of the command line.
    static let none = SessionDigest(data: Data())

    /// That of the running call.
    static var current: SessionDigest { SessionDigest(.current) }

    private init(data: Data) { self.data = data }

    /// A plain digest suffices: the ids of sessions are random, so they cannot be guessed and compared.
    init(_ session: Session?) { data = session.map { Data(SHA256.hash(data: Data($0.id.utf8))) } ?? Data() }
}

/// How many sessions are kept.
struct SessionLimits: Sendable {
    /// Of all accounts together.
    var all = 100_000
    /// Of one account, so that one user cannot push out the others.
    var ofAccount = 100

    /// The time after which a session has ended that is not used, in milliseconds.
    static let rest: Int64 = 30 * 24 * 3_600_000
    /// How exact the time of the last use is, in milliseconds: most requests only read.
    static let exactness: Int64 = 3_600_000
}

/// The SQL statements of the table of sessions. The row without a session never ends by itself: it has one owner, that of
/// the data directory.
enum SessionTable {
    /// Signs an account in, replaces another one in the same session, and deletes what has ended or is too much.
    static func start(
        _ digest: SessionDigest, _ account: String, at now: Timestamp, limits: SessionLimits, in db: Database
    ) throws {
        try db.execute(
            sql: "DELETE FROM session WHERE usedAt < ? AND digest != x''",
            arguments: [now.milliseconds - SessionLimits.rest])
        try db.execute(
            sql: "INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?)",
            arguments: [digest.data, account, now.milliseconds, now.milliseconds])
        // Those that have not been used for longest are deleted first, and never the one that has just begun.
        try db.execute(
            sql: """
                DELETE FROM session WHERE digest IN (
                    SELECT digest FROM session WHERE account = ? AND digest NOT IN (x'', ?)
                    ORDER BY usedAt DESC, createdAt DESC LIMIT -1 OFFSET ?)
                """,
            arguments: [account, digest.data, limits.ofAccount - 1])
        try db.execute(
            sql: """
                DELETE FROM session WHERE digest IN (
                    SELECT digest FROM session WHERE digest NOT IN (x'', ?)
                    ORDER BY usedAt DESC, createdAt DESC LIMIT -1 OFFSET ?)
                """,
            arguments: [digest.data, limits.all - 1])
    }

    static func end(_ digest: SessionDigest, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM session WHERE digest = ?", arguments: [digest.data])
    }

    /// Moves a sign-in to another session, in which no one is signed in yet.
    static func move(from former: SessionDigest, to next: SessionDigest, in db: Database) throws {
        try db.execute(
            sql: "UPDATE OR IGNORE session SET digest = ? WHERE digest = ?", arguments: [next.data, former.data])
        try end(former, db)
    }

    /// Returns the row of the account that is signed in, with `usedAt` of the session.
    static func account(_ digest: SessionDigest, at now: Timestamp, _ db: Database) throws -> Row? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT account.*, session.usedAt FROM session JOIN account ON account.id = session.account
                WHERE session.digest = ? AND (session.usedAt >= ? OR session.digest = x'')
                """,
            arguments: [digest.data, now.milliseconds - SessionLimits.rest])
    }

    /// Whether the time of the last use is to be written anew.
    static func isOutdated(_ digest: SessionDigest, _ row: Row, at now: Timestamp) throws -> Bool {
        let usedAt = try row.decode(Int64.self, forColumn: "usedAt")
        return digest != .none && now.milliseconds - usedAt > SessionLimits.exactness
    }

    static func touch(_ digest: SessionDigest, at now: Timestamp, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE session SET usedAt = max(usedAt, ?) WHERE digest = ?",
            arguments: [now.milliseconds, digest.data])
    }

    /// Makes a table with a row for each session from the former one, which had one row for all.
    static func migrate(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE session RENAME TO formerSession;
                -- Who is signed in, by the SHA-256 of the session's id; empty for calls without a session.
                CREATE TABLE session (
                    digest BLOB NOT NULL PRIMARY KEY,
                    account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                    createdAt INTEGER NOT NULL, usedAt INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX sessionAccount ON session (account, usedAt);
                CREATE INDEX sessionUse ON session (usedAt);
                """)
        let now = Timestamp.now.milliseconds
        try db.execute(
            sql: "INSERT INTO session SELECT x'', account, ?, ? FROM formerSession", arguments: [now, now])
        try db.execute(sql: "DROP TABLE formerSession")
    }
}
