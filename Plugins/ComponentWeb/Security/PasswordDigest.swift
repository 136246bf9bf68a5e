import ComponentKit
import CryptoExtras
import Foundation

/// The hash of the password of a host: scrypt (RFC 7914) with a random salt, as a text for a configuration.
struct PasswordDigest: Hashable, Sendable, CustomStringConvertible {
    private let salt: Data
    private let hash: Data

    /// One of the equally strong costs in OWASP's Password Storage Cheat Sheet.
    private static let (rounds, blockSize, parallelism) = (1 << 15, 8, 3)
    private static let name = "scrypt-15-8-3"
    /// The longest password, in bytes.
    private static let longest = 1024

    /// Makes the hash of a password. Takes a fraction of a second and 32 MiB.
    ///
    /// - Throws: an error if the password is too short or too long.
    init(of password: String) throws {
        guard (8...PasswordDigest.longest).contains(password.utf8.count) else {
            throw LinkError(
                domain: "ComponentWeb", number: 2,
                message: "password: expected 8 to \(PasswordDigest.longest) bytes, found \(password.utf8.count)")
        }
        var random = SystemRandomNumberGenerator()
        salt = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        let key = try PasswordDigest.derive(password, salt)
        hash = unsafe key.withUnsafeBytes { unsafe Data($0) }
    }

    /// Reads the text of a hash; nil if it is not one.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == PasswordDigest.name, let salt = Data(base64Encoded: String(parts[1])),
            let hash = Data(base64Encoded: String(parts[2])), salt.count == 16, hash.count == 32
        else { return nil }
        self.salt = salt
        self.hash = hash
    }

    /// The text for a configuration.
    var description: String {
        "\(PasswordDigest.name):\(salt.base64EncodedString()):\(hash.base64EncodedString())"
    }

    /// Returns whether the password is this one. Takes the same time for both answers.
    func matches(_ password: String) throws -> Bool {
        guard password.utf8.count <= PasswordDigest.longest else { return false }
        // Keys are compared in constant time.
        return try PasswordDigest.derive(password, salt) == SymmetricKey(data: hash)
    }

    private static func derive(_ password: String, _ salt: Data) throws -> SymmetricKey {
        // The same password typed on another keyboard may have another Unicode form.
        let typed = Array(password.precomposedStringWithCanonicalMapping.utf8)
        return try KDF.Scrypt.deriveKey(
            from: typed.isEmpty ? [0] : typed, salt: salt, outputByteCount: 32, rounds: rounds, blockSize: blockSize,
            parallelism: parallelism)
    }
}
