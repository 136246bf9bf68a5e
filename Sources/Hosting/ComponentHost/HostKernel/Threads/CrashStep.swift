import CHostThread
import ComponentKit
import Glibc

/// What the host does with a component outside of calls, such as starting it. The thread has no mark of the component
/// meanwhile, so a crash would otherwise name none.
enum CrashStep {
    /// Runs code of a component on this thread.
    ///
    /// - Parameters:
    ///   - activity: completes the message "crashed …", as in "while it started".
    ///   - component: the name of the component.
    static func run<Result: ~Copyable, Failure: Error>(
        _ activity: StaticString, of component: String, body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let name = unsafe strdup(component) else { return try body() }
        let text = unsafe UnsafeRawPointer(activity.utf8Start).assumingMemoryBound(to: CChar.self)
        let outer = unsafe hslink_crash_begin_step(name, text, UInt64(HostThread.current.depth))
        defer {
            unsafe hslink_crash_end_step(outer)
            unsafe free(name)
        }
        return try body()
    }
}
