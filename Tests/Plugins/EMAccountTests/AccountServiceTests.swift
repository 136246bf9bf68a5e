import ComponentHost
import ComponentKit
import EMAccountContract
import Foundation
import GRDB
import HostTestSupport
import TestSupport
import Testing

@testable import EMAccount

@Suite("The account service")
struct AccountServiceTests {
    private let password = Password("correct horse")

    @Test(
        "users sign up, in and out through it, and its errors arrive as themselves", arguments: ComponentDepth.allCases)
    func life(depth: ComponentDepth) async throws {
        let place = try AccountPlace()
        try await depth.withAccount(place.directory.path) { _, account in
            #expect(try await account.currentUser() == nil)
            let user = try await account.signUp(name: "Ada", password: password)
            #expect(await accountError { try await account.signUp(name: "ada", password: password) } == .nameTaken)
            #expect(try await account.signIn(name: "ADA", password: password) == user)
            #expect(try await account.currentUser() == user)
            #expect(
                await accountError { try await account.signIn(name: "Ada", password: Password("wrong")) }
                    == .wrongNameOrPassword)
            #expect(
                await accountError { try await account.signUp(name: " ", password: password) }
                    == .invalidName(reason: "the name is empty; choose one of 1 to 64 characters"))
            guard
                case .invalidPassword = await accountError({
                    try await account.signUp(name: "Ida", password: Password("short"))
                })
            else {
                Issue.record("a short password was taken")
                return
            }
        }
        try await depth.withAccount(place.directory.path) { _, account in
            #expect(try await account.currentUser()?.name == "Ada")
            try await account.signOut()
            #expect(try await account.currentUser() == nil)
        }
    }

    @Test("a mismatch is refused without showing the password", arguments: ComponentDepth.allCases)
    func mismatch(depth: ComponentDepth) async throws {
        let place = try AccountPlace()
        try await depth.withAccount(place.directory.path) { host, _ in
            let payloads: [Payload] = [
                ["name": "Ada", "password": 12_345_678], ["name": "Ada", "password": ["12345678"]],
                ["password": "12345678"],
                ["name": 7, "password": "12345678"], "12345678", ["name": "Ada"], .null,
            ]
            for payload in payloads {
                for selector in ["signUp", "signIn"] {
                    let error = await #expect(throws: LinkError.self) {
                        try await host.call("AccountLink", selector, payload)
                    }
                    #expect(error?.code == .payloadMismatch)
                    if payload != "12345678" { #expect("\(String(describing: error))".contains("12345678") == false) }
                }
            }
        }
    }

    @Test(
        "without data, or with an unusable file, it fails and the host keeps running",
        arguments: ComponentDepth.allCases)
    func unavailable(depth: ComponentDepth) async throws {
        let error = try await depth.withAccount(nil) { _, account in
            await accountError { try await account.currentUser() }
        }
        guard case .storage(.unavailable, let message) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.contains("--data DIR"))
    }

    @Test(
        "each failure of the file is reported, and calls succeed after a repair",
        arguments: ComponentDepth.allCases)
    func failures(depth: ComponentDepth) async throws {
        let place = try AccountPlace()
        let manager = FileManager.default
        let sound = place.directory.path(of: "sound.sqlite")
        try manager.moveItem(atPath: place.file, toPath: sound)
        try await depth.withAccount(place.directory.path) { host, account in
            let breaks: [(AccountError.StorageFailure, () throws -> Void)] = [
                (.unwritable, { try manager.createDirectory(atPath: place.file, withIntermediateDirectories: false) }),
                (
                    .corrupt,
                    {
                        try Data("no database, but long enough to be looked at".utf8).write(
                            to: URL(filePath: place.file))
                    }
                ),
                (
                    .newerSchema,
                    {
                        try manager.copyItem(atPath: sound, toPath: place.file)
                        try place.edit { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 more')") }
                    }
                ),
            ]
            for (kind, make) in breaks {
                try make()
                for _ in 0..<2 {
                    let error = await accountError { try await account.signIn(name: "Ada", password: password) }
                    guard case .storage(kind, _) = error else {
                        Issue.record("\(kind): \(String(describing: error))")
                        continue
                    }
                }
                for suffix in ["", "-wal", "-shm"] { try? manager.removeItem(atPath: place.file + suffix) }
            }
            try manager.moveItem(atPath: sound, toPath: place.file)
            let holder = try HeldDatabase(place.file)
            let error = await accountError { try await account.currentUser() }
            if case .storage(.locked, _) = error {} else { Issue.record("\(String(describing: error))") }
            holder.release()
            _ = try await account.signUp(name: "Ada", password: password)
            if case .running = host.state(of: "EMAccount") {} else { Issue.record("it is not loaded any more") }
        }
    }

    @Test("cancelled calls leave no partial account")
    func cancelled() async throws {
        let place = try AccountPlace()
        try await ComponentDepth.file.withAccount(place.directory.path) { _, account in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let task = Task { try await account.signUp(name: "user \(number)", password: password) }
                        if number.isMultiple(of: 2) { task.cancel() }
                        _ = try? await task.value
                    }
                }
            }
            _ = try await account.signIn(name: "user 1", password: password)
        }
        let (accounts, check) = try place.edit { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM account"),
                try String.fetchOne(db, sql: "PRAGMA integrity_check")
            )
        }
        #expect((50...100).contains(accounts ?? 0))
        #expect(check == "ok")
    }
}
