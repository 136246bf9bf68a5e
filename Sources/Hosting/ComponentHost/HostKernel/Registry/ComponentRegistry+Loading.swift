import CHSLink
import ComponentKit
import Synchronization
import SystemSupport

extension ComponentRegistry {
    /// Returns the component in memory; loads it first, with its requirements, if necessary. One thread loads it while
    /// others wait.
    ///
    /// - Parameters:
    ///   - caller: the component whose call needs it; nil for the host's own code.
    ///   - core: the core through which the component makes its calls.
    ///   - isWanted: whether a caller still waits for the result.
    /// - Throws: `LinkError` with the reason why it cannot be loaded. If the component has failed, every call throws
    ///   the same error until ``LinkHost/retry(_:)`` or ``LinkHost/rescan()`` resets it.
    @discardableResult
    func load(
        _ unit: ComponentUnit, for caller: ComponentUnit? = nil, in core: HostCore, isWanted: () -> Bool = { true }
    ) throws(LinkError) -> LoadedComponent {
        var isNew = false
        try engine.gates.pass(unit.gate, unless: unit.isSettled, for: caller?.number ?? .host, isWanted: isWanted) {
            () throws(LinkError) in
            let isAdmitted = engine.admits(isFromComponent: caller != nil, on: .current)
            guard isAdmitted, unit.enterStarting() else { throw LinkError(.stopped, component: unit.name) }
            defer { unit.leaveStarting() }
            let generation = core.generation
            do throws(LinkError) {
                try core.check(unit)
                try loadRequired(by: unit, for: caller, in: core)
                // A start whose own calls are refused might fail, and the component would stay failed.
                guard ThreadContext.current.hasRoomForStart else { throw CallOrigin.tooDeepError(.current) }
                let component = try core.timed(.start, of: unit.name) { () throws(LinkError) in
                    try ComponentLoader(unit: unit, options: scan.options, core: core).load()
                }
                guard unit.publish(component) else {
                    endUnpublished(component, unit)
                    throw LinkError(.stopped, component: unit.name)
                }
                // The host may have begun to stop while the component was loading.
                if engine.isClosing { unsafe component.runState.close() }
                log(.debug, "running", for: unit)
                isNew = true
            } catch {
                if error.code.concernsCallOnly { throw error }
                unit.fail(error)
                // The configuration may have been fixed since it was checked.
                if error.concernsConfiguration, core.generation != generation { unit.reset() }
                log(.warning, "not loaded: \(error.message)", for: unit)
            }
        }
        // Outside the gate: what handlers of the component call may wait for it.
        if isNew {
            core.warnOfLibraries(of: unit)
            for feature in core.features { feature.loaded(unit, in: core) }
        }
        switch unit.currentState {
        case .running(let component): return component
        case .failed(let error): throw error
        case .stopping, .stopped, .available, .starting: throw LinkError(.stopped, component: unit.name)
        }
    }

    /// Stops a component that was still starting when the host stopped. The stop report lists it as still running.
    private func endUnpublished(_ component: LoadedComponent, _ unit: ComponentUnit) {
        component.stop()
        guard unsafe !component.runState.isOccupied else {
            log(.warning, "started after the host had stopped, and still has running threads; not destroyed", for: unit)
            // These threads use its host table, so the component is never released.
            _ = unsafe Unmanaged.passRetained(component)
            return
        }
        component.destroy()
    }

    private func log(_ level: LogLevel, _ message: String, for unit: ComponentUnit) {
        scan.options.log(level, message, component: unit.name)
    }

    /// Loads the requirements of a component in manifest order. Optional ones may fail.
    private func loadRequired(
        by unit: ComponentUnit, for caller: ComponentUnit?, in core: HostCore
    ) throws(LinkError) {
        let givenUp = Set(unit.limitations.map(\.requirement))
        for requirement in unit.manifest.requires where !givenUp.contains(requirement) && requirement.isOrdering {
            let required: ComponentUnit?
            switch requirement.subject {
            case .component(let name, _): required = self.unit(named: name)
            case .linkClass(let name, _): required = listed(name)?.unit
            case .service(let name):
                try loadProvider(of: name, for: unit, caller: caller, in: core)
                continue
            }
            guard let required, required !== unit else { continue }
            do throws(LinkError) {
                try load(required, for: caller, in: core)
            } catch {
                guard !requirement.isOptional else {
                    log(.info, "runs without \(requirement): \(error.message)", for: unit)
                    continue
                }
                if error.code.concernsCallOnly { throw error }
                throw LinkError(
                    .requirementNotMet, message: "it requires \(requirement), which is not loaded: \(error.message)",
                    component: unit.name, cause: error)
            }
        }
    }
}

extension ComponentUnit {
    /// Whether loading would have no effect.
    var isSettled: Bool {
        switch currentState {
        case .available, .starting: false
        case .running, .failed, .stopping, .stopped: true
        }
    }

    /// Makes a loaded component reachable by calls.
    ///
    /// - Returns: False if the unit has been stopped; the component then stays unreachable.
    func publish(_ component: LoadedComponent) -> Bool {
        unsafe limiter.attach(component.runState)
        guard enterRunning(component) else { return false }
        let loadedClasses = Dictionary(firstOf: component.classes.map { (ExactText($0.name), $0) })
        for entry in classEntries {
            guard let loaded = loadedClasses[ExactText(entry.name)] else { continue }
            unsafe entry.loaded.store(
                UInt(bitPattern: Unmanaged.passUnretained(loaded).toOpaque()), ordering: .releasing)
        }
        return true
    }
}

extension LinkError.Code {
    /// Whether the error of a load concerns the call that caused it rather than the component. If so, the component
    /// does not count as failed, and the next call tries to load it.
    var concernsCallOnly: Bool { [.wouldDeadlock, .stopped, .cancelled, .tooDeep].contains(self) }
}

extension LinkError {
    /// Whether the configuration of the component, or of one that it requires, is not valid.
    var concernsConfiguration: Bool {
        var next: LinkError? = self
        while let error = next {
            if error.domain == HSLINK_CONFIGURATION_DOMAIN { return true }
            next = error.cause
        }
        return false
    }
}
