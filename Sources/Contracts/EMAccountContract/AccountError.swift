public import ComponentKit

/// Why EMAccount did not do what it was asked for. None holds a password, nor whether a name exists, but for
/// `nameTaken`.
@Model public enum AccountError: Error, Hashable, Sendable {
    /// What is wrong with the database.
    @Model public enum StorageFailure: String, Hashable, Sendable, CaseIterable {
        case unavailable, unwritable, corrupt, newerSchema, locked, full, other
    }

    /// Another account has the name.
    case nameTaken
    /// There is no account of this name, or its password is another.
    case wrongNameOrPassword
    /// Sign-in under this name failed too often: the next attempt is looked at after so many seconds.
    case tooManyAttempts(retryAfter: Double)
    /// The name cannot be signed up.
    case invalidName(reason: String)
    /// The password cannot be signed up.
    case invalidPassword(reason: String)
    /// The database could not be read or written: nothing was changed.
    case storage(failure: StorageFailure, message: String)
}

extension AccountError: CustomStringConvertible {
    /// A sentence.
    public var description: String {
        switch self {
        case .nameTaken: "the name is taken; choose another"
        case .wrongNameOrPassword: "the name or the password is wrong"
        case .tooManyAttempts(let seconds):
            "sign-in under this name failed too often; try again in \(Int(seconds.rounded(.up))) s"
        case .invalidName(let reason), .invalidPassword(let reason), .storage(_, let reason): reason
        }
    }
}
