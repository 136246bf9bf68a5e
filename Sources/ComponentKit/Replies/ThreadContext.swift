import CGlibc
package import CHSLink
import Glibc
package import Synchronization

/// What the runtime keeps for each thread that makes calls: free reply slots, and which components the
/// thread is inside of. The state is never freed, only handed to another thread, since `stop` looks at
/// all of them.
@safe
package struct ThreadContext {
    package let state: UnsafeMutablePointer<State>

    @unsafe
    package struct State: ~Copyable {
        /// Free reply slots, a list of `slotCount`.
        var slots: UnsafeMutablePointer<ReplySlot>?
        var slotCount = 0
        let replyOps: UnsafePointer<hslink_reply_ops>
        /// How many of `frames` are in use.
        package internal(set) var depth = 0
        /// The part of the thread's stack that calls leave to others. Code on a stack of its own, as a fiber's, is
        /// nowhere in it.
        var reserve = hslink_stack_reserve()
        /// How many ends of calls the thread is delivering, each inside the one before.
        package var deliveries = 0
        /// How many may be: fewer where the thread carries on calls of others.
        package var depthLimit = ThreadContext.frameCount
        /// Whether marks need a fence, since the kernel has no membarrier(2).
        let needsFence: Bool
        /// What the thread is inside of, outermost first; read by `stop`.
        let frames: UnsafeMutablePointer<Frame>
        /// The snapshot that this thread reads just now; read by the thread that wants to free it.
        let hazard = Atomic<UInt>(0)
        /// What the call that the thread carries out carries along; nil for nothing. Borrowed.
        package var carried: UnsafePointer<hslink_value>?
        /// How the thread came to what it does: the host's affair. Borrowed.
        package var origin: UnsafeRawPointer?
        /// Whether the thread is calling an object: a bracket is part of that call then.
        package var isCallingObject = false
        /// Whether the thread serves all callers: code of one of them must not run on it.
        package var servesAll = false
        /// The next state of the registry's free list.
        var next: UnsafeMutablePointer<State>?

        init(replyOps: UnsafePointer<hslink_reply_ops>, needsFence: Bool) {
            unsafe self.replyOps = unsafe replyOps
            unsafe self.needsFence = needsFence
            unsafe frames = .allocate(capacity: ThreadContext.frameCount)
            for index in 0..<ThreadContext.frameCount { unsafe (frames + index).initialize(to: Frame()) }
        }
    }

    /// One mark of a thread.
    package struct Frame: ~Copyable {
        /// The identity of the component that the thread is inside of; 0 where there is no mark.
        package let component = Atomic<UInt>(0)
        /// Which method it carries out; 0 for a bracket of the component's own, 1 for one inside of a
        /// call of an object.
        package let method = Atomic<UInt>(0)
    }

    /// In the place of a method: a bracket inside of a call of an object.
    package static let objectCall: UInt = 1

    /// How deep calls may nest on one thread, where its stack has room for as many.
    package static let frameCount = 512

    /// The thread with this state.
    @inline(__always)
    package init(_ state: UnsafeMutableRawPointer) {
        unsafe self.state = unsafe state.assumingMemoryBound(to: State.self)
    }

    init(state: UnsafeMutablePointer<State>) { unsafe self.state = unsafe state }

    /// Has `body` called when a thread with a state ends: the state is no longer that thread's. Of
    /// several the last one counts.
    package static func whenAbandoned(_ body: @escaping @convention(c) () -> Void) {
        ThreadRegistry.abandonHandler.store(
            unsafe UInt(bitPattern: unsafeBitCast(body, to: UnsafeRawPointer.self)), ordering: .releasing)
    }

    /// The state of the calling thread.
    @inline(__always)
    package static var current: ThreadContext {
        if let state = unsafe pthread_getspecific(ThreadRegistry.key) {
            return unsafe ThreadContext(state: state.assumingMemoryBound(to: State.self))
        }
        return ThreadRegistry.adopt()
    }

    @inline(__always)
    package var replyOps: UnsafePointer<hslink_reply_ops> { unsafe state.pointee.replyOps }

    @inline(__always)
    func takeSlot() -> UnsafeMutablePointer<ReplySlot> {
        guard let slot = unsafe state.pointee.slots else { return unsafe ThreadRegistry.newSlot(for: self) }
        unsafe state.pointee.slots = unsafe slot.owned.pointee.next
        unsafe state.pointee.slotCount &-= 1
        return unsafe slot
    }

    @inline(__always)
    func giveSlot(_ slot: UnsafeMutablePointer<ReplySlot>) {
        unsafe slot.owned.pointee.next = unsafe state.pointee.slots
        unsafe state.pointee.slots = unsafe slot
        unsafe state.pointee.slotCount &+= 1
        if unsafe state.pointee.slotCount > 64 { ThreadRegistry.returnSlots(of: self, keeping: 16) }
    }
}

// Marks. A thread that stops a component first says so where calls look, then passes a fence through all threads, then
// looks for marks: so either a call sees the stop or `stop` sees its mark, without a fence on the way of a call.
extension ThreadContext {
    /// How many marks the thread has.
    @inline(__always)
    package var depth: Int { unsafe state.pointee.depth }

