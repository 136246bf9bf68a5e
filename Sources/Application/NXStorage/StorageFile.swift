import ComponentKit
import GRDB
import Glibc
import SystemSupport

/// The database file of a ``Storage``: opens it and translates SQLite's errors.
struct StorageFile: Sendable {
    let name: String
    let migrations: DatabaseMigrator
    let directory: @Sendable () throws -> String

    /// How long, in seconds, an access waits while another process has the file locked.
    private static let patience = 2.0
    /// The size, in bytes, up to which a file is checked for damage when it is opened.
    private static let checkedSize = 16 << 20

    /// Opens the file, creates it if it does not exist, and migrates it. Blocks.
    func open() throws -> DatabaseQueue {
        let path: String
        do {
            path = "\(try directory())/\(name)"
        } catch let error as LinkError where error.code != .stopped {
            throw StorageError(.unavailable, "\(name) cannot be opened: \(error.message)")
        }
        try make(path)
        do {
            let database = try DatabaseQueue(path: path, configuration: StorageFile.configuration)
            do {
                try prepare(database)
            } catch {
                try? database.close()
                throw error
            }
            return database
        } catch {
            throw translated(error)
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience)
        configuration.label = "storage"
        return configuration
    }

    private func prepare(_ database: DatabaseQueue) throws {
        try database.writeWithoutTransaction { db in
            // Check first: a file that cannot be used must not be written to.
            try check(db)
            guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
                throw StorageError(
                    .unwritable, "\(name) cannot be opened: its file system has no shared memory for SQLite's WAL mode")
            }
            try db.execute(sql: "PRAGMA synchronous = FULL")
        }
        try migrations.migrate(database)
    }

    private func check(_ db: Database) throws {
        try db.execute(sql: "PRAGMA trusted_schema = OFF")
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
        if pages * pageSize <= StorageFile.checkedSize {
            let answer = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? ""
            guard answer == "ok" else { throw corrupt(answer) }
        }
        guard try !migrations.hasBeenSuperseded(db) else {
            throw StorageError(
                .newerSchema,
                "\(name) was written by a newer version of the component; install that version again, or move the file "
                    + "away to start with an empty database")
        }
    }

    /// Creates an empty file that only its owner can access. An existing file is not opened here, because closing the
    /// descriptor would release SQLite's locks on the file.
    private func make(_ path: String) throws {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
            return
        }
        let error = errno
        guard error == EEXIST else { throw failure(error) }
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw failure(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StorageError(
                .unwritable,
                "\(name) cannot be opened: it exists and is not a regular file; move it away")
        }
    }

    private func failure(_ error: Int32) -> StorageError {
        switch error {
        case ENOSPC, EDQUOT: full
        default: StorageError(.unwritable, "\(name) cannot be created: \(systemMessage(error))")
        }
    }

    /// Translates an error from the database into a ``StorageError``; returns any other error unchanged.
    func translated(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        let words = error.message ?? "\(error.extendedResultCode)"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return StorageError(
                .locked,
                "\(name) has been locked by another process for more than \(StorageFile.patience) s; "
                    + "end that process and try again")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return corrupt(words)
        case .SQLITE_FULL: return full
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            return StorageError(
                .unwritable,
                "\(name) cannot be written to: \(words); check the permissions of the file and its directory")
        case .SQLITE_IOERR where isFull: return full
        default: return StorageError(.other, "\(name) cannot be used: \(words) (\(error.extendedResultCode.rawValue))")
        }
    }

    private func corrupt(_ words: String) -> StorageError {
        StorageError(
            .corrupt,
            "\(name) is damaged or not a database: \(words); restore a backup, or move the file away to start with an "
                + "empty database")
    }

    private var full: StorageError {
        StorageError(.full, "\(name): the disk is full, so nothing was written; free some space and try again")
    }

    /// Whether the file system that holds the file is full.
    private var isFull: Bool {
        var status = statvfs()
        guard let path = try? directory(), unsafe statvfs(path, &status) == 0 else { return false }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 64 << 10
    }
}
