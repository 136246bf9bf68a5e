import ComponentKit
import HostContract

/// The state of a component, and what can be done about it.
struct ComponentStatus: WatchedState {
    /// The name that the page asks for.
    var name: String
    /// Nil if there is no such component now.
    var component: ComponentRow?
    /// The services that it provides.
    var services: [ServiceRow]
    /// Whether it works because pages are shown. Then its calls in flight say nothing.
    var isObserver: Bool

    /// - Parameter observers: the components that work because pages are shown.
    init(_ name: String, in contents: HostContents, _ observers: Set<String> = []) {
        self.name = name
        isObserver = observers.contains(name)
        // A file that is displaced has the same name.
        let all = contents.components.filter { $0.name == name }
        component = (all.first { $0.state != "shadowed" } ?? all.first)?.steady(observers)
        services = contents.services.filter { $0.component == name }
    }

    /// What an operator can have the host do about the component.
    var change: Change? {
        switch component?.state {
        case "available": .load
        case "failed": .retry
        default: nil
        }
    }

    enum Change: String, Hashable, Sendable {
        case load
        case retry
    }
}

/// The parts of a component that the host's classes know.
struct ComponentParts: Hashable, Sendable {
    var manifest: ManifestState
    var resources: [ResourceRow] = []
    var routes = RouteList(routes: [], refused: [])
    /// The events that it posts or handles.
    var events: [EventRow] = []
    var pageModules: [PageModuleRow] = []
    var configuration: ConfigurationSectionRow?
}

extension ComponentParts {
    /// - Parameters:
    ///   - details: what the component declares.
    ///   - host: asks the rest. What it cannot answer is left out.
    init(_ details: ComponentDetails, _ host: HostReader) async {
        let name = details.component.name
        self.init(manifest: ManifestState(details.manifest), resources: details.resources)
        if let all = try? await host.routes() { routes = all }
        routes.routes.removeAll { $0.component != name }
        routes.refused.removeAll { $0.component != name }
        events = ((try? await host.events()) ?? []).filter { event in
            event.posters.contains(name) || event.handlers.contains { $0.component == name }
        }
        pageModules = ((try? await host.pageModules()) ?? []).filter { $0.component == name }
        configuration = try? await host.configuration(of: name)
    }
}
