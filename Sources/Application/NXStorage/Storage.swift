import ComponentKit
import Dispatch
public import GRDB

/// The database of a component: one SQLite file in the component's data directory, created and migrated at the first
/// access. If it cannot be opened, the access fails and the next one tries again.
///
/// Once a write has returned, it survives a crash of the process and a loss of power: the file is in WAL mode, and each
/// transaction is synced before it is committed (`synchronous = FULL`).
///
/// Accesses run one at a time on a dedicated queue, never on Swift's cooperative thread pool. All functions may be
/// called from any thread.
public final class Storage: Sendable {
    private enum State {
        case unopened
        /// The file is being opened; these accesses wait for the result.
        case opening([@Sendable (Opened) -> Void])
        case open(DatabaseQueue)
        case closed
    }
    private typealias Opened = Result<DatabaseQueue, any Error>

    private let file: StorageFile
    private let state = Lock(State.unopened)
    private let opener = DispatchQueue(label: "storage.open")

    /// Makes a storage without opening the file.
    ///
    /// - Parameters:
    ///   - name: The name of the file, as in "accounts.sqlite".
    ///   - migrations: The migrations from an empty file to the schema of this version of the component. A file with
    ///     unknown migrations was written by a newer version and is refused.
    ///   - directory: Returns the directory of the file; called when the file is opened, on a thread that may block.
    public init(
        _ name: String, migrations: DatabaseMigrator, directory: @escaping @Sendable () throws -> String
    ) {
        file = StorageFile(name: name, migrations: migrations, directory: directory)
    }

    /// Calls `body` with read access to the database.
    ///
    /// - Throws: ``StorageError``; ``ComponentKit/LinkError/Code/stopped`` after ``close()``; `CancellationError`; any
    ///   error that `body` throws.
    public func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        let database = try await database()
        do {
            return try await database.read(body)
        } catch {
            throw translated(error)
        }
    }

    /// Calls `body` in a write transaction. If this throws, nothing was written.
    ///
    /// - Throws: The same errors as ``read(_:)``.
    public func write<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        let database = try await database()
        do {
            return try await database.write(body)
        } catch {
            throw translated(error)
        }
    }

    /// Closes the database permanently. Blocks until the running access has ended.
    public func close() {
        let before = state.withLock { state in
            defer { state = .closed }
            return state
        }
        switch before {
        case .open(let database): try? database.close()
        case .opening(let waiting):
            // `open()` notices the new state and closes the database that it has opened.
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
                    // Submit under the lock: `close()` waits for this queue and must find the job in it.
                    opener.async { self.open() }
                }
                return nil
            }
            if let opened { resume(opened) }
        }.get()
    }

    private func open() {
        // The storage was closed before this job ran.
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

/// An error from reading or writing a component's database. The failed access has written nothing, and earlier writes
/// are not affected.
public struct StorageError: Error, Hashable, Sendable {
    /// The kinds of failures. Contracts use the same names.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The host provides no data directory.
        case unavailable
        /// The file cannot be made, opened or written to.
        case unwritable
        /// The file is damaged or not a database.
        case corrupt
        /// A newer version of the component has written the file.
        case newerSchema
        /// Another process has locked the file.
        case locked
        /// The disk is full.
        case full
        /// Anything else, with SQLite's message.
        case other
    }

    /// What kind of failure it is.
    public let kind: Kind
    /// What was expected, what was found, and what to do. Never contains stored data.
    public let message: String

    /// Creates an error.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

extension StorageError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
