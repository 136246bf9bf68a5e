/// How a table matches URLs and reads their parameters. Static properties such as ``mgjRouter`` are the options that make
/// a table behave like another router.
public struct RoutingOptions: Sendable {
    /// Whether the host of a URL is the first component of the path for patterns that do not name a host themselves,
    /// such as `/video/:id`.
    public enum Hosts: Hashable, Sendable {
        /// A host is, unless it has a dot or a colon (a port) or is `localhost`: `studio://video/7` and
        /// `https://example.com/video/7` both have the path `/video/7`.
        case componentUnlessDomain
        /// Every host is: `https://example.com/video/7` has the path `/example.com/video/7`.
        case component
        /// No host is: `studio://video/7` has the path `/7`.
        case ignored
    }

    /// What happens to a URL that continues where no pattern does.
    public enum UnknownTail: Hashable, Sendable {
        /// It has no match.
        case refused
        /// If no pattern matches it completely, it matches the one that goes furthest along its path. That pattern has at
        /// least one component, or names the scheme.
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
        /// Adding it fails.
        case refused
        /// It replaces the earlier one. An earlier pattern with optional groups remains for the URLs that the new one
        /// does not match.
        case lastWins
        /// It is tried after the earlier one.
        case firstWins
        /// It is refused if its placeholders have the same names, and else tried after the earlier one.
        case firstWinsUnlessEqual
    }

    /// Where a parameter's value comes from.
    public enum ParameterSource: Hashable, Sendable {
        /// The placeholders of the pattern.
        case path
        /// What the caller gives beside the URL.
        case payload
        /// The items of the query.
        case query
    }

    /// The value of a name that is repeated in the query.
    public enum RepeatedKeys: Hashable, Sendable {
        /// A list of all values in their order.
        case array
        /// The last value.
        case last
        /// The first value.
        case first
    }

    /// The meaning of a plus sign in values. In literal components it is always a plus sign.
    public enum Plus: Hashable, Sendable {
        /// A plus sign everywhere.
        case isPlus
        /// A space in the query, as in HTML forms; a plus sign in the path.
        case isSpaceInQuery
        /// A space everywhere.
        case isSpace
    }

    /// What happens to a name without `=` in the query.
    public enum NamesWithoutValue: Hashable, Sendable {
        /// It is an item without a value, whose parameter is an empty text.
        case kept
        /// It is left out.
        case dropped
    }

    /// Converts a decoded text to a value; returns nil for a text that is not a value of the type. It is called for each
    /// URL that may match, on the thread that asks the table, and must always return the same value for the same text.
    public typealias Converter = @Sendable (_ text: String) -> RouteValue?

    /// What patterns may contain in addition to the standard. Default: nothing.
    public var syntax = RoutePattern.Syntax()
    /// Default: ``Hosts/componentUnlessDomain``.
    public var hosts = Hosts.componentUnlessDomain
    /// The URLs for which patterns without a scheme are valid, as their beginnings: `studio://` for all URLs of a scheme,
    /// whose hosts are then components, or `https://example.com`, whose host is then not a component. Empty, the default:
    /// all URLs, and ``hosts`` applies.
    public var sources: [URLSource] = []
    /// Whether a pattern that names a scheme is refused if there are ``sources`` and it begins with none of them.
    /// Default: false.
    public var refusesOtherSources = false
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
    /// Whether names in the query are found without regard to case; see ``RouteMatch/parameters(_:names:)``.
    /// Default: false.
    public var ignoresCaseOfNames = false
    /// Whether a fragment such as `#a=b&c=d` is read like a query, after it. Default: false.
    public var readsFragmentAsQuery = false
    /// The types that patterns use in addition to those of ``ValueType``, by their names. Default: none.
    public var converters: [String: Converter] = [:]
    /// The length of the longest URL that is looked up, in bytes. Default: 65,536.
    public var lengthLimit = 65_536
    /// The number of query items that a URL may have. Default: 1,000.
    public var itemLimit = 1_000

    /// The defaults that the properties name.
    public init() {}
}
