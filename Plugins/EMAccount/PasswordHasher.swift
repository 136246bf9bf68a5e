import ComponentKit
import Crypto
import CryptoExtras
import Dispatch
import EMAccountContract
import Foundation

/// Derives scrypt hashes from passwords on its own threads, a limited number at a time: each takes the memory and the
/// time of its cost.
final class PasswordHasher: Sendable {
    /// Serial queues, because concurrent queues and OperationQueue take threads from Swift's cooperative thread pool.
    private let queues: [DispatchQueue]
    /// The number of blocks that wait or run in each queue.
    private let loads: Lock<[Int]>
    /// Called before each hash is derived.
    private let observer: @Sendable (PasswordCost) -> Void

    /// - Parameters:
    ///   - limit: how many hashes are derived at a time; 1 to 64.
    ///   - observer: Called with the cost of each hash before it is derived.
    init(limit: Int? = nil, observer: @escaping @Sendable (PasswordCost) -> Void = { _ in }) {
        self.observer = observer
        let count = max(1, min(limit ?? min(4, ProcessInfo.processInfo.activeProcessorCount), 64))
        queues = (0..<count).map { DispatchQueue(label: "scrypt.\($0)") }
        loads = Lock(Array(repeating: 0, count: count))
    }

    /// Returns a hash with a new salt.
    func hash(_ password: Password, _ cost: PasswordCost) async throws -> PasswordHash {
        let salt = PasswordHash.freshSalt()
        let key = try await derive(password, salt: salt, cost: cost)
        return PasswordHash(salt: salt, hash: unsafe key.withUnsafeBytes { unsafe Array($0) }, cost: cost)
    }

    /// Returns whether the hash was derived from the password. Takes the same time for both answers.
    func matches(_ password: Password, _ hash: PasswordHash) async throws -> Bool {
        let key = try await derive(password, salt: hash.salt, cost: hash.cost)
        // Compares in constant time.
        return key == SymmetricKey(data: hash.hash)
    }

    /// Takes as long as ``matches(_:_:)``.
    func pretend(_ password: Password, _ cost: PasswordCost) async throws {
        _ = try await derive(password, salt: PasswordHash.freshSalt(), cost: cost)
    }

    private func derive(_ password: Password, salt: [UInt8], cost: PasswordCost) async throws -> SymmetricKey {
        observer(cost)
        // The same password typed on another keyboard may have another Unicode form.
        let typed = Array(password.clearText.precomposedStringWithCanonicalMapping.utf8)
        // BoringSSL's wrapper requires at least one byte. No account has an empty password, so this matches none.
        let bytes = typed.isEmpty ? [0] : typed
        return try await onQueue {
            try KDF.Scrypt.deriveKey(
                from: bytes, salt: salt, outputByteCount: PasswordHash.hashSize, rounds: cost.rounds,
                blockSize: cost.blockSize, parallelism: cost.parallelism)
        }
    }

    /// Runs `body` on the queue with the fewest blocks.
    func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let index = loads.withLock { loads in
            let index = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[index] += 1
            return index
        }
        defer { loads.withLock { $0[index] -= 1 } }
        let result = await withCheckedContinuation { continuation in
            queues[index].async { continuation.resume(returning: Result { try body() }) }
        }
        return try result.get()
    }
}

/// The stored form of a password.
struct PasswordHash: Hashable, Sendable {
    /// A random salt, used for this hash only.
    let salt: [UInt8]
    let hash: [UInt8]
    /// The cost with which the hash was derived.
    let cost: PasswordCost

    static let saltSize = 16
    static let hashSize = 32

    /// Returns a new random salt.
    fileprivate static func freshSalt() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<saltSize).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
}

/// The cost of deriving a hash from a password (scrypt, RFC 7914).
struct PasswordCost: Hashable, Sendable {
    /// N: a power of two.
    let rounds: Int
    /// r.
    let blockSize: Int
    /// p.
    let parallelism: Int

    /// One of the equally strong costs in OWASP's Password Storage Cheat Sheet. This one takes 32 MiB, so several
    /// sign-ins at a time fit on a small machine.
    static let standard = PasswordCost(rounds: 1 << 15, blockSize: 8, parallelism: 3)

    private init(rounds: Int, blockSize: Int, parallelism: Int) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// Creates a cost from stored numbers.
    ///
    /// - Returns: nil if scrypt does not allow the cost, or if it takes more than 1 GiB or about a minute.
    init?(checking rounds: Int, _ blockSize: Int, _ parallelism: Int) {
        guard (2...1 << 20).contains(rounds), rounds.nonzeroBitCount == 1, (1...32).contains(blockSize),
            (1...16).contains(parallelism), 128 * rounds * blockSize <= 1 << 30
        else { return nil }
        self.init(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
    }

    /// Parses three numbers separated by spaces, as stored in the table of settings.
    init?(_ text: String) {
        let numbers = text.split(separator: " ").map { Int($0) }
        guard numbers.count == 3, let rounds = numbers[0], let blockSize = numbers[1], let parallelism = numbers[2]
        else { return nil }
        self.init(checking: rounds, blockSize, parallelism)
    }

    /// The measure by which costs are compared.
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
