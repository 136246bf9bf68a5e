import Glibc
import Synchronization
import SystemSupport

/// Writes to standard output and standard error without stdio's buffers, so nothing ever needs flushing.
enum Output {
    private static let isAbandoned = Atomic(false)

    /// Whether the reader of standard output has closed the pipe, so further results would not be read.
    static var hasNoReader: Bool { isAbandoned.load(ordering: .relaxed) }

    /// Like ``hasNoReader``, also if nothing has been written since the reader has closed the pipe.
    static func hasLostReader() -> Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        if unsafe poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR) != 0 {
            isAbandoned.store(true, ordering: .relaxed)
        }
        return hasNoReader
    }

    /// Reserves the numbers of closed standard descriptors. Otherwise files opened later would get these numbers, and
    /// would be read as the input or receive the output. Reading and writing still fails, as on a closed descriptor.
    static func reserveDescriptors() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", mode)
        }
    }

    /// Writes a result.
    ///
    /// - Parameter text: whole lines, without terminal escape sequences from untrusted sources.
    /// - Throws: an ``OutputError`` if it could not be written. A closed pipe is not an error.
    static func result(_ text: String) throws(OutputError) {
        let error = writeAll(text + "\n", to: STDOUT_FILENO)
        if error == EPIPE { isAbandoned.store(true, ordering: .relaxed) }
        guard error == 0 || error == EPIPE else { throw OutputError(code: error) }
    }

    /// Writes a result in JSON.
    ///
    /// - Parameter text: JSON without control characters in its strings.
    /// - Throws: an ``OutputError`` if it could not be written. A closed pipe is not an error.
    static func json(_ text: String) throws(OutputError) { try result(text.escapedInJSON) }

    /// Writes an error message to standard error.
    static func error(_ text: String) { note("Error: \(text)") }

    /// Writes a line to standard error. Failures are ignored, since they could not be reported either.
    static func note(_ text: String) { _ = writeAll(text + "\n", to: STDERR_FILENO) }

    /// Replaces the current line of the terminal at standard error with `text`.
    static func replaceLine(with text: String) { _ = writeAll("\r\u{1B}[K" + text, to: STDERR_FILENO) }
}

/// The error thrown if a result could not be written.
struct OutputError: Error {
    /// The value of `errno`.
    let code: Int32

    var message: String { "the result could not be written to standard output: \(systemMessage(code))" }
}

extension String {
    /// The message of an error on the terminal: each of its lines is ``escaped``, and those after the first are indented,
    /// so that no line of a foreign text looks like a message of its own. Empty lines are left out.
    var escapedMessage: String { exactParts(between: "\n").map(\.escaped).joined(separator: "\n  ") }
}
