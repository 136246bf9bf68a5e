import ComponentCatalog
import ComponentKit
import ManifestRules

/// An event that components of a host post or handle.
public struct EventInfo: Sendable {
    /// A handler that a component declares.
    public struct Handler: Sendable, Hashable {
        /// The component.
        public let component: String
        /// The class that has the selector.
        public let className: String
        /// The selector that handles the event.
        public let selector: String
        /// Whether the event loads the component.
        public let loads: Bool
        /// Whether the handler may be called for several events at a time, in any order.
        public let isConcurrent: Bool
        /// The order among handlers; higher ones are called first.
        public let priority: Int
    }

    /// The name of the event.
    public let name: String
    /// The components that declare that they post it; "host" for the events of the host.
    public let posters: [String]
    /// The handlers that components declare, in the order in which they are called.
    public let handlers: [Handler]
    /// What is wrong with it, as far as manifests show: nothing posts it, or components declare its value differently.
    public let problems: [String]
}

extension HostEvents {
    /// The events that components declare to post or to handle, sorted by name. Loads nothing.
    public var all: [EventInfo] {
        let units = core.registry.contents.withLock { $0.ordered }
        var posters: [String: [String]] = [:]
        var models: [String: [(component: String, model: ModelDeclaration)]] = [:]
        for unit in units {
            for name in unit.manifest.posts { posters[name, default: []].append(unit.name) }
            for model in unit.manifest.models {
                if let event = model.event { models[event, default: []].append((unit.name, model)) }
            }
        }
        let directory = feature.registry.snapshot.value
        let handled = units.flatMap { unit in
            unit.manifest.classes.flatMap { $0.selectors.compactMap { $0.handles?.event } }
        }
        return Set(handled).union(posters.keys).sorted().map { name in
            let isKnown = EventRules.names.values.contains(name)
            let own = isKnown && EventRules.isReserved(name) ? ["host"] : posters[name] ?? []
            // Handlers of SessionRenewed are right to be there although no component has sign-ins.
            var problems: [String] = []
            if own.isEmpty, !isKnown {
                let similar = EventRules.nearest(to: name, in: posters.keys.sorted() + EventRules.names.values.sorted())
                problems.append("no component posts it" + (similar.map { "; did you mean \($0)?" } ?? ""))
            }
            if name == HostStopped.eventName {
                problems.append("only closures and streams of the program receive it")
            }
            return EventInfo(
                name: name, posters: own, handlers: directory.handlers(of: name).compactMap(\.info),
                problems: problems + HostEvents.drift(models[name] ?? []))
        }
    }

    /// Returns how components differ in what they declare an event's value to be.
    private static func drift(_ models: [(component: String, model: ModelDeclaration)]) -> [String] {
        guard let first = models.first else { return [] }
        return models.dropFirst().compactMap { other in
            guard other.model.content != first.model.content else { return nil }
            return "\(other.model.name) of \(other.component) differs from \(first.model.name) of \(first.component): "
                + "\(other.model.summary), not \(first.model.summary)"
        }
    }
}

extension EventHandler {
    fileprivate var info: EventInfo.Handler? {
        guard case .selector(let listed, let selector, _) = target else { return nil }
        return EventInfo.Handler(
            component: listed.unit.name, className: listed.entry.name, selector: selector, loads: loads,
            isConcurrent: isConcurrent, priority: priority)
    }
}

extension ModelDeclaration {
    /// The structure of the type in one line.
    fileprivate var summary: String {
        switch content {
        case .fields(let fields): "{" + fields.map { "\($0.name): \($0.type)" }.joined(separator: ", ") + "}"
        case .cases(let cases, _): "one of " + cases.map(\.name).joined(separator: ", ")
        }
    }
}
