public import ComponentKit
public import Foundation

/// What EMAccount offers: people sign up with a name and a password, and one at a time is signed in.
///
/// A host has one session for each data directory; it outlives the host. On a command line give the password as
/// `password=@?` or `password=@-`, so that the list of processes does not show it. All functions throw
/// ``AccountError``, or a `LinkError` where the component is not there.
@LinkService("org.hslink.account/1")
public protocol AccountService: Sendable {
    /// Makes an account. Does not sign in.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 characters after spaces around it are taken off, without control characters. It is kept in
    ///     Unicode's normal form C; names that differ in capitals only are one name.
    ///   - password: at least 8 characters, at most 1024 bytes of UTF-8.
    /// - Throws: `invalidName`, `invalidPassword`, `nameTaken`, `storage`.
    func signUp(name: String, password: Password) async throws -> User

    /// Signs in, in place of whoever was signed in before.
    ///
    /// - Parameters:
    ///   - name: as it was signed up, capitals do not matter.
    ///   - password: as it was signed up.
    /// - Throws: `wrongNameOrPassword`, the same and after the same time for both; after the third one for a name
    ///   `tooManyAttempts`, with a delay that doubles each time up to a quarter of an hour; `storage`.
    func signIn(name: String, password: Password) async throws -> User

    /// Ends the session; nothing happens where nobody is signed in.
    ///
    /// - Throws: `storage`.
    func signOut() async throws

    /// Who is signed in; nil when nobody is.
    ///
    /// - Throws: `storage`.
    func currentUser() async throws -> User?
}

/// A user with an account.
@Model public struct User: Hashable, Sendable {
    /// Names the account for ever, whatever becomes of its name.
    public var id: UUID
    /// As it was signed up.
    public var name: String
    /// When the account was made.
    public var createdAt: Timestamp
}

/// Why EMAccount refused a request. No error holds a password, or tells whether a name exists, except for
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
    /// Sign-in under this name failed too often: the next attempt is accepted after so many seconds.
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
