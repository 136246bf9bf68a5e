public import CHSLink
import Glibc

// Only this file converts nodes of the boundary to Swift values. A node's memory is valid as long as the payload or
// call that it came from; every caller ensures that.
extension hslink_value {
    package var kind: PayloadKind { unsafe PayloadKind(tag: tag) }

    package var boolValue: Bool? { unsafe Int(tag) == HSLINK_BOOL ? `as`.i64 != 0 : nil }

    package var intValue: Int? {
        switch unsafe Int(tag) {
        case HSLINK_INT: unsafe Int(`as`.i64)
        // Unsigned integers should be too large for a signed one; a borrowed tree that breaks this rule is read anyway.
        case HSLINK_UINT: unsafe Int(exactly: `as`.u64)
        default: nil
        }
    }

    @usableFromInline
    package var uintValue: UInt64? {
        switch unsafe Int(tag) {
        case HSLINK_UINT: unsafe `as`.u64
        case HSLINK_INT: unsafe UInt64(exactly: `as`.i64)
        default: nil
        }
    }

    package var doubleValue: Double? {
        switch unsafe Int(tag) {
        case HSLINK_DOUBLE: unsafe `as`.f64
        case HSLINK_INT: unsafe Double(exactly: `as`.i64)
        case HSLINK_UINT: unsafe Double(exactly: `as`.u64)
        default: nil
        }
    }

    @usableFromInline
    var stringValue: String? {
        guard unsafe Int(tag) == HSLINK_STRING else { return nil }
        // Specialised, unlike String(validating:as:), and twice as fast.
        let bytes = unsafe textBytes
        if let text = unsafe bytes.shortASCII { return text }
        guard let text = try? unsafe UTF8Span(validating: bytes.span) else { return nil }
        return String(copying: text)
    }

