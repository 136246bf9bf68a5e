public import ComponentKit
import Routing

/// A route of a host.
public struct RouteInfo: Hashable, Sendable {
    /// The pattern, as it was declared.
    public let pattern: String
    /// The class that is called; empty for a closure of the program's, and for URLs that name a target and an action.
    public let className: String
    /// The selector that is called; empty for a closure.
    public let selector: String
    /// Whether the selector is called on an instance or on the class.
    public let kind: SelectorKind
    /// The component that has the class; empty for the program's own.
    public let component: String
    /// Whether it can be opened from outside the program.
    public let isPublic: Bool
    /// The only sources outside that may open it, of those that the host allows; empty for all if it is public.
    public let sources: [String]
    /// The tags by which interceptors select it.
    public let tags: [String]
    /// Higher ones are tried first.
    public let priority: Int
    /// Whether the component can be called: it has neither failed nor been stopped, and may not be loaded yet.
    public let isAvailable: Bool

    init(_ target: RouteTarget, in core: HostCore) {
        pattern = target.pattern
        kind = target.kind
        component = target.component
        isPublic = target.access.isPublic
        sources = target.access.sources
        tags = target.tags
        priority = target.priority
        if !target.isTargetAction, case .named(let className, let selector, let kind) = target.call {
            self.className = className
            self.selector = selector
            isAvailable = core.isAvailable(className, selector, kind: kind)
        } else {
            className = ""
            selector = ""
            isAvailable = true
        }
    }
}

extension HostRoutes {
    func canOpen(_ url: String, _ origin: RouteOrigin) -> Bool {
        guard let target = target(of: url, origin) else { return false }
        if target.isTargetAction {
            guard let action = try? TargetActionURL(url, feature.options.matching) else { return false }
            return core.check(action.target, action.action)
        }
        guard case .named(let className, let selector, let kind) = target.call else { return true }
        return core.isAvailable(className, selector, kind: kind)
    }

    func info(for url: String, _ origin: RouteOrigin) -> RouteInfo? {
        target(of: url, origin).map { RouteInfo($0, in: core) }
    }

    /// Returns the target of a URL after redirects; nil if no route matches.
    private func target(of url: String, _ origin: RouteOrigin) -> RouteTarget? {
        if let source = origin.source, !feature.options.remoteSources.contains(source) { return nil }
        let directory = feature.registry.snapshot.value
        var url = url
        if directory.redirects.count > 0 {
            guard let last = try? directory.redirected(url).last else { return nil }
            url = last
        }
        if origin.source == nil { return directory.table.match(url)?.value }
        return directory.table.matches(url).map(\.value).first(where: origin.mayOpen)
    }
}

extension RouteDirectory {
    /// Follows the redirects of the host.
    ///
    /// - Returns: The URLs on the way, from `url` to the one that is opened.
    /// - Throws: `LinkError` if they lead in a circle, or a URL cannot be made.
    func redirected(_ url: String) throws(LinkError) -> [String] {
        var way = [url]
        while redirects.count > 0, let match = redirects.match(way[way.count - 1]) {
            do {
                way.append(try match.value.url(named: match.exactParameters()))
            } catch {
                throw LinkError(.routeNotFound, message: "the redirect of \(way[way.count - 1]): \(error)")
            }
            try RouteOpening.check(way)
        }
        return way
    }
}
