import ComponentKit

/// The classes that every host has.
enum HostClasses {
    static let own = [
        ServicesLink.provided, RoutesLink.provided, EventsLink.provided, ConfigurationLink.provided, PagesLink.provided,
        ResourcesLink.provided, CountersLink.provided, SchemasLink.provided, HostServiceLink.provided,
    ]

    /// Made once, since descriptors are never freed.
    static let bareHost = LinkedComponent.make(name: HostScan.hostName, version: "0.0.0", own)
}
