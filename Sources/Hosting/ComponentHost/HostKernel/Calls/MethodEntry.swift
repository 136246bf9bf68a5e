import CHSLink
import ComponentKit
import Synchronization

/// Everything that a call to one method needs, in one place and without reference counts; a call reads nothing else.
/// Lives as long as its ``LoadedComponent``.
@safe
struct MethodEntry {
    let function: hslink_method_function
    let context: UnsafeMutableRawPointer?
    /// The component value that `create` made.
    let component: UnsafeMutableRawPointer?
    let runState: UnsafeMutablePointer<ComponentRunState>
    let linkClass: Unmanaged<LoadedClass>
    /// Counts its calls. They belong to the engine.
    let counters: Unmanaged<MethodCounters>
    /// The cell in which threads count its calls.
    let number: Int
    /// The share of its calls that are timed; see ``CallTiming``.
    let timedShare: UInt64
    /// The index of the ledger that counts its late replies.
    let ledger: UInt16
    let instance: InstanceSource
    let isQuick: Bool
    /// Whether it replies later and may, even if it is quick, compute for a long time before it returns.
    let isAsync: Bool
    let selector: String
    /// The address of a C string with the names of the class and the selector, for a handler of crashes.
    let crashText: UInt

    var className: String { unsafe linkClass.takeUnretainedValue().name }

    var callee: Callee {
        let linkClass = unsafe linkClass.takeUnretainedValue()
        return Callee(
            unit: linkClass.unit, counters: unsafe counters.takeUnretainedValue(), className: linkClass.name,
            selector: selector)
    }

    /// Returns the error with the names of this method filled in.
    func named(_ error: LinkError) -> LinkError { callee.named(error) }

    /// Returns the error of a call that was refused before the method was called, with its names, and counts it.
    @inline(never)
    func refused(_ error: LinkError) -> LinkError {
        unsafe counters._withUnsafeGuaranteedRef { $0.refuse(error.code) }
        return named(error)
    }

    /// Whether a call cannot block: the method does not, and its instance exists already.
    ///
    /// - Parameter isUrgent: whether the caller has a deadline and so cannot wait while the method computes before it
    ///   returns.
    @inline(__always)
    func runsWithoutBlocking(isUrgent: Bool) -> Bool {
        guard isQuick, unsafe runState.isQuick, !(isUrgent && isAsync) else { return false }
        switch instance {
        case .none: return true
        case .shared:
            return unsafe linkClass._withUnsafeGuaranteedRef { $0.sharedInstance.load(ordering: .acquiring) } != 0
        case .perCall, .perConsumer: return false
        }
    }

    enum InstanceSource {
        case none, shared, perCall, perConsumer
    }
}

// Functions of the pointer: one of the entry would copy it, with the reference count of its name.
extension UnsafePointer<MethodEntry> {
    /// Counts a call that the calling thread makes, and begins to time it if it is its turn.
    @inline(__always)
    func count() -> CallTiming {
        unsafe CallTiming(after: ThreadCells.add(pointee.number), share: pointee.timedShare)
    }

    /// Ends the timing of a call.
    @inline(never)
    func ended(_ timing: CallTiming) { unsafe pointee.counters._withUnsafeGuaranteedRef { $0.add(timing) } }
}

/// A bound call in the host's own code, the fastest path into a component.
@safe
// Unchecked: `method` points to a constant of a component, which `core` keeps alive as long as this object exists.
final class HostBoundMethod: BoundMethod, @unchecked Sendable {
    let core: HostCore
    let method: UnsafePointer<MethodEntry>

    init(_ core: HostCore, _ method: UnsafePointer<MethodEntry>) {
        self.core = core
        unsafe self.method = unsafe method
    }

    func callAndWait(_ payload: borrowing Payload) throws(LinkError) -> Payload {
        try unsafe core.callAndWait(method, payload)
    }

    func begin(_ payload: borrowing Payload, _ mode: CallMode) -> BegunCall {
        guard Carried.isInUse else {
            return unsafe core.beginMethod(method, payload, mode: mode, from: nil, carried: nil)
        }
        switch Carried.ofRunningCode {
        case .success(let carried):
            return unsafe core.beginMethod(method, payload, mode: mode, from: nil, carried: carried)
        case .failure(let error): return .ended(.failure(error))
        }
    }

    func cancel(_ call: CallIdentifier) { core.cancel(call) }
}
