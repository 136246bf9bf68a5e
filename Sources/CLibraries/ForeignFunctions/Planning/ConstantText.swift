import Glibc

/// A NUL-terminated text at a constant address.
@safe
// Unchecked: written in init, read-only from then on.
final class ConstantText: @unchecked Sendable {
    let bytes: UnsafePointer<CChar>
    /// The length in bytes, without the NUL.
    let length: Int

    /// - Parameter text: A text that contains no NUL.
    init(_ text: String) {
        var text = text
        (unsafe bytes, length) = text.withUTF8 { source in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: source.count + 1)
            if let base = source.baseAddress {
                unsafe UnsafeMutableRawPointer(copy).copyMemory(from: base, byteCount: source.count)
            }
            unsafe (copy + source.count).initialize(to: 0)
            return unsafe (UnsafePointer(copy), source.count)
        }
    }

    deinit { unsafe bytes.deallocate() }
}
