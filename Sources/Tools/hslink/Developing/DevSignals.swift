import Glibc
import Synchronization
import SystemSupport

/// The signals that `hslink dev` waits for along with file changes: those that end it, and SIGCHLD. Dispatch sources
/// are unsuitable, because poll(2) cannot wait for them.
enum DevSignals {
    /// Installs the handlers. Call it once per process.
    ///
    /// - Returns: a descriptor that delivers the number of each signal as a byte.
    /// - Throws: a ``DevError`` with the system's error message.
    static func handle() throws(DevError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw DevError("cannot create a pipe: \(systemMessage(errno))") }
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
                throw DevError("cannot handle signals: \(systemMessage(errno))")
            }
            unsafe sigaddset(&signals, number)
        }
        // The parent process may have blocked them.
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        return ends[0]
    }

    /// Returns the numbers of the signals received since the last call.
    static func take(from descriptor: Int32) -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return bytes.prefix(max(count, 0)).map(Int32.init)
    }
}

/// The descriptor that the handler writes signal numbers to.
private let signalPipe = Atomic<Int32>(-1)

/// Signal handler: uses only atomics and async-signal-safe functions.
private func receive(_ number: Int32) {
    let error = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = error
}
