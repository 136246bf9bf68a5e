/// Where a host runs, for components that behave differently there, such as one that talks to a test system.
///
/// The host decides: `hslink run --environment stage`, or `HostOptions.environment` in a program of your own.
public enum DeploymentEnvironment: String, Sendable, Hashable, CaseIterable {
    /// On a developer's machine.
    case dev
    /// In automated tests.
    case test
    /// In a system for trials that resembles production.
    case stage
    /// In production; the default.
    case prod
}
