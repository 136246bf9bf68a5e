import ComponentCatalog
import ComponentKit

/// The classes that every host has.
enum HostClasses {
    static let own = HostFeatures.types.flatMap { $0.classes }

    /// Made once, since descriptors are never freed.
    static let bareHost = LinkedComponent.make(name: HostScan.hostName, version: "0.0.0", own)
}

extension LinkHost {
    /// The classes that every host has, with their selectors and the parameters of those that a service describes.
    package static let ownClasses = HostScan.declarations(of: HostClasses.own)
}
