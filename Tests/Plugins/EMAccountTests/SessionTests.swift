import ComponentHost
import ComponentKit
import EMAccountContract
import Foundation
import GRDB
import HostTestSupport
import NXStorage
import TestSupport
import Testing

@testable import EMAccount

@Suite("Sessions of accounts")
struct SessionTests {
    private let password = Password("correct horse battery")
    private static let day: Double = 24 * 3600

    /// Returns the digests and the times of the last use, oldest first.
    private func rows(_ place: AccountPlace) throws -> [(digest: Data, usedAt: Int64)] {
        try place.edit { db in
            try Row.fetchAll(db, sql: "SELECT * FROM session ORDER BY usedAt, digest").map {
                ($0["digest"], $0["usedAt"])
            }
        }
    }

    private func name(_ accounts: Accounts, _ session: Session?) async throws -> String? {
        try await Session.with(session) { try await accounts.currentUser()?.name }
    }

    @Test("each has its own sign-in, and signing out ends only that")
    func apart() async throws {
        let place = try AccountPlace()
        let (first, second, third) = try (Session(id: "first"), Session(id: "second"), Session(id: "third"))
        try await place.withAccounts { accounts in
            for name in ["Ada", "Ida"] { _ = try await accounts.signUp(name: name, password: password) }
            try await Session.with(first) { _ = try await accounts.signIn(name: "Ada", password: password) }
            try await Session.with(second) { _ = try await accounts.signIn(name: "Ida", password: password) }
            #expect(try await name(accounts, first) == "Ada")
            #expect(try await name(accounts, second) == "Ida")
            for session in [third, nil] { #expect(try await name(accounts, session) == nil) }
            // The same user, in two at a time.
            try await Session.with(third) { _ = try await accounts.signIn(name: "Ada", password: password) }
            _ = try await accounts.signIn(name: "Ida", password: password)
            #expect(try await Session.with(first) { try await accounts.signOut()?.name } == "Ada")
            #expect(try await Session.with(first) { try await accounts.signOut() } == nil)
            #expect(try await name(accounts, first) == nil)
            #expect(try await name(accounts, third) == "Ada")
            #expect(try await accounts.signOut()?.name == "Ida")
            #expect(try await name(accounts, second) == "Ida")
        }
        try await place.withAccounts { accounts async throws in
            #expect(try await name(accounts, second) == "Ida")
            #expect(try await name(accounts, nil) == nil)
        }
    }

    @Test("hostile ids are sessions of their own, and the database has none of them")
    func hostile() async throws {
        let place = try AccountPlace()
        let ids = [
            "", "\u{0}", "a", "A", "a\u{0}", "a ", "aa", "\u{E9}", "e\u{301}", "'; DROP TABLE session; --",
            String(repeating: "x", count: 8000), String(repeating: "x", count: 8001),
        ]
        try await place.withAccounts { accounts in
            for (number, id) in ids.enumerated() {
                _ = try await accounts.signUp(name: "user \(number)", password: password)
                try await Session.with(Session(carried: id)) {
                    #expect(try await accounts.currentUser() == nil)
                    _ = try await accounts.signIn(name: "user \(number)", password: password)
                }
            }
            for (number, id) in ids.enumerated() {
                #expect(try await name(accounts, Session(carried: id)) == "user \(number)")
            }
            #expect(try await accounts.currentUser() == nil)
        }
        let rows = try rows(place)
        #expect(rows.count == ids.count)
        #expect(rows.allSatisfy { $0.digest.count == 32 })
        // SHA-256 of "a".
        #expect(rows.contains { $0.digest.first == 0xCA && $0.digest.last == 0xBB })
        let folder = place.directory.path(of: "EMAccount")
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let data = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
            #expect(data.range(of: Data("DROP TABLE session; --".utf8)) == nil, "\(file)")
        }
    }

