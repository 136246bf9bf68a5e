import ComponentKit

extension ComponentRegistry {
    /// The method of a class in memory; nil when there is none.
    @inline(__always)
    func find(
        _ selector: borrowing String, _ kind: SelectorKind, of linkClass: Unmanaged<LoadedClass>
    ) -> UnsafePointer<MethodEntry>? {
        unsafe linkClass._withUnsafeGuaranteedRef { unsafe $0.find(selector, kind) }
    }

    /// The method of a class that is loaded now, with its component, where that has not happened.
    ///
    /// - Parameters:
    ///   - caller: the component that calls; nil for the host's own code.
    ///   - isWanted: whether somebody still waits for this.
    /// - Throws: ``LinkError/Code/notLoaded``, ``LinkError/Code/stopped`` or ``LinkError/Code/selectorNotFound``.
    @inline(never)
    func resolve(
        _ listed: ListedClass, _ selector: String, _ kind: SelectorKind, for caller: ComponentUnit?, in core: HostCore,
        isWanted: () -> Bool = { true }
    ) throws(LinkError) -> UnsafePointer<MethodEntry> {
        let loaded = try unsafe load(listed, selector, for: caller, in: core, isWanted: isWanted)
        guard let method = unsafe find(selector, kind, of: loaded) else {
            throw unsafe missing(selector, loaded)
        }
        return unsafe method
    }

    /// Why a class in memory has no such selector: it has none, or it is stopped and has nothing any more.
    @inline(never)
    func missing(_ selector: String, _ linkClass: Unmanaged<LoadedClass>) -> LinkError {
        unsafe linkClass._withUnsafeGuaranteedRef { linkClass in
            unsafe LinkError(
                linkClass.runState.isUp ? .selectorNotFound : .stopped, className: linkClass.name, selector: selector,
                in: linkClass.mark)
        }
    }

    private func load(
        _ listed: ListedClass, _ selector: String, for caller: ComponentUnit?, in core: HostCore,
        isWanted: () -> Bool
    ) throws(LinkError) -> Unmanaged<LoadedClass> {
        let (entry, unit) = (listed.entry, listed.unit)
        do throws(LinkError) {
            try load(unit, for: caller, in: core, isWanted: isWanted)
        } catch {
            let names = (entry.name, selector, unit.name)
            // Taken out by a rescan, which knows where the class is now.
            // The lock waits for one that is just being published.
            contents.withLock { _ in }
            if error.code == .stopped, !engine.isOver {
                switch find(entry.name) {
                case .loaded(let now): return unsafe now
                case .listed(let now) where now.entry !== entry:
                    return unsafe try load(now, selector, for: caller, in: core, isWanted: isWanted)
                case .listed, .none: break
                }
            }
            let saysNothingOfIt = [.stopped, .wouldDeadlock, .cancelled, .tooDeep].contains(error.code)
            guard !saysNothingOfIt else {
                throw error.naming(className: names.0, selector: names.1, component: names.2)
            }
            throw LinkError(
                .notLoaded, message: "the component is not loaded: \(error.message)", className: names.0,
                selector: names.1, component: names.2, cause: error)
        }
        guard let loaded = unsafe entry.loadedClass else {
            throw LinkError(.stopped, className: entry.name, selector: selector, component: unit.name)
        }
        return unsafe loaded
    }

    func isAvailable(_ className: String, _ selector: String?, _ kind: SelectorKind) -> Bool {
        guard let listed = listed(className) else { return false }
        switch listed.unit.currentState {
        case .failed, .stopped: return false
        case .available, .loading, .loaded: break
        }
        guard let selector else { return true }
        return listed.entry.declaration.selector(selector, kind) != nil
    }

    func isLoaded(_ className: String) -> Bool {
        guard let loaded = listed(className)?.unit.loaded else { return false }
        return unsafe loaded.runState.isUp
    }
}
