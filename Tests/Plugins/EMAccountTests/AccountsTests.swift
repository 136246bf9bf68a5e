import ComponentKit
import EMAccountContract
import Foundation
import GRDB
import NXStorage
import Testing

@testable import EMAccount

@Suite("Accounts")
struct AccountsTests {
    private let password = Password("correct horse battery")

    @Test("a user can sign up, in and out, and the session is kept")
    func life() async throws {
        let place = try AccountPlace()
        let user = try await place.withAccounts { accounts in
            let user = try await accounts.signUp(name: " Zoe\u{308} ", password: password)
            #expect(user.name == "Zo\u{EB}")
            #expect(user.createdAt == place.clock.now)
            #expect(try await accounts.currentUser() == nil)
            #expect(try await accounts.signIn(name: "ZOË", password: password) == user)
            return user
        }
        try await place.withAccounts { accounts in
            #expect(try await accounts.currentUser() == user)
            try await accounts.signOut()
            try await accounts.signOut()
            #expect(try await accounts.currentUser() == nil)
        }
        let last = try await place.withAccounts { try await $0.currentUser() }
        #expect(last == nil)
    }

    @Test("a second user replaces the first, and a failure keeps the first")
    func second() async throws {
        let place = try AccountPlace()
        try await place.withAccounts { accounts in
            let ada = try await accounts.signUp(name: "Ada", password: password)
            let ida = try await accounts.signUp(name: "Ida", password: password)
            #expect(ada.id != ida.id)
            _ = try await accounts.signIn(name: "Ada", password: password)
            _ = await accountError { try await accounts.signIn(name: "Ida", password: Password("wrong horse")) }
            #expect(try await accounts.currentUser() == ada)
            _ = try await accounts.signIn(name: "Ida", password: password)
            #expect(try await accounts.currentUser() == ida)
        }
    }

    @Test("a name is given once, even to simultaneous requests")
    func taken() async throws {
        let place = try AccountPlace()
        try await place.withAccounts { accounts in
            let names = ["Straße", "STRASSE", "strasse ", "straße"]
            let outcomes = await withTaskGroup(of: AccountError?.self) { group in
                for name in names {
                    group.addTask {
                        do {
                            _ = try await accounts.signUp(name: name, password: password)
                            return nil
                        } catch {
                            return error as? AccountError
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == nil } == 1)
            #expect(outcomes.count { $0 == .nameTaken } == 3)
        }
    }

    @Test(
        "an impossible name or password is wrong at sign-in, and not counted",
        arguments: [
            ("", "correct horse"), ("a\u{0}", "correct horse"), (String(repeating: "x", count: 65), "correct horse"),
            ("ada", String(repeating: "x", count: 1025)),
        ])
    func impossible(name: String, password: String) async throws {
        let place = try AccountPlace()
        try await place.withAccounts { accounts in
            for _ in 0..<5 {
                #expect(
                    await accountError { try await accounts.signIn(name: name, password: Password(password)) }
                        == .wrongNameOrPassword)
            }
        }
        #expect(try place.edit { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM attempt") } == 0)
    }

    @Test("a hash of a lower cost is renewed at the next sign-in, one of a higher cost is kept")
    func raised() async throws {
        let place = try AccountPlace(cost: "2 1 1")
        _ = try await place.withAccounts { try await $0.signUp(name: "Ada", password: password) }
        func rounds() throws -> Int? {
            try place.edit { db in try Int.fetchOne(db, sql: "SELECT rounds FROM account") }
        }
        for (cost, expected) in [("2 1 1", 2), ("64 1 1", 64), ("16 1 1", 64)] {
            try place.set(cost: cost)
            _ = try await place.withAccounts { try await $0.signIn(name: "Ada", password: password) }
            #expect(try rounds() == expected)
        }
        try place.set(cost: nil)
        _ = try await place.withAccounts { try await $0.signIn(name: "Ada", password: password) }
        #expect(try rounds() == PasswordCost.standard.rounds)
    }

    @Test("no typed password and no unknown name is in the file")
    func inClear() async throws {
        let place = try AccountPlace()
        let (storage, accounts) = place.open()
        _ = try await accounts.signUp(name: "Ada", password: password)
        _ = try await accounts.signIn(name: "Ada", password: password)
        for _ in 0..<3 {
            let error = await accountError {
                try await accounts.signIn(name: "mistyped secret", password: Password("another secret"))
            }
            let text = "\(LinkError(thrown: try #require(error)))"
            #expect(!text.contains("secret"))
        }
        for suffix in ["", "-wal"] {
            let content = try Data(contentsOf: URL(filePath: place.file + suffix))
            for text in ["correct horse", "mistyped", "another secret"] {
                #expect(content.range(of: Data(text.utf8)) == nil, "\(text) in \(place.file)\(suffix)")
            }
        }
        storage.close()
    }

    @Test(
        "invalid contents of the file are reported as damaged",
        arguments: [
            "UPDATE account SET rounds = 3", "UPDATE account SET rounds = 1 << 40", "UPDATE account SET salt = x'00'",
            "UPDATE account SET hash = x''", "UPDATE account SET id = 'x'", "DELETE FROM setting",
            "INSERT INTO setting VALUES ('scrypt', 'much')",
        ])
    func damaged(sql: String) async throws {
        let place = try AccountPlace(cost: nil)
        try place.set(cost: "2 1 1")
        _ = try await place.withAccounts { try await $0.signUp(name: "Ada", password: password) }
        try place.edit { db in
            try db.execute(sql: "DELETE FROM setting WHERE name = 'scrypt'")
            try db.execute(sql: sql)
        }
        let error = try await place.withAccounts { accounts in
            await accountError { try await accounts.signIn(name: "Ada", password: password) }
        }
        guard case .storage(.corrupt, let message) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.contains("accounts.sqlite is damaged"))
    }
}
