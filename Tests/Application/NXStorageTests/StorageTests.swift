import ComponentKit
import Dispatch
import Foundation
import GRDB
import NXStorage
import TestSupport
import Testing

@Suite("Storage")
struct StorageTests {
    let place: TemporaryDirectory

    init() throws { place = try TemporaryDirectory() }

    static let migrations: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: "CREATE TABLE word (text TEXT NOT NULL) STRICT; INSERT INTO word VALUES ('first')")
        }
        return migrator
    }()

    private func storage(_ migrations: DatabaseMigrator = StorageTests.migrations) -> Storage {
        let path = place.path
        return Storage("words.sqlite", migrations: migrations) { path }
    }

    private static func words(_ storage: Storage) async throws -> [String] {
        try await storage.read { db in try String.fetchAll(db, sql: "SELECT text FROM word ORDER BY rowid") }
    }

    private static func add(_ word: String, to storage: Storage) async throws {
        try await storage.write { db in try db.execute(sql: "INSERT INTO word VALUES (?)", arguments: [word]) }
    }

    @Test("written data is there after reopening, and no other user can read the file")
    func again() async throws {
        let first = storage()
        #expect(!FileManager.default.fileExists(atPath: place.path(of: "words.sqlite")))
        try await Self.add("second", to: first)
        first.close()
        let second = storage()
        #expect(try await Self.words(second) == ["first", "second"])
        let mode = try FileManager.default.attributesOfItem(atPath: place.path(of: "words.sqlite"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
        second.close()
    }

    @Test("a transaction is synced before it counts")
    func durable() async throws {
        let storage = storage()
        let settings = try await storage.read { db in
            (try String.fetchOne(db, sql: "PRAGMA journal_mode"), try Int.fetchOne(db, sql: "PRAGMA synchronous"))
        }
        #expect(settings.0 == "wal")
        // 2: FULL.
        #expect(settings.1 == 2)
        storage.close()
    }

    @Test("a transaction that throws writes nothing, and its error is rethrown")
    func rollback() async throws {
        struct Own: Error {}
        let storage = storage()
        await #expect(throws: Own.self) {
            try await storage.write { db in
                try db.execute(sql: "DELETE FROM word")
                throw Own()
            }
        }
        #expect(try await Self.words(storage) == ["first"])
        storage.close()
    }

    @Test("many first accesses at once open it once")
    func atOnce() async throws {
        let directories = Lock(0)
        let path = place.path
        let storage = Storage("words.sqlite", migrations: StorageTests.migrations) {
            directories.withLock { $0 += 1 }
            return path
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 { group.addTask { try await Self.add("\(number)", to: storage) } }
            try await group.waitForAll()
        }
        #expect(directories.withLock { $0 } == 1)
        #expect(try await Self.words(storage).count == 101)
        storage.close()
    }

    @Test("after the stop every access fails as stopped", arguments: [false, true])
    func closed(isOpen: Bool) async throws {
        let storage = storage()
        if isOpen { _ = try await Self.words(storage) }
        storage.close()
        storage.close()
        let error = await #expect(throws: LinkError.self) { try await Self.words(storage) }
        #expect(error?.code == .stopped)
        if !isOpen { #expect(!FileManager.default.fileExists(atPath: place.path(of: "words.sqlite"))) }
    }

    @Test("stopping during accesses answers all of them")
    func closing() async throws {
        for _ in 0..<20 {
            let storage = storage()
            let acknowledged = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        do {
                            try await Self.add("x", to: storage)
                            return true
                        } catch {
                            #expect((error as? LinkError)?.code == .stopped, "\(error)")
                            return false
                        }
                    }
                }
                Thread.detachNewThread { storage.close() }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            let next = self.storage()
            let count = try await Self.words(next).count
            #expect(count == acknowledged + 1)
            try await next.write { db in try db.execute(sql: "DELETE FROM word WHERE text = 'x'") }
            next.close()
        }
    }

    @Test("accesses do not block Swift's cooperative thread pool", .timeLimit(.minutes(5 * TestPatience.factor)))
    func pool() async throws {
        let count = 2 * ProcessInfo.processInfo.activeProcessorCount
        let place = place.path
        let blocked = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                let storage = Storage("\(number).sqlite", migrations: Self.migrations) { place }
                group.addTask {
                    try await storage.write { _ in blocked.wait() }
                    storage.close()
                }
            }
            // If accesses occupied the threads of the pool, these tasks would never end.
            for _ in 0..<100 { await Task.detached {}.value }
            for _ in 0..<count { blocked.signal() }
            try await group.waitForAll()
        }
    }

    @Test("a cancelled access writes nothing")
    func cancelled() async throws {
        let storage = storage()
        #expect(try await Self.words(storage) == ["first"])
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await Self.add("never", to: storage)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await Self.words(storage) == ["first"])
        storage.close()
    }
}
