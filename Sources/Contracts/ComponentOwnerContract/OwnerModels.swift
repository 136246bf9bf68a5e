public import ComponentKit
public import Foundation

// What travels to and from ComponentOwner.

/// The owner of the addresses and companies.
@Model public struct OwnerProfile: Hashable, Sendable {
    /// The user's name; "Guest" for the guest.
    public var name: String
    /// Whether it is the guest's.
    public var guest: Bool
    /// Why it is the guest's: no user is signed in, or why none can be. nil for a user's.
    public var reason: String?
    /// The user's account; nil for the guest.
    public var user: UUID?
    /// How many addresses there are.
    public var addresses: Int
    /// How many companies there are.
    public var companies: Int
}

/// An address of the owner.
@Model public struct Address: Hashable, Sendable {
    /// Names it for ever: no other address gets the number of one that was deleted.
    public var id: Int64
    /// What it is for, as in "Home".
    public var label: String
    /// With the number.
    public var street: String
    /// With what belongs to it.
    public var city: String
    /// As it is written there.
    public var postalCode: String?
    /// Its name.
    public var country: String?
    /// When it was added.
    public var addedAt: Timestamp
}

/// A company that the owner works for.
@Model public struct Company: Hashable, Sendable {
    /// Names it for ever: no other company gets the number of one that was deleted.
    public var id: Int64
    /// Of the company.
    public var name: String
    /// What the owner is there, as in "Engineer".
    public var position: String?
    /// Where it is.
    public var city: String?
    /// Its address in the web.
    public var website: String?
    /// When it was added.
    public var addedAt: Timestamp
}

/// What an owner has.
@Model public enum OwnerItem: String, Hashable, Sendable {
    case address, company
}

/// Something that happened to an owner's data.
@Model public struct OwnerChange: Hashable, Sendable {
    /// What happens.
    @Model public enum Action: String, Hashable, Sendable {
        case added, deleted
    }

    /// To what.
    public var item: OwnerItem
    /// What happened.
    public var action: Action
    /// The identifier of the address or company.
    public var id: Int64
}