    /// Marks the thread as being inside `component`; pairs with ``leave(to:)`` on the same thread, or with
    /// ``leave(_:)`` where there is no method. The mark is visible to a stop before anything that follows is read.
    ///
    /// - Returns: false when calls are nested as deep as they may, or as the thread's stack lets them; then there is no
    ///   mark.
    @inline(__always)
    package func enter(_ component: UInt, method: UInt = 0) -> Bool {
        let depth = unsafe state.pointee.depth
        guard unsafe depth < state.pointee.depthLimit,
            unsafe hslink_stack_position() &- state.pointee.reserve.start >= state.pointee.reserve.size
        else { return false }
        unsafe state.pointee.depth = depth &+ 1
        unsafe state.pointee.frames[depth].method.store(method, ordering: .relaxed)
        if unsafe state.pointee.needsFence {
            unsafe state.pointee.frames[depth].component.store(component, ordering: .sequentiallyConsistent)
            atomicMemoryFence(ordering: .sequentiallyConsistent)
        } else {
            unsafe state.pointee.frames[depth].component.store(component, ordering: .releasing)
            hslink_compiler_fence()
        }
        return true
    }

    /// Whether calls may go so much deeper that a component can be started here.
    package var hasRoomForStart: Bool {
        unsafe depth <= state.pointee.depthLimit - 64
            && hslink_stack_position() &- state.pointee.reserve.start >= 2 * state.pointee.reserve.size
    }

    /// Takes back all marks beyond the first `depth`.
    ///
    /// - Returns: false when there was more than one: author code has entered more often than it left.
    @inline(__always)
    @discardableResult
    package func leave(to depth: Int) -> Bool {
        if unsafe state.pointee.depth == depth &+ 1 {
            unsafe state.pointee.depth = depth
            unsafe state.pointee.frames[depth].component.store(0, ordering: .releasing)
            return true
        }
        return leaveAll(to: depth)
    }

    @inline(never)
    private func leaveAll(to depth: Int) -> Bool {
        while unsafe state.pointee.depth > depth {
            unsafe state.pointee.depth -= 1
            unsafe state.pointee.frames[state.pointee.depth].component.store(0, ordering: .releasing)
        }
        return false
    }

    /// Takes back the newest mark where that is a bracket of `component`.
    ///
    /// - Returns: false when it is not: there was no `enter` on this thread.
    package func leave(_ component: UInt) -> Bool {
        let depth = unsafe state.pointee.depth
        guard depth > 0, unsafe state.pointee.frames[depth - 1].component.load(ordering: .relaxed) == component,
            unsafe state.pointee.frames[depth - 1].method.load(ordering: .relaxed) <= ThreadContext.objectCall
        else { return false }
        unsafe state.pointee.depth = depth - 1
        unsafe state.pointee.frames[depth - 1].component.store(0, ordering: .releasing)
        return true
    }

    /// The methods that the thread is inside of, outermost first; 0 or ``objectCall`` for a bracket. Of the calling
    /// thread.
    package var methods: [UInt] {
        (0..<depth).map { unsafe state.pointee.frames[$0].method.load(ordering: .relaxed) }
    }

    /// The components that the thread is inside of, from the mark at `depth` on, outermost first. Of any thread: by the
    /// time that this returns it may have left them.
    package func components(from depth: Int) -> [UInt] {
        var components: [UInt] = []
        for index in depth..<max(depth, ThreadContext.frameCount) {
            let component = unsafe state.pointee.frames[index].component.load(ordering: .acquiring)
            if component == 0 { break }
            components.append(component)
        }
        return components
    }

    /// Whether some thread is inside of `component`.
    package static func isInside(_ component: UInt) -> Bool {
        anyFrame { owner, _, _ in owner == component }
    }

    /// Whether some thread carries out a call of a method or an object of `components`. A thread whose outermost mark
    /// is a bracket is a component's own: what it calls does not count.
    package static func carriesOutCalls(of components: Set<UInt>) -> Bool {
        anyFrame { owner, method, isOwnThread in !isOwnThread && method != 0 && components.contains(owner) }
    }

    private static func anyFrame(_ predicate: (_ owner: UInt, _ method: UInt, _ isOwnThread: Bool) -> Bool) -> Bool {
        fenceAll()
        for thread in ThreadRegistry.all {
            var isOwnThread = false
            for index in 0..<frameCount {
                let owner = unsafe thread.state.pointee.frames[index].component.load(ordering: .sequentiallyConsistent)
                // Marks lie side by side: what comes behind this one was made after the fence.
                if owner == 0 { break }
                let method = unsafe thread.state.pointee.frames[index].method.load(ordering: .relaxed)
                if index == 0 { isOwnThread = method == 0 }
                if predicate(owner, method, isOwnThread) { return true }
            }
        }
        return false
    }

    /// Passes a full fence on every thread.
    private static func fenceAll() {
        if ThreadRegistry.hasMembarrier, hslink_membarrier() != 0 { return }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    /// The snapshot that `source` holds; it is not freed before ``endSnapshot()``, which is to be called on the same
    /// thread before this is called again.
    package func beginSnapshot(_ source: borrowing Atomic<UInt>) -> UInt {
        var snapshot = source.load(ordering: .acquiring)
        while true {
            if unsafe state.pointee.needsFence {
                unsafe state.pointee.hazard.store(snapshot, ordering: .sequentiallyConsistent)
                atomicMemoryFence(ordering: .sequentiallyConsistent)
            } else {
                unsafe state.pointee.hazard.store(snapshot, ordering: .releasing)
                hslink_compiler_fence()
            }
            let now = source.load(ordering: .acquiring)
            if now == snapshot { return snapshot }
            snapshot = now
        }
    }

    package func endSnapshot() { unsafe state.pointee.hazard.store(0, ordering: .releasing) }

    /// Which of `snapshots`, replaced before, some thread reads just now.
    package static func read(_ snapshots: [UInt]) -> Set<UInt> {
        fenceAll()
        let hazards = ThreadRegistry.all.map { thread in
            unsafe thread.state.pointee.hazard.load(ordering: .sequentiallyConsistent)
        }
        return Set(snapshots).intersection(hazards)
    }
}
