public import ComponentKit
public import Foundation

/// Whose addresses and companies there are.
@Model public struct OwnerProfile: Hashable, Sendable {
    /// The user's name; "Guest" for the guest.
    public var name: String
    /// Whether it is the guest's.
    public var guest: Bool
    /// Why it is the guest's: nobody is signed in, or why nobody can be. nil for a user's.
    public var reason: String?
    /// The user's account; nil for the guest.
    public var user: UUID?
    /// How many addresses there are.
    public var addresses: Int
    /// How many companies there are.
    public var companies: Int
}
