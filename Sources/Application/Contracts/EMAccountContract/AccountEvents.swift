public import ComponentKit

/// A user has signed in, in the session that a handler finds in `Session.current`. If another user was signed in there
/// before, there was no ``SignedOut``.
@Model @Event("org.hslink.account/signedIn") public struct SignedIn: Hashable, Sendable {
    /// The user who is signed in now.
    public var user: User
}

/// A user has signed out, and no user is signed in in the session that a handler finds in `Session.current`.
@Model @Event("org.hslink.account/signedOut") public struct SignedOut: Hashable, Sendable {
    /// The user who was signed in.
    public var user: User
}
