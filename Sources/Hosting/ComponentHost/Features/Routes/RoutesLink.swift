import CHSLink
import ComponentKit
import Routing
import SystemSupport

/// The host's own class `hslink.Routes`, with which components in any language, and programs outside, open URLs.
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
final class RoutesLink: LinkClass {
    static let provided = ProvidedClass(RoutesLink.self, name: Link.routesClass)

    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<RoutesLink>] = [
        .asyncClassMethod("open") { payload, call -> Payload in
            let core = try HostCore.of(call.context)
            let (url, origin) = try request(payload, besides: ["payload"])
            return try await core.openAndAwait(url, payload["payload"] ?? .null, origin, call.deadline)
        },
        .classMethod("canOpen", quick: true) { payload, call -> Payload in
            let core = try HostCore.of(call.context)
            let (url, origin) = try request(payload.copy())
            return .bool(core.routes.canOpen(url, origin, core))
        },
        .classMethod("route", quick: true) { payload, call -> Payload in
            let core = try HostCore.of(call.context)
            let (url, origin) = try request(payload.copy())
            return core.routes.info(for: url, origin, core)?.payload ?? .null
        },
        .classMethod("routes") { payload, call -> Payload in
            let core = try HostCore.of(call.context)
            return [
                "routes": .array(core.routes.infos(core).map(\.payload)),
                "refused": .array(core.routes.snapshot.value.refused.map(\.payload)),
            ]
        },
        .classMethod("explain") { payload, call -> Payload in
            let core = try HostCore.of(call.context)
            let (url, origin) = try request(payload.copy())
            return core.routes.explanation(of: url, origin, core)
        },
        .classMethod("url") { payload, call -> Payload in
            let payload = try payload.copy()
            try payload.refuseKeys(besides: ["class", "selector", "kind", "parameters"])
            let routes = HostRoutes(core: try HostCore.of(call.context))
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
    var payload: Payload {
        var entries: [(String, Payload)] = [("pattern", .string(pattern))]
        if !className.isEmpty {
            entries += [("class", .string(className)), ("selector", .string(selector))]
            if kind == .class { entries.append(("kind", .string(kind.rawValue))) }
        }
        if !component.isEmpty { entries.append(("component", .string(component))) }
        if isPublic { entries.append(("public", true)) }
        if !tags.isEmpty { entries.append(("tags", .array(tags.map { .string($0) }))) }
        if priority != 0 { entries.append(("priority", Payload(priority))) }
        entries.append(("available", .bool(isAvailable)))
        return .map(entries)
    }
}

extension RefusedRoute {
    var payload: Payload {
        [
            "pattern": .string(pattern), "component": .string(component), "class": .string(className),
            "selector": .string(selector), "reason": .string(reason),
        ]
    }
}
