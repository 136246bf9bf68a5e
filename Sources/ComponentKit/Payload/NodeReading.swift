import CHSLink

// The one place that turns nodes of the boundary into Swift values. A node's memory is valid while
// the payload or the call that it came from is; every caller sees to that.
extension hslink_value {
    var kind: PayloadKind { unsafe PayloadKind(tag: tag) }

    var boolValue: Bool? { unsafe Int(tag) == HSLINK_BOOL ? `as`.i64 != 0 : nil }

    var intValue: Int? {
        switch unsafe Int(tag) {
        case HSLINK_INT: unsafe Int(`as`.i64)
        // Unsigned is for what is not signed; a borrowed tree that says otherwise is read all the same.
        case HSLINK_UINT: unsafe Int(exactly: `as`.u64)
        default: nil
        }
    }

    var uintValue: UInt64? {
        switch unsafe Int(tag) {
        case HSLINK_UINT: unsafe `as`.u64
        case HSLINK_INT: unsafe UInt64(exactly: `as`.i64)
        default: nil
        }
    }

    var doubleValue: Double? {
        switch unsafe Int(tag) {
        case HSLINK_DOUBLE: unsafe `as`.f64
        case HSLINK_INT: unsafe Double(exactly: `as`.i64)
        case HSLINK_UINT: unsafe Double(exactly: `as`.u64)
        default: nil
        }
    }

    var stringValue: String? {
        guard unsafe Int(tag) == HSLINK_STRING else { return nil }
        // Specialised, where String(validating:as:) is not: twice as quick.
        let bytes = unsafe textBytes
        guard let text = try? unsafe UTF8Span(validating: bytes.span) else { return nil }
        return String(copying: text)
    }

    var bytesValue: [UInt8]? {
        guard unsafe Int(tag) == HSLINK_BYTES else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: `as`.bytes, count: `as`.bytes == nil ? 0 : Int(length)))
    }

    var dateValue: Timestamp? {
        guard unsafe Int(tag) == HSLINK_DATE, unsafe length < 1_000_000_000 else { return nil }
        return unsafe Timestamp(seconds: `as`.i64, nanoseconds: length)
    }

    /// The bytes of a string node.
    var textBytes: UnsafeBufferPointer<UInt8> {
        guard let text = unsafe `as`.utf8 else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
        return unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: Int(length))
    }

    /// The items of an array node.
    var itemNodes: UnsafeBufferPointer<hslink_value> {
        unsafe UnsafeBufferPointer(start: `as`.items, count: `as`.items == nil ? 0 : Int(length))
    }

    /// The entries of a map node.
    var entryNodes: UnsafeBufferPointer<hslink_entry> {
        unsafe UnsafeBufferPointer(start: `as`.entries, count: `as`.entries == nil ? 0 : Int(length))
    }

    /// The value of `key`; nil when this is no map or has no such key.
    func find(_ key: String) -> hslink_value? {
        guard unsafe Int(tag) == HSLINK_MAP, unsafe `as`.entries != nil else { return nil }
        var key = key
        return key.withUTF8 { bytes in
            let found = unsafe withUnsafePointer(to: self) {
                unsafe hslink_map_find($0, bytes.baseAddress, bytes.count)
            }
            return unsafe found?.pointee
        }
    }
}

extension hslink_value {
    func read<Value>(
        _ expected: String, as convert: (hslink_value) -> Value?
    ) throws(PayloadError) -> Value {
        guard let value = unsafe convert(self) else {
            throw unsafe PayloadError(expected: expected, found: summary)
        }
        return value
    }

    func read<Value>(
        _ key: String, _ expected: String, as convert: (hslink_value) -> Value?
    ) throws(PayloadError) -> Value {
        guard let node = unsafe find(key) else {
            let found = unsafe Int(tag) == HSLINK_MAP ? "nothing" : unsafe "no map but \(summary)"
            throw PayloadError(path: [.key(key)], expected: expected, found: found)
        }
        guard let value = unsafe convert(node) else {
            throw unsafe PayloadError(path: [.key(key)], expected: expected, found: node.summary)
        }
        return value
    }

    func readIfPresent<Value>(
        _ key: String, _ expected: String, as convert: (hslink_value) -> Value?
    ) throws(PayloadError) -> Value? {
        guard let node = unsafe find(key), unsafe Int(node.tag) != HSLINK_NULL else { return nil }
        return unsafe try read(key, expected, as: convert)
    }

    /// The kind with a short form of the value, for error messages.
    var summary: String {
        switch unsafe kind {
        case .null: return "null"
        case .bool: return unsafe `as`.i64 != 0 ? "true" : "false"
        case .int: return unsafe "int \(`as`.i64)"
        case .uint: return unsafe "uint \(`as`.u64)"
        case .double: return unsafe "double \(`as`.f64)"
        case .string:
            guard let text = unsafe stringValue else { return "a string that is not UTF-8" }
            return "string \(text.excerpt)"
        case .bytes: return unsafe "\(length) bytes"
        case .date: return unsafe length < 1_000_000_000 ? "date" : unsafe "a date with \(length) nanoseconds"
        case .array: return unsafe "array of \(length)"
        case .map: return unsafe "map of \(length)"
        case .object: return "object"
        case .unknown(let tag): return "a value of unknown tag \(tag)"
        }
    }
}
