package import CHSLink

// Texts, structs and reports of failures as they cross the boundary.

// A length that comes over the boundary is data: a text is read only when it can be one.
extension hslink_string {
    /// A copy of the text, with bytes that are not UTF-8 repaired; nil when it is longer than `limit` bytes, or NULL
    /// with a length: then no byte of it is read.
    package func text(limit: Int) -> String? {
        let count = unsafe length
        if count == 0 { return "" }
        guard let text = unsafe utf8, count > 0, count <= limit else { return nil }
        return unsafe String(decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// The name of a component, class, selector or the like; nil for a text that cannot be one.
    package var name: String? { unsafe text(limit: HSLINK_NAME_BYTES) }

    /// What stands in the place of a text that is not read.
    package var placeholder: String { unsafe "(a text of \(UInt(bitPattern: length)) bytes)" }
}

extension String {
    /// A copy of a message; one that is too long for a message, or NULL with a length, only says so.
    package init(_ message: hslink_string) {
        self = unsafe message.text(limit: HSLINK_MESSAGE_BYTES) ?? message.placeholder
    }

    /// A copy of a name to show; one that is too long for a name, or NULL with a length, only says so.
    package init(name: hslink_string) { self = unsafe name.name ?? name.placeholder }

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

    /// The same for a message, of which the other side would not read one that is too long: that loses its end.
    package func withLinkMessage<Result>(_ body: (hslink_string) throws -> Result) rethrows -> Result {
        guard utf8.count > HSLINK_MESSAGE_BYTES else { return try unsafe withLinkString(body) }
        var end = utf8.index(startIndex, offsetBy: HSLINK_MESSAGE_BYTES - "…".utf8.count)
        // Not in the middle of a character's bytes.
        while utf8[end] & 0xC0 == 0x80 { utf8.formIndex(before: &end) }
        return try unsafe "\(self[..<end])…".withLinkString(body)
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

// A reply handle is a plain value that by contract may be kept for ever and used from any thread.
// The type belongs to this package's own header.
// swift-format-ignore: AvoidRetroactiveConformances
extension hslink_reply: @unchecked @retroactive Sendable {}

extension UnsafeRawPointer {
    /// A copy of a struct of which the other side has `size` bytes: what is not there of it is zero, what there is
    /// more is left out, and no byte beyond is read. It need not be aligned.
    ///
    /// - Parameter type: a struct of C for which all zero is a value in the members that may be missing.
    package func loadBeginning<Value: BitwiseCopyable>(of type: Value.Type, size: Int) -> Value {
        unsafe withUnsafeTemporaryAllocation(
            byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment
        ) { bytes in
            unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
            unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: self, count: min(size, bytes.count)))
            return unsafe bytes.load(as: Value.self)
        }
    }
}

/// Receives what `create`, `make` or `bind` report when they fail. For one call on one thread.
package final class FailureReport {
    /// The last report; nil when there was none.
    package private(set) var error: LinkError?

    package init() {}

    /// Lends the receiver in the form of the boundary for the length of `body`.
    package func withUnsafeFailure<Result>(_ body: (UnsafePointer<hslink_failure>) -> Result) -> Result {
        let failure = unsafe hslink_failure(
            report: { context, error in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<FailureReport>.fromOpaque(context).takeUnretainedValue().error = unsafe LinkError(
                    copying: error)
            }, context: unsafe Unmanaged.passUnretained(self).toOpaque())
        return withExtendedLifetime(self) { unsafe withUnsafePointer(to: failure, body) }
    }
}
