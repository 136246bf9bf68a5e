@testable import Routing

extension RouterCase {
    /// The options of the case's dialect, changed as the case says.
    ///
    /// - Throws: A `CaseError` that names the dialect or option if it is unknown.
    func routingOptions() throws -> RoutingOptions {
        var options = try dialectOptions()
        for (name, given) in self.options { try set(name, given.value, in: &options) }
        for (name, table) in converters { options.converters[name] = table.convert }
        return options
    }

    private func dialectOptions() throws -> RoutingOptions {
        switch dialect {
        case "mgj": .mgjRouter
        case "jlroutes": .jlRoutes
        case "urlnavigator", "urlnavigator-query": .urlNavigator
        case "hhrouter": .hhRouter
        case "crossroad": .crossroad
        case "ctmediator": .ctMediator
        // It behaves as the defaults do.
        case "zik": RoutingOptions()
        default: throw CaseError("unknown dialect \(dialect)")
        }
    }

    private func set(_ name: String, _ value: RouteValue, in options: inout RoutingOptions) throws {
        switch (name, value) {
        case ("accepting", .list(let sources)):
            options.sources += try sources.map { text in
                guard let source = URLSource(text) else { throw CaseError("\"\(text)\" is no source of URLs") }
                return source
            }
        case ("host_as_path", .boolean(let isComponent)):
            options.hosts = isComponent ? .component : .componentUnlessDomain
        case ("decode_plus", .boolean(let isSpace)): options.plus = isSpace ? .isSpace : .isPlus
        case ("fallback", .boolean(let falls)): options.fallsBackToAnyScheme = falls
        case ("fallback", .list(let schemes)): options.fallsBackToAnyScheme = !schemes.isEmpty
        case ("match_exactly", .boolean(let isExact)): options.unknownTail = isExact ? .refused : .nearestAncestor
        // Each table is an instance of its own.
        case ("instance", .text("new")): break
        default: throw CaseError("unknown option \(name), or an unknown value of it: \(value)")
        }
    }
}
