import CHSLink

/// Everything that a call of one method needs, in one place and without reference counts: the way of a
/// call reads this and nothing else. Lives as long as its ``LoadedComponent``.
@safe
struct MethodEntry {
    let function: hslink_method_function
    let context: UnsafeMutableRawPointer?
    /// What `create` made.
    let component: UnsafeMutableRawPointer?
    let cell: UnsafeMutablePointer<ComponentCell>
    let linkClass: Unmanaged<LoadedClass>
    let ledger: UInt16
    let instance: InstanceSource
    let isQuick: Bool
    let selector: String

    enum InstanceSource {
        case none, shared, perCall, perConsumer
    }
}
