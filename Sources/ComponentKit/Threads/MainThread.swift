import CGlibc
import Dispatch

/// Whether the calling thread is the one that main-actor code runs on. That is not always the thread that
/// the program began with: once a program has given that up to Dispatch, the main queue is served by others.
package enum MainThread {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// True also while the main queue is served by another thread.
    package static var isCurrent: Bool {
        hslink_is_main_thread() != 0 || DispatchQueue.getSpecific(key: key) == true
    }
}
