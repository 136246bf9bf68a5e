import EMAccountContract

/// Which passwords can be signed up.
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
