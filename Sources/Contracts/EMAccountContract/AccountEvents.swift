public import ComponentKit

/// A user has signed in. If another user was signed in before, there was no ``SignedOut``.
@Model @Event("org.hslink.account/signedIn") public struct SignedIn: Hashable, Sendable {
    /// The user who is signed in now.
    public var user: User
}

/// A user has signed out, and no user is signed in.
@Model @Event("org.hslink.account/signedOut") public struct SignedOut: Hashable, Sendable {
    /// The user who was signed in.
    public var user: User
}
