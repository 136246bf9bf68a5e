public import ComponentKit

/// Where a component stands in its host.
public enum ComponentState: Sendable {
    /// Listed, not loaded yet: the first call loads it.
    case available
    /// In memory and running.
    case loaded
    /// Cannot be loaded, for this reason, until it is tried again.
    case failed(LinkError)
    /// Another file provides the same component in the same version or a higher one.
    case shadowed(by: String)
    /// Stopped with the host.
    case stopped
}

extension ComponentState: CustomStringConvertible {
    /// One word, as the command line prints it.
    public var description: String {
        switch self {
        case .available: "available"
        case .loaded: "loaded"
        case .failed: "failed"
        case .shadowed: "shadowed"
        case .stopped: "stopped"
        }
    }
}
