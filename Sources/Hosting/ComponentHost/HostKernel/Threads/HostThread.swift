import CHostThread
import ComponentKit

/// Caches the state of each thread, since every call needs it twice.
enum HostThread {
    /// The state of the calling thread.
    @inline(__always)
    static var current: ThreadContext {
        if let state = unsafe hslink_host_thread_state() { return unsafe ThreadContext(state) }
        return find()
    }

    @inline(never)
    private static func find() -> ThreadContext {
        ThreadContext.whenAbandoned {
            ThreadCells.abandon()
            hslink_set_host_thread_state(nil)
            hslink_crash_set_marks(nil)
        }
        let thread = ThreadContext.current
        unsafe hslink_set_host_thread_state(thread.state)
        unsafe hslink_crash_set_marks(thread.marks)
        return thread
    }
}
