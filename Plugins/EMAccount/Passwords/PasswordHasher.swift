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
        // BoringSSL's wrapper wants a first byte; nobody's password is empty, so nothing matches this one either.
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
