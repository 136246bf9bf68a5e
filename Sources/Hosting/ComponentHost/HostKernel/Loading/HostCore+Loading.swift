import ComponentKit

extension HostCore {
    /// Loads a component; see ``LinkHost/load(_:)``.
    ///
    /// - Parameter caller: the component that asks for it; empty for the host's own code.
    func load(_ component: String, for caller: String = "") throws(LinkError) {
        guard let unit = registry.unit(named: component) else { throw .missing(component) }
        try registry.load(unit, for: caller.isEmpty ? nil : registry.unit(named: caller), in: self)
    }

    /// Makes a component that could not be loaded available again; see ``LinkHost/retry(_:)``.
    func retry(_ component: String) -> Bool {
        guard let unit = registry.unit(named: component), unit.loaded == nil else { return false }
        return unit.reset()
    }

    /// Warns if a component that has just been loaded does not use a library that it brings.
    func warnOfLibraries(of unit: ComponentUnit) {
        let catalog = registry.contents.withLock { $0.catalog }
        for conflict in catalog.libraryConflicts(of: unit.name) {
            let isFirst = conflict.first.component == unit.name
            let (own, other) = isFirst ? (conflict.first, conflict.second) : (conflict.second, conflict.first)
            guard !own.isDescribed, registry.unit(named: other.component)?.isInMemory == true else { continue }
            options.log(
                .warning,
                "\(unit.name) does not use its library \(conflict.library) (\(own.path)), because \(other.component) "
                    + "has already loaded \(other.path) under this name; \(Catalog.LibraryConflict.advice)",
                component: unit.name)
        }
    }
}

extension LinkError {
    /// Returns the error about a component that does not exist.
    static func missing(_ component: String) -> LinkError {
        LinkError(.classNotFound, message: "no component \(component) was found", component: component)
    }
}
