import Routing
import SystemSupport

extension ContractComparer {
    /// Compares the routes and the interceptors of two components: what a URL of the first opens, the second must open
    /// too, with the same selector.
    ///
    /// Routes of other patterns that match the same URL are not considered: neither new ones, nor the order that
    /// priorities give them.
    mutating func compareRoutes(_ old: Manifest, _ new: Manifest) {
        var offers = RouteOffers(PlacedRoute.all(of: new))
        for route in PlacedRoute.all(of: old) {
            let path = "\(route.path).routes"
            switch offers.take(for: route) {
            case .same(let other)?:
                var changes = route.route.changes(in: other.route)
                if let change = route.renaming(in: other) { changes.append((change, true)) }
                guard !changes.isEmpty else { continue }
                add(
                    changes.contains(where: \.isBreaking) ? .incompatible : .compatible, at: path,
                    change: changes.map(\.text).joined(separator: ", "), expected: route.route.line,
                    offered: other.route.line)
            case .elsewhere(let other)?:
                add(
                    .incompatible, at: path, change: "leads to another selector",
                    expected: "\(route.path): \(route.route.line)", offered: "\(other.path): \(other.route.line)")
            case nil: add(.incompatible, at: path, change: "removed", expected: route.route.line)
            }
        }
        for route in offers.added {
            add(.compatible, at: "\(route.path).routes", change: "new", offered: route.route.line)
        }
        compareInterceptors(old, new)
    }

    /// The host refuses a route with a tag that no interceptor has, so a tag that loses its interceptors closes routes,
    /// also those of other components.
    private mutating func compareInterceptors(_ old: Manifest, _ new: Manifest) {
        let offered = PlacedInterceptor.all(of: new)
        let expected = PlacedInterceptor.all(of: old)
        let guarded = Set(offered.flatMap(\.interception.tags))
        let offeredHere = Dictionary(firstOf: offered.map { ($0.selector, $0) })
        for item in expected {
            let path = "\(item.path).intercepts"
            let other = offeredHere[item.selector]
            let lost = item.interception.tags.filter { !guarded.contains($0) }
            // One without tags is asked about all routes, which one with tags does not replace.
            let isGone = item.interception.tags.isEmpty && other?.interception.tags.isEmpty != true
            if !lost.isEmpty {
                let tags = lost.joined(separator: ", ")
                add(
                    .incompatible, at: path,
                    change: "no interceptor has the \(lost.count == 1 ? "tag" : "tags") \(tags)",
                    expected: item.interception.line, offered: other?.interception.line)
            } else if isGone || other == nil {
                add(
                    isGone ? .incompatible : .compatible, at: path,
                    change: isGone ? "removed" : "other interceptors have its tags",
                    expected: item.interception.line, offered: other?.interception.line)
            } else if let other, item.interception != other.interception {
                add(
                    .compatible, at: path, change: "changed", expected: item.interception.line,
                    offered: other.interception.line)
            }
        }
        let known = Set(expected.map(\.selector))
        for item in offered where !known.contains(item.selector) {
            add(.compatible, at: "\(item.path).intercepts", change: "new", offered: item.interception.line)
        }
    }
}

/// A selector of a component.
private struct SelectorPlace: Hashable {
    let className: ExactText
    let selector: SelectorReference

    var path: String { "\(className).\(selector.name)" }
}

/// A route with the selector that it calls.
private struct PlacedRoute {
    let selector: SelectorPlace
    let route: RouteDeclaration
    let shape: RoutePattern.Shape
    /// The names of the placeholders, which are the keys of the call's payload.
    let names: [String]
    /// The declared parameters; empty if the selector reads its payload itself.
    let parameters: [String]

    var path: String { selector.path }

    func isWritten(as other: PlacedRoute) -> Bool { route.pattern.isExactly(other.route.pattern) }

    /// Returns that parts of a URL become other parameters in a route that matches the same URLs; nil if they do not. A
    /// parameter that the other selector does not have is a difference of the parameters.
    func renaming(in other: PlacedRoute) -> String? {
        let isSame = names.enumerated().allSatisfy { index, name in
            if names.count == other.names.count, other.names[index].isExactly(name) { return true }
            if names.count != other.names.count, other.names.containsExactly(name) { return true }
            return !other.parameters.isEmpty && !other.parameters.containsExactly(name)
        }
        return isSame ? nil : "other names of placeholders"
    }

