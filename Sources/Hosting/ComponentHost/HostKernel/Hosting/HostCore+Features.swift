import CHSLink
import ComponentKit

// Asks the features of the host.
extension HostCore {
    /// Posts an event in the host's life.
    func announce<Event: LinkEvent>(_ event: Event) {
        for feature in features { feature.announce(Event.eventName, event.payload, in: self) }
    }

    /// Delivers an event in the host's life, and blocks this thread until all have handled it.
    ///
    /// - Parameter end: when they must have handled it; nil if each has the time in the options.
    func announceAndWait<Event: LinkEvent>(_ event: Event, until end: Deadline?) {
        for feature in features { feature.announceAndWait(Event.eventName, event.payload, until: end, in: self) }
    }

    /// - Throws: the first reason why a component must not be loaded.
    func check(_ unit: ComponentUnit) throws(LinkError) {
        for feature in features { try feature.check(unit) }
    }

    /// Differs once ``check(_:)`` may have another result.
    var generation: Int { features.reduce(0) { $0 &+ $1.generation } }

    /// All components with their states, and with what is wrong with their resources.
    func componentInfos() -> [ComponentInfo] {
        let bundles = ResourceBundles()
        return registry.componentInfos { unit in
            for feature in features {
                if let problem = feature.resourceProblem(of: unit, bundles) { return problem }
            }
            return nil
        }
    }

    /// Returns the functions of an extension; nil if no feature has it.
    func extensionTable(_ name: hslink_string) -> UnsafeRawPointer? {
        for feature in features {
            if let table = unsafe feature.extensionTable(name) { return unsafe table }
        }
        return nil
    }
}
