extension RoutingOptions {
    /// As MGJRouter: a longer URL matches the nearest pattern above it, the query is stronger than the path, the last
    /// registration of a pattern wins, and the query of a pattern, as in `mgj://detail?id=:id`, says where values come
    /// from.
    ///
    /// Not as MGJRouter: a literal is preferred to a placeholder whatever it begins with; the search for a nearest
    /// pattern also looks at shorter ones when the most specific beginning has none; a URL without a pattern cannot
    /// be opened; `://` in a value of the query is not a new URL; and values are always decoded.
    public static var mgjRouter: RoutingOptions {
        var options = RoutingOptions()
        options.syntax = RoutePattern.Syntax(readsQuery: true)
        options.unknownTail = .nearestAncestor
        options.duplicates = .lastWins
        options.precedence = [.query, .path, .payload]
        options.repeatedKeys = .last
        options.plus = .isPlus
        return options
    }

    /// As JLRoutes: the payload is stronger than the path, a plus sign is a space everywhere, a name without a value is
    /// dropped, a fragment may be a query, and a scheme with patterns of its own does not use those for any scheme.
    ///
    /// Not as JLRoutes: among routes of one priority the most specific one is preferred, and not the first; `*` stands
    /// only at the end of a pattern; a name ends at the first character that is not a letter, digit or underscore; a
    /// placeholder before `*` is never empty; schemes are compared without regard to case; a pattern without `#` also
    /// matches URLs with a path in their fragment; and the components of a literal are decoded.
    public static var jlRoutes: RoutingOptions {
        var options = RoutingOptions()
        options.fallsBackToAnyScheme = false
        options.duplicates = .firstWins
        options.precedence = [.payload, .path, .query]
        options.plus = .isSpace
        options.namesWithoutValue = .dropped
        options.readsFragmentAsQuery = true
        return options
    }

    /// As URLNavigator: the pattern with the most literal components wins, and only the path gives parameters. A query, a
    /// fragment and empty components in a pattern are ignored.
    ///
    /// Not as URLNavigator: scheme and host are compared without regard to case, patterns with equally many literals have
    /// an order that does not depend on dictionaries, and values are decoded.
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
    ///
    /// Not as HHRouter: the parameters do not have the URL itself as `route`, a value of the query continues after a
    /// second `=`, and a search goes back when a literal leads nowhere.
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

    /// As CTMediator reads queries: a name without a value is dropped, and the last value of a repeated name is used.
    /// ``TargetActionURL`` splits its URLs.
    ///
    /// Not as CTMediator: an item with a second `=` is not dropped, and values are decoded.
    public static var ctMediator: RoutingOptions {
        var options = RoutingOptions()
        options.hosts = .component
        options.precedence = [.path, .query, .payload]
        options.repeatedKeys = .last
        options.plus = .isPlus
        options.namesWithoutValue = .dropped
        return options
    }

    /// As Crossroad: patterns without a scheme are valid for the ``sources``, which are set in addition; a pattern for
    /// another source is refused, as is one that is there already; and names in the query are found without regard to
    /// case.
    ///
    /// Not as Crossroad: the most specific route is preferred, and not the first. A route that is valid for only some of
    /// the sources is written with its scheme.
    public static var crossroad: RoutingOptions {
        var options = RoutingOptions()
        options.refusesOtherSources = true
        options.duplicates = .firstWinsUnlessEqual
        options.precedence = [.path, .query, .payload]
        options.repeatedKeys = .first
        options.plus = .isPlus
        options.ignoresCaseOfNames = true
        return options
    }
}
