import Foundation
import GRDB

/// Holds a database locked.
enum FileLock {
    /// Prints "locked", and releases the lock when standard input ends.
    static func hold(_ path: String, mode: String) throws {
        let database = try DatabaseQueue(path: path)
        try database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA locking_mode = \(mode)")
            try db.inTransaction(.exclusive) {
                DriverHost.say("locked")
                while readLine() != nil {}
                return .commit
            }
        }
    }
}