    @Test("one ends after 30 days without use, and that of the program does not")
    func ending() async throws {
        let place = try AccountPlace()
        let (used, forgotten) = try (Session(id: "used"), Session(id: "forgotten"))
        try await place.withAccounts { accounts in
            _ = try await accounts.signUp(name: "Ada", password: password)
            for session in [used, forgotten, nil] {
                try await Session.with(session) { _ = try await accounts.signIn(name: "Ada", password: password) }
            }
            place.clock.advance(by: 29 * Self.day)
            #expect(try await name(accounts, used) == "Ada")
            place.clock.advance(by: 2 * Self.day)
            #expect(try await name(accounts, used) == "Ada")
            #expect(try await name(accounts, forgotten) == nil)
            #expect(try await name(accounts, nil) == "Ada")
            #expect(try await Session.with(forgotten) { try await accounts.signOut() } == nil)
        }
        #expect(try rows(place).count == 2)
        try await place.withAccounts { accounts in
            place.clock.advance(by: 31 * Self.day)
            try await Session.with(forgotten) { _ = try await accounts.signIn(name: "Ada", password: password) }
            #expect(try await name(accounts, used) == nil)
            #expect(try await name(accounts, nil) == "Ada")
        }
        #expect(try rows(place).map(\.digest.count) == [0, 32])
    }

