import CGlibc
package import CHSLink
import Glibc
package import Synchronization

/// The state that the runtime keeps for each thread that makes calls, such as its free reply slots and the components
/// that it is running in. It is never freed, only handed to another thread, since `stop` scans the states of all
/// threads.
@safe
package struct ThreadContext {
    package let state: UnsafeMutablePointer<State>

    @unsafe
    package struct State: ~Copyable {
        /// The free reply slots: a linked list with `slotCount` elements.
        var slots: UnsafeMutablePointer<ReplySlot>?
        var slotCount = 0
        let replyOps: UnsafePointer<hslink_reply_ops>
        /// The number of `frames` in use.
        package internal(set) var depth = 0
        /// The part of the thread's stack that is kept free for called methods. Code on another stack, such as a
        /// fiber's, never runs in this part.
        var reserve = hslink_stack_reserve()
        /// How deeply the completions that the thread is delivering are nested.
        package var deliveries = 0
        /// What the code that the thread is running belongs to.
        package var running = unsafe Running()
        /// The origin of the call that the thread carries out for the host, also while the thread is lent to other code;
        /// nil if it carries out none. Borrowed.
        package var carriesOut: UnsafeRawPointer?
        /// Whether marks need a fence, because the kernel does not support membarrier(2).
        let needsFence: Bool
        /// The marks of the components that the thread is running in, outermost first; `stop` reads them.
        let frames: UnsafeMutablePointer<Frame>
        /// The snapshot that this thread is currently reading. A thread that wants to free the snapshot checks it.
        let hazard = Atomic<UInt>(0)
        /// Whether the thread serves all callers, so no single caller's code may run on it.
        package var servesAll = false
        /// The strings that the thread has found in a service context last.
        var lastCarried: Carried.Known?
        /// The number of the thread, for observers outside it.
        let thread = Atomic<Int32>(0)
        /// The next state in the registry's free list.
        var next: UnsafeMutablePointer<State>?

        init(replyOps: UnsafePointer<hslink_reply_ops>, needsFence: Bool) {
            unsafe self.replyOps = unsafe replyOps
            unsafe self.needsFence = needsFence
            unsafe frames = .allocate(capacity: ThreadContext.frameCount)
            for index in 0..<ThreadContext.frameCount { unsafe (frames + index).initialize(to: Frame()) }
        }
    }

    /// What the code that a thread is running belongs to. Code that only borrows the thread, such as the completion of
    /// another caller's call, exchanges it as a whole; see ``CallerContext``.
    @unsafe
    package struct Running {
        /// The strings that the thread's current call carries; nil if there are none. Borrowed.
        package var carried: UnsafePointer<hslink_value>?
        /// The origin of the call that the thread is running, which only the host interprets. Borrowed.
        package var origin: UnsafeRawPointer?
        /// The number of the delivery of an event whose handler the thread is running, which only the host interprets;
        /// 0 if there is none.
        package var eventDelivery = 0
        /// Whether the code continues a call in flight, so it may make calls while the host is stopping.
        package var isInFlight = false
        /// Whether the thread is calling an object. A bracket is then part of that call.
        package var isCallingObject = false
        /// The number of marks that the thread already had. They belong to the code that lends the thread.
        package var base = 0
        /// The limit of the number of marks; lower while the thread runs a call for another thread, whose depth then
        /// counts too.
        package var depthLimit = ThreadContext.frameCount

        package init() {}
    }

    /// The mark of one component that a thread is running in.
    package struct Frame: ~Copyable {
        /// The identity of the component; 0 if there is no mark.
        package let component = Atomic<UInt>(0)
        /// The method that the thread is running; 0 for a bracket of the component's own, ``objectCall`` for a bracket
        /// inside a call of an object, ``objectMark`` for a call of an object that makes no bracket.
        package let method = Atomic<UInt>(0)
        /// Differs between two marks in a row. Only the thread itself changes it.
        let count = Atomic<UInt>(0)
    }

    /// The value of ``Frame/method`` for a bracket inside a call of an object.
    package static let objectCall: UInt = 1

    /// The value of ``Frame/method`` for the host's own mark around a call of an object, which no `leave` removes.
    package static let objectMark: UInt = 2

    /// The maximum nesting depth of calls on one thread, if its stack has room for that many.
    package static let frameCount = 512

    /// Creates the context of the thread with this state.
    @inline(__always)
    package init(_ state: UnsafeMutableRawPointer) {
        unsafe self.state = unsafe state.assumingMemoryBound(to: State.self)
    }

    init(state: UnsafeMutablePointer<State>) { unsafe self.state = unsafe state }

    /// Registers a function to call when a thread with a state ends. The state no longer belongs to the thread at that
    /// point. Only the last function registered is called.
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

    /// The thread's marks, a constant for each state: ``frameCount`` frames. A handler of crashes in C reads them, so a
    /// frame begins with the component and the method.
    package var marks: UnsafeRawPointer { unsafe UnsafeRawPointer(state.pointee.frames) }

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

// Marks. A thread that stops a component first publishes the stop, then issues a fence on all threads, and then scans
// for marks. So either a call sees the stop or `stop` sees the call's mark, and the call path needs no fence.
extension ThreadContext {
    /// The number of marks that the thread has.
    @inline(__always)
    package var depth: Int { unsafe state.pointee.depth }

    /// Marks the thread as running in `component`. Must be paired with ``leave(to:)`` on the same thread, or with
    /// ``leave(_:)`` if there is no method. The mark is visible to a stop before any later read.
    ///
    /// - Returns: false, without making a mark, if calls are nested as deeply as the limit or the thread's stack
    ///   allows.
    @inline(__always)
    package func enter(_ component: UInt, method: UInt = 0) -> Bool {
        let depth = unsafe state.pointee.depth
        guard unsafe depth < state.pointee.running.depthLimit,
            unsafe hslink_stack_position() &- state.pointee.reserve.start >= state.pointee.reserve.size
        else { return false }
        unsafe state.pointee.depth = depth &+ 1
        let count = unsafe state.pointee.frames[depth].count.load(ordering: .relaxed)
        unsafe state.pointee.frames[depth].count.store(count &+ 1, ordering: .relaxed)
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

    /// Whether another mark may be made on this thread.
    package var hasRoom: Bool { unsafe depth < state.pointee.running.depthLimit && hasStack }

    /// Whether the thread's stack has more left than what is kept free for called methods.
    package var hasStack: Bool {
        unsafe hslink_stack_position() &- state.pointee.reserve.start >= state.pointee.reserve.size
    }

    /// Removes all marks beyond the first `depth`.
    ///
    /// - Returns: Whether there were `count`. If there were more, author code has entered more often than it left.
    package func leave(to depth: Int, expecting count: Int) -> Bool {
        let isBalanced = self.depth == depth + count
        _ = leaveAll(to: depth)
        return isBalanced
    }

    /// Whether calls may still nest deeply enough on this thread to start a component.
    package var hasRoomForStart: Bool {
        unsafe depth <= state.pointee.running.depthLimit - 64
            && hslink_stack_position() &- state.pointee.reserve.start >= 2 * state.pointee.reserve.size
    }

    /// Removes all marks beyond the first `depth`.
    ///
    /// - Returns: whether there was exactly one. If there were more, author code has entered more often than it left.
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

    /// Removes the newest mark if it is a bracket of `component`.
    ///
    /// - Returns: false if it is not, which means that there was no `enter` on this thread.
    package func leave(_ component: UInt) -> Bool {
        let depth = unsafe state.pointee.depth
        guard ownDepth > 0, unsafe state.pointee.frames[depth - 1].component.load(ordering: .relaxed) == component,
            unsafe state.pointee.frames[depth - 1].method.load(ordering: .relaxed) <= ThreadContext.objectCall
        else { return false }
        unsafe state.pointee.depth = depth - 1
        unsafe state.pointee.frames[depth - 1].component.store(0, ordering: .releasing)
        return true
    }

    /// The number of marks of the running code itself, without those of the code that lends it the thread.
    @inline(__always)
    package var ownDepth: Int { unsafe depth - state.pointee.running.base }

    /// Whether the running code is part of a call, or of what a call has led to.
    package var isInFlight: Bool {
        unsafe ownDepth > 0 || state.pointee.running.origin != nil || state.pointee.running.isInFlight
    }

    /// The methods that the running code is part of, outermost first; at most ``objectMark`` for a bracket or an object.
    /// Other threads must not read this.
    package var methods: [UInt] {
        unsafe (state.pointee.running.base..<depth).map {
            unsafe state.pointee.frames[$0].method.load(ordering: .relaxed)
        }
    }

    /// The component whose code the thread is running; nil if it is the host's own. Other threads must not read this.
    package var innermostComponent: UInt? {
        guard ownDepth > 0 else { return nil }
        return unsafe state.pointee.frames[depth - 1].component.load(ordering: .relaxed)
    }

    /// Returns the components that the thread is running in, from the mark at `depth` on, outermost first. Any thread
    /// may call this; the thread in question may have left the components by the time this returns.
    package func components(from depth: Int) -> [UInt] {
        var components: [UInt] = []
        for index in depth..<max(depth, ThreadContext.frameCount) {
            let component = unsafe state.pointee.frames[index].component.load(ordering: .acquiring)
            if component == 0 { break }
            components.append(component)
        }
        return components
    }

    /// A call that a thread is running.
    package struct RunningCall: Hashable {
        /// The number of the thread.
        package let thread: Int32
        /// The identity of the component.
        package let component: UInt
        /// The address of the method's entry.
        package let method: UInt
        fileprivate let count: UInt

        /// - Returns: Nil if the frame has no mark.
        fileprivate init?(of thread: ThreadContext, _ frame: UnsafeMutablePointer<Frame>) {
            component = unsafe frame.pointee.component.load(ordering: .acquiring)
            if component == 0 { return nil }
            method = unsafe frame.pointee.method.load(ordering: .relaxed)
            self.thread = unsafe thread.state.pointee.thread.load(ordering: .relaxed)
            count = unsafe frame.pointee.count.load(ordering: .relaxed)
        }
    }

    /// The place of a call among those of all threads.
    package struct Place: Hashable {
        fileprivate let state: UInt
        fileprivate let index: Int
    }

    /// Returns the calls to methods that all threads are running. Threads go on meanwhile, so a call may have ended,
    /// and a component and a method may belong to two calls that followed each other. Two results in which a place has
    /// the same call show that it has not ended in between.
    package static func runningCalls() -> [(place: Place, call: RunningCall)] {
        var calls: [(Place, RunningCall)] = []
        for thread in ThreadRegistry.all {
            for index in 0..<frameCount {
                guard let call = unsafe RunningCall(of: thread, thread.state.pointee.frames + index) else { break }
                guard call.method > objectMark else { continue }
                calls.append((unsafe Place(state: UInt(bitPattern: thread.state), index: index), call))
            }
        }
        return calls
    }

    /// The calls to methods that the thread is running, outermost first. Any thread may ask; some of the calls may have
    /// ended by the time this returns.
    package var runningCalls: [RunningCall] {
        var calls: [RunningCall] = []
        for index in 0..<ThreadContext.frameCount {
            guard let call = unsafe RunningCall(of: self, state.pointee.frames + index) else { break }
            if call.method > ThreadContext.objectMark { calls.append(call) }
        }
        return calls
    }

    /// Returns whether any thread is running in `component`.
    package static func isInside(_ component: UInt) -> Bool {
        anyFrame { owner, _, _ in owner == component }
    }

    /// Returns whether any thread is running a call to a method or an object of `components`. A thread whose outermost
    /// mark is a component's own bracket belongs to that component, and its calls do not count.
    package static func carriesOutCalls(of components: Set<UInt>) -> Bool {
        anyFrame { owner, method, isOwnThread in !isOwnThread && method != 0 && components.contains(owner) }
    }

    /// Returns the threads that are running one of the methods whose addresses are in `methods`. Once a thread is seen
    /// outside with ``isRunning(anyOf:)``, it has returned from every such method that it was running at this call.
    package static func running(anyOf methods: Range<UInt>) -> [ThreadContext] {
        fenceAll()
        return ThreadRegistry.all.filter { $0.isRunning(anyOf: methods) }
    }

    /// Whether the thread is running one of the methods whose addresses are in `methods`. Any thread may call this.
    package func isRunning(anyOf methods: Range<UInt>) -> Bool {
        for index in 0..<ThreadContext.frameCount {
            // A thread that stays in a method keeps the marks before the method's, so the search cannot miss it.
            guard unsafe state.pointee.frames[index].component.load(ordering: .sequentiallyConsistent) != 0 else {
                return false
            }
            if methods.contains(unsafe state.pointee.frames[index].method.load(ordering: .relaxed)) { return true }
        }
        return false
    }

    private static func anyFrame(_ predicate: (_ owner: UInt, _ method: UInt, _ isOwnThread: Bool) -> Bool) -> Bool {
        fenceAll()
        for thread in ThreadRegistry.all {
            var isOwnThread = false
            for index in 0..<frameCount {
                let owner = unsafe thread.state.pointee.frames[index].component.load(ordering: .sequentiallyConsistent)
                // Marks are contiguous, so any mark beyond this one was made after the fence.
                if owner == 0 { break }
                let method = unsafe thread.state.pointee.frames[index].method.load(ordering: .relaxed)
                if index == 0 { isOwnThread = method == 0 }
                if predicate(owner, method, isOwnThread) { return true }
            }
        }
        return false
    }

    /// Issues a full fence on every thread; only on this one if marks have fences of their own.
    private static func fenceAll() {
        if ThreadRegistry.hasMembarrier, hslink_membarrier() != 0 { return }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    /// Returns the snapshot that `source` holds, and keeps it from being freed until ``endSnapshot()``, which must be
    /// called on the same thread before this is called again.
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

    /// Returns those of `snapshots` that a thread is currently reading. All of them must already have been replaced.
    package static func read(_ snapshots: [UInt]) -> Set<UInt> {
        fenceAll()
        let hazards = ThreadRegistry.all.map { thread in
            unsafe thread.state.pointee.hazard.load(ordering: .sequentiallyConsistent)
        }
        return Set(snapshots).intersection(hazards)
    }
}
