public import ComponentKit

/// A method of a class.
public struct SelectorDeclaration: Hashable, Sendable {
    /// A key of the payload and the type of its value.
    public struct Parameter: Hashable, Sendable {
        /// The key.
        public var name: String
        /// As the component's author writes it, as in "string".
        public var type: String

        /// - Parameters:
        ///   - name: the key.
        ///   - type: for people and tools.
        public init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }

    /// The name that callers use.
    public var name: String
    /// What it is called on: an object where the manifest does not say. A class may have two methods of
    /// one name, one of each kind.
    public var kind: SelectorKind
    /// In the order of the manifest.
    public var parameters: [Parameter]
    /// The type of the value it returns; nil when it returns none, or the manifest does not say.
    public var result: String?
    /// It never blocks: asynchronous callers may run it in place.
    public var isQuick: Bool
    /// It answers later.
    public var isAsync: Bool
    /// It does its work on the main thread: nobody on the main thread waits for it.
    public var isMainActor: Bool
    /// What it does, for people.
    public var summary: String?

    /// Name and kind: what tells it from the others of its class.
    var reference: SelectorReference { SelectorReference(name: name, kind: kind) }
}