    @usableFromInline
    var bytesValue: [UInt8]? {
        guard unsafe Int(tag) == HSLINK_BYTES else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: `as`.bytes, count: `as`.bytes == nil ? 0 : Int(length)))
    }

    @usableFromInline
    var dateValue: Timestamp? {
        guard unsafe Int(tag) == HSLINK_DATE, unsafe length < 1_000_000_000 else { return nil }
        return unsafe Timestamp(seconds: `as`.i64, nanoseconds: length)
    }

    /// The bytes of a string node.
    package var textBytes: UnsafeBufferPointer<UInt8> {
        guard let text = unsafe `as`.utf8 else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
        return unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: Int(length))
    }

    /// The items of an array node.
    package var itemNodes: UnsafeBufferPointer<hslink_value> {
        unsafe UnsafeBufferPointer(start: `as`.items, count: `as`.items == nil ? 0 : Int(length))
    }

    /// The entries of a map node.
    package var entryNodes: UnsafeBufferPointer<hslink_entry> {
        unsafe UnsafeBufferPointer(start: `as`.entries, count: `as`.entries == nil ? 0 : Int(length))
    }

    /// Returns the value of `key`; nil if this is not a map or has no such key.
    ///
    /// Inlined down to the comparison, so that for a literal key the compiler knows the length and the bytes, and
    /// compares them as numbers without creating a string.
    @inlinable @inline(__always)
    func find(_ key: String) -> hslink_value? {
        if let found = unsafe key.utf8.withContiguousStorageIfAvailable({ unsafe find(bytes: $0) }) {
            return unsafe found
        }
        return unsafe findCopying(key)
    }

    /// Returns the value of a key that is written in the source.
    @inlinable @inline(__always)
    func find(_ key: StaticString) -> hslink_value? {
        // A literal without a pointer is a single scalar stored as a number; literals passed to accessors never are.
        guard key.hasPointerRepresentation else { return unsafe findCopying(key.description) }
        return unsafe find(bytes: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    }

    /// Returns the value of `key`, for strings without contiguous UTF-8 storage.
    @usableFromInline
    func findCopying(_ key: String) -> hslink_value? {
        var key = key
        return key.withUTF8 { unsafe find(bytes: $0) }
    }

    @inlinable @inline(__always)
    func find(bytes key: UnsafeBufferPointer<UInt8>) -> hslink_value? {
        guard unsafe tag == UInt32(HSLINK_MAP), let entries = unsafe `as`.entries else { return nil }
        var index = 0
        let count = unsafe Int(length)
        while index < count {
            if unsafe entries[index].hasKey(key) { return unsafe entries[index].value }
            index &+= 1
        }
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes as a string that needs no allocation; nil if they are too many or not all ASCII.
    fileprivate var shortASCII: String? {
        guard let base = baseAddress, count > 0 else { return "" }
        guard count <= 15 else { return nil }
        let bytes = unsafe UnsafeRawPointer(base)
        var bits: UInt64 = 0
        // Two loads cover all bytes; they overlap if there are fewer than two full words.
        if count >= 8 {
            bits =
                unsafe bytes.loadUnaligned(as: UInt64.self)
                | bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        } else if count >= 4 {
            bits =
                unsafe UInt64(bytes.loadUnaligned(as: UInt32.self))
                | UInt64(bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        } else {
            bits = unsafe UInt64(base[0]) | UInt64(base[count / 2]) | UInt64(base[count &- 1])
        }
        guard bits & 0x8080_8080_8080_8080 == 0 else { return nil }
        return unsafe String(unsafeUninitializedCapacity: count) { target in
            guard let start = target.baseAddress else { return 0 }
            unsafe UnsafeMutableRawPointer(start).copyMemory(from: bytes, byteCount: count)
            return count
        }
    }
}

extension hslink_entry {
    /// Whether the key has exactly these bytes.
    @inlinable @inline(__always)
    func hasKey(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard unsafe Int(key_length) == bytes.count else { return false }
        guard let key = unsafe key, let other = bytes.baseAddress else { return bytes.isEmpty }
        return unsafe UnsafeRawPointer(key).hasName(UnsafeRawPointer(other), count: bytes.count)
    }
}

extension UnsafeRawPointer {
    /// Whether the `count` bytes at `other` are equal. For names, which are short: possibly overlapping words are
    /// compared inline, which is faster than calling memcmp.
    @inlinable @inline(__always)
    package func hasName(_ other: UnsafeRawPointer, count: Int) -> Bool {
        switch count {
        case 0: return true
        case 1...3:
            return unsafe load(as: UInt8.self) == other.load(as: UInt8.self)
                && load(fromByteOffset: count / 2, as: UInt8.self)
                    == other.load(fromByteOffset: count / 2, as: UInt8.self)
                && load(fromByteOffset: count - 1, as: UInt8.self)
                    == other.load(fromByteOffset: count - 1, as: UInt8.self)
        case 4...7:
            return unsafe loadUnaligned(as: UInt32.self) == other.loadUnaligned(as: UInt32.self)
                && loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
                    == other.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
        case 8...16:
            return unsafe loadUnaligned(as: UInt64.self) == other.loadUnaligned(as: UInt64.self)
                && loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
                    == other.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        default: return unsafe isEqual(other, count)
        }
    }

    @usableFromInline
    package func isEqual(_ other: UnsafeRawPointer, _ count: Int) -> Bool { unsafe memcmp(self, other, count) == 0 }
}

// The slow paths of the accessors by key, for values of another kind and for missing keys.
extension hslink_value {
    @usableFromInline
    func bool(of key: String) throws(PayloadError) -> Bool { try unsafe read(key, "bool", as: unsafe \.boolValue) }

    @usableFromInline
    func int(of key: String) throws(PayloadError) -> Int {
        try unsafe read(key, "int", isNumber: true, as: unsafe \.intValue)
    }

    @usableFromInline
    func uint(of key: String) throws(PayloadError) -> UInt64 {
        try unsafe read(key, "uint", isNumber: true, as: unsafe \.uintValue)
    }

    @usableFromInline
    func double(of key: String) throws(PayloadError) -> Double {
        try unsafe read(key, "double", isNumber: true, as: unsafe \.doubleValue)
    }

    @usableFromInline
    func string(of key: String) throws(PayloadError) -> String {
        try unsafe read(key, "string", as: unsafe \.stringValue)
    }

    @usableFromInline
    func bytes(of key: String) throws(PayloadError) -> [UInt8] {
        try unsafe read(key, "bytes", as: unsafe \.bytesValue)
    }

    @usableFromInline
    func date(of key: String) throws(PayloadError) -> Timestamp { try unsafe read(key, "date", as: unsafe \.dateValue) }
}

extension hslink_value {
    /// - Parameter isNumber: Whether a number is expected. A value in the wrong position may be a secret, so an error
    ///   never shows a text, and a number only where one was expected.
    func read<Value>(
        _ expected: String, isNumber: Bool = false, as convert: (hslink_value) -> Value?
    ) throws(PayloadError) -> Value {
        guard let value = unsafe convert(self) else {
            throw unsafe PayloadError(expected: expected, found: isNumber ? summary : kindSummary)
        }
        return value
    }

    /// Returns the error for reading a key of a value that is not a map.
    func isNoMap(with key: String) -> PayloadError {
        PayloadError(expected: "an object with the key \(key)", found: unsafe kindSummary)
    }

    func read<Value>(
        _ key: String, _ expected: String, isNumber: Bool = false, as convert: (hslink_value) -> Value?
    ) throws(PayloadError) -> Value {
        guard let node = unsafe find(key) else {
            guard unsafe Int(tag) == HSLINK_MAP else { throw unsafe isNoMap(with: key) }
            throw PayloadError(path: [.key(key)], expected: expected, found: "nothing")
        }
        guard let value = unsafe convert(node) else {
            throw unsafe PayloadError(
                path: [.key(key)], expected: expected, found: isNumber ? node.summary : node.kindSummary)
        }
        return value
    }

    /// The kind, followed by the value if it is a number; for errors about numbers.
    package var summary: String {
        switch unsafe kind {
        case .int: unsafe "int \(`as`.i64)"
        case .uint: unsafe "uint \(`as`.u64)"
        case .double: unsafe "double \(`as`.f64)"
        default: unsafe kindSummary
        }
    }

    /// The kind and size, without the content.
    package var kindSummary: String {
        switch unsafe kind {
        case .null: return "null"
        case .bool: return unsafe `as`.i64 != 0 ? "true" : "false"
        case .int: return "int"
        case .uint: return "uint"
        case .double: return "double"
        case .string: return unsafe stringValue == nil ? "a string that is not UTF-8" : "string"
        case .bytes: return unsafe "\(length) bytes"
        case .date: return unsafe length < 1_000_000_000 ? "date" : unsafe "a date with \(length) nanoseconds"
        case .array: return unsafe "array of \(length)"
        case .map: return unsafe "map of \(length)"
        case .object: return "object"
        case .unknown(let tag): return "a value with unknown tag \(tag)"
        }
    }
}
