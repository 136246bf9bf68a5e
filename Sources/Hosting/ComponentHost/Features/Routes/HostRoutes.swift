import ComponentCatalog
public import ComponentKit
import ManifestRules
import Routing
import SystemSupport

/// The routes of a host: those that its components declare, and what the program adds at run time.
///
///     let debug = try host.routes.add("studio://debug/:page") { request in try page(request.parameters) }
///     debug.remove()                                                  // after this, the closure is not called any more
///     let guarding = host.routes.intercept(priority: 10) { request in isOpen ? .pass : .refuse(reason: "closed") }
///     try host.routes.setRedirects(["studio://film/:id": "studio://video/:id"])
///     for route in host.routes.all { print(route.pattern, route.className, route.component) }
///
/// All functions may be called from any thread.
public struct HostRoutes: Sendable {
    let core: HostCore
    let feature: RouteFeature

    /// Adds a route that a closure of the program's answers, until it is removed.
    ///
    /// - Parameters:
    ///   - pattern: the pattern of the URLs; see `RoutePattern`.
    ///   - access: whether it can be opened from outside the program: `true` for every source that the host allows, or
    ///     the names of the only sources that may, as in `["browser"]`.
    ///   - tags: the tags by which interceptors select it.
    ///   - priority: higher ones are tried first, before all other rules of the order.
    ///   - handler: receives the URL and its parameters, and returns the answer. It may throw `RouteDeclined` to let
    ///     the next best route be tried. It runs on threads of the host, and may run several times at once.
    /// - Returns: the registration that removes it.
    /// - Throws: `LinkError` with code `payloadMismatch` for an invalid pattern, source or tag, or if there is such a route;
    ///   with code `stopped` once the host has stopped.
    @discardableResult
    public func add<Value: PayloadConvertible & Sendable>(
        _ pattern: String, public access: RouteAccess = false, tags: [String] = [], priority: Int = 0,
        _ handler: @escaping @Sendable (_ request: RouteRequest) async throws -> Value
    ) throws(LinkError) -> Registration {
        let gate = ClosureGate()
        let closure = Link(core).asyncClosure { payload in
            try await gate.run {
                try await RouteRequest.run(payload, handler)
            } otherwise: {
                throw RouteDeclined("the route has been removed")
            }
        }
        return try register(gate, as: "the route \(pattern.quoted(limit: 200))") {
            RouteTarget(
                .object(try closure.object(), selector: ""), pattern: pattern, component: "", access: access,
                tags: tags, priority: priority, parameters: nil)
        }
    }

    /// Adds a route of the program's until it is removed.
    ///
    /// - Parameter name: what the error calls it.
    private func register(
        _ gate: ClosureGate, as name: @autoclosure () -> String, target makeTarget: () throws -> RouteTarget
    ) throws(LinkError) -> Registration {
        do throws(any Error) {
            let target = try makeTarget()
            let pattern = try RoutePattern(target.pattern, syntax: feature.options.matching.syntax)
            try RouteRules.check(tags: target.tags)
            try RouteRules.check(sources: target.access.sources)
            let number = try feature.registry.add(pattern, target)
            return Registration(gate: gate) { [registry = feature.registry] in registry.removeRoute(number) }
        } catch let error as LinkError {
            throw error
        } catch {
            throw LinkError(.payloadMismatch, message: "\(name()): \(error)")
        }
    }

