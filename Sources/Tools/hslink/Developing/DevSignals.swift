import Glibc

/// The signals that `hslink dev` waits for along with file changes: those that end it, and SIGCHLD. Dispatch sources
/// are unsuitable, because poll(2) cannot wait for them.
enum DevSignals {
    /// Installs the handlers. Call it once per process.
    ///
    /// - Returns: a descriptor that delivers the number of each signal as a byte.
    /// - Throws: a ``DevError`` with the system's error message.
    static func handle() throws(DevError) -> Int32 {
        let numbers = [SIGINT, SIGTERM, SIGHUP, SIGCHLD]
        do throws(SignalError) {
            let input = try TerminationSignals.take(numbers, isSecondFatal: false)
            _ = fcntl(input, F_SETFL, O_NONBLOCK)
            TerminationSignals.unblock(numbers)
            return input
        } catch {
            throw DevError(error.message)
        }
    }

    /// Returns the numbers of the signals received since the last call.
    static func take(from descriptor: Int32) -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return bytes.prefix(max(count, 0)).map(Int32.init)
    }
}
