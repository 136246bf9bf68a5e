import Glibc
import Synchronization
import SystemSupport

/// Writes to standard output and standard error, past the buffers of stdio: nothing is left to be flushed.
enum Output {
    private static let isAbandoned = Atomic(false)

    /// Whether the reader of results has gone away: nobody reads what is still to come.
    static var hasNoReader: Bool { isAbandoned.load(ordering: .relaxed) }

    /// Takes the places of standard descriptors that were closed: what is opened later would get their numbers, and be
    /// read from and written to in their place. Reading and writing fails as before.
    static func reserveDescriptors() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", mode)
        }
    }

    /// Writes a result.
    ///
    /// - Parameter text: whole lines; nothing in it may be an order to a terminal.
    /// - Throws: when it could not be written. A reader that went away early is no failure.
    static func result(_ text: String) throws(OutputError) {
        let error = write(text + "\n", to: STDOUT_FILENO)
        if error == EPIPE { isAbandoned.store(true, ordering: .relaxed) }
        guard error == 0 || error == EPIPE else { throw OutputError(code: error) }
    }

    /// Writes a result in JSON.
    ///
    /// - Parameter text: JSON without control characters in its strings.
    /// - Throws: when it could not be written.
    static func json(_ text: String) throws(OutputError) { try result(text.escapedInJSON) }

    /// Writes why something was not done.
    static func error(_ text: String) { note("Error: \(text)") }

    /// Writes a line beside the result. What cannot be written there cannot be reported either.
    static func note(_ text: String) { _ = write(text + "\n", to: STDERR_FILENO) }

    /// Puts `text` in the place of the line that standard error's terminal shows last.
    static func replaceLine(with text: String) { _ = write("\r\u{1B}[K" + text, to: STDERR_FILENO) }

    /// - Returns: 0, or the system's number of the error.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
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
    }
}

/// The result could not be written.
struct OutputError: Error {
    /// The system's number of the error.
    let code: Int32

    var message: String { "the result could not be written to standard output: \(systemMessage(code))" }
}