    /// Opens URLs of the form `scheme://target/action?name=value` by target and action, as
    /// `LinkHost.perform(target:action:_:timeout:)` does, until it is removed. Routes that match such a
    /// URL come first. The items of the query, and what is passed beside the URL, are the parameters.
    ///
    /// Every method of every component can then be called by a URL. Leave it to URLs from inside, or let an interceptor
    /// with a tag decide: its request names the target as the class, and the action as the selector.
    ///
    /// - Parameters:
    ///   - scheme: the scheme of the URLs.
    ///   - access: whether such URLs can be opened from outside the program, as for a route.
    ///   - tags: the tags by which interceptors select the URLs.
    /// - Returns: the registration that removes it.
    /// - Throws: `LinkError` with code `payloadMismatch` for an invalid scheme, source or tag, or if the program has done so
    ///   already; with code `stopped` once the host has stopped.
    @discardableResult
    public func addTargetActions(
        scheme: String, public access: RouteAccess = false, tags: [String] = []
    ) throws(LinkError) -> Registration {
        try register(ClosureGate(), as: "the scheme \(scheme.quoted(limit: 200))") {
            RouteTarget(
                .named(className: "", selector: "", .object), pattern: "\(scheme)://:target/*action", component: "",
                access: access, tags: tags, priority: 0, parameters: nil, isTargetAction: true)
        }
    }

    /// Adds a closure that is asked before routes are opened, as selectors with `@Intercepts` are.
    ///
    /// - Parameters:
    ///   - priority: higher ones are asked first.
    ///   - tags: the tags of the routes that it is asked for; empty for all routes.
    ///   - interceptor: receives the request, and decides.
    /// - Returns: the registration that removes it.
    @discardableResult
    public func intercept(
        priority: Int = 0, tags: [String] = [],
        _ interceptor: @escaping @Sendable (_ request: RouteRequest) async throws -> RouteDecision
    ) -> Registration {
        let gate = ClosureGate()
        let closure = Link(core).asyncClosure { payload in
            try await gate.run {
                try await RouteRequest.run(payload, interceptor)
            } otherwise: {
                // An opening that began before the removal must not pass a guard that is gone.
                tags.isEmpty ? .pass : .refuse(reason: "the interceptor has been removed")
            }
        }
        // A closure is always an object. Without one, the routes would be refused.
        let object = try? closure.object()
        let call = object.map { CallTarget.object($0, selector: "") } ?? .named(className: "", selector: "", .object)
        let number = feature.registry.add { number in
            RouteInterceptor(
                call: call, parameter: nil, priority: priority, tags: tags, number: number)
        }
        return Registration(gate: gate) { [registry = feature.registry] in registry.removeInterceptor(number) }
    }

    /// Replaces all redirects: the URLs of each pattern open what the other pattern makes of their parameters. What the
    /// other pattern has no placeholder for becomes an item of its query.
    ///
    /// - Throws: `LinkError` with code `payloadMismatch` for an invalid pattern, a pattern that occurs twice, and for
    ///   a placeholder that the first pattern does not have. The former redirects then remain.
    public func setRedirects(_ redirects: [String: String]) throws(LinkError) {
        var table = RouteTable<RoutePattern>(options: feature.options.matching)
        for (from, to) in redirects.sorted(by: { $0.key < $1.key }) {
            do throws(any Error) {
                let pattern = try RoutePattern(from, syntax: table.options.syntax)
                let target = try RoutePattern(to, syntax: table.options.syntax)
                let names = Set(pattern.placeholders.map { ExactText($0.name) })
                if let missing = target.placeholders.first(where: {
                    !$0.isOptional && !$0.isRest && !names.contains(ExactText($0.name))
                }) {
                    throw LinkError(.payloadMismatch, message: "the first has no placeholder \"\(missing.name)\"")
                }
                try table.add(pattern, target)
            } catch {
                throw LinkError(
                    .payloadMismatch,
                    message: "the redirect from \(from.quoted(limit: 200)) to \(to.quoted(limit: 200)): \(error)")
            }
        }
        feature.registry.setRedirects(table)
    }

    /// Sets the closure for a URL that no route matches; its answer becomes that of the opening. Nil, the default: the
    /// opening fails with ``ComponentKit/LinkError/Code/routeNotFound``.
    public func setUnhandled<Value: PayloadConvertible & Sendable>(
        _ handler: (@Sendable (_ request: RouteRequest) async throws -> Value)?
    ) {
        let closure = handler.map { handler in
            Link(core).asyncClosure { payload in try await RouteRequest.run(payload, handler) }
        }
        feature.registry.setUnhandled(closure.flatMap { try? $0.object() })
    }

