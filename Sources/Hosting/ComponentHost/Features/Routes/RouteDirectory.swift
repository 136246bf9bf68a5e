import ComponentCatalog
import ComponentKit
import ManifestRules
import Routing
import SystemSupport

/// The target of a URL.
final class RouteTarget: Sendable {
    /// How the route is called: a selector of a class, or a closure of the host's.
    let call: CallTarget
    let pattern: String
    /// The component that has the selector; empty for the program's own classes and closures.
    let component: String
    let access: RouteAccess
    let tags: [String]
    let priority: Int
    /// The parameters of the selector; nil if it reads its payload itself.
    let parameters: [RouteParameter]?
    /// Whether the URLs name a target and an action, and `call` is not used.
    let isTargetAction: Bool

    init(
        _ call: CallTarget, pattern: String, component: String, access: RouteAccess, tags: [String], priority: Int,
        parameters: [RouteParameter]?, isTargetAction: Bool = false
    ) {
        self.isTargetAction = isTargetAction
        self.call = call
        self.pattern = pattern
        self.component = component
        self.access = access
        self.tags = tags
        self.priority = priority
        self.parameters = parameters
    }

    var kind: SelectorKind {
        if case .named(_, _, let kind) = call { kind } else { .object }
    }
}

/// An interceptor, which is asked before a route is opened.
struct RouteInterceptor: Sendable {
    let call: CallTarget
    /// The key of the request in the payload; nil for a closure, whose payload is the request.
    let parameter: String?
    let priority: Int
    /// The tags of the routes that it is asked for; empty for all routes.
    let tags: [String]
    /// Of a closure; 0 for a declared one.
    let number: UInt64
    /// Why it cannot be asked, so that all that it decides about is refused; nil if it can.
    var problem: String?

    /// Whether it is asked for a route with these tags.
    func isAsked(for tags: [String]) -> Bool { self.tags.isEmpty || self.tags.contains(where: tags.contains) }
}

/// An immutable snapshot of all routes, interceptors and redirects of a host. Replaced as a whole.
final class RouteDirectory: Sendable {
    let table: RouteTable<RouteTarget>
    let options: RoutingOptions
    /// In the order in which they are asked.
    let interceptors: [RouteInterceptor]
    /// Patterns of URLs, and the patterns of the URLs that are opened instead.
    let redirects: RouteTable<RoutePattern>
    let hasRedirects: Bool
    /// Whether URLs of routes without tags are opened without asking anything.
    let isDirect: Bool
    /// The closure for URLs that no route matches.
    let unhandled: LinkObject?
    /// The declared routes that are not in the table, in the order of their components.
    let refused: [RefusedRoute]

    init(
        table: RouteTable<RouteTarget>, interceptors: [RouteInterceptor], redirects: RouteTable<RoutePattern>,
        unhandled: LinkObject?, refused: [RefusedRoute]
    ) {
        self.table = table
        options = table.options
        hasRedirects = redirects.count > 0
        isDirect = redirects.count == 0 && interceptors.allSatisfy { !$0.tags.isEmpty }
        self.interceptors = interceptors
        self.redirects = redirects
        self.unhandled = unhandled
        self.refused = refused
    }
}

/// A route that a component declares and the host does not use.
public struct RefusedRoute: Hashable, Sendable {
    /// The pattern; for one that cannot be read, its place in the manifest.
    public let pattern: String
    /// The component that declares it.
    public let component: String
    /// The class that declares it.
    public let className: String
    /// The selector that declares it.
    public let selector: String
    /// Why it is not used, with the route that it is in conflict with.
    public let reason: String
}

/// The routes and interceptors that the manifests of components declare.
struct DeclaredRoutes {
    private(set) var table: RouteTable<RouteTarget>
    private(set) var interceptors: [RouteInterceptor] = []
    private(set) var refused: [RefusedRoute] = []
    /// The number of patterns of the component that is being read.
    private var patterns = 0