    @Test("its use is written at most once an hour, and not for calls without one")
    func touching() async throws {
        let place = try AccountPlace()
        let session = try Session(id: "a")
        func use(after seconds: Double) async throws -> [Int64] {
            place.clock.advance(by: seconds)
            try await place.withAccounts { accounts async throws in
                for session in [session, nil] { #expect(try await name(accounts, session) == "Ada") }
            }
            let start = place.clock.start.milliseconds
            return try rows(place).map { ($0.usedAt - start) / 1000 }
        }
        try await place.withAccounts { accounts in
            _ = try await accounts.signUp(name: "Ada", password: password)
            for session in [session, nil] {
                try await Session.with(session) { _ = try await accounts.signIn(name: "Ada", password: password) }
            }
        }
        #expect(try await use(after: 3600) == [0, 0])
        #expect(try await use(after: 1) == [0, 3601])
        // A clock that is set back ends nothing.
        #expect(try await use(after: -400 * Self.day) == [0, 3601])
    }

    @Test("the number that is kept is limited: the ones that were used last stay")
    func limits() async throws {
        let place = try AccountPlace()
        let path = place.directory.path(of: "EMAccount")
        let storage = Storage("accounts.sqlite", migrations: AccountSchema.migrations) { path }
        defer { storage.close() }
        let store = AccountStore(storage, limits: SessionLimits(all: 5, ofAccount: 3))
        let accounts = Accounts(store, now: { place.clock.now })
        for name in ["Ada", "Ida", "Eve"] { _ = try await accounts.signUp(name: name, password: password) }
        func signIn(_ name: String, _ id: String?) async throws {
            place.clock.advance(by: 1)
            try await Session.with(id.map { Session(carried: $0) }) {
                _ = try await accounts.signIn(name: name, password: password)
            }
        }
        func signedIn(_ ids: String...) async throws -> [String] {
            var found: [String] = []
            for id in ids where try await name(accounts, Session(carried: id)) != nil { found.append(id) }
            return found
        }
        try await signIn("Ada", nil)
        for id in ["a1", "a2", "a3"] { try await signIn("Ada", id) }
        // One that is used again stays.
        place.clock.advance(by: 7200)
        _ = try await name(accounts, Session(carried: "a1"))
        try await signIn("Ada", "a4")
        #expect(try await signedIn("a1", "a2", "a3", "a4") == ["a1", "a3", "a4"])
        // The question has used all of them, a1 a second before the others.
        for id in ["i1", "i2", "i3"] { try await signIn("Ida", id) }
        #expect(try await signedIn("a1", "a3", "a4", "i1", "i2", "i3") == ["a3", "a4", "i1", "i2", "i3"])
        #expect(try await name(accounts, nil) == "Ada")
    }

    @Test("who was signed in before there were sessions still is, without one")
    func migration() async throws {
        let place = try AccountPlace()
        try FileManager.default.removeItem(atPath: place.file)
        let id = UUID()
        let queue = try DatabaseQueue(path: place.file)
        try AccountSchema.migrations.migrate(queue, upTo: "2 costs in use")
        try await queue.write { db in
            #expect(try db.columns(in: "session").map(\.name) == ["slot", "account"])
            try db.execute(
                sql: "INSERT INTO account VALUES (?, 'ada', 'Ada', 0, zeroblob(16), zeroblob(32), 2, 1, 1)",
                arguments: [id.uuidString])
            try db.execute(sql: "INSERT INTO session VALUES (1, ?)", arguments: [id.uuidString])
        }
        try queue.close()
        try await place.withAccounts { accounts async throws in
            #expect(try await accounts.currentUser()?.id == id)
            #expect(try await name(accounts, Session(carried: "")) == nil)
            #expect(try await accounts.signOut()?.id == id)
        }
        #expect(try rows(place).isEmpty)
    }

    @Test("a hundred at once see only their own user", arguments: ComponentDepth.allCases)
    func many(depth: ComponentDepth) async throws {
        let place = try AccountPlace()
        try await depth.withAccount(place.directory.path) { _, account in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await Session.with(Session(id: "session-\(number)")) {
                            for round in 0..<2 {
                                #expect(try await account.currentUser() == nil)
                                let name = "user \(number)"
                                if round == 0 { _ = try await account.signUp(name: name, password: password) }
                                let user = try await account.signIn(name: name, password: password)
                                for _ in 0..<3 { #expect(try await account.currentUser() == user) }
                                try await account.signOut()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await account.currentUser() == nil)
        }
    }

    @Test(
        "a sign-in and a sign-out belong to the successor, and nothing to the former one",
        arguments: ComponentDepth.allCases)
    func renewed(depth: ComponentDepth) async throws {
        let place = try AccountPlace()
        let ids = try (1...5).map { try Session(id: "session-\($0)") }
        try await depth.withAccount(place.directory.path) { host, account in
            func names() async throws -> [String?] {
                var names: [String?] = []
                for id in ids { names.append(try await Session.with(id) { try await account.currentUser()?.name }) }
                return names
            }
            let seen = Lock<[Session?]>([])
            host.events.on(SignedIn.self) { _ in seen.withLock { $0.append(.current) } }
            for name in ["Ada", "Ida"] { _ = try await account.signUp(name: name, password: password) }
            await #expect(throws: (any Error).self) {
                try await Session.with(ids[0], successor: ids[4]) {
                    _ = try await account.signIn(name: "Ada", password: Password("wrong"))
                }
            }
            try await Session.with(ids[0], successor: ids[1]) {
                _ = try await account.signIn(name: "Ada", password: password)
            }
            #expect(try await names() == [nil, "Ada", nil, nil, nil])
            // Another component does that, or another user signs in: the former session is over as well.
            _ = await Session.with(ids[1], successor: ids[2]) { await host.link.events.renewSession() }
            #expect(try await names() == [nil, nil, "Ada", nil, nil])
            try await Session.with(ids[2], successor: ids[3]) {
                _ = try await account.signIn(name: "Ida", password: password)
            }
            #expect(try await names() == [nil, nil, nil, "Ida", nil])
            try await Session.with(ids[3], successor: ids[4]) { try await account.signOut() }
            #expect(try await names() == [nil, nil, nil, nil, nil])
            #expect(await holds { seen.withLock { $0 } == [ids[1], ids[3]] })
        }
    }

    @Test("handlers and guarded routes see that of the call", arguments: ComponentDepth.allCases)
    func seen(depth: ComponentDepth) async throws {
        let place = try AccountPlace()
        let (first, second) = try (Session(id: "first"), Session(id: "second"))
        try await depth.withAccount(place.directory.path) { host, account in
            let seen = Lock<[Session?]>([])
            host.events.on(SignedIn.self) { _ in seen.withLock { $0.append(.current) } }
            host.events.on(SignedOut.self) { _ in seen.withLock { $0.append(.current) } }
            _ = try await account.signUp(name: "Ada", password: password)
            for session in [first, second, nil] {
                try await Session.with(session) { _ = try await account.signIn(name: "Ada", password: password) }
            }
            try await Session.with(second) { try await account.signOut() }
            let isSeen = await holds { seen.withLock { $0 } == [first, second, nil, second] }
            #expect(isSeen)
            for session in [first, nil] {
                let user = try await Session.with(session) { try await host.open("studio://account") }
                #expect(try user.string("name") == "Ada")
            }
            let error = await #expect(throws: LinkError.self) {
                try await Session.with(second) { try await host.open("studio://account") }
            }
            #expect(error?.message.contains("no user is signed in") == true)
            for session in [first, second] {
                let answer = try await Session.with(session) { try await host.answer("account.signedIn").bool() }
                #expect(answer == (session == first))
            }
        }
    }
}
