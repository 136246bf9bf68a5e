/// How a table matches URLs and reads their parameters. The sets of other routers are static properties, such as
/// ``mgjRouter``.
public struct RoutingOptions: Sendable {
    /// Whether the host of a URL is the first component of the path for patterns that do not name a host themselves,
    /// such as `/video/:id`.
    public enum Hosts: Hashable, Sendable {
        /// A host with a dot, a colon (a port) or the name `localhost` is not: `studio://video/7` and
        /// `https://example.com/video/7` both have the path `/video/7`.
        case componentUnlessDomain
        case component
        case ignored
    }

    /// What happens to a URL that goes on where no pattern does.
    public enum UnknownTail: Hashable, Sendable {
        /// It has no match.
        case refused
        /// It matches the pattern that goes furthest along its path, and at least names its scheme.
        case nearestAncestor
    }

    /// The order of several patterns that match, after their priorities.
    public enum Preference: Hashable, Sendable {
        /// Component by component from the left: a literal, then a typed placeholder, then an untyped one, then `*`.
        case leftmostLiteral
        /// The most literal components; then as above.
        case mostLiterals
    }

    /// What happens when a pattern is added that the table has already, with the same priority.
    public enum Duplicates: Hashable, Sendable {
        case refused
        /// It replaces the earlier one.
        case lastWins
        /// It is tried after the earlier one.
        case firstWins
        /// It is refused if its placeholders have the same names, and else tried after the earlier one.
        case firstWinsUnlessEqual
    }

    /// Where a parameter's value comes from.
    public enum ParameterSource: Hashable, Sendable {
        case path
        /// The caller's payload.
        case payload
        case query
    }

    /// The value of a key that is repeated in the query.
    public enum RepeatedKeys: Hashable, Sendable {
        /// An array of all values in their order.
        case array
        case last
        case first
    }

    /// The meaning of a plus sign.
    public enum Plus: Hashable, Sendable {
        /// A plus sign everywhere.
        case isPlus
        /// A space in the query, as in forms of HTML; a plus sign in the path.
        case isSpaceInQuery
        case isSpace
    }

    /// What becomes of a name without `=` in the query.
    public enum NamesWithoutValue: Hashable, Sendable {
        /// An empty text; true for a parameter that is a boolean.
        case kept
        case dropped
    }

    /// Converts a decoded text to a value; nil if it is no value of the type.
    public typealias Converter = @Sendable (_ text: String) -> RouteValue?

    /// What patterns may contain besides the standard. Default: nothing.
    public var syntax = RoutePattern.Syntax()
    /// Default: ``Hosts/componentUnlessDomain``.
    public var hosts = Hosts.componentUnlessDomain
    /// The URLs for which patterns without a scheme are valid, as their beginnings: `studio://` for all of a scheme,
    /// whose hosts are then components, or `https://example.com`, whose host is then none. Empty, the default: any.
    public var sources: [URLSource] = []
    /// Whether patterns without a scheme are also tried for a scheme that has patterns of its own. Default: true.
    public var fallsBackToAnyScheme = true
    /// Default: ``UnknownTail/refused``.
    public var unknownTail = UnknownTail.refused
    /// Default: ``Preference/leftmostLiteral``.
    public var preference = Preference.leftmostLiteral
    /// Default: ``Duplicates/refused``.
    public var duplicates = Duplicates.refused
    /// The sources of parameters, strongest first; one that is left out is not used. Default: path, payload, query.
    public var precedence: [ParameterSource] = [.path, .payload, .query]
    /// Default: ``RepeatedKeys/array``.
    public var repeatedKeys = RepeatedKeys.array
    /// Default: ``Plus/isSpaceInQuery``.
    public var plus = Plus.isSpaceInQuery
    /// Default: ``NamesWithoutValue/kept``.
    public var namesWithoutValue = NamesWithoutValue.kept
    /// Whether names and values of the query are percent-decoded. Default: true.
    public var decodesQuery = true
    /// Whether a parameter is found in the query without regard to case. Default: false.
    public var ignoresCaseOfNames = false
    /// Whether a fragment such as `#a=b&c=d` is read like a query, after it. Default: false.
    public var readsFragmentAsQuery = false
    /// The types that patterns use besides those of ``ValueType``, by their names. Default: none.
    public var converters: [String: Converter] = [:]
    /// The longest URL that is looked up, in bytes. Default: 65,536.
    public var lengthLimit = 65_536
    /// The number of query items that a URL may have. Default: 1,000.
    public var itemLimit = 1_000

