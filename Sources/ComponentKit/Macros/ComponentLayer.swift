/// Where a component stands: upper layers may depend on lower ones.
public enum ComponentLayer: String, Sendable, Hashable, CaseIterable {
    /// What all share.
    case base
    /// Wrappers of third parties, common services.
    case common
    /// Business that other business needs, as accounts.
    case weakBusiness
    /// Business on its own; components of this layer do not need each other.
    case business
    /// The program itself.
    case host
}
