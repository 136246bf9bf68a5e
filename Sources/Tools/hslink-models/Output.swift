import Glibc
import SystemSupport

/// Writes to standard output and standard error.
enum Output {
    /// Writes a text completely.
    ///
    /// - Returns: False if that failed; the reason is on standard error. A closed pipe is not a failure.
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        let error = writeAll(text, to: descriptor)
        guard error != 0, error != EPIPE else { return true }
        if descriptor == STDOUT_FILENO {
            let message = "Error: the result could not be written to standard output: \(systemMessage(error))\n"
            _ = writeAll(message, to: STDERR_FILENO)
        }
        return false
    }
}
