import ComponentKit
import Dispatch
import EMAccountContract
import Foundation
import TestSupport
import Testing

@testable import EMAccount

@Suite("Passwords of accounts")
struct PasswordTests {
    /// RFC 7914, section 12: the first 32 of 64 bytes, which do not depend on the length.
    @Test(
        "hashes are scrypt's",
        arguments: [
            ("password", "NaCl", "1024 8 16", "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"),
            (
                "pleaseletmein", "SodiumChloride", "16384 8 1",
                "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
            ),
        ])
    func vectors(password: String, salt: String, cost: String, hash: String) async throws {
        let digits = Array(hash)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        let stored = PasswordHash(salt: Array(salt.utf8), hash: bytes, cost: try #require(PasswordCost(cost)))
        let hasher = PasswordHasher()
        #expect(try await hasher.matches(Password(password), stored))
        #expect(try await !hasher.matches(Password(password + "x"), stored))
    }

    @Test("each hash has its own salt")
    func salts() async throws {
        let hasher = PasswordHasher()
        let cost = try #require(PasswordCost("2 1 1"))
        let first = try await hasher.hash(Password("correct horse"), cost)
        let second = try await hasher.hash(Password("correct horse"), cost)
        #expect(first.salt != second.salt)
        #expect(first.hash != second.hash)
        #expect(first.salt.count == 16 && first.hash.count == 32)
        #expect(try await hasher.matches(Password("correct horse"), second))
    }

    @Test(
        "a password in another Unicode form is the same, and any text can be tried",
        arguments: ["", "\u{0}", "x"])
    func forms(other: String) async throws {
        let hasher = PasswordHasher()
        let stored = try await hasher.hash(Password("Zo\u{EB} 12345"), try #require(PasswordCost("2 1 1")))
        #expect(try await hasher.matches(Password("Zoe\u{308} 12345"), stored))
        #expect(try await !hasher.matches(Password(other), stored))
    }

    @Test("hashing does not block Swift's cooperative thread pool", .timeLimit(.minutes(5 * TestPatience.factor)))
    func pool() async throws {
        let hasher = PasswordHasher()
        let count = 2 * ProcessInfo.processInfo.activeProcessorCount
        let blocked = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { try await hasher.onQueue { blocked.wait() } } }
            // If hashing occupied the threads of the pool, these tasks would never end.
            for _ in 0..<100 { await Task.detached {}.value }
            for _ in 0..<count { blocked.signal() }
            try await group.waitForAll()
        }
    }

    @Test(
        "a cost that scrypt does not allow, or that is too high, is refused",
        arguments: [
            "", "1 8 1", "0 8 1", "-2 8 1", "3 8 1", "2097152 8 1", "1048576 16 1", "16384 0 1", "16384 33 1",
            "16384 8 0",
            "16384 8 17", "16384 8", "16384 8 1 1", "x 8 1",
            "9223372036854775807 9223372036854775807 9223372036854775807",
        ])
    func badCosts(text: String) {
        #expect(PasswordCost(text) == nil)
    }

    @Test("the standard cost is as strong as OWASP requires")
    func standard() {
        #expect(PasswordCost("32768 8 3") == .standard)
        #expect(PasswordCost.standard.work >= 1 << 19)
    }

    @Test(
        "a password that is too short or too long is refused",
        arguments: [
            ("", false), ("1234567", false), ("12345678", true), ("é1234567", true), ("👩‍👩‍👧‍👦", false),
            (String(repeating: "x", count: 1024), true), (String(repeating: "x", count: 1025), false),
            (String(repeating: "é", count: 513), false),
        ])
    func rules(text: String, isFine: Bool) {
        do throws(AccountError) {
            try PasswordRules.check(Password(text))
            #expect(isFine)
        } catch {
            guard case .invalidPassword(let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(!isFine)
            #expect(text.isEmpty || !reason.contains(text))
        }
    }

    @Test("a password is not shown when printed, dumped or in the wrong place")
    func hidden() throws {
        let password = Password("correct horse")
        var dumped = ""
        dump(password, to: &dumped)
        for text in [
            "\(password)", String(reflecting: password), dumped, "\([password])", "\(Optional(password) as Any)",
        ] {
            #expect(!text.contains("horse"), "\(text)")
        }
        let payload: Payload = ["password": 12_345_678]
        let error = try #require(
            #expect(throws: PayloadError.self) { () throws(PayloadError) in
                try payload.value("password", as: Password.self)
            })
        #expect(!error.description.contains("12345678"))
        #expect(error.description.contains("digits alone in quotes"))
    }
}
