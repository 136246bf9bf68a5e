/// A type whose values travel in payloads.
public struct ModelDeclaration: Hashable, Sendable {
    /// A key of the map that a value travels as, and the type behind it.
    public typealias Field = SelectorDeclaration.Parameter

    /// One of an enum's cases.
    public struct Case: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// What comes with it; unlabelled values are called `_0`, `_1`, …
        public var values: [Field]
        /// What a raw enum's case travels as, numbers in decimal; nil in others, and where the note does not say.
        public var rawValue: String?

        /// - Parameters:
        ///   - name: as written.
        ///   - values: what comes with it.
        ///   - rawValue: of a raw enum's case; nil when it is not known.
        public init(name: String, values: [Field] = [], rawValue: String? = nil) {
            self.name = name
            self.values = values
            self.rawValue = rawValue
        }
    }

    /// What the type consists of.
    public enum Content: Hashable, Sendable {
        /// A struct: a map of its fields.
        case fields([Field])
        /// An enum; `raw` is the type of its raw values, nil when it has none.
        case cases([Case], raw: String?)
    }

    /// The Swift module that it stands in.
    public var module: String
    /// As in "User"; of a type inside another `Outer.Inner`.
    public var name: String
    /// What it consists of.
    public var content: Content
    /// Whether it is an error that methods throw.
    public var isError: Bool
}
