import Glibc
import SystemSupport

/// Asks at the controlling terminal whether an action is to be performed.
enum PageConfirmation {
    /// Asks, and waits for a line.
    ///
    /// - Parameter question: any text; it is escaped.
    /// - Returns: whether the answer is yes; nil if there is no terminal.
    static func ask(_ question: String) -> Bool? {
        // Independent of any redirection of the standard streams.
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        guard writeAll("\(question.escaped) [y/N] ", to: terminal) == 0 else { return nil }
        var bytes: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = unsafe read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 || byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return ["y", "yes"].contains(String(decoding: bytes, as: UTF8.self).lowercased())
    }
}
