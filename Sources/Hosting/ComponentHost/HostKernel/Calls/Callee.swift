import ComponentKit

/// The method or the object that a call is made to, as the call's end, its errors and its counters need it.
struct Callee: Sendable {
    /// The component; nil for the program's own objects, and for those whose component is unknown.
    let unit: ComponentUnit?
    let counters: MethodCounters
    let className: String
    /// Empty for a closure.
    let selector: String
    /// Whether the stop of the host waits for the call. It does not wait for an element that a stream may never have.
    var isWaitedFor = true

    /// Returns an error with the names of what was called filled in.
    func named(_ error: LinkError) -> LinkError {
        error.naming(className: className, selector: selector, component: unit?.name ?? "")
    }
}

extension Callee: CustomStringConvertible {
    /// The method as reports show it.
    var description: String { selector.isEmpty ? className : "\(className).\(selector)" }
}
