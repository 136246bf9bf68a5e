import SystemSupport

/// A pattern of URLs, with placeholders for the parts that vary.
///
/// | written                          | matches                                                                      |
/// |----------------------------------|------------------------------------------------------------------------------|
/// | `studio://video/list`            | this URL; scheme and host without regard to case, the path with it           |
/// | `https://example.com/a`          | the same for a web address                                                   |
/// | `/video/:id`, `video/:id`        | URLs of any scheme, and URLs without one; see ``RoutingOptions/hosts``       |
/// | `studio:/video`                  | URLs of this scheme; whether the host is part of the path is as above        |
/// | `:id`, `<id>`                    | one component of the path, as text                                           |
/// | `:id<int>`, `<int:id>`           | one component that is a number; see ``ValueType`` for the types              |
/// | `:id.html`                       | one component that ends in `.html`; the value is what comes before           |
/// | `*`, `*rest`                     | all remaining components, also none; only at the end                         |
/// | `<path:rest>`, `:rest<path>`     | all remaining components, at least one, as one text                          |
/// | `/:id(/comments(/:page))`        | also without what is in parentheses                                          |
/// | `/user#/view/:id`                | a path within the fragment                                                   |
///
/// A slash at the end makes no difference, and an empty host does not count: `studio:///video` is `studio://video`. Text
/// may be percent-encoded; a character that has a meaning in patterns must be, as in `%3Aname`.
public struct RoutePattern: Hashable, Sendable, CustomStringConvertible {
    /// A part of a pattern that varies.
    public struct Placeholder: Hashable, Sendable {
        /// The name of the parameter; empty for `:` and `*` without a name.
        public let name: String
        /// The type of the value; nil if the pattern does not give one.
        public let type: ValueType?
        /// Whether it takes several components: `*name` gives an array, ``ValueType/path`` a text.
        public let isRest: Bool
        /// Whether it is in an optional group, so that the pattern also matches without it.
        public let isOptional: Bool
    }

    /// What a pattern may contain in addition to what the table above shows.
    public struct Syntax: Hashable, Sendable {
        /// Whether a query and a plain fragment, such as `?a=b` and `#top`, are ignored instead of refused.
        public var ignoresQueryAndFragment: Bool
        /// Whether empty components, as in `a//b`, are ignored instead of refused.
        public var ignoresEmptyComponents: Bool
        /// Whether a query such as `?film=:id` is read instead of refused: the value of the item `film` is that of the
        /// placeholder `id`. A URL matches with and without the item, and one that is made from the pattern has it.
        /// Counts only where a query is not ignored.
        public var readsQuery: Bool

        /// - Parameters:
        ///   - ignoresQueryAndFragment: Whether a query and a plain fragment are ignored instead of refused.
        ///   - ignoresEmptyComponents: Whether empty components are ignored instead of refused.
        ///   - readsQuery: Whether a query of placeholders is read instead of refused.
        public init(
            ignoresQueryAndFragment: Bool = false, ignoresEmptyComponents: Bool = false, readsQuery: Bool = false
        ) {
            self.ignoresQueryAndFragment = ignoresQueryAndFragment
            self.ignoresEmptyComponents = ignoresEmptyComponents
            self.readsQuery = readsQuery
        }
    }

    /// The pattern as it was written.
    public let text: String
    /// The placeholders of the path in the order in which they are written.
    public let placeholders: [Placeholder]
    /// The number of patterns without optional groups that this one stands for.
    package var variantCount: Int { variants.count }
    /// The pattern without optional groups: one for each combination of them, longest first.
    let variants: [PatternVariant]

    /// Parses a pattern.
    ///
    /// - Parameters:
    ///   - text: the pattern, at most 2,048 bytes, 64 components and 6 optional groups.
    ///   - syntax: what it may contain in addition to the standard.
    /// - Throws: `RoutePatternError` with the place and what is wrong there.
    public init(_ text: String, syntax: Syntax = Syntax()) throws(RoutePatternError) {
        self.text = text
        variants = try PatternExpansion(text).variants(syntax: syntax)
        var placeholders: [Placeholder] = []
        for element in variants[0].elements {
            guard let placeholder = element.placeholder else { continue }
            let isOptional = variants.contains { variant in
                !variant.elements.contains { $0.placeholder?.name.isExactly(placeholder.name) ?? false }
            }
            placeholders.append(
                Placeholder(
                    name: placeholder.name, type: placeholder.type, isRest: placeholder.isRest, isOptional: isOptional))
        }
        self.placeholders = placeholders
    }

