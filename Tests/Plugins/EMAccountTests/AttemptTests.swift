import ComponentKit
import EMAccountContract
import Foundation
import GRDB
import NXStorage
import Testing

@testable import EMAccount

@Suite("Sign-in that is slowed down")
struct AttemptTests {
    @Test(
        "the delay doubles from the third failure on",
        arguments: [
            (0, 0.0), (1, 0), (2, 0), (3, 1), (4, 2), (5, 4), (10, 128), (12, 512), (13, 900), (64, 900),
            (1 << 40, 900),
            (-1, 0),
        ])
    func delays(failures: Int, seconds: Double) {
        #expect(Attempts.delay(after: failures) == seconds)
    }

    @Test(
        "it passes with time, and a clock that was set back locks no user out",
        arguments: [(0.0, 4.0), (1.5, 2.5), (4, 0), (1000, 0), (-10, 0), (-1e9, 0)])
    func passing(seconds: Double, left: Double) {
        let attempts = Attempts(failures: 5, failedAt: Timestamp(seconds: 2_000_000_000))
        let now = Timestamp(milliseconds: 2_000_000_000_000 + Int64(seconds * 1000))
        #expect(attempts.delay(at: now) == left)
    }

    private func wrong(_ accounts: Accounts, _ name: String = "ada") async -> AccountError? {
        await accountError { try await accounts.signIn(name: name, password: Password("wrong horse")) }
    }

