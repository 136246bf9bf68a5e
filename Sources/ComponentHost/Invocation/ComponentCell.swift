import ComponentKit
import Synchronization

/// The words of a loaded component that every call looks at, at an address that never changes and is the
/// component's identity in ``CallThread`` frames. Never freed: a late call may still look.
struct ComponentCell: ~Copyable {
    enum RunState {
        static let running: UInt32 = 0
        /// As many threads as allowed are inside the component past their deadline.
        static let stuck: UInt32 = 1
        static let stopped: UInt32 = 2
    }

    let runState = Atomic<UInt32>(RunState.running)
    /// Detached calls that are inside the component past their deadline.
    let stuckCalls = Atomic<Int>(0)
    /// Work of the component that goes on outside of its methods, announced through `hslink_host.begin_work`.
    let work = Atomic<Int>(0)

    static func make() -> UnsafeMutablePointer<ComponentCell> {
        let cell = UnsafeMutablePointer<ComponentCell>.allocate(capacity: 1)
        unsafe cell.initialize(to: ComponentCell())
        return unsafe cell
    }
}

extension UnsafeMutablePointer<ComponentCell> {
    /// How the cell is known in thread frames.
    @inline(__always)
    var identity: UInt { UInt(bitPattern: self) }

    /// How many threads run the component's code just now, counting nested calls.
    var callsInside: Int { unsafe CallThread.countInside(identity) }
}