    /// Returns the pattern with types for placeholders that have none, such as those of a function's parameters.
    ///
    /// - Parameter type: returns the type of a placeholder by its name; nil for one that remains text.
    public func typed(_ type: (_ placeholder: String) -> ValueType?) -> RoutePattern {
        RoutePattern(
            text: text,
            placeholders: placeholders.map {
                Placeholder(
                    name: $0.name, type: $0.type ?? ($0.isRest ? nil : type($0.name)), isRest: $0.isRest,
                    isOptional: $0.isOptional)
            },
            variants: variants.map { $0.typed(type) })
    }

    private init(text: String, placeholders: [Placeholder], variants: [PatternVariant]) {
        self.text = text
        self.placeholders = placeholders
        self.variants = variants
    }

    /// The scheme in lower case; nil for a pattern that is valid for any scheme.
    public var scheme: String? { variants[0].scheme }

    /// What the pattern matches, whatever its placeholders are called. Two patterns with the same shape are one
    /// pattern.
    public var shape: Shape { Shape(variants: Set(variants.map(\.withoutNames))) }

    /// What a pattern matches, without the names of its placeholders.
    public struct Shape: Hashable, Sendable {
        let variants: Set<PatternVariant>

        /// Whether this one is the other with more optional groups, or the same.
        package func includes(_ other: Shape) -> Bool { variants.isSuperset(of: other.variants) }
    }

    /// The pattern as it was written.
    public var description: String { text }

    /// Compares what patterns match and what their placeholders are called, not how they are written.
    public static func == (one: RoutePattern, other: RoutePattern) -> Bool { one.variants == other.variants }

    /// Hashes what the patterns are compared by.
    public func hash(into hasher: inout Hasher) { hasher.combine(variants) }
}

/// The reason why a string is not a pattern.
public struct RoutePatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, as in `expected a name after "<"`.
    public let message: String
    /// Where, in bytes of the UTF-8 text from its beginning.
    public let offset: Int

    /// The message with the offset.
    public var description: String { "\(message) (at byte \(offset))" }
}

/// A pattern without optional groups.
struct PatternVariant: Hashable, Sendable {
    /// In lower case; nil for any scheme.
    var scheme: String?
    /// Whether the first component is the host, as in `studio://host/path`, whatever the options say about hosts.
    var beginsWithHost: Bool
    var elements: [PatternElement]
    /// Which items of the query give the values of placeholders. They do not matter for what matches.
    var query: [QueryPlaceholder] = []

    var withoutNames: PatternVariant {
        var copy = self
        copy.elements = elements.map(\.withoutName)
        copy.query = []
        return copy
    }

    func typed(_ type: (String) -> ValueType?) -> PatternVariant {
        var copy = self
        copy.elements = elements.map { element in
            guard case .placeholder(let name, nil, let suffix) = element, let type = type(name) else { return element }
            return .placeholder(name: name, type: type, suffix: suffix)
        }
        return copy
    }
}

/// A placeholder in the query of a pattern.
struct QueryPlaceholder: Hashable, Sendable {
    /// The name of the item, decoded.
    let item: String
    /// The name of the placeholder.
    let name: String
}

/// A component of a pattern.
enum PatternElement: Hashable, Sendable {
    /// Decoded bytes.
    case literal([UInt8])
    /// One component that ends in `suffix` (decoded bytes, often none).
    case placeholder(name: String, type: ValueType?, suffix: [UInt8])
    /// All components that are left: as one text of at least one (`path`), or as an array.
    case rest(name: String, isPath: Bool)
    /// The beginning of a path within the fragment.
    case fragment

    var placeholder: (name: String, type: ValueType?, isRest: Bool, canBeEmpty: Bool)? {
        switch self {
        case .literal, .fragment: nil
        case .placeholder(let name, let type, _): (name, type, false, false)
        case .rest(let name, let isPath): (name, isPath ? .path : nil, true, !isPath)
        }
    }

    var withoutName: PatternElement {
        switch self {
        case .literal, .fragment: self
        case .placeholder(_, let type, let suffix):
            .placeholder(name: "", type: type == .string ? nil : type, suffix: suffix)
        case .rest(_, let isPath): .rest(name: "", isPath: isPath)
        }
    }
}
