package import CHSLink

// The boundary forms of strings, structs and failure reports.

// A length received over the boundary is untrusted: a string is read only if its pointer and length are plausible.
extension hslink_string {
    /// Returns a copy of the text, with invalid UTF-8 repaired.
    ///
    /// - Returns: nil if the text is longer than `limit` bytes, or is NULL with a length; the text is then not read.
    package func text(limit: Int) -> String? {
        let count = unsafe length
        if count == 0 { return "" }
        guard let text = unsafe utf8, count > 0, count <= limit else { return nil }
        return unsafe String(decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// A copy of the text as a name, such as that of a component, class or selector; nil if it is not a valid one.
    package var name: String? { unsafe text(limit: HSLINK_NAME_BYTES) }

    /// The placeholder for a string that is not read.
    package var placeholder: String { unsafe "(a string of \(UInt(bitPattern: length)) bytes)" }
}

extension String {
    /// Copies a message. One that is too long, or is NULL with a length, becomes a placeholder with its size.
    package init(_ message: hslink_string) {
        self = unsafe message.text(limit: HSLINK_MESSAGE_BYTES) ?? message.placeholder
    }

    /// Copies a name for display. One that is too long, or is NULL with a length, becomes a placeholder with its size.
    package init(name: hslink_string) { self = unsafe name.name ?? name.placeholder }

    /// Calls `body` with the bytes as a boundary string, which is valid until `body` returns.
    package func withLinkString<Result>(_ body: (hslink_string) throws -> Result) rethrows -> Result {
        var copy = self
        return try copy.withUTF8 { bytes in
            try unsafe body(
                hslink_string(
                    utf8: UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
                    length: bytes.count))
        }
    }

    /// Like ``withLinkString(_:)``, but truncates a message that is too long for the other side to read.
    package func withLinkMessage<Result>(_ body: (hslink_string) throws -> Result) rethrows -> Result {
        guard utf8.count > HSLINK_MESSAGE_BYTES else { return try unsafe withLinkString(body) }
        var end = utf8.index(startIndex, offsetBy: HSLINK_MESSAGE_BYTES - "…".utf8.count)
        // Do not cut inside a UTF-8 sequence.
        while utf8[end] & 0xC0 == 0x80 { utf8.formIndex(before: &end) }
        return try unsafe "\(self[..<end])…".withLinkString(body)
    }
}

extension hslink_string {
    /// Copies the text to memory that is never freed, for the tables of an image, which live as long as the process.
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

extension UnsafePointer {
    /// Copies the value to memory that is never freed, for the tables of an image, which live as long as the process.
    package init(constant value: Pointee) {
        let memory = UnsafeMutablePointer<Pointee>.allocate(capacity: 1)
        unsafe memory.initialize(to: value)
        unsafe self.init(memory)
    }
}

// By contract, a reply handle is a plain value that may be kept forever and used from any thread.
// The conformance is not truly retroactive: the type comes from this package's own header.
// swift-format-ignore: AvoidRetroactiveConformances
extension hslink_reply: @unchecked @retroactive Sendable {}

extension UnsafeRawPointer {
    /// Copies a struct that has `size` bytes on the other side. Missing members are zero, additional bytes are ignored,
    /// and nothing beyond `size` is read. The pointer need not be aligned.
    ///
    /// - Parameter type: a C struct in which zero is valid for every member that may be missing.
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

/// Receives the error that a function such as `create`, `make` or `bind` reports. Serves one call on one thread.
package final class FailureReport {
    /// The last error reported; nil if there was none.
    package private(set) var error: LinkError?

    package init() {}

    /// Calls `body` with this receiver in its boundary form, which is valid until `body` returns.
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
