public import ComponentKit

/// A class of a component that others may call.
public struct ClassDeclaration: Hashable, Sendable {
    /// How the host keeps instances for object methods.
    public enum Instances: String, Hashable, Sendable, CaseIterable {
        /// One for all calls.
        case shared
        /// A new one for each call.
        case perCall
        /// One for each component that calls, and one for the host's own code.
        case perConsumer
    }

    /// The name that callers use.
    public var name: String
    /// `shared` where the manifest does not say.
    public var instances: Instances
    /// The names of the services that it provides.
    public var provides: [String] = []
    /// Its methods, in the order of the manifest; then those of its services that it does not list itself.
    public var selectors: [SelectorDeclaration]
    /// What it is for, for people.
    public var summary: String?

    /// The method of this name and kind; nil when the class declares none.
    public func selector(_ name: String, _ kind: SelectorKind) -> SelectorDeclaration? {
        selectors.first { $0.name == name && $0.kind == kind }
    }
}
