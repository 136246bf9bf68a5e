import Glibc

/// Returns the system's message for an error number, such as "No such file or directory".
///
/// Use this instead of `strerror`, which may write to a buffer that all threads share.
///
/// - Parameter number: A value of `errno`.
package func systemMessage(_ number: Int32) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        guard let text = buffer.baseAddress, unsafe strerror_r(number, text, buffer.count) == 0 else {
            return "error \(number)"
        }
        return unsafe String(cString: text)
    }
}
