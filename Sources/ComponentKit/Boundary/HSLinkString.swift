package import CHSLink

extension String {
    /// A copy of a boundary string; bytes that are no UTF-8 are repaired.
    package init(_ string: hslink_string) {
        guard let text = unsafe string.utf8 else {
            self = ""
            return
        }
        self = unsafe String(decoding: UnsafeRawBufferPointer(start: text, count: string.length), as: UTF8.self)
    }

    /// Lends the bytes as a boundary string for the length of `body`.
    package func withLinkString<Result>(_ body: (hslink_string) throws -> Result) rethrows -> Result {
        var copy = self
        return try copy.withUTF8 { bytes in
            try unsafe body(
                hslink_string(
                    utf8: UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
                    length: bytes.count))
        }
    }
}

extension hslink_string {
    /// A copy that is never freed, for the tables of an image, which live as long as the process.
    init(constant text: String) {
        var text = text
        unsafe self = text.withUTF8 { bytes in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: max(bytes.count, 1))
            if let base = bytes.baseAddress {
                unsafe UnsafeMutableRawPointer(copy).copyMemory(from: base, byteCount: bytes.count)
            }
            return unsafe hslink_string(utf8: copy, length: bytes.count)
        }
    }
}