    @Test("after the third failure the next attempt waits, longer each time", arguments: ["ada", "nobody"])
    func slowed(name: String) async throws {
        let place = try AccountPlace()
        try await place.withAccounts { accounts in
            _ = try await accounts.signUp(name: "Ada", password: Password("correct horse"))
            for _ in 0..<3 { #expect(await wrong(accounts, name) == .wrongNameOrPassword) }
            for delay in [1.0, 2, 4, 8] {
                #expect(await wrong(accounts, name) == .tooManyAttempts(retryAfter: delay))
                place.clock.advance(by: delay - 0.25)
                #expect(await wrong(accounts, name) == .tooManyAttempts(retryAfter: 0.25))
                place.clock.advance(by: 0.25)
                #expect(await wrong(accounts, name) == .wrongNameOrPassword)
            }
        }
    }

    @Test("the right password waits too, and then resets the delay")
    func success() async throws {
        let place = try AccountPlace()
        try await place.withAccounts { accounts in
            _ = try await accounts.signUp(name: "Ada", password: Password("correct horse"))
            for _ in 0..<3 { _ = await wrong(accounts, "ADA ") }
            let refused = await accountError {
                try await accounts.signIn(name: "ada", password: Password("correct horse"))
            }
            #expect(refused == .tooManyAttempts(retryAfter: 1))
            #expect(try await accounts.currentUser() == nil)
            place.clock.advance(by: 1)
            #expect(try await accounts.signIn(name: "ada", password: Password("correct horse")).name == "Ada")
            for _ in 0..<3 { #expect(await wrong(accounts) == .wrongNameOrPassword) }
        }
    }

    private func right(_ accounts: Accounts, _ session: Session?) async -> AccountError? {
        do {
            _ = try await Session.with(session) {
                try await accounts.signIn(name: "ada", password: Password("correct horse"))
            }
            return nil
        } catch {
            #expect(error is AccountError, "\(error)")
            return error as? AccountError
        }
    }

    @Test("nobody keeps a user out of a session in which they have signed in before, and each has failures of its own")
    func known() async throws {
        let place = try AccountPlace()
        let (mine, other) = (try Session(id: "mine"), try Session(id: "other"))
        try await place.withAccounts { accounts in
            _ = try await accounts.signUp(name: "Ada", password: Password("correct horse"))
            #expect(await right(accounts, mine) == nil)
            _ = try await Session.with(mine) { try await accounts.signOut() }
        }
        // Also across a restart of the host.
        try await place.withAccounts { accounts in
            for _ in 0..<3 { #expect(await wrong(accounts) == .wrongNameOrPassword) }
            for session in [other, nil] { #expect(await right(accounts, session) == .tooManyAttempts(retryAfter: 1)) }
            #expect(await right(accounts, mine) == nil)
            // What is right there takes no delay away from others.
            #expect(await right(accounts, other) == .tooManyAttempts(retryAfter: 1))
            for _ in 0..<3 {
                let error = await Session.with(mine) { await wrong(accounts) }
                #expect(error == .wrongNameOrPassword)
            }
            #expect(await right(accounts, mine) == .tooManyAttempts(retryAfter: 1))
            // It is known for its own user only.
            let stranger = await Session.with(mine) { await wrong(accounts, "nobody") }
            #expect(stranger == .wrongNameOrPassword)
            place.clock.advance(by: 1)
            #expect(await right(accounts, mine) == nil)
        }
    }

    @Test("failures under a name that nobody had yet do not keep out who signs up with it")
    func before() async throws {
        let place = try AccountPlace()
        try await place.withAccounts { accounts in
            for _ in 0..<3 { #expect(await wrong(accounts) == .wrongNameOrPassword) }
            _ = try await accounts.signUp(name: "Ada", password: Password("correct horse"))
            #expect(await right(accounts, nil) == nil)
        }
    }

    @Test("what is known of a session goes with it to the one that takes its place; of a user, 20 are known")
    func moving() async throws {
        let place = try AccountPlace()
        let sessions = try (0..<25).map { try Session(id: "session \($0)".replacing(" ", with: "-")) }
        try await place.withAccounts { accounts in
            _ = try await accounts.signUp(name: "Ada", password: Password("correct horse"))
            for session in sessions {
                place.clock.advance(by: 1)
                #expect(await right(accounts, session) == nil)
            }
            let next = try Session(id: "next")
            try await accounts.move(from: sessions[24], to: next)
            for _ in 0..<3 { _ = await wrong(accounts) }
            #expect(await right(accounts, sessions[4]) == .tooManyAttempts(retryAfter: 1))
            #expect(await right(accounts, sessions[24]) == .tooManyAttempts(retryAfter: 1))
            for session in [sessions[5], sessions[23], next] { #expect(await right(accounts, session) == nil) }
        }
    }

    @Test("the delay survives a restart of the host, and is forgotten after a day")
    func kept() async throws {
        let place = try AccountPlace()
        try await place.withAccounts { accounts in for _ in 0..<3 { _ = await wrong(accounts) } }
        try await place.withAccounts { accounts in
            #expect(await wrong(accounts) == .tooManyAttempts(retryAfter: 1))
            place.clock.advance(by: Attempts.memory + 1)
            for _ in 0..<3 { #expect(await wrong(accounts) == .wrongNameOrPassword) }
        }
    }

    @Test("one name does not slow another one down")
    func apart() async throws {
        let place = try AccountPlace()
        try await place.withAccounts { accounts in
            for _ in 0..<4 { _ = await wrong(accounts, "ada") }
            #expect(await wrong(accounts, "ida") == .wrongNameOrPassword)
        }
    }

    @Test("simultaneous guesses do not avoid it")
    func atOnce() async throws {
        let place = try AccountPlace()
        try await place.withAccounts { accounts in
            _ = try await accounts.signUp(name: "Ada", password: Password("correct horse"))
            let errors = await withTaskGroup(of: AccountError?.self) { group in
                for _ in 0..<50 { group.addTask { await self.wrong(accounts) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(errors.count { $0 == .wrongNameOrPassword } == 3)
            #expect(errors.count { $0 == .tooManyAttempts(retryAfter: 1) } == 47)
        }
    }

    @Test("simultaneous correct sign-ins all succeed")
    func rightAtOnce() async throws {
        let place = try AccountPlace()
        try await place.withAccounts { accounts in
            _ = try await accounts.signUp(name: "Ada", password: Password("correct horse"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask { _ = try await accounts.signIn(name: "Ada", password: Password("correct horse")) }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("a table full of names that failed twice does not keep a new one from being slowed")
    func fullTable() async throws {
        let place = try AccountPlace()
        try place.edit { db in
            let before = place.clock.now.milliseconds - 1000
            for number in 0..<10_000 {
                try db.execute(
                    sql: "INSERT INTO attempt VALUES (?, 2, ?)", arguments: [Data("\(number)".utf8), before])
            }
        }
        try await place.withAccounts { accounts in
            for _ in 0..<3 { _ = await wrong(accounts, "ada") }
            #expect(await wrong(accounts, "ada") == .tooManyAttempts(retryAfter: 1))
        }
    }

    @Test("trying many names neither fills the file nor resets the delay of another name")
    func flood() async throws {
        let place = try AccountPlace()
        try place.edit { db in
            let now = place.clock.now.milliseconds
            for number in 0..<10_000 {
                try db.execute(sql: "INSERT INTO attempt VALUES (?, 1, ?)", arguments: [Data("\(number)".utf8), now])
            }
        }
        try await place.withAccounts { accounts in
            for _ in 0..<3 { _ = await wrong(accounts, "ada") }
            for number in 0..<20 { _ = await wrong(accounts, "name \(number)") }
            #expect(await wrong(accounts, "ada") == .tooManyAttempts(retryAfter: 1))
        }
        #expect(try place.edit { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM attempt") } == 10_000)
    }
}
