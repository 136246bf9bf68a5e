import ComponentKit
import Dispatch
package import GRDB

/// The database of a component: one SQLite file in the component's data directory, made and brought up to date at the
/// first access. When it cannot be opened the access fails, and the next one tries again.
///
/// A write that has returned is there after a crash of the process and after a loss of power: the file is in WAL mode,
/// and each transaction is synced before it counts (`synchronous = FULL`).
///
/// Accesses run one after the other on a queue of their own, never on Swift's pool. Any thread.
package final class Storage: Sendable {
    private enum State {
        case unopened
        /// Some access opens it, others wait for what comes of that.
        case opening([@Sendable (Opened) -> Void])
        case open(DatabaseQueue)
        case closed
    }
    private typealias Opened = Result<DatabaseQueue, any Error>

    private let file: StorageFile
    private let state = Lock(State.unopened)
    private let opener = DispatchQueue(label: "storage.open")

    /// Opens nothing yet.
    ///
    /// - Parameters:
    ///   - name: of the file, as in "accounts.sqlite".
    ///   - migrations: from the empty file to what this version of the component works with. A file with others in it
    ///     was written by a newer version and is refused.
    ///   - directory: where the file lies; asked for when it is opened, on a thread that may block.
    package init(
        _ name: String, migrations: DatabaseMigrator, directory: @escaping @Sendable () throws -> String
    ) {
        file = StorageFile(name: name, migrations: migrations, directory: directory)
    }

    /// Reads.
    ///
    /// - Throws: ``StorageError``; ``ComponentKit/LinkError/Code/stopped`` after ``close()``; `CancellationError`; what
    ///   `body` throws.
    package func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        let database = try await database()
        do {
            return try await database.read(body)
        } catch {
            throw translated(error)
        }
    }

    /// Reads and writes in one transaction: when this throws, nothing was written.
    ///
    /// - Throws: as ``read(_:)``.
    package func write<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        let database = try await database()
        do {
            return try await database.write(body)
        } catch {
            throw translated(error)
        }
    }

    /// Ends all accesses for good. Blocks until the one that runs is over.
    package func close() {
        let before = state.withLock { state in
            defer { state = .closed }
            return state
        }
        switch before {
        case .open(let database): try? database.close()
        case .opening(let waiting):
            // The thread that opens it sees that it is closed, and closes it again.
            opener.sync {}
            for resume in waiting { resume(.failure(LinkError(.stopped))) }
        case .unopened, .closed: break
        }
    }

    private func translated(_ error: any Error) -> any Error {
        if error is DatabaseError, case .closed = state.withLock({ $0 }) { return LinkError(.stopped) }
        return file.translated(error)
    }

    private func database() async throws -> DatabaseQueue {
        if case .open(let database) = state.withLock({ $0 }) { return database }
        return try await awaitResume { resume in
            let opened = state.withLock { state -> Opened? in
                switch state {
                case .open(let database): return .success(database)
                case .closed: return .failure(LinkError(.stopped))
                case .opening(let others): state = .opening(others + [resume])
                case .unopened:
                    state = .opening([resume])
                    // Under the lock: the thread that closes it waits for this queue.
                    opener.async { self.open() }
                }
                return nil
            }
            if let opened { resume(opened) }
        }.get()
    }

    private func open() {
        // Closed before its turn came.
        guard case .opening = state.withLock({ $0 }) else { return }
        let opened = Opened { try file.open() }
        let waiting = state.withLock { state -> [@Sendable (Opened) -> Void]? in
            guard case .opening(let waiting) = state else { return nil }
            if case .success(let database) = opened { state = .open(database) } else { state = .unopened }
            return waiting
        }
        if let waiting {
            for resume in waiting { resume(opened) }
        } else {
            try? opened.get().close()
        }
    }
}

/// Why a component's database could not be read or written. The failed access has written nothing, and all that was
/// written before is still there.
package struct StorageError: Error, Hashable, Sendable {
    /// The kinds of failures. Contracts have the same names.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The host has no directory for it.
        case unavailable
        /// The file cannot be made, opened or written to.
        case unwritable
        /// The file is damaged, or not a database.
        case corrupt
        /// A newer version of the component has written it.
        case newerSchema
        /// Another process has locked it.
        case locked
        /// There is no room left on the disk.
        case full
        /// Anything else, with SQLite's message.
        case other
    }

    package let kind: Kind
    /// What was expected, what was found, what to do; without anything that was stored.
    package let message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

extension StorageError: CustomStringConvertible {
    package var description: String { message }
}
