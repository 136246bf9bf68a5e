package import ComponentKit
package import ManifestRules
import Routing
import SystemSupport

/// A route of a selector: opening a URL that matches the pattern calls the selector, with the placeholders and the query
/// items as the payload.
///
///     "routes": [{"pattern": "studio://video/:id", "public": true, "tags": ["signed-in"], "priority": 5}]
public struct RouteDeclaration: Hashable, Sendable {
    /// The pattern as the component's author wrote it. It is a valid one.
    public let pattern: String
    /// Whether the route can be opened from outside the process.
    public let isPublic: Bool
    /// The only sources outside that may open the route; empty for all if it is public.
    public let sources: [String]
    /// The words that interceptors select routes by.
    public let tags: [String]
    /// The order among routes that match the same URL: the route with the highest priority is tried first. Otherwise
    /// the most specific pattern is.
    public let priority: Int

    package init(
        pattern: String, isPublic: Bool = false, sources: [String] = [], tags: [String] = [], priority: Int = 0
    ) {
        self.pattern = pattern
        self.isPublic = isPublic
        self.sources = sources
        self.tags = tags
        self.priority = priority
    }
}

/// The declaration that a selector is an interceptor. Hosts ask it before they open a route. It takes one parameter, a
/// `RouteRequest`, and returns a `RouteDecision`.
///
///     "intercepts": {"priority": 100, "tags": ["signed-in"]}
public struct InterceptionDeclaration: Hashable, Sendable {
    /// The order among interceptors: the one with the highest priority is asked first.
    public let priority: Int
    /// The interceptor is asked about routes that have at least one of these tags; about all routes if it is empty.
    public let tags: [String]

    package init(priority: Int = 0, tags: [String] = []) {
        self.priority = priority
        self.tags = tags
    }
}

extension RouteDeclaration {
    /// The route in one line, as in `studio://video/:id [public, tag signed-in, priority 5]`.
    package var line: String {
        let sources = sources.isEmpty ? "" : " for \(sources.joined(separator: " and "))"
        return pattern + RouteDeclaration.marks(isPublic ? ["public\(sources)"] : [], tags: tags, priority: priority)
    }

    fileprivate static func marks(_ marks: [String], tags: [String], priority: Int) -> String {
        let marks = marks + tags.map { "tag \($0)" } + (priority == 0 ? [] : ["priority \(priority)"])
        return marks.isEmpty ? "" : " [\(marks.joined(separator: ", "))]"
    }
}

extension InterceptionDeclaration {
    /// The declaration in one line, as in `intercepts routes with a tag [tag signed-in, priority 100]`.
    package var line: String {
        let which = tags.isEmpty ? "all routes" : "routes with a tag"
        return "intercepts \(which)\(RouteDeclaration.marks([], tags: tags, priority: priority))"
    }
}

extension RouteDeclaration {
    /// Reads a route without checking its pattern.
    ///
    /// Unlike elsewhere, an unknown key is an error even in a file that was built with a later header: what a later
    /// version adds to a route may restrict who can open it.
    ///
    /// - Throws: `PayloadError` if any other part of it is invalid.
    private init(_ json: Payload) throws(PayloadError) {
        pattern = try json.string("pattern")
        (isPublic, sources) = try json.routeAccess()
        tags = try json.routeTags()
        priority = try json.declaredPriority()
        try json.refuseKeys(besides: .route)
    }

    /// Reads the routes of a selector, and leaves out those that are not valid, so that one mistake does not cost a
    /// component its other selectors.
    ///
    /// - Parameters:
    ///   - json: The selector.
    ///   - parameters: The parameters of the selector.
    /// - Returns: The valid routes, and for each of the others why it was left out, with its path in the selector.
    static func routes(
        of json: Payload, _ parameters: [SelectorDeclaration.Parameter]
    ) -> (routes: [RouteDeclaration], errors: [PayloadError]) {
        guard let list = json["routes"], !list.isNull else { return ([], []) }
        var routes: [RouteDeclaration] = []
        var errors: [PayloadError] = []
        var known: Set<RouteKey> = []
        do throws(PayloadError) {
            for (index, item) in try list.items().enumerated() {
                guard index < RouteRules.maximumRoutes else {
                    throw PayloadError(expected: "at most \(RouteRules.maximumRoutes) routes", found: "\(list.count)")
                }
                do throws(PayloadError) {
                    let route = try RouteDeclaration(item)
                    let pattern = try route.checked(against: parameters)
                    guard known.insert(RouteKey(shape: pattern.shape, priority: route.priority)).inserted else {
                        throw PayloadError(
                            path: ["pattern"], expected: "a pattern that no earlier route of the selector has",
                            found: route.pattern.quoted())
                    }
                    routes.append(route)
                } catch {
                    errors.append(error.within(.index(index)).within(.key("routes")))
                }
            }
        } catch {
            errors.append(error.within(.key("routes")))
        }
        return (routes, errors)
    }

