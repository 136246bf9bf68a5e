import Glibc
import Synchronization
import SystemSupport

/// The signals that `hslink dev` waits for together with other things: those that end it, and that a child has ended.
/// Not as sources of Dispatch, which cannot be waited for together with descriptors.
enum DevSignals {
    /// Takes over the signals. Once in a process.
    ///
    /// - Returns: a descriptor from which their numbers can be read, a byte each.
    /// - Throws: the system's words.
    static func handle() throws(DevError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw DevError("no pipe can be made: \(systemMessage(errno))") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGCHLD] {
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = receive
            action.sa_flags = SA_RESTART
            guard unsafe sigaction(number, &action, nil) == 0 else {
                throw DevError("signals cannot be handled: \(systemMessage(errno))")
            }
            unsafe sigaddset(&signals, number)
        }
        // Who started the process may have had them blocked.
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        return ends[0]
    }

    /// The signals that have come since the last time.
    static func take(from descriptor: Int32) -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return bytes.prefix(max(count, 0)).map(Int32.init)
    }
}

/// Where the numbers of signals are written to.
private let signalPipe = Atomic<Int32>(-1)

/// Runs in the middle of anything: nothing but atomics and functions that are safe there.
private func receive(_ number: Int32) {
    let error = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = error
}
