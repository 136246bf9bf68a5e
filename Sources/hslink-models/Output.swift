import Glibc
import SystemSupport

/// Writes to standard output and standard error.
enum Output {
    /// Whether standard output is a terminal that shows colours, and `NO_COLOR` (no-color.org) does not forbid them.
    static var hasColor: Bool {
        let terminal = variable("TERM")
        return isatty(STDOUT_FILENO) == 1 && !terminal.isEmpty && terminal != "dumb" && variable("NO_COLOR").isEmpty
    }

    private static func variable(_ name: String) -> String {
        unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
    }

    /// Writes a text completely.
    ///
    /// - Returns: False if that failed; the reason is on standard error. A closed pipe is no failure.
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        var text = text
        let error: Int32 = text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while unsafe !rest.isEmpty {
                let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return 0
        }
        guard error != 0, error != EPIPE else { return true }
        if descriptor == STDOUT_FILENO {
            let message = "Error: the result could not be written to standard output: \(systemMessage(error))\n"
            _ = write(message, to: STDERR_FILENO)
        }
        return false
    }
}
