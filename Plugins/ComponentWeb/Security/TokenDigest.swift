import ComponentKit
import Crypto
import Foundation

/// The hash of the token of a program. A token is random and long, so that a fast hash is enough; see
/// ``PasswordDigest`` for what people choose.
struct TokenDigest: Hashable, Sendable, CustomStringConvertible {
    private let hash: [UInt8]

    private static let name = "sha256"
    /// How many bytes of a token are random.
    private static let size = 32

    /// Reads the text of a hash; nil if it is not one.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == TokenDigest.name, let hash = Data(base64Encoded: String(parts[1])),
            hash.count == SHA256.byteCount
        else { return nil }
        self.hash = [UInt8](hash)
    }

    init(of token: String) { hash = Array(SHA256.hash(data: Data(token.utf8))) }

    /// The text for a configuration.
    var description: String { "\(TokenDigest.name):\(Data(hash).base64EncodedString())" }

    /// Whether the token is this one. Takes the same time wherever it differs, as every comparison of digests does.
    func matches(_ token: String) -> Bool { SHA256.hash(data: Data(token.utf8)) == hash }

    /// Makes a token that cannot be guessed.
    static func newToken() -> String {
        var random = SystemRandomNumberGenerator()
        let bytes = Data((0..<size).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        return "hslink_\(bytes.base64URL)"
    }
}
