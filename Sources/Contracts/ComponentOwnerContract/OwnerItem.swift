public import ComponentKit

/// What an owner has.
@Model public enum OwnerItem: String, Hashable, Sendable {
    case address, company
}
