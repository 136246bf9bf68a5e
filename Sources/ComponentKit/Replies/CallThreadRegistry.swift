import Glibc
import Synchronization

/// All thread states and spare slots of this image. They outlive their threads: a state is adopted by
/// the next new thread, a slot by whoever runs out.
enum CallThreadRegistry {
    @safe
    // Unchecked: pointers to states and slots that are never freed, guarded by the mutex around this.
    private struct Registry: @unchecked Sendable {
        var all: [CallThread] = []
        var free: UnsafeMutablePointer<CallThread.State>?
        var slots: UnsafeMutablePointer<ReplySlot>?
    }

    /// Calls that are nested deeper than the frames of their thread reach.
    static let deepCalls = Atomic<Int>(0)

    private static let registry = Lock(Registry())

    /// The key under which a thread finds its state; its destructor runs when the thread ends.
    static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key) { state in
            guard let state = unsafe state else { return }
            unsafe CallThreadRegistry.abandon(CallThread(state: state.assumingMemoryBound(to: CallThread.State.self)))
        }
        return key
    }()

    /// Gives the calling thread a state.
    @inline(never)
    static func adopt() -> CallThread {
        let spare = registry.withLock { registry -> CallThread? in
            guard let state = unsafe registry.free else { return nil }
            unsafe registry.free = unsafe state.pointee.next
            return unsafe CallThread(state: state)
        }
        let thread = spare ?? make()
        unsafe pthread_setspecific(key, thread.state)
        return thread
    }

    private static func make() -> CallThread {
        let state = UnsafeMutablePointer<CallThread.State>.allocate(capacity: 1)
        unsafe state.initialize(to: CallThread.State(replyOps: ComponentKit.replyOps))
        let thread = unsafe CallThread(state: state)
        registry.withLock { $0.all.append(thread) }
        return thread
    }

    private static func abandon(_ thread: CallThread) {
        returnSlots(of: thread, keeping: 0)
        registry.withLock { registry in
            unsafe thread.state.pointee.next = unsafe registry.free
            unsafe registry.free = unsafe thread.state
        }
    }

    /// A slot for a thread that has none: a spare one with some more, or a new one.
    @inline(never)
    static func newSlot(for thread: CallThread) -> UnsafeMutablePointer<ReplySlot> {
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

    /// Moves slots from a thread to the spare ones.
    @inline(never)
    static func returnSlots(of thread: CallThread, keeping kept: Int) {
        registry.withLock { registry in
            while unsafe thread.state.pointee.slotCount > kept, let slot = unsafe thread.state.pointee.slots {
                unsafe thread.state.pointee.slots = unsafe slot.owned.pointee.next
                unsafe thread.state.pointee.slotCount -= 1
                unsafe slot.owned.pointee.next = unsafe registry.slots
                unsafe registry.slots = unsafe slot
            }
        }
    }

    /// All states, of threads that are there and of those that were.
    static var all: [CallThread] { registry.withLock { $0.all } }
}
