import ComponentKit
import EMAccountContract
import Foundation
import NXStorage

/// Implements sign-up and sign-in, each for the session of the running call.
struct Accounts: Sendable {
    private let store: AccountStore
    private let now: @Sendable () -> Timestamp
    private let hasher: PasswordHasher
    private let renewSession: @Sendable () async -> Session?
    private let gate = NameGate()

    /// - Parameters:
    ///   - store: The storage of the accounts.
    ///   - hasher: Derives hashes from passwords.
    ///   - now: Returns the current time.
    ///   - renewSession: Gives the session of the running call a new id, and returns it.
    init(
        _ store: AccountStore, hasher: PasswordHasher = PasswordHasher(),
        now: @escaping @Sendable () -> Timestamp = { .now },
        renewSession: @escaping @Sendable () async -> Session? = { .current }
    ) {
        self.store = store
        self.hasher = hasher
        self.now = now
        self.renewSession = renewSession
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
        // No account can have such a name or password, so the early return reveals nothing.
        guard let name = try? AccountName(name), password.clearText.utf8.count <= PasswordRules.mostBytes else {
            throw AccountError.wrongNameOrPassword
        }
        let session = SessionDigest.current
        // The owner's browser does not wait for the attempts of others either.
        let isKnown = try await store.isKnown(name, in: session)
        let turn = isKnown ? "\(name.key)\u{0}\(session.data.base64EncodedString())" : name.key
        return try await gate.pass(turn) { try await signIn(name, password, from: session) }
    }

    private func signIn(
        _ name: AccountName, _ password: Password, from former: SessionDigest
    ) async throws -> User {
        let start = try await store.start(name, in: former)
        let attempts = start.attempts.flatMap { $0.isForgotten(at: now()) ? nil : $0 }
        let delay = attempts?.delay(at: now()) ?? 0
        guard delay == 0 else { throw AccountError.tooManyAttempts(retryAfter: delay) }
        guard let account = try await account(of: start, password) else {
            throw try await failure(name, attempts, in: start.isKnown ? former : nil)
        }
        let cost = account.password.cost
        let isOutdated = cost != start.cost && cost.work <= start.cost.work
        let rehashed = isOutdated ? try await hasher.hash(password, start.cost) : nil
        // What the password opens belongs to an id that no one knew before.
        let session = SessionDigest(await renewSession())
        try await store.succeed(
            account, name, in: session, isKnown: start.isKnown, at: now(), rehashed: rehashed)
        return account.user
    }

    /// Returns the account if it exists and has this password.
    ///
    /// After the cost is raised, hashes have several costs until all users have signed in again. Every sign-in derives
    /// one hash for each cost in use, so its duration reveals neither whether a name exists nor how old its hash is.
    private func account(of start: AccountStore.Start, _ password: Password) async throws -> Account? {
        var matching: Account?
        for cost in start.costsInUse.isEmpty ? [start.cost] : start.costsInUse {
            if let account = start.account, account.password.cost == cost {
                if try await hasher.matches(password, account.password) { matching = account }
            } else {
                try await hasher.pretend(password, cost)
            }
        }
        return matching
    }

    /// Counts a failure before the caller learns of it.
    private func failure(
        _ name: AccountName, _ before: Attempts?, in known: SessionDigest?
    ) async throws -> AccountError {
        let attempts = Attempts(failures: min(before?.failures ?? 0, 1 << 20) + 1, failedAt: now())
        try await store.fail(name, attempts, in: known)
        return .wrongNameOrPassword
    }

    /// - Returns: The user who was signed in; nil if none was, or if it cannot be read who.
    @discardableResult
    func signOut() async throws -> User? {
        // First, so that the former id opens nothing whatever becomes of the new one.
        let user = try await store.signOut(.current, at: now())
        _ = await renewSession()
        return user
    }

    /// Moves the sign-in of a session to the one that takes its place.
    func move(from former: Session, to next: Session) async throws {
        try await store.move(from: SessionDigest(former), to: SessionDigest(next))
    }

    func currentUser() async throws -> User? { try await store.currentUser(.current, at: now()) }
}

/// Allows one attempt at a time for each name: simultaneous attempts would all be checked before the first failure
/// counts.
private final class NameGate: Sendable {
    private typealias Attempt = CheckedContinuation<Void, Never>
    /// The waiting attempts, for each name with an attempt in progress.
    private let waiting = Lock<[String: [Attempt]]>([:])

    /// Runs `body` when its turn comes.
    func pass<Value>(_ key: String, _ body: () async throws -> Value) async rethrows -> Value {
        await enter(key)
        defer { leave(key) }
        return try await body()
    }

    private func enter(_ key: String) async {
        await withCheckedContinuation { (attempt: Attempt) in
            let isFree = waiting.withLock { waiting in
                let isFree = waiting[key] == nil
                waiting[key, default: []] += isFree ? [] : [attempt]
                return isFree
            }
            if isFree { attempt.resume() }
        }
    }

    private func leave(_ key: String) {
        let next = waiting.withLock { waiting -> Attempt? in
            guard var others = waiting[key], !others.isEmpty else {
                waiting[key] = nil
                return nil
            }
            let next = others.removeFirst()
            waiting[key] = others
            return next
        }
        next?.resume()
    }
}
