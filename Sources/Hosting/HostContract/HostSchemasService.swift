public import ComponentKit

/// The methods of components as JSON Schema describes them, for programs in other languages: the host's class
/// `hslink.Schemas`.
///
/// The function may be called from any thread, and loads no component. It throws a `LinkError`.
@LinkService("org.hslink.host.schemas/1", kind: .class)
public protocol HostSchemasService: Sendable {
    /// Returns the methods that others call: all but handlers of events, page modules and interceptors.
    ///
    /// - Parameter references: what references to definitions begin with; "#/$defs/" if nil.
    @Selector(.strict) func all(references: String?) throws -> MethodSchemas
}

/// Methods, and the models that their schemas refer to.
@Model public struct MethodSchemas: Hashable, Sendable {
    /// Sorted by component, class and selector.
    public var methods: [MethodSchema]
    /// The schemas of models by the names that references use.
    public var definitions: [String: Payload]
}

/// A method. Its schemas are those of the JSON that `Payload` reads and writes; an empty map is anything.
@Model(.sparse) public struct MethodSchema: Hashable, Sendable {
    /// The component.
    public var component: String
    /// The class.
    public var `class`: String
    /// The selector.
    public var selector: String
    /// "object" or "class".
    public var kind: String
    /// What the method does, in a sentence; nil if the author does not say.
    public var summary: String?
    /// The schema of the payload.
    public var parameters: Payload
    /// The schema of the answer.
    public var result: Payload
}
