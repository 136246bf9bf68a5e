import ComponentKit
import Foundation
import GRDB
import NXStorage
import TestSupport
import Testing

@Suite("Unavailable storage")
struct StorageFailureTests {
    let place: TemporaryDirectory

    init() throws { place = try TemporaryDirectory() }

    private var path: String { place.path(of: "words.sqlite") }

    private func storage() -> Storage {
        let directory = place.path
        return Storage("words.sqlite", migrations: StorageTests.migrations) { directory }
    }

    private func failure(_ storage: Storage) async -> StorageError? {
        do {
            _ = try await storage.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM word") }
            return nil
        } catch {
            #expect(error is StorageError, "\(error)")
            return error as? StorageError
        }
    }

    /// Creates an intact file with 1000 words.
    private func makeFile() async throws {
        let storage = storage()
        try await storage.write { db in
            for number in 0..<1000 {
                try db.execute(sql: "INSERT INTO word VALUES (?)", arguments: ["a word of some length, \(number)"])
            }
        }
        storage.close()
    }

    @Test("a directory, a link or a FIFO instead of the file is refused", arguments: ["directory", "link", "fifo"])
    func inItsPlace(what: String) async throws {
        switch what {
        case "directory": try place.makeDirectory("words.sqlite")
        case "link": try place.link("words.sqlite", to: "elsewhere")
        default: #expect(unsafe mkfifo(path, 0o600) == 0)
        }
        let storage = storage()
        let error = await failure(storage)
        #expect(error?.kind == .unwritable)
        #expect(error?.message.contains("not a regular file") == true)
        try FileManager.default.removeItem(atPath: path)
        #expect(await failure(storage) == nil)
        storage.close()
    }

    @Test("a missing data directory, and a host without one, are errors")
    func noDirectory() async throws {
        let missing = place.path(of: "missing")
        let storage = Storage("words.sqlite", migrations: StorageTests.migrations) { missing }
        #expect(await failure(storage)?.kind == .unwritable)
        let refused = Storage("words.sqlite", migrations: StorageTests.migrations) {
            throw LinkError(domain: "hslink.data", number: 1, message: "no data here")
        }
        let error = await failure(refused)
        #expect(error?.kind == .unavailable)
        #expect(error?.message == "words.sqlite cannot be opened: no data here")
    }

    @Test(
        "a damaged file is refused and not changed",
        arguments: ["text", "header", "page", "schema"])
    func corrupt(how: String) async throws {
        try await makeFile()
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        switch how {
        case "text": bytes = Array("Dear Sir or Madam, this is no database at all".utf8)
        case "header": bytes.replaceSubrange(0..<16, with: [UInt8](repeating: 7, count: 16))
        case "page": bytes.replaceSubrange(8192..<16384, with: [UInt8](repeating: 0xA5, count: 8192))
        default: bytes.replaceSubrange(100..<108, with: [UInt8](repeating: 0xFF, count: 8))
        }
        try place.write(bytes, to: "words.sqlite")
        let storage = storage()
        let error = await failure(storage)
        #expect(error?.kind == .corrupt, "\(String(describing: error))")
        #expect(error?.message.contains("restore a backup") == true)
        storage.close()
        #expect(Array(try Data(contentsOf: URL(filePath: path))) == bytes)
    }

    @Test("a file of a newer version is refused and not changed")
    func newer() async throws {
        var newer = StorageTests.migrations
        newer.registerMigration("2") { db in try db.execute(sql: "CREATE TABLE more (text TEXT)") }
        let directory = place.path
        let next = Storage("words.sqlite", migrations: newer) { directory }
        _ = try await next.read { _ in }
        next.close()
        let bytes = try Data(contentsOf: URL(filePath: path))
        let storage = storage()
        let error = await failure(storage)
        #expect(error?.kind == .newerSchema)
        #expect(error?.message.contains("newer version of the component") == true)
        storage.close()
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test("a file that another process has locked is refused, and opened after it is released")
    func locked() async throws {
        try await makeFile()
        let storage = storage()
        let holder = try HeldDatabase(path)
        let error = await failure(storage)
        #expect(error?.kind == .locked)
        #expect(error?.message.contains("locked by another process") == true)
        holder.release()
        #expect(await failure(storage) == nil)
        storage.close()
    }

    @Test("a write is refused while another process writes, and reads continue")
    func lockedForWriting() async throws {
        let storage = storage()
        #expect(await failure(storage) == nil)
        let holder = try HeldDatabase(path, forWritingOnly: true)
        let error = await #expect(throws: StorageError.self) {
            try await storage.write { db in try db.execute(sql: "DELETE FROM word") }
        }
        #expect(error?.kind == .locked)
        #expect(await failure(storage) == nil)
        holder.release()
        try await storage.write { db in try db.execute(sql: "DELETE FROM word") }
        storage.close()
    }
}
