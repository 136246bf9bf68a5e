import ComponentKit
import GRDB
import Glibc
import SystemSupport

/// The file of a ``Storage``: how it is opened, and what its failures mean.
struct StorageFile: Sendable {
    let name: String
    let migrations: DatabaseMigrator
    let directory: @Sendable () throws -> String

    /// How long an access waits for another process that has the file locked.
    private static let patience = 2.0
    /// Up to this size, in bytes, a file is checked for damage when it is opened.
    private static let checkedSize = 16 << 20

    /// Opens the file, makes it where it is not there, and brings it up to date. Blocks.
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
            // A file that will not be used is not written to either, so reading comes first.
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
                "\(name) was written by a newer version of the component, which knows more of its tables; take that "
                    + "version again, or move the file away to begin anew")
        }
    }

    /// Makes an empty file for its owner alone. What is there already is left to SQLite: closing a file of one's own
    /// would release SQLite's locks on it.
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
                "\(name) cannot be opened: a regular file was expected, there is a directory, a link or something else; "
                    + "move it away")
        }
    }

    private func failure(_ error: Int32) -> StorageError {
        switch error {
        case ENOSPC, EDQUOT: full
        default: StorageError(.unwritable, "\(name) cannot be made: \(systemMessage(error))")
        }
    }

    /// What an error of the database means for people; any other error as it is.
    func translated(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        let words = error.message ?? "\(error.extendedResultCode)"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return StorageError(
                .locked,
                "\(name) is locked by another process, and was for longer than \(StorageFile.patience) s; "
                    + "end that process and try again")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return corrupt(words)
        case .SQLITE_FULL: return full
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            return StorageError(
                .unwritable,
                "\(name) cannot be written to: \(words); look at the permissions of the file and its directory")
        case .SQLITE_IOERR where isFull: return full
        default: return StorageError(.other, "\(name): \(words) (\(error.extendedResultCode.rawValue))")
        }
    }

    private func corrupt(_ words: String) -> StorageError {
        StorageError(
            .corrupt,
            "\(name) is damaged, or not a database: \(words); put a backup in its place, or move it away to begin anew")
    }

    private var full: StorageError {
        StorageError(.full, "\(name): the disk is full, so nothing was written; make room and try again")
    }

    /// Whether there is no room left where the file lies.
    private var isFull: Bool {
        var status = statvfs()
        guard let path = try? directory(), unsafe statvfs(path, &status) == 0 else { return false }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 64 << 10
    }
}
