public import ComponentKit

/// The data that ``OwnerService`` returns now belongs to another owner, because a user has signed in or out. That is so in
/// one session, which a handler finds in `Session.current`.
@Model @Event("org.hslink.owner/switched") public struct OwnerSwitched: Hashable, Sendable {
    /// The user's name; "Guest" for the guest.
    public var name: String
    /// Whether the owner is the guest.
    public var guest: Bool
}