    static func all(of manifest: Manifest) -> [PlacedRoute] {
        manifest.classes.flatMap { declaration in
            declaration.selectors.flatMap { selector in
                let place = SelectorPlace(className: ExactText(declaration.name), selector: selector.reference)
                let types = selector.parameters.map { RouteParameter($0, models: manifest.models) }
                return selector.routes.compactMap { route in
                    // The manifest has valid patterns only.
                    let pattern = try? RoutePattern(route.pattern).typed { name in
                        types.first { $0.name.isExactly(name) }?.placeholderType
                    }
                    return pattern.map {
                        PlacedRoute(
                            selector: place, route: route, shape: $0.shape, names: $0.placeholders.map(\.name),
                            parameters: selector.parameters.map(\.name))
                    }
                }
            }
        }
    }
}

private struct PlacedInterceptor {
    let selector: SelectorPlace
    let interception: InterceptionDeclaration

    var path: String { selector.path }

    static func all(of manifest: Manifest) -> [PlacedInterceptor] {
        manifest.classes.flatMap { declaration in
            declaration.selectors.compactMap { selector in
                selector.intercepts.map { interception in
                    PlacedInterceptor(
                        selector: SelectorPlace(className: ExactText(declaration.name), selector: selector.reference),
                        interception: interception)
                }
            }
        }
    }
}

/// The routes of the second component, to find those that stand for the routes of the first.
private struct RouteOffers {
    enum Match {
        /// Of the same selector.
        case same(PlacedRoute)
        case elsewhere(PlacedRoute)
    }

    private let routes: [PlacedRoute]
    private var ofSelector: [SelectorPlace: [Int]] = [:]
    private var ofShape: [RoutePattern.Shape: Int] = [:]
    private var taken: Set<Int> = []

    init(_ routes: [PlacedRoute]) {
        self.routes = routes
        for (index, route) in routes.enumerated() {
            ofSelector[route.selector, default: []].append(index)
            if ofShape[route.shape] == nil { ofShape[route.shape] = index }
        }
    }

    /// The routes that stand for none, in the order of the manifest.
    var added: [PlacedRoute] { routes.indices.filter { !taken.contains($0) }.map { routes[$0] } }

    /// Returns the route that matches the URLs of another one; nil if there is none.
    mutating func take(for route: PlacedRoute) -> Match? {
        let own = ofSelector[route.selector] ?? []
        // If a parameter has another type, the shape differs as well. That is a difference of the parameter.
        let index =
            own.first { routes[$0].isWritten(as: route) && routes[$0].route.priority == route.route.priority }
            ?? own.first { routes[$0].isWritten(as: route) }
            ?? own.first { routes[$0].shape.includes(route.shape) }
        if let index {
            taken.insert(index)
            return .same(routes[index])
        }
        guard let index = ofShape[route.shape] else { return nil }
        taken.insert(index)
        return .elsewhere(routes[index])
    }
}

extension RouteDeclaration {
    /// Returns what differs in a route that matches the same URLs, apart from the pattern.
    fileprivate func changes(in other: RouteDeclaration) -> [(text: String, isBreaking: Bool)] {
        var changes: [(text: String, isBreaking: Bool)] = []
        if isPublic, !other.isPublic { changes.append(("no longer public", true)) }
        if !isPublic, other.isPublic { changes.append(("now public", false)) }
        if isPublic, other.isPublic { changes += sourceChanges(in: other) }
        for tag in other.tags where !tags.contains(tag) { changes.append(("new tag \(tag)", true)) }
        for tag in tags where !other.tags.contains(tag) { changes.append(("without the tag \(tag)", false)) }
        if priority != other.priority { changes.append(("different priority", false)) }
        return changes
    }

    /// Returns what differs in the sources of two public routes.
    private func sourceChanges(in other: RouteDeclaration) -> [(text: String, isBreaking: Bool)] {
        if sources.isEmpty || other.sources.isEmpty {
            guard sources != other.sources else { return [] }
            let isNarrower = sources.isEmpty
            return [(isNarrower ? "no longer public for all sources" : "now public for all sources", isNarrower)]
        }
        return sources.filter { !other.sources.contains($0) }.map { ("no longer public for \($0)", true) }
            + other.sources.filter { !sources.contains($0) }.map { ("now public for \($0)", false) }
    }
}
