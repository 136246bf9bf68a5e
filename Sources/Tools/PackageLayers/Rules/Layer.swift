/// A layer of an application, highest first. A target depends on lower layers only.
package enum Layer: String, Sendable, Hashable, CaseIterable {
    /// Programs, and the libraries that they host components with.
    case host
    /// Business components.
    case component
    /// The protocols and models through which components use each other.
    case contract
    /// Libraries that components share, and wrappers around third-party code.
    case common
    /// Libraries below the common layer; ComponentKit.
    case base
    /// Code from elsewhere: other packages, system libraries and binaries.
    case thirdParty

    /// The name in text for people.
    package var title: String { self == .thirdParty ? "third party" : rawValue }

    /// The height. Contracts and the common layer are at the same height: each may use the other.
    var height: Int {
        switch self {
        case .host: 4
        case .component: 3
        case .contract, .common: 2
        case .base: 1
        case .thirdParty: 0
        }
    }
}
