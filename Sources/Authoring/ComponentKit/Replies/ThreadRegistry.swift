import CGlibc
import Glibc
import Synchronization

/// All thread states and spare slots of this image. They outlive their threads: the next new thread adopts a state, and
/// a thread that runs out of slots adopts a spare slot.
enum ThreadRegistry {
    @safe
    // Unchecked: pointers to states and slots that are never freed, guarded by the lock around this value.
    private struct Registry: @unchecked Sendable {
        var all: [ThreadContext] = []
        var free: UnsafeMutablePointer<ThreadContext.State>?
        var slots: UnsafeMutablePointer<ReplySlot>?
    }

    /// Whether the kernel can issue a fence on all threads on demand, so marks need none of their own. Determined
    /// before the first state is made.
    static let hasMembarrier = hslink_register_membarrier() != 0

    private static let registry = Lock(Registry())

    /// The address of the function registered with ``ThreadContext/whenAbandoned(_:)``; 0 if there is none.
    static let abandonHandler = Atomic<UInt>(0)

    /// The pthread key under which each thread keeps its state. Its destructor runs when a thread with a state ends.
    static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key) { state in
            guard let state = unsafe state else { return }
            unsafe ThreadRegistry.abandon(ThreadContext(state: state.assumingMemoryBound(to: ThreadContext.State.self)))
        }
        return key
    }()

    /// Gives the calling thread a state.
    @inline(never)
    static func adopt() -> ThreadContext {
        let spare = registry.withLock { registry -> ThreadContext? in
            guard let state = unsafe registry.free else { return nil }
            unsafe registry.free = unsafe state.pointee.next
            return unsafe ThreadContext(state: state)
        }
        let thread = spare ?? make()
        // The reserve depends on the thread's stack, and the state may have belonged to another thread.
        unsafe thread.state.pointee.reserve = hslink_reserve_of_stack()
        unsafe thread.state.pointee.thread.store(gettid(), ordering: .relaxed)
        unsafe pthread_setspecific(key, thread.state)
        return thread
    }

    private static func make() -> ThreadContext {
        let state = UnsafeMutablePointer<ThreadContext.State>.allocate(capacity: 1)
        unsafe state.initialize(to: ThreadContext.State(replyOps: ComponentKit.replyOps, needsFence: !hasMembarrier))
        let thread = unsafe ThreadContext(state: state)
        registry.withLock { $0.all.append(thread) }
        return thread
    }

    private static func abandon(_ thread: ThreadContext) {
        // Destructors that run after this one may still make calls; they adopt a state of their own.
        if let handler = unsafe UnsafeRawPointer(bitPattern: abandonHandler.load(ordering: .acquiring)) {
            unsafe unsafeBitCast(handler, to: (@convention(c) () -> Void).self)()
        }
        unsafe thread.state.pointee.running = unsafe ThreadContext.Running()
        unsafe thread.state.pointee.servesAll = false
        unsafe thread.state.pointee.lastCarried = nil
        unsafe thread.state.pointee.deliveries = 0
        thread.leave(to: 0)
        returnSlots(of: thread, keeping: 0)
        registry.withLock { registry in
            unsafe thread.state.pointee.next = unsafe registry.free
            unsafe registry.free = unsafe thread.state
        }
    }

    /// Returns a slot for a thread that has none left: a spare one, or a new one.
    @inline(never)
    static func newSlot(for thread: ThreadContext) -> UnsafeMutablePointer<ReplySlot> {
        let spare = unsafe registry.withLock { registry -> UnsafeMutablePointer<ReplySlot>? in
            guard let slot = unsafe registry.slots else { return nil }
            unsafe registry.slots = unsafe slot.owned.pointee.next
            return unsafe slot
        }
        if let spare = unsafe spare { return unsafe spare }
        let slot = UnsafeMutablePointer<ReplySlot>.allocate(capacity: 1)
        unsafe slot.initialize(to: ReplySlot())
        return unsafe slot
    }

    /// Moves a thread's free slots, except for `kept` of them, to the spare slots.
    @inline(never)
    static func returnSlots(of thread: ThreadContext, keeping kept: Int) {
        registry.withLock { registry in
            while unsafe thread.state.pointee.slotCount > kept, let slot = unsafe thread.state.pointee.slots {
                unsafe thread.state.pointee.slots = unsafe slot.owned.pointee.next
                unsafe thread.state.pointee.slotCount -= 1
                unsafe slot.owned.pointee.next = unsafe registry.slots
                unsafe registry.slots = unsafe slot
            }
        }
    }

    /// All states, including those of threads that have ended.
    static var all: [ThreadContext] { registry.withLock { $0.all } }
}