    /// - Parameter units: the components; of two that declare the same route, the first gets it.
    init(_ units: [ComponentUnit], options: RoutingOptions) {
        table = RouteTable(options: options)
        // Calls go to the first component that has the class.
        var owners: [ExactText: String] = [:]
        for unit in units {
            let component = unit.isHost ? "" : unit.name
            patterns = 0
            for declaration in unit.manifest.classes {
                let owner = owners[ExactText(declaration.name)]
                if owner == nil { owners[ExactText(declaration.name)] = unit.isHost ? "the program" : unit.name }
                for selector in declaration.selectors {
                    if let owner {
                        displace(selector, of: declaration.name, component, by: owner)
                    } else {
                        add(selector, of: declaration.name, component, models: unit.manifest.models)
                    }
                }
            }
        }
    }

    /// Refuses the routes of a class whose name another component has, and all that its interceptors decide about.
    private mutating func displace(
        _ selector: SelectorDeclaration, of className: String, _ component: String, by owner: String
    ) {
        let reason = "the class \(className) of \(owner) is called instead"
        for route in selector.routes {
            refused.append(
                RefusedRoute(
                    pattern: route.pattern, component: component, className: className, selector: selector.name,
                    reason: reason))
        }
        if let intercepts = selector.intercepts {
            interceptors.append(
                RouteInterceptor(
                    call: .named(className: className, selector: selector.name, selector.kind), parameter: nil,
                    priority: intercepts.priority, tags: intercepts.tags, number: 0,
                    problem: "the interceptor \(className).\(selector.name) of \(component) cannot be asked: \(reason)")
            )
        }
    }

    private mutating func add(
        _ selector: SelectorDeclaration, of className: String, _ component: String, models: [ModelDeclaration]
    ) {
        let call = CallTarget.named(className: className, selector: selector.name, selector.kind)
        for problem in selector.routeProblems {
            refused.append(
                RefusedRoute(
                    pattern: "", component: component, className: className, selector: selector.name, reason: problem))
        }
        if let intercepts = selector.intercepts {
            interceptors.append(
                RouteInterceptor(
                    call: call, parameter: selector.parameters.first?.name ?? "request",
                    priority: intercepts.priority, tags: intercepts.tags, number: 0))
        }
        guard !selector.routes.isEmpty else { return }
        let parameters = selector.parameters.map { RouteParameter($0, models: models) }
        for route in selector.routes {
            let target = RouteTarget(
                call, pattern: route.pattern, component: component,
                access: RouteAccess(isPublic: route.isPublic, sources: route.sources), tags: route.tags,
                priority: route.priority, parameters: parameters.isEmpty ? nil : parameters)
            do {
                let pattern = try RoutePattern(route.pattern, syntax: table.options.syntax).typed { name in
                    parameters.first { $0.name.isExactly(name) }?.placeholderType
                }
                patterns += pattern.variantCount
                guard patterns <= RouteRules.maximumPatterns else {
                    throw PayloadError(
                        expected: "at most \(RouteRules.maximumPatterns) patterns in a component", found: "more")
                }
                try table.add(pattern, priority: route.priority, target)
            } catch {
                refused.append(
                    RefusedRoute(
                        pattern: route.pattern, component: component, className: className, selector: selector.name,
                        reason: reason(error)))
            }
        }
    }

    private func reason(_ error: any Error) -> String {
        guard let conflict = error as? RouteConflict else { return "\(error)" }
        guard case .duplicate(_, let identity) = conflict.reason, let owner = table.value(of: identity) else {
            return "\(conflict)"
        }
        return "\(conflict), a route of \(owner.place)"
    }
}

extension RouteTarget {
    /// Where the route is declared, for messages.
    var place: String {
        guard !isTargetAction, case .named(let className, let selector, _) = call else { return "the program" }
        return component.isEmpty ? "\(className).\(selector)" : "\(className).\(selector) in \(component)"
    }
}
