/// The rules for routes and interceptors in a manifest, besides those for their texts: the syntax of patterns is
/// `RoutePattern`'s, and tags have a ``TextRule``.
package enum RouteRules {
    /// The largest number of routes of one selector.
    package static let maximumRoutes = 64

    /// The largest number of tags of one route or interceptor.
    package static let maximumTags = 16

    /// The priorities of routes and interceptors. Higher ones come first; the default is 0.
    package static let priorities = -1_000_000...1_000_000

    /// A description of ``priorities``, to follow the word "expected".
    package static let expectedPriority = "an integer from -1000000 to 1000000"

    /// Returns the type of a placeholder in a pattern, such as "int", that accepts the same texts as a parameter of a
    /// Swift type, such as `Int` or `Int?`; nil if the placeholder accepts any text.
    package static func placeholderType(ofParameter type: String) -> String? {
        var name = type[...]
        if name.hasPrefix("Swift.") { name = name.dropFirst("Swift.".count) }
        if name.hasPrefix("Foundation.") { name = name.dropFirst("Foundation.".count) }
        if name.hasSuffix("?") { name = name.dropLast() }
        return switch name {
        case "Int", "Int8", "Int16", "Int32", "Int64": "int"
        case "UInt", "UInt8", "UInt16", "UInt32", "UInt64": "uint"
        case "Double", "Float": "float"
        case "Bool": "bool"
        case "UUID": "uuid"
        default: nil
        }
    }
}
