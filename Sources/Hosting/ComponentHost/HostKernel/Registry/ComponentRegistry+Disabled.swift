import ComponentCatalog
import ComponentKit
import SystemSupport

// What is said of components that the configuration of the host disables. They have no units: to calls, routes, events
// and services, they are not there.
extension ComponentRegistry {
    /// The disabled components, by name.
    var disabledEntries: ArraySlice<Catalog.Entry> { contents.withLock { $0.catalog.disabledEntries } }

    /// Returns the disabled component with this name; nil if there is none.
    func disabledEntry(named name: String) -> Catalog.Entry? {
        disabledEntries.first { $0.manifest.name.isExactly(name) }
    }

    /// Returns the error of a call to a class that was not found, with the reason if its component is disabled.
    @inline(never)
    func missingClass(_ className: String, _ selector: String) -> LinkError {
        disabledClass(className, selector) { $0.isExactly(className) }
            ?? LinkError(code: .classNotFound, className: className, selector: selector)
    }

    /// Returns the error of a call to a class of a disabled component; nil if none has such a class.
    ///
    /// - Parameter hasName: whether a class is the one that was asked for.
    func disabledClass(_ className: String, _ selector: String, where hasName: (String) -> Bool) -> LinkError? {
        guard let entry = directory.read({ $0.disabledEntry(where: hasName) }) else { return nil }
        return LinkError(
            .classNotFound, message: "the component is disabled by \(entry.disabledBy ?? "")", className: className,
            selector: selector, component: entry.manifest.name)
    }

    /// Returns the error about a component that was not found, with the reason if it is disabled.
    func missingComponent(_ name: String) -> LinkError {
        guard let setting = disabledEntry(named: name)?.disabledBy else {
            return LinkError(.classNotFound, message: "no component \(name) was found", component: name)
        }
        return LinkError(.classNotFound, message: "the component is disabled by \(setting)", component: name)
    }
}