    /// Makes the URL of a declared route: that of the selector's first route with a scheme, or else of its first.
    ///
    /// - Parameters:
    ///   - className: the class that has the selector.
    ///   - selector: the selector.
    ///   - kind: whether the selector is called on an instance or on the class.
    ///   - parameters: a map of strings, numbers, bools and arrays of these. Those that the pattern has no placeholder
    ///     for become items of the query.
    /// - Throws: `LinkError` with code `routeNotFound` if the selector has no route, or `payloadMismatch` if a
    ///   placeholder has no value, or a value cannot be part of a URL.
    public func url(
        for className: String, _ selector: String, _ parameters: Payload = .null, kind: SelectorKind = .object
    ) throws(LinkError) -> String {
        guard let listed = core.registry.listed(className) else {
            throw core.registry.missingClass(className, selector)
        }
        let declaration = listed.entry.declaration.selector(selector, kind)
        let types = (declaration?.parameters ?? []).map { RouteParameter($0, models: listed.unit.manifest.models) }
        let patterns = (declaration?.routes ?? []).compactMap { route in
            try? RoutePattern(route.pattern, syntax: feature.options.matching.syntax).typed { name in
                types.first { $0.name.isExactly(name) }?.placeholderType
            }
        }
        guard let pattern = patterns.first(where: { $0.scheme != nil }) ?? patterns.first else {
            throw LinkError(
                .routeNotFound, message: "the selector has no route", className: className, selector: selector)
        }
        return try pattern.url(parameters)
    }

    /// All routes, sorted by their patterns.
    public var all: [RouteInfo] {
        feature.registry.snapshot.value.table.routes.map { RouteInfo($0.value, in: core) }
            .sorted { ($0.pattern, $1.priority) < ($1.pattern, $0.priority) }
    }

    /// The routes that components declare and the host does not use, with the reasons.
    public var refused: [RefusedRoute] { feature.registry.snapshot.value.refused }
}

extension RoutePattern {
    /// Makes a URL from a map.
    fileprivate func url(_ parameters: Payload) throws(LinkError) -> String {
        var values: [String: RouteValue] = [:]
        for (key, value) in (try? parameters.entries()) ?? [] where !value.isNull {
            guard let converted = RouteValue(value) else {
                throw LinkError(
                    .payloadMismatch, message: "a URL cannot contain the value of \"\(key)\", a \(value.kind)")
            }
            values[key] = converted
        }
        do throws(RouteURLParameterError) {
            return try url(values)
        } catch {
            throw LinkError(.payloadMismatch, message: "\(self): \(error)")
        }
    }
}

extension RouteValue {
    /// Nil for a value that has no form as text.
    fileprivate init?(_ value: Payload) {
        switch value.kind {
        case .string: self = .text((try? value.value()) ?? "")
        case .int: self = .integer((try? value.value()) ?? 0)
        case .uint: self = .unsigned((try? value.value()) ?? 0)
        case .double: self = .float((try? value.value()) ?? 0)
        case .bool: self = .boolean((try? value.value()) ?? false)
        case .array:
            var texts: [String] = []
            for index in 0..<value.count {
                guard let item = value[index].flatMap(RouteValue.init), item.texts.count == 1 else { return nil }
                texts += item.texts
            }
            self = .list(texts)
        default: return nil
        }
    }
}

extension HostRoutes {
    /// Returns the routes of the host that a method of the host's own classes is called in.
    static func of(_ context: ComponentContext?) throws(LinkError) -> HostRoutes {
        let core = try HostCore.of(context)
        return HostRoutes(core: core, feature: core.feature(RouteFeature.self))
    }
}
