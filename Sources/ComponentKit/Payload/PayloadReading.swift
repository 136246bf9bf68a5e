public import CHSLink

/// What can be read of a payload, whether it is owned (``Payload``) or borrowed for the length of a
/// call (``PayloadView``).
///
/// Accessors come in threes: of the value itself (`payload.int()`), of a key (`payload.int("limit")`,
/// an error when the key is missing or null), and of a key that may be missing or null
/// (`payload.intIfPresent("limit")`). Numbers are converted only without loss:
/// an integer serves as a double where that is exact, a double never as an integer, a bool never as a number. Any
/// thread.
///
/// Keys are compared as bytes. Where an accessor has two forms, the one for `StaticString` is for keys that are written
/// in the program: the compiler takes it for literals, and no string is made of them.
public protocol PayloadReading: ~Copyable {
    /// The root as the boundary has it; what it points to lives as long as the conforming value.
    var unsafeNode: hslink_value { get }
}

extension Payload: PayloadReading {
    /// The root as the boundary has it; valid as long as the payload is.
    @inlinable public var unsafeNode: hslink_value { unsafe node }
}

extension PayloadReading where Self: ~Copyable {
    /// How many items an array or entries a map has; 0 for anything else.
    public var count: Int {
        switch unsafe PayloadKind(tag: unsafeNode.tag) {
        case .array, .map: unsafe Int(unsafeNode.length)
        default: 0
        }
    }
}

extension PayloadReading where Self: ~Copyable {
    /// The value as a bool.
    public func bool() throws(PayloadError) -> Bool {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("bool", as: unsafe \.boolValue)
    }
    /// The bool of `key`.
    @inlinable @inline(__always)
    public func bool(_ key: StaticString) throws(PayloadError) -> Bool {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), unsafe node.tag == UInt32(HSLINK_BOOL) {
            return unsafe node.`as`.i64 != 0
        }
        return try unsafe unsafeNode.bool(of: key.description)
    }
    /// The bool of `key`, which is in a variable.
    @_disfavoredOverload
    public func bool(_ key: String) throws(PayloadError) -> Bool {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.bool(of: key)
    }
    /// The bool of `key`, nil when missing or null.
    @inlinable
    public func boolIfPresent(_ key: String) throws(PayloadError) -> Bool? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if unsafe node.tag == UInt32(HSLINK_BOOL) { return unsafe node.`as`.i64 != 0 }
        return try unsafe unsafeNode.bool(of: key)
    }

    /// The value as a signed integer.
    public func int() throws(PayloadError) -> Int {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("int", as: unsafe \.intValue)
    }
    /// The signed integer of `key`.
    @inlinable @inline(__always)
    public func int(_ key: StaticString) throws(PayloadError) -> Int {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), unsafe node.tag == UInt32(HSLINK_INT) {
            return unsafe Int(node.`as`.i64)
        }
        return try unsafe unsafeNode.int(of: key.description)
    }
    /// The signed integer of `key`, which is in a variable.
    @_disfavoredOverload
    public func int(_ key: String) throws(PayloadError) -> Int {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.int(of: key)
    }
    /// The signed integer of `key`, nil when missing or null.
    @inlinable
    public func intIfPresent(_ key: String) throws(PayloadError) -> Int? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if unsafe node.tag == UInt32(HSLINK_INT) { return unsafe Int(node.`as`.i64) }
        return try unsafe unsafeNode.int(of: key)
    }

    /// The value as an unsigned integer.
    public func uint() throws(PayloadError) -> UInt64 {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("uint", as: unsafe \.uintValue)
    }
    /// The unsigned integer of `key`.
    @inlinable @inline(__always)
    public func uint(_ key: StaticString) throws(PayloadError) -> UInt64 {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), let value = unsafe node.uintValue { return value }
        return try unsafe unsafeNode.uint(of: key.description)
    }
    /// The unsigned integer of `key`, which is in a variable.
    @_disfavoredOverload
    public func uint(_ key: String) throws(PayloadError) -> UInt64 {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.uint(of: key)
    }
    /// The unsigned integer of `key`, nil when missing or null.
    @inlinable
    public func uintIfPresent(_ key: String) throws(PayloadError) -> UInt64? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if let value = unsafe node.uintValue { return value }
        return try unsafe unsafeNode.uint(of: key)
    }

    /// The value as a double, or an integer that a double holds exactly.
    public func double() throws(PayloadError) -> Double {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("double", as: unsafe \.doubleValue)
    }
    /// The double of `key`, or an integer that a double holds exactly.
    @inlinable @inline(__always)
    public func double(_ key: StaticString) throws(PayloadError) -> Double {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), unsafe node.tag == UInt32(HSLINK_DOUBLE) {
            return unsafe node.`as`.f64
        }
        return try unsafe unsafeNode.double(of: key.description)
    }
    /// The double of `key`, or an integer that a double holds exactly, which is in a variable.
    @_disfavoredOverload
    public func double(_ key: String) throws(PayloadError) -> Double {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.double(of: key)
    }
    /// The double of `key`, or an integer that a double holds exactly; nil when missing or null.
    @inlinable
    public func doubleIfPresent(_ key: String) throws(PayloadError) -> Double? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if unsafe node.tag == UInt32(HSLINK_DOUBLE) { return unsafe node.`as`.f64 }
        return try unsafe unsafeNode.double(of: key)
    }
}

