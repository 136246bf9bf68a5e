import Glibc

/// Writes a text completely, without stdio's buffers.
///
/// - Returns: 0, or the value of `errno`.
package func writeAll(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)
        while unsafe !rest.isEmpty {
            let count = unsafe write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return 0
    }
}

/// Returns whether to use colour on standard output or standard error: it is a terminal that shows colours, and
/// `NO_COLOR` (no-color.org) does not forbid them.
package func hasColor(_ descriptor: Int32) -> Bool {
    canRedraw(descriptor) && (RunningProgram.variable("NO_COLOR") ?? "").isEmpty
}

/// Returns whether standard output or standard error is a terminal that understands escape sequences.
package func canRedraw(_ descriptor: Int32) -> Bool {
    let terminal = RunningProgram.variable("TERM") ?? ""
    return isatty(descriptor) == 1 && !terminal.isEmpty && terminal != "dumb"
}
