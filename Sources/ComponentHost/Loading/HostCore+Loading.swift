import ComponentKit
import Synchronization

extension HostCore {
    /// The component in memory, loaded now with what it requires if that has not happened. The first thread
    /// loads, others wait.
    ///
    /// - Throws: why it cannot be loaded; the same at every call until ``retry(_:)``.
    @discardableResult
    func load(_ unit: ComponentUnit) throws(LinkError) -> LoadedComponent {
        try gates.pass(unit.gate, unless: unit.isSettled) { () throws(LinkError) in
            guard !isStopped, unit.enterLoading() else { throw LinkError(.stopped, component: unit.name) }
            defer { unit.leaveLoading() }
            do throws(LinkError) {
                try loadRequired(by: unit)
                let component = try ComponentLoader(unit: unit, options: options, core: self).load()
                guard unit.publish(component) else {
                    // The host was stopped meanwhile, and has not seen this one.
                    component.refuseCalls()
                    component.destroy()
                    throw LinkError(.stopped, component: unit.name)
                }
                log(.debug, "loaded", component: unit.name)
            } catch {
                // Being asked for in the middle of a start says nothing about the component itself.
                if error.code == .wouldDeadlock || error.code == .stopped { throw error }
                unit.fail(error)
                log(.warning, "not loaded: \(error.message)", component: unit.name)
            }
        }
        switch unit.currentState {
        case .loaded(let component): return component
        case .failed(let error): throw error
        case .stopped, .available, .loading: throw LinkError(.stopped, component: unit.name)
        }
    }

    /// Loads what a component requires, in the order of its manifest; what is optional may fail.
    private func loadRequired(by unit: ComponentUnit) throws(LinkError) {
        let givenUp = Set(unit.limitations.map(\.requirement))
        for requirement in unit.manifest.requires where !givenUp.contains(requirement) && requirement.isOrdering {
            let required: ComponentUnit?
            switch requirement.subject {
            case .component(let name, _): required = self.unit(named: name)
            case .linkClass(let name, _): required = unsafe findClass(name)?.takeUnretainedValue().unit
            case .service(let name):
                try loadProvider(of: name, for: unit)
                continue
            }
            guard let required, required !== unit else { continue }
            do throws(LinkError) {
                try load(required)
            } catch {
                guard !requirement.isOptional else {
                    log(.info, "goes without \(requirement): \(error.message)", component: unit.name)
                    continue
                }
                if error.code == .stopped || error.code == .wouldDeadlock { throw error }
                throw LinkError(
                    .demandNotMet, message: "it requires \(requirement), which is not loaded: \(error.message)",
                    component: unit.name, cause: error)
            }
        }
    }
}

extension ComponentUnit {
    /// Whether a load would change nothing.
    var isSettled: Bool {
        switch currentState {
        case .available, .loading: false
        case .loaded, .failed, .stopped: true
        }
    }

    /// Makes a loaded component reachable by calls.
    ///
    /// - Returns: false when the unit has been stopped; then nobody can reach the component.
    func publish(_ component: LoadedComponent) -> Bool {
        guard enterLoaded(component) else { return false }
        for entry in classEntries {
            guard let loaded = component.classes.first(where: { $0.name == entry.name }) else { continue }
            unsafe entry.loaded.store(
                UInt(bitPattern: Unmanaged.passUnretained(loaded).toOpaque()), ordering: .releasing)
        }
        return true
    }
}
