import CGlibc
import Glibc

/// Descriptors that belong to this process alone: children that anything in the process forks do not keep them, even
/// without `exec`.
package enum ForkGuard {
    /// Opens a descriptor that is closed in forked children.
    ///
    /// - Parameter open: Returns the descriptor, or a negative number and an `errno`. No other thread can fork
    ///   meanwhile, so it must not block.
    /// - Returns: The result of `open`; -1 with the `errno` ENOMEM if there is no memory for the registration.
    package static func open(_ open: () -> Int32) -> Int32 {
        hslink_fork_lock()
        defer { hslink_fork_unlock() }
        let descriptor = open()
        guard descriptor >= 0, hslink_fork_close_in_children(descriptor) != 0 else { return descriptor }
        Glibc.close(descriptor)
        errno = ENOMEM
        return -1
    }

    /// Closes a descriptor that ``open(_:)`` has returned. If something else closes it, a child notices that the number
    /// stands for another file, and leaves that alone.
    package static func close(_ descriptor: Int32) {
        hslink_fork_forget(descriptor)
        Glibc.close(descriptor)
    }
}