    /// The defaults that the properties name.
    public init() {}
}

// What each of these routers does is in its documentation and its tests.
extension RoutingOptions {
    /// As MGJRouter: a longer URL matches the nearest pattern above it, the query is stronger than the path, the last
    /// registration of a pattern wins.
    public static var mgjRouter: RoutingOptions {
        var options = RoutingOptions()
        options.unknownTail = .nearestAncestor
        options.duplicates = .lastWins
        options.precedence = [.query, .path, .payload]
        options.repeatedKeys = .last
        options.plus = .isPlus
        return options
    }

    /// As JLRoutes: the payload is stronger than the path, a plus sign is a space everywhere, a fragment may be a query,
    /// and a scheme with patterns of its own does not use those for any scheme.
    public static var jlRoutes: RoutingOptions {
        var options = RoutingOptions()
        options.fallsBackToAnyScheme = false
        options.duplicates = .firstWins
        options.precedence = [.payload, .path, .query]
        options.plus = .isSpace
        options.readsFragmentAsQuery = true
        return options
    }

    /// As URLNavigator: the most literal components win, and only the path gives parameters. Patterns are normalised.
    public static var urlNavigator: RoutingOptions {
        var options = RoutingOptions()
        options.syntax = RoutePattern.Syntax(ignoresQueryAndFragment: true, ignoresEmptyComponents: true)
        options.hosts = .component
        options.preference = .mostLiterals
        options.duplicates = .lastWins
        options.precedence = [.path, .payload]
        options.repeatedKeys = .last
        options.plus = .isPlus
        return options
    }

    /// As HHRouter: the host is a component, the payload is strongest, and the query is not decoded.
    public static var hhRouter: RoutingOptions {
        var options = RoutingOptions()
        options.hosts = .component
        options.duplicates = .lastWins
        options.precedence = [.payload, .query, .path]
        options.repeatedKeys = .last
        options.plus = .isPlus
        options.namesWithoutValue = .dropped
        options.decodesQuery = false
        return options
    }

    /// As CTMediator reads queries: a name without value is dropped, and the last value of a repeated key is used.
    public static var ctMediator: RoutingOptions {
        var options = RoutingOptions()
        options.hosts = .component
        options.precedence = [.path, .query, .payload]
        options.repeatedKeys = .last
        options.plus = .isPlus
        options.namesWithoutValue = .dropped
        return options
    }

    /// As Crossroad: patterns without a scheme are valid for the sources, which are set in addition, and names in the
    /// query are found without regard to case.
    public static var crossroad: RoutingOptions {
        var options = RoutingOptions()
        options.duplicates = .firstWinsUnlessEqual
        options.precedence = [.path, .query, .payload]
        options.repeatedKeys = .first
        options.plus = .isPlus
        options.ignoresCaseOfNames = true
        return options
    }
}

/// The beginning of URLs for which patterns without a scheme are valid; see ``RoutingOptions/sources``.
public struct URLSource: Hashable, Sendable, CustomStringConvertible {
    /// The scheme in lower case.
    public let scheme: String
    /// The host in lower case; nil for any host, which is then the first component of the path.
    public let host: String?

    /// - Parameter prefix: such as `studio://`, or `https://example.com`.
    /// - Returns: Nil if it has no scheme, or a path or query.
    public init?(_ prefix: String) {
        let span = prefix.utf8Span.span
        let split = SplitURL(span)
        guard let scheme = split.scheme, split.query.isEmpty, split.fragment == nil,
            split.path.isEmpty || split.path.count == 1 && span[split.path.lowerBound] == UInt8(ascii: "/")
        else { return nil }
        self.scheme = span.text(scheme).lowercased()
        host = split.host.isEmpty ? nil : span.text(split.host).lowercased()
    }

    public var description: String { "\(scheme)://\(host ?? "")" }
}
