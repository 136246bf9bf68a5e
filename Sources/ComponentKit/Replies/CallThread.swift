package import CHSLink
import Glibc
package import Synchronization

/// What the runtime keeps for each thread that makes calls: free reply slots, and which components the
/// thread is inside of. The state is never freed, only handed to another thread, since `stop` looks at
/// all of them.
@safe
package struct CallThread {
    let state: UnsafeMutablePointer<State>

    @unsafe
    struct State: ~Copyable {
        /// Free reply slots, a list of `slotCount`.
        var slots: UnsafeMutablePointer<ReplySlot>?
        var slotCount = 0
        let replyOps: UnsafePointer<hslink_reply_ops>
        /// How many of `frames` are in use.
        var depth = 0
        /// Identities of the components that this thread is inside of, outermost first; read by `stop`.
        let frames: UnsafeMutablePointer<Atomic<UInt>>
        /// The snapshot that this thread reads just now; read by who wants to free it.
        let hazard = Atomic<UInt>(0)
        /// The next state of the registry's free list.
        var next: UnsafeMutablePointer<State>?

        init(replyOps: UnsafePointer<hslink_reply_ops>) {
            unsafe self.replyOps = unsafe replyOps
            unsafe frames = .allocate(capacity: CallThread.frameCount)
            for index in 0..<CallThread.frameCount { unsafe (frames + index).initialize(to: Atomic(0)) }
        }
    }

    /// Calls inside calls on one thread that are tracked without a shared counter.
    package static let frameCount = 64

    /// The state of the calling thread.
    @inline(__always)
    package static var current: CallThread {
        if let state = unsafe pthread_getspecific(CallThreadRegistry.key) {
            return unsafe CallThread(state: state.assumingMemoryBound(to: State.self))
        }
        return CallThreadRegistry.adopt()
    }

    @inline(__always)
    package var replyOps: UnsafePointer<hslink_reply_ops> { unsafe state.pointee.replyOps }

    @inline(__always)
    func takeSlot() -> UnsafeMutablePointer<ReplySlot> {
        guard let slot = unsafe state.pointee.slots else { return unsafe CallThreadRegistry.newSlot(for: self) }
        unsafe state.pointee.slots = unsafe slot.owned.pointee.next
        unsafe state.pointee.slotCount &-= 1
        return unsafe slot
    }

    @inline(__always)
    func giveSlot(_ slot: UnsafeMutablePointer<ReplySlot>) {
        unsafe slot.owned.pointee.next = unsafe state.pointee.slots
        unsafe state.pointee.slots = unsafe slot
        unsafe state.pointee.slotCount &+= 1
        if unsafe state.pointee.slotCount > 64 { CallThreadRegistry.returnSlots(of: self, keeping: 16) }
    }
}

extension CallThread {
    /// Marks the thread as being inside `component`; pairs with ``leave()`` on the same thread.
    ///
    /// The mark is visible to other threads before the caller looks whether the component is stopped, so
    /// that either the caller sees the stop or `stop` sees the mark.
    @inline(__always)
    package func enter(_ component: UInt) {
        let depth = unsafe state.pointee.depth
        unsafe state.pointee.depth = depth &+ 1
        if depth < CallThread.frameCount {
            unsafe state.pointee.frames[depth].store(component, ordering: .sequentiallyConsistent)
        } else {
            CallThreadRegistry.deepCalls.add(1, ordering: .sequentiallyConsistent)
        }
    }

    /// Takes back the newest mark.
    @inline(__always)
    package func leave() {
        let depth = unsafe state.pointee.depth &- 1
        unsafe state.pointee.depth = depth
        if depth < CallThread.frameCount {
            unsafe state.pointee.frames[depth].store(0, ordering: .releasing)
        } else {
            CallThreadRegistry.deepCalls.subtract(1, ordering: .sequentiallyConsistent)
        }
    }

    /// How many marks for `component` there are on all threads. Marks beyond the frames of their thread
    /// count for every component: waiting too long is safe.
    package static func countInside(_ component: UInt) -> Int {
        var count = CallThreadRegistry.deepCalls.load(ordering: .sequentiallyConsistent)
        for thread in CallThreadRegistry.all {
            for index in 0..<frameCount
            where unsafe thread.state.pointee.frames[index].load(ordering: .sequentiallyConsistent) == component {
                count += 1
            }
        }
        return count
    }

    /// Reads the snapshot that `source` holds; nobody frees it while `body` runs.
    ///
    /// `body` must not call back into this function on the same thread.
    @inline(__always)
    package func withSnapshot<Result>(
        _ source: borrowing Atomic<UInt>, _ body: (UInt) -> Result
    ) -> Result {
        var snapshot = source.load(ordering: .acquiring)
        while true {
            unsafe state.pointee.hazard.store(snapshot, ordering: .sequentiallyConsistent)
            let now = source.load(ordering: .sequentiallyConsistent)
            if now == snapshot { break }
            snapshot = now
        }
        defer { unsafe state.pointee.hazard.store(0, ordering: .releasing) }
        return body(snapshot)
    }

    /// Whether some thread reads `snapshot` just now.
    package static func isRead(_ snapshot: UInt) -> Bool {
        var isRead = false
        for thread in CallThreadRegistry.all {
            if unsafe thread.state.pointee.hazard.load(ordering: .sequentiallyConsistent) == snapshot { isRead = true }
        }
        return isRead
    }
}