    /// Returns the pattern with the types of the parameters.
    ///
    /// - Throws: `PayloadError` if it is not a pattern, or has a placeholder that is not a parameter. A selector without
    ///   parameters may just not declare them.
    private func checked(against parameters: [SelectorDeclaration.Parameter]) throws(PayloadError) -> RoutePattern {
        let pattern: RoutePattern
        do throws(RoutePatternError) {
            pattern = try RoutePattern(self.pattern)
        } catch {
            throw PayloadError(
                path: ["pattern"], expected: "a route pattern (at byte \(error.offset): \(error.message))",
                found: self.pattern.quoted())
        }
        let missing = pattern.placeholders.map(\.name).first { name in
            !name.isEmpty && !parameters.contains { $0.name.isExactly(name) }
        }
        if let missing, !parameters.isEmpty {
            let names = parameters.map(\.name).joined(separator: ", ")
            throw PayloadError(
                path: ["pattern"], expected: "placeholders that are parameters (\(names))", found: missing.quoted())
        }
        for placeholder in pattern.placeholders {
            guard let written = parameters.first(where: { $0.name.isExactly(placeholder.name) })?.type,
                let expected = placeholder.parameterExpected(insteadOf: RouteParameterType(written))
            else { continue }
            throw PayloadError(
                path: ["pattern"], expected: "\(expected) for the placeholder \(placeholder.name.quoted())",
                found: "the parameter's type \(written.quoted())")
        }
        return pattern.typed { name in
            guard let type = parameters.first(where: { $0.name.isExactly(name) })?.type else { return nil }
            return RouteParameterType(type).placeholder.map { ValueType(name: $0) }
        }
    }
}

extension RoutePattern.Placeholder {
    /// Returns what a parameter must be to take the values of the placeholder; nil if this type does, or is not one that
    /// the host knows. The macro has the same rules.
    fileprivate func parameterExpected(insteadOf type: RouteParameterType) -> String? {
        let takesSeveral = isRest && self.type != .path
        if takesSeveral { return type.isArray ? nil : "an array" }
        if type.isArray { return "one value" }
        guard let own = self.type?.description, self.type != .path else { return nil }
        if case .custom = self.type { return nil }
        if case .other = type.element, !type.element.isText { return nil }
        return type.accepts(placeholder: own) ? nil : "a type that takes what <\(own)> matches"
    }
}

/// What two routes of a selector must not have in common.
private struct RouteKey: Hashable {
    let shape: RoutePattern.Shape
    let priority: Int
}

extension InterceptionDeclaration {
    /// Reads the declaration of an interceptor; nil if the selector is not one.
    ///
    /// - Parameter json: The selector.
    /// - Throws: `PayloadError` if any part of it is invalid. The whole manifest is refused then, unlike for a route: if
    ///   a guard were left out, what it guards would be open.
    init?(of json: Payload) throws(PayloadError) {
        guard let map = json["intercepts"], !map.isNull else { return nil }
        (priority, tags) = try PayloadError.within("intercepts") { () throws(PayloadError) in
            _ = try map.entries()
            try map.refuseKeys(besides: .interception)
            return (try map.declaredPriority(), try map.routeTags())
        }
    }
}

extension RouteRules {
    /// - Throws: `PayloadError` if a manifest could not have these tags of a route or an interceptor.
    package static func check(tags: [String]) throws(PayloadError) {
        try check(tags, .routeTag, called: "tag", most: maximumTags)
    }

    /// - Throws: `PayloadError` if a manifest could not limit a route to these sources.
    package static func check(sources: [String]) throws(PayloadError) {
        try check(sources, .routeSource, called: "source", most: maximumSources)
    }

    private static func check(
        _ words: [String], _ rule: TextRule, called noun: String, most: Int
    ) throws(PayloadError) {
        guard words.count <= most else {
            throw PayloadError(expected: "at most \(most) \(noun)s", found: "\(words.count)")
        }
        for (index, word) in words.enumerated() {
            guard rule.allows(word) else {
                throw PayloadError(path: [.index(index)], expected: rule.expected, found: word.quoted())
            }
            guard !words[..<index].contains(word) else {
                throw PayloadError(
                    path: [.index(index)], expected: "each \(noun) once", found: "\(word.quoted()) again")
            }
        }
    }

    /// - Throws: `PayloadError` if a manifest could not have this priority.
    static func check(priority: Int) throws(PayloadError) {
        guard priorities.contains(priority) else {
            throw PayloadError(path: ["priority"], expected: expectedPriority, found: "\(priority)")
        }
    }
}

extension Payload {
    /// Reads who may open a route from outside: a flag, or a list of sources.
    fileprivate func routeAccess() throws(PayloadError) -> (isPublic: Bool, sources: [String]) {
        guard self["public"]?.kind == .array else { return (try boolIfPresent("public") ?? false, []) }
        let sources = try list("public") { (item) throws(PayloadError) in try item.string() }
        try PayloadError.within("public") { () throws(PayloadError) in
            guard !sources.isEmpty else { throw PayloadError(expected: "at least one source", found: "none") }
            try RouteRules.check(sources: sources)
        }
        return (true, sources)
    }

    fileprivate func routeTags() throws(PayloadError) -> [String] {
        let tags = try list("tags") { (item) throws(PayloadError) in try item.string() }
        try PayloadError.within("tags") { () throws(PayloadError) in try RouteRules.check(tags: tags) }
        return tags
    }

    func declaredPriority() throws(PayloadError) -> Int {
        let priority = try intIfPresent("priority") ?? 0
        try RouteRules.check(priority: priority)
        return priority
    }

    func refuseKeys(besides known: KnownKeys) throws(PayloadError) {
        guard let key = firstKey(where: { !known.contains($0) }) else { return }
        throw PayloadError(expected: known.expected(for: key), found: "the key \(key.quoted())")
    }
}

extension Manifest {
    /// The routes that were left out because they are not valid, each with the reason, as in
    /// `VideoLink.open: routes[1].pattern: expected …`.
    package var routeProblems: [String] {
        classes.flatMap { declaration in
            declaration.selectors.flatMap { selector in
                selector.routeProblems.map { "\(declaration.name).\(selector.name): \($0)" }
            }
        }
    }
}
