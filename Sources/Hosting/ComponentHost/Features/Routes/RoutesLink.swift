import CHSLink
import ComponentKit
import HostContract
import Routing
import SystemSupport

/// The host's own class `hslink.Routes`, with which components in any language, and programs outside, open URLs.
/// Swift code uses `Link` of ComponentKit, and `HostRoutesServiceClient` of `HostContract` to list the routes.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `open` | `{"url": "studio://video/7", "payload": {…}, "source": "browser"}` | what the selector answers |
/// | `canOpen` | `{"url": …, "source": …}` | whether something opens it |
/// | `route` | `{"url": …, "source": …}` | what opens it, as in `routes`; null if nothing does |
/// | `routes` | nothing | `{"routes": [{"pattern", "class", "selector", "component", …}], "refused": […]}` |
/// | `explain` | `{"url": …, "source": …}` | which routes match, in their order, and why others do not; for the first also its parameters, the interceptors that are asked, and what is wrong with them |
/// | `url` | `{"class": "VideoLink", "selector": "open", "parameters": {"id": 7}}` | the URL |
///
/// `payload` is what is passed beside the URL, and may be missing. With `source`, the URL counts as one from outside the
/// program, and reaches only routes that are marked public. Only `open` loads components.
final class RoutesLink: LinkClass, HostRoutesService {
    static let provided = ProvidedClass(RoutesLink.self, name: Link.routesClass)

    static let services = [HostRoutesServiceClient.__service.name]

    static let methods: [LinkMethod<RoutesLink>] = {
        var methods = opening
        methods.__add(HostRoutesServiceTable<RoutesLink>.methods)
        return methods
    }()

    private let hostRoutes: HostRoutes

    init(_ context: ComponentContext) throws { hostRoutes = try HostRoutes.of(context) }

    func routes() -> RouteList {
        RouteList(
            routes: hostRoutes.all.map { RouteRow($0) }, refused: hostRoutes.refused.map { UnusedRouteRow($0) })
    }

    /// By hand: ComponentKit calls these, which cannot use the contract, and a source that is null is refused, which an
    /// optional parameter would take for none.
    private static let opening: [LinkMethod<RoutesLink>] = [
        .asyncClassMethod("open") { payload, call -> Payload in
            let routes = try HostRoutes.of(call.context)
            let (url, origin) = try request(payload, besides: ["payload"])
            return try await routes.openAndAwait(
                url, payload["payload"] ?? .null, from: origin, deadline: call.deadline)
        },
        .classMethod("canOpen", quick: true) { payload, call -> Payload in
            let routes = try HostRoutes.of(call.context)
            let (url, origin) = try request(payload.copy())
            return .bool(routes.canOpen(url, origin))
        },
        .classMethod("route", quick: true) { payload, call -> Payload in
            let routes = try HostRoutes.of(call.context)
            let (url, origin) = try request(payload.copy())
            return routes.info(for: url, origin)?.payload ?? .null
        },
        .classMethod("explain") { payload, call -> Payload in
            let routes = try HostRoutes.of(call.context)
            let (url, origin) = try request(payload.copy())
            return routes.explanation(of: url, origin)
        },
        .classMethod("url") { payload, call -> Payload in
            let payload = try payload.copy()
            try payload.refuseKeys(besides: ["class", "selector", "kind", "parameters"])
            let routes = try HostRoutes.of(call.context)
            let written = try payload.stringIfPresent("kind") ?? SelectorKind.object.rawValue
            guard let kind = SelectorKind(rawValue: written) else {
                throw PayloadError(path: ["kind"], expected: "object or class", found: written.quoted())
            }
            return .string(
                try routes.url(
                    for: payload.string("class"), payload.string("selector"), payload["parameters"] ?? .null,
                    kind: kind))
        },
    ]

    private static func request(
        _ payload: Payload, besides keys: [String] = []
    ) throws(PayloadError) -> (url: String, RouteOrigin) {
        // With a misspelt "source", a URL from outside would count as one from inside.
        try payload.refuseKeys(besides: ["url", "source"] + keys)
        // A source that is null has not been checked.
        let source = payload["source"] == nil ? nil : try payload.string("source")
        return (try payload.string("url"), source.map(RouteOrigin.remote) ?? .inside)
    }
}

extension RouteInfo {
    /// As a map, without what is empty or false.
    var payload: Payload { RouteRow(self).payload }
}

extension RouteRow {
    fileprivate init(_ info: RouteInfo) {
        self.init(
            pattern: info.pattern, class: info.className, selector: info.selector, kind: info.kind.rawValue,
            component: info.component, public: info.isPublic, sources: info.sources, tags: info.tags,
            priority: info.priority, available: info.isAvailable)
    }
}

extension UnusedRouteRow {
    fileprivate init(_ route: RefusedRoute) {
        self.init(
            pattern: route.pattern, component: route.component, class: route.className, selector: route.selector,
            reason: route.reason)
    }
}
