import ComponentKit
import EMAccountContract
import Foundation
import NXStorage

/// What happens at sign-up and sign-in.
struct Accounts: Sendable {
    private let store: AccountStore
    private let now: @Sendable () -> Timestamp
    private let hasher = PasswordHasher()
    private let gate = NameGate()

    /// - Parameters:
    ///   - store: where they are kept.
    ///   - now: the clock.
    init(_ store: AccountStore, now: @escaping @Sendable () -> Timestamp = { .now }) {
        self.store = store
        self.now = now
    }

    func signUp(name: String, password: Password) async throws -> User {
        let name = try AccountName(name)
        try PasswordRules.check(password)
        let start = try await store.start(name)
        guard start.account == nil else { throw AccountError.nameTaken }
        let hash = try await hasher.hash(password, start.cost)
        let user = User(id: UUID(), name: name.text, createdAt: now())
        try await store.add(Account(user: user, password: hash), name)
        return user
    }

    func signIn(name: String, password: Password) async throws -> User {
        // No account can have such a name or password: that is no secret.
        guard let name = try? AccountName(name), password.clearText.utf8.count <= PasswordRules.mostBytes else {
            throw AccountError.wrongNameOrPassword
        }
        return try await gate.pass(name.key) { try await signIn(name, password) }
    }

    private func signIn(_ name: AccountName, _ password: Password) async throws -> User {
        let start = try await store.start(name)
        let attempts = start.attempts.flatMap { $0.isForgotten(at: now()) ? nil : $0 }
        let delay = attempts?.delay(at: now()) ?? 0
        guard delay == 0 else { throw AccountError.tooManyAttempts(retryAfter: delay) }
        guard let account = start.account else {
            // An unknown name takes as long as a wrong password.
            try await hasher.pretend(password, start.cost)
            throw try await failure(name, attempts)
        }
        guard try await hasher.matches(password, account.password) else {
            throw try await failure(name, attempts)
        }
        let isOutdated = account.password.cost.work < start.cost.work
        let rehashed = isOutdated ? try await hasher.hash(password, start.cost) : nil
        try await store.succeed(account, name, rehashed: rehashed)
        return account.user
    }

    /// Counts a failure before it is told.
    private func failure(_ name: AccountName, _ before: Attempts?) async throws -> AccountError {
        try await store.fail(name, Attempts(failures: min(before?.failures ?? 0, 1 << 20) + 1, failedAt: now()))
        return .wrongNameOrPassword
    }

    func signOut() async throws { try await store.signOut() }

    func currentUser() async throws -> User? { try await store.currentUser() }
}
