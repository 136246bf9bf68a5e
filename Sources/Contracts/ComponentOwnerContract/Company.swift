public import ComponentKit

/// Where somebody works.
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
