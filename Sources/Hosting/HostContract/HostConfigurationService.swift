public import ComponentKit

/// What is configured for the components of a host: its class `hslink.Configuration`. A component reads its own
/// configuration with `ComponentContext`.
///
/// The function may be called from any thread, and loads no component. It throws a `LinkError`.
@LinkService("org.hslink.host.configuration/1", kind: .class)
public protocol HostConfigurationService: Sendable {
    /// Returns the configuration of all components, without secrets.
    func sections() throws -> ConfigurationReport
}

/// What is configured for the components of a host.
@Model(.sparse) public struct ConfigurationReport: Hashable, Sendable {
    /// The host's environment: "dev", "test", "stage" or "prod".
    public var environment: String
    /// Where values come from, in the order in which they are looked up.
    public var sources: [String]
    /// Why the configuration cannot be read.
    public var error: String?
    /// The components that declare a configuration, or for which there is one. The host's own section, which disables
    /// components, is that of the component "host".
    public var sections: [ConfigurationSectionRow]
    /// Sections of components that are not there.
    public var warnings: [String] = []
}

/// What is configured for a component.
@Model(.sparse) public struct ConfigurationSectionRow: Hashable, Sendable {
    /// The name of the component.
    public var component: String
    /// The declared keys in the order of the model, then the others that are configured.
    public var keys: [ConfigurationKeyRow]
    /// Why the component cannot read its configuration.
    public var errors: [String] = []
    /// What is probably a mistake but has no effect.
    public var warnings: [String] = []
}

/// A key of a configuration.
@Model(.sparse) public struct ConfigurationKeyRow: Hashable, Sendable {
    /// The key, with dots between its parts.
    public var key: String
    /// The declared type with its default, as in "Int = 10"; nil if the component does not declare the key.
    public var type: String?
    /// The value, which is never null; nil if none is configured, or if it must not be shown, as that of a key that is
    /// not declared.
    public var value: Payload?
    /// The file, the environment variable or another place of the value; nil if none is configured.
    public var from: String?
    /// Whether the value must not be shown.
    public var secret: Bool = false
}
