import ComponentKit
import Crypto
import CryptoExtras
import Dispatch
import EMAccountContract
import Foundation

/// Derives hashes from passwords by scrypt, on threads of its own and only so many at a time: each takes the memory and
/// the time that its cost says.
final class PasswordHasher: Sendable {
    /// Serial ones: what runs on a concurrent queue, or on an OperationQueue, takes threads from Swift's pool.
    private let queues: [DispatchQueue]
    /// How many wait in each, or run.
    private let loads: Lock<[Int]>
    /// Is told of each hash that is derived.
    private let observer: @Sendable (PasswordCost) -> Void

    /// - Parameter observer: is told what each hash costs, before it is derived.
    init(observer: @escaping @Sendable (PasswordCost) -> Void = { _ in }) {
        self.observer = observer
        let count = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount))
        queues = (0..<count).map { DispatchQueue(label: "scrypt.\($0)") }
        loads = Lock(Array(repeating: 0, count: count))
    }

    /// A hash with a salt of its own.
    func hash(_ password: Password, _ cost: PasswordCost) async throws -> PasswordHash {
        let salt = PasswordHash.freshSalt()
        let key = try await derive(password, salt, cost)
        return PasswordHash(salt: salt, hash: unsafe key.withUnsafeBytes { unsafe Array($0) }, cost: cost)
    }

    /// Whether the hash was made of the password. Takes the same time whatever the answer.
    func matches(_ password: Password, _ hash: PasswordHash) async throws -> Bool {
        let key = try await derive(password, hash.salt, hash.cost)
        // Compares in constant time.
        return key == SymmetricKey(data: hash.hash)
    }

    /// Takes the time of ``matches(_:_:)``.
    func pretend(_ password: Password, _ cost: PasswordCost) async throws {
        _ = try await derive(password, PasswordHash.freshSalt(), cost)
    }

    private func derive(_ password: Password, _ salt: [UInt8], _ cost: PasswordCost) async throws -> SymmetricKey {
        observer(cost)
        // The same password typed on another keyboard may come in another form.
        let typed = Array(password.clearText.precomposedStringWithCanonicalMapping.utf8)
        // BoringSSL's wrapper requires a first byte; no account has an empty password, so this one matches nothing.
        let bytes = typed.isEmpty ? [0] : typed
        return try await onQueue {
            try KDF.Scrypt.deriveKey(
                from: bytes, salt: salt, outputByteCount: PasswordHash.hashSize, rounds: cost.rounds,
                blockSize: cost.blockSize, parallelism: cost.parallelism)
        }
    }

    /// Runs `body` on the queue that has the least to do.
    func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let index = loads.withLock { loads in
            let index = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[index] += 1
            return index
        }
        defer { loads.withLock { $0[index] -= 1 } }
        return try await awaitResume { resume in queues[index].async { resume(Result { try body() }) } }.get()
    }
}

/// What is stored of a password.
struct PasswordHash: Hashable, Sendable {
    /// Random, of this hash alone.
    let salt: [UInt8]
    let hash: [UInt8]
    /// What it was made with.
    let cost: PasswordCost

    static let saltSize = 16
    static let hashSize = 32

    /// A new random salt.
    fileprivate static func freshSalt() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<saltSize).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
}

/// What deriving a hash from a password costs (scrypt, RFC 7914).
struct PasswordCost: Hashable, Sendable {
    /// N: a power of two.
    let rounds: Int
    /// r.
    let blockSize: Int
    /// p.
    let parallelism: Int

    /// One of those that OWASP's Password Storage Cheat Sheet names as equally strong. Of them it takes 32 MiB, so that
    /// several sign-ins at a time fit into a small machine.
    static let standard = PasswordCost(rounds: 1 << 15, blockSize: 8, parallelism: 3)

    private init(rounds: Int, blockSize: Int, parallelism: Int) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// A cost that comes from a file.
    ///
    /// - Returns: nil for what scrypt does not allow, or what takes more than 1 GiB or about a minute.
    init?(checking rounds: Int, _ blockSize: Int, _ parallelism: Int) {
        guard (2...1 << 20).contains(rounds), rounds.nonzeroBitCount == 1, (1...32).contains(blockSize),
            (1...16).contains(parallelism), 128 * rounds * blockSize <= 1 << 30
        else { return nil }
        self.init(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
    }

    /// From the three numbers with spaces between them, as the table of settings has them.
    init?(_ text: String) {
        let numbers = text.split(separator: " ").map { Int($0) }
        guard numbers.count == 3, let rounds = numbers[0], let blockSize = numbers[1], let parallelism = numbers[2]
        else { return nil }
        self.init(checking: rounds, blockSize, parallelism)
    }

    /// To compare costs by.
    var work: Int { rounds * blockSize * parallelism }
}

/// The rules for new passwords.
enum PasswordRules {
    static let fewestCharacters = 8
    static let mostBytes = 1024

    /// - Throws: ``AccountError/invalidPassword(reason:)``.
    static func check(_ password: Password) throws(AccountError) {
        guard password.clearText.utf8.count <= mostBytes else {
            throw .invalidPassword(reason: "the password is longer than \(mostBytes) bytes")
        }
        guard password.clearText.count >= fewestCharacters else {
            throw .invalidPassword(
                reason: "the password is too short; choose one of at least \(fewestCharacters) characters")
        }
    }
}
