import ComponentKit
import ComponentOwnerContract
import GRDB
import NXStorage

/// How much is kept for the guests of sessions, and for users.
struct GuestLimits: Sendable {
    /// How many guests have data.
    var guests = 10_000
    /// How many addresses and companies a guest has.
    var items = 200
    /// How many a user has: anyone may sign up.
    var itemsOfUser = 10_000

    /// After how many milliseconds without a change the data of a guest is deleted: 30 days, as long as browsers keep a
    /// session.
    static let rest: Int64 = 30 * 24 * 3_600_000
}

/// The SQL statements of the table of guests. The guest without a session is not in it: there is one, whose data stays.
enum GuestTable {
    private static let withOwners = ["address", "company", "guest"]

    /// Notes that a guest is changing something, and deletes the data of guests that is too old or too much.
    static func note(_ owner: Owner, at now: Timestamp, limits: GuestLimits, in db: Database) throws {
        guard owner.isTemporary else { return }
        try db.execute(sql: "INSERT OR REPLACE INTO guest VALUES (?, ?)", arguments: [owner.key, now.milliseconds])
        for table in withOwners {
            try db.execute(
                sql: """
                    DELETE FROM \(table) WHERE owner IN (SELECT owner FROM guest WHERE usedAt < ?)
                    OR owner IN (SELECT owner FROM guest ORDER BY usedAt DESC, owner != ? LIMIT -1 OFFSET ?)
                    """,
                arguments: [now.milliseconds - GuestLimits.rest, owner.key, limits.guests])
        }
    }

    /// - Parameter field: the field of the form to which the error belongs.
    /// - Throws: ``OwnerError/invalid(field:reason:)`` if a guest or a user has as much as they may have.
    static func checkRoom(for owner: Owner, limits: GuestLimits, field: String, in db: Database) throws {
        // The guest of the command line is the operator.
        guard owner.isTemporary || !owner.isGuest else { return }
        let most = owner.isGuest ? limits.items : limits.itemsOfUser
        let count = try Int.fetchOne(
            db,
            sql: """
                SELECT (SELECT count(*) FROM address WHERE owner = ?) + (SELECT count(*) FROM company WHERE owner = ?)
                """,
            arguments: [owner.key, owner.key])
        guard (count ?? 0) < most else {
            let (who, advice) = owner.isGuest ? ("guest", "sign in, or delete some") : ("user", "delete some")
            throw OwnerError.invalid(
                field: field, reason: "a \(who) has at most \(most) addresses and companies; \(advice)")
        }
    }

    /// Moves what belongs to the guest of a session to the session that takes its place.
    static func move(from former: Session, to next: Session, in db: Database) throws {
        let (key, other) = (Owner.guestKey(of: former), Owner.guestKey(of: next))
        for table in withOwners {
            try db.execute(
                sql: "UPDATE OR REPLACE \(table) SET owner = ? WHERE owner = ?", arguments: [other, key])
        }
    }

    static func create(_ db: Database) throws {
        try db.execute(
            sql: """
                -- When the guests of sessions have changed something last.
                CREATE TABLE guest (owner TEXT NOT NULL PRIMARY KEY, usedAt INTEGER NOT NULL) STRICT;
                CREATE INDEX guestUse ON guest (usedAt);
                """)
    }
}