extension PayloadReading where Self: ~Copyable {
    /// The value as a string; bytes that are not UTF-8 are an error.
    public func string() throws(PayloadError) -> String {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("string", as: unsafe \.stringValue)
    }
    /// The string of `key`.
    @inlinable @inline(__always)
    public func string(_ key: StaticString) throws(PayloadError) -> String {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), let value = unsafe node.stringValue { return value }
        return try unsafe unsafeNode.string(of: key.description)
    }
    /// The string of `key`, which is in a variable.
    @_disfavoredOverload
    public func string(_ key: String) throws(PayloadError) -> String {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.string(of: key)
    }
    /// The string of `key`, nil when missing or null.
    @inlinable
    public func stringIfPresent(_ key: String) throws(PayloadError) -> String? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if let value = unsafe node.stringValue { return value }
        return try unsafe unsafeNode.string(of: key)
    }

    /// A copy of the value's bytes.
    public func bytes() throws(PayloadError) -> [UInt8] {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("bytes", as: unsafe \.bytesValue)
    }
    /// A copy of the bytes of `key`.
    @inlinable @inline(__always)
    public func bytes(_ key: StaticString) throws(PayloadError) -> [UInt8] {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), let value = unsafe node.bytesValue { return value }
        return try unsafe unsafeNode.bytes(of: key.description)
    }
    /// A copy of the bytes of `key`, which is in a variable.
    @_disfavoredOverload
    public func bytes(_ key: String) throws(PayloadError) -> [UInt8] {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.bytes(of: key)
    }
    /// A copy of the bytes of `key`, nil when missing or null.
    @inlinable
    public func bytesIfPresent(_ key: String) throws(PayloadError) -> [UInt8]? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if let value = unsafe node.bytesValue { return value }
        return try unsafe unsafeNode.bytes(of: key)
    }

    /// The value as a point in time.
    public func date() throws(PayloadError) -> Timestamp {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("date", as: unsafe \.dateValue)
    }
    /// The point in time of `key`.
    @inlinable @inline(__always)
    public func date(_ key: StaticString) throws(PayloadError) -> Timestamp {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), let value = unsafe node.dateValue { return value }
        return try unsafe unsafeNode.date(of: key.description)
    }
    /// The point in time of `key`, which is in a variable.
    @_disfavoredOverload
    public func date(_ key: String) throws(PayloadError) -> Timestamp {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.date(of: key)
    }
    /// The point in time of `key`, nil when missing or null.
    @inlinable
    public func dateIfPresent(_ key: String) throws(PayloadError) -> Timestamp? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if let value = unsafe node.dateValue { return value }
        return try unsafe unsafeNode.date(of: key)
    }

    /// Whether a map has `key`, even if it is null.
    @inlinable
    public func contains(_ key: String) -> Bool {
        defer { extendLifetime(self) }
        return unsafe unsafeNode.find(key) != nil
    }

    /// The first key of a map that `predicate` holds for; nil where there is none, or this is no map.
    package func firstKey(where predicate: (String) -> Bool) -> String? {
        defer { extendLifetime(self) }
        guard unsafe unsafeNode.tag == UInt32(HSLINK_MAP) else { return nil }
        let entries = unsafe unsafeNode.entryNodes
        for index in entries.indices {
            let key = unsafe entries[index].keyText
            if predicate(key) { return key }
        }
        return nil
    }
}
