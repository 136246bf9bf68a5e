public import ComponentKit

/// What EMAccount offers: people sign up with a name and a password, and one at a time is signed in.
///
/// A host has one session for each data directory; it outlives the host. On a command line give the password as
/// `password=@?` or `password=@-`, so that the list of processes does not show it. All functions throw ``AccountError``, or a
/// `LinkError` where the component is not there.
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
