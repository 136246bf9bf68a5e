import ComponentKit

/// A class that says it provides a service.
struct ServiceOffer: Sendable {
    let service: String
    let component: String
    let version: Version
    let className: String
    /// What its file was compiled with.
    let contract: Contract
    /// Nil when another file stands for the component's name.
    let unit: ComponentUnit?
    /// Why it is out of the question, whatever its component's state.
    let exclusion: LinkError?
    /// The path of the file that stands for the component's name in its place.
    let shadowing: String?

    /// Why it cannot be had now; nil when it can, as far as is known without loading it.
    var obstacle: LinkError? {
        if let exclusion { return exclusion }
        switch unit?.currentState {
        case .failed(let error): return error
        case .stopped: return LinkError(.stopped, component: component)
        case .available, .loading, .loaded, nil: return nil
        }
    }

    /// For messages, as in "EMAccount 1.2.0".
    var owner: String { unit?.isHost == true ? "the host" : "\(component) \(version)" }

    /// Where its component stands.
    var state: ComponentState {
        if let shadowing { return .shadowed(by: shadowing) }
        if let exclusion { return .failed(exclusion) }
        return unit?.publicState ?? .stopped
    }
}
