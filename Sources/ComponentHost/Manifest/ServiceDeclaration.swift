public import ComponentKit

/// A service: a protocol that classes of several components may provide, known by its own name.
public struct ServiceDeclaration: Hashable, Sendable {
    /// The name that consumers and providers agree on, as in "com.example.account/1".
    public var name: String
    /// The Swift module that the protocol stands in.
    public var module: String
    /// The protocol, as in "AccountService"; of one inside another type `Outer.Inner`.
    public var protocolName: String
    /// What every provider answers to, in the order of the note.
    public var selectors: [SelectorDeclaration]
    /// The type of what the service is made with; nil when it is made without anything.
    public var arguments: String?

    /// The selector of this name and kind; nil when the service has none.
    public func selector(_ name: String, _ kind: SelectorKind) -> SelectorDeclaration? {
        selectors.first { $0.name == name && $0.kind == kind }
    }
}
