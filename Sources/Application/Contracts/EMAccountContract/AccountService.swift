public import ComponentKit
public import Foundation

/// The service of EMAccount: users sign up with a name and a password, and in each session one user at a time is signed in.
///
/// The session is that of the call, `Session.current`, such as a browser's. A user may be signed in in several; signing
/// out in one does not end the others. A session that is not used for 30 days ends, and so do the oldest if a user is
/// signed in in more than 100. Calls without a session, such as those of the command line, share one for each data
/// directory, which does not end by itself. All sessions outlive the host.
///
/// On a command line, pass the password as `password=@?` or `password=@-`, so that the list of processes does not show
/// it. All functions throw ``AccountError``, or a `LinkError` if the component is missing.
///
/// Signing in and signing out are events: ``SignedIn``, ``SignedOut``. Both give the session of the caller a new id if
/// its front end has offered one, with ComponentKit's `Events.renewSession()`; the events are posted in the new one.
///
/// No URL signs up or in: URLs are logged, kept and passed on, so a password must not be in one. The provider decides
/// about routes with the tag `signed-in`, of all components: they are opened only while a user is signed in in the
/// session of the call.
@LinkService("org.hslink.account/1")
public protocol AccountService: Sendable {
    /// Creates an account. Does not sign in.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 characters, none of them invisible; surrounding spaces are removed. The name is stored in
    ///     Unicode's normal form C. Names that differ only in case or in compatibility forms are the same name.
    ///   - password: At least 8 characters, at most 1024 bytes of UTF-8.
    /// - Throws: `invalidName`, `invalidPassword`, `nameTaken`, `storage`.
    func signUp(name: String, password: Password) async throws -> User

    /// Signs a user in, and replaces another user who is signed in in the session.
    ///
    /// - Parameters:
    ///   - name: The name of the account; case does not matter.
    ///   - password: The password of the account.
    /// - Throws: `wrongNameOrPassword`, which takes the same time for a wrong name and a wrong password; after the
    ///   third failure for a name, `tooManyAttempts` with a delay that doubles up to a quarter of an hour; `storage`. In a
    ///   session in which the user has signed in before, only the failures in that session count.
    func signIn(name: String, password: Password) async throws -> User

    /// Signs out in the session. Does nothing if no user is signed in.
    ///
    /// - Throws: `storage`.
    @Route("studio://account/sign-out")
    func signOut() async throws

    /// Returns the user who is signed in in the session, or nil. The URL is refused if there is none.
    ///
    /// - Throws: `storage`.
    @Route("studio://account", tags: ["signed-in"])
    func currentUser() async throws -> User?
}

/// A user with an account.
@Model public struct User: Hashable, Sendable {
    /// A permanent identifier of the account, independent of its name.
    public var id: UUID
    /// The name as given at sign-up.
    public var name: String
    /// The time at which the account was created.
    public var createdAt: Timestamp
}

/// The reason EMAccount refused a request. No error contains a password, and only `nameTaken` reveals whether a name
/// exists.
@Model public enum AccountError: Error, Hashable, Sendable {
    /// A kind of database failure.
    @Model public enum StorageFailure: String, Hashable, Sendable, CaseIterable {
        case unavailable, unwritable, corrupt, newerSchema, locked, full, other
    }

    /// Another account has this name.
    case nameTaken
    /// No account has this name, or its password is different.
    case wrongNameOrPassword
    /// Sign-in with this name failed too often. The next attempt is accepted after the given number of seconds.
    case tooManyAttempts(retryAfter: Double)
    /// The name is not allowed.
    case invalidName(reason: String)
    /// The password is not allowed.
    case invalidPassword(reason: String)
    /// The database could not be read or written. Nothing was changed.
    case storage(failure: StorageFailure, message: String)
}

extension AccountError: CustomStringConvertible {
    /// The error as a sentence.
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
