public import ComponentKit

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
