import Glibc

/// What the system says about an error number, as in "No such file or directory".
///
/// `strerror` may write to a buffer that all threads share; use this instead.
///
/// - Parameter number: a value of `errno`.
package func systemMessage(_ number: Int32) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        guard let text = buffer.baseAddress, unsafe strerror_r(number, text, buffer.count) == 0 else {
            return "error \(number)"
        }
        return unsafe String(cString: text)
    }
}
