public import ComponentKit

/// Where somebody can be found.
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
