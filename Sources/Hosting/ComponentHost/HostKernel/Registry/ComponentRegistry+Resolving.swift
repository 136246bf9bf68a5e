import ComponentKit

extension ComponentRegistry {
    /// Returns the method of a class in memory; nil if there is none.
    @inline(__always)
    func find(
        _ selector: borrowing String, _ kind: SelectorKind, of linkClass: Unmanaged<LoadedClass>
    ) -> UnsafePointer<MethodEntry>? {
        unsafe linkClass._withUnsafeGuaranteedRef { unsafe $0.find(selector, kind) }
    }

    /// Returns the method of a class, and loads its component first if necessary.
    ///
    /// - Parameters:
    ///   - caller: the calling component; nil for the host's own code.
    ///   - isWanted: whether a caller still waits for the result.
    /// - Throws: `LinkError` with code ``LinkError/Code/selectorNotFound``, ``LinkError/Code/notLoaded``,
    ///   ``LinkError/Code/stopped``, ``LinkError/Code/wouldDeadlock``, ``LinkError/Code/cancelled`` or
    ///   ``LinkError/Code/tooDeep``.
    @inline(never)
    func resolve(
        _ listed: ListedClass, _ selector: String, kind: SelectorKind, for caller: ComponentUnit?, in core: HostCore,
        isWanted: () -> Bool = { true }
    ) throws(LinkError) -> UnsafePointer<MethodEntry> {
        let loaded = try unsafe load(listed, selector, for: caller, in: core, isWanted: isWanted)
        guard let method = unsafe find(selector, kind, of: loaded) else {
            throw unsafe missing(selector, loaded)
        }
        return unsafe method
    }

    /// Returns the error for a selector that was not found in a class in memory: `stopped` if the component has stopped
    /// or begun to stop, otherwise `selectorNotFound`.
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
            // A rescan may have replaced the unit, and the directory knows which component has the class now. Taking
            // the lock waits until a directory that is being published is visible.
            contents.withLock { _ in }
            if error.code == .stopped, !engine.isOver {
                switch find(entry.name) {
                case .loaded(let now): return unsafe now
                case .listed(let now) where now.entry !== entry:
                    return unsafe try load(now, selector, for: caller, in: core, isWanted: isWanted)
                case .listed, .none: break
                }
            }
            guard !error.code.concernsCallOnly else {
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

    func isAvailable(_ className: String, _ selector: String?, kind: SelectorKind) -> Bool {
        guard let listed = listed(className), listed.unit.mayAnswer else { return false }
        guard let selector else { return true }
        return listed.entry.declaration.selector(selector, kind) != nil
    }

    func isLoaded(_ className: String) -> Bool {
        guard let loaded = listed(className)?.unit.loaded else { return false }
        return unsafe loaded.runState.isUp
    }
}
