public import ComponentKit
public import Foundation

// The models of ComponentOwner's contract.

/// The owner of the addresses and companies.
@Model public struct OwnerProfile: Hashable, Sendable {
    /// The user's name; "Guest" for the guest.
    public var name: String
    /// Whether the owner is the guest.
    public var guest: Bool
    /// The reason why the owner is the guest: no user is signed in, or none can be. Nil for a user.
    public var reason: String?
    /// The user's account; nil for the guest.
    public var user: UUID?
    /// The number of addresses.
    public var addresses: Int
    /// The number of companies.
    public var companies: Int
}

/// A small square picture of the owner.
@Model public struct Portrait: Hashable, Sendable {
    /// The type, "image/svg+xml".
    public var mediaType: String
    /// The content of the file.
    public var data: Data
}

/// An address of the owner.
@Model public struct Address: Hashable, Sendable {
    /// A permanent identifier: the number of a deleted address is never reused.
    public var id: Int64
    /// The purpose of the address, as in "Home".
    public var label: String
    /// The street with the house number.
    public var street: String
    /// The city, with a district or region if needed.
    public var city: String
    /// The postal code, as written in that country.
    public var postalCode: String?
    /// The name of the country.
    public var country: String?
    /// When it was added.
    public var addedAt: Timestamp
}

/// A company that the owner works for.
@Model public struct Company: Hashable, Sendable {
    /// A permanent identifier: the number of a deleted company is never reused.
    public var id: Int64
    /// The name of the company.
    public var name: String
    /// The owner's position, as in "Engineer".
    public var position: String?
    /// The city of the company.
    public var city: String?
    /// The address of its website.
    public var website: String?
    /// When it was added.
    public var addedAt: Timestamp
}

/// A kind of item that an owner has.
@Model public enum OwnerItem: String, Hashable, Sendable {
    case address, company
}

/// A change to an owner's data. It is also an event, for all owners, posted without a session.
@Model @Event("org.hslink.owner/changed") public struct OwnerChange: Hashable, Sendable {
    /// A kind of change.
    @Model public enum Action: String, Hashable, Sendable {
        case added, changed, deleted
    }

    /// The kind of item that changed.
    public var item: OwnerItem
    /// The kind of change.
    public var action: Action
    /// The identifier of the address or company.
    public var id: Int64
}
