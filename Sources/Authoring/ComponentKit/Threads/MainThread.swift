import CGlibc
import Dispatch

/// Determines whether the calling thread is the one that main-actor code runs on. That is not always the program's
/// initial thread: once a program has handed that thread to Dispatch, other threads serve the main queue.
package enum MainThread {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main thread, or another thread that currently serves the main queue.
    package static var isCurrent: Bool {
        hslink_is_main_thread() != 0 || DispatchQueue.getSpecific(key: key) == true
    }
}
