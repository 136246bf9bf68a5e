/// What is kept of a password.
struct PasswordHash: Hashable, Sendable {
    /// Random, of this hash alone.
    let salt: [UInt8]
    let hash: [UInt8]
    /// What it was made with.
    let cost: PasswordCost

    static let saltSize = 16
    static let hashSize = 32

    /// A salt that nobody has had before.
    static func freshSalt() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<saltSize).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
}
