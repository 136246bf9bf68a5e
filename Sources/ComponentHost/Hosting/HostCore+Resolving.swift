import CHSLink
import ComponentKit

extension HostCore {
    /// The entry of a class in the current directory.
    @inline(__always)
    func findClass(_ className: String) -> Unmanaged<ClassEntry>? {
        unsafe CallThread.current.withSnapshot(directory) { address in
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
            return unsafe Unmanaged<ClassDirectory>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                unsafe $0.find(className)
            }
        }
    }

    /// Class and selector to method; loads the component at the first call.
    ///
    /// - Throws: ``LinkError/Code/classNotFound``, ``LinkError/Code/notLoaded``, ``LinkError/Code/stopped`` or
    ///   ``LinkError/Code/selectorNotFound``.
    @inline(__always)
    func resolve(
        _ className: String, _ selector: String, _ kind: SelectorKind
    ) throws(LinkError) -> UnsafePointer<MethodEntry> {
        guard let entry = unsafe findClass(className) else {
            throw LinkError(code: .classNotFound, className: className, selector: selector)
        }
        return try unsafe resolve(entry, selector, kind)
    }

    @inline(__always)
    func resolve(
        _ entry: Unmanaged<ClassEntry>, _ selector: String, _ kind: SelectorKind
    ) throws(LinkError) -> UnsafePointer<MethodEntry> {
        let linkClass = unsafe try loadedClass(of: entry, selector)
        guard let method = unsafe linkClass._withUnsafeGuaranteedRef({ unsafe $0.find(selector, kind) }) else {
            let entry = unsafe entry.takeUnretainedValue()
            throw missing(selector, entry)
        }
        return unsafe method
    }

    /// Why a class in memory has no such selector: it has none, or it is stopped and has nothing any more.
    func missing(_ selector: String, _ entry: ClassEntry) -> LinkError {
        let isRunning = entry.unit.loaded?.isRunning ?? false
        return LinkError(
            isRunning ? .selectorNotFound : .stopped, className: entry.name, selector: selector,
            component: entry.unit.name)
    }

    /// The class in memory, loaded now if it is not there yet.
    @inline(__always)
    func loadedClass(
        of entry: Unmanaged<ClassEntry>, _ selector: String
    ) throws(LinkError) -> Unmanaged<LoadedClass> {
        if let loaded = unsafe entry._withUnsafeGuaranteedRef({ unsafe $0.loadedClass }) { return unsafe loaded }
        return unsafe try load(entry, selector)
    }

    @inline(never)
    private func load(
        _ entry: Unmanaged<ClassEntry>, _ selector: String
    ) throws(LinkError) -> Unmanaged<LoadedClass> {
        let entry = unsafe entry.takeUnretainedValue()
        let unit = entry.unit
        do throws(LinkError) {
            try load(unit)
        } catch {
            let names = (entry.name, selector, unit.name)
            // Taken out by a new look at the directories, which knows where the class is now.
            // The lock waits for one that is just being published.
            units.withLock { _ in }
            if error.code == .stopped, !isStopped, let now = unsafe findClass(entry.name),
                unsafe now.takeUnretainedValue() !== entry
            {
                return unsafe try loadedClass(of: now, selector)
            }
            guard error.code != .stopped, error.code != .wouldDeadlock else {
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

    func bindMethod(
        _ className: String, _ selector: String, _ kind: SelectorKind
    ) throws(LinkError) -> HostBoundMethod {
        unsafe HostBoundMethod(self, try resolve(className, selector, kind))
    }

    func isAvailable(_ className: String, _ selector: String?, _ kind: SelectorKind) -> Bool {
        guard let entry = unsafe findClass(className)?.takeUnretainedValue() else { return false }
        switch entry.unit.currentState {
        case .failed, .stopped: return false
        case .available, .loading, .loaded: break
        }
        guard let selector else { return true }
        return entry.declaration.selector(selector, kind) != nil
    }

    func isLoaded(_ className: String) -> Bool {
        guard let entry = unsafe findClass(className)?.takeUnretainedValue() else { return false }
        return entry.unit.loaded?.isRunning ?? false
    }
}
