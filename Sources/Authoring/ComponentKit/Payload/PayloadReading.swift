public import CHSLink

/// The accessors of a payload, both owned (``Payload``) and borrowed for the duration of a call (``PayloadView``).
///
/// Each typed accessor has three forms. `payload.int()` reads the value itself, `payload.int("limit")` reads the value of a
/// key and throws if the key is missing or null, and `payload.intIfPresent("limit")` returns nil if the key is missing
/// or null. Numbers are converted only without loss: an integer can be read as a double if that is exact, but a double
/// never as an integer, nor a bool as a number. All accessors may be called from any thread.
///
/// Keys are compared as bytes. Where an accessor has two overloads, the one that takes a `StaticString` is for keys
/// written in the source: the compiler chooses it for literals, which avoids creating a string.
public protocol PayloadReading: ~Copyable {
    /// The root as the boundary's C struct; everything it points to lives as long as the conforming value.
    var unsafeNode: hslink_value { get }
}

extension Payload: PayloadReading {
    /// The root as the boundary's C struct; valid as long as the payload is.
    @inlinable public var unsafeNode: hslink_value { unsafe node }
}

extension PayloadReading where Self: ~Copyable {
    /// The number of items of an array or entries of a map; 0 for any other kind.
    public var count: Int {
        switch unsafe PayloadKind(tag: unsafeNode.tag) {
        case .array, .map: unsafe Int(unsafeNode.length)
        default: 0
        }
    }
}

extension PayloadReading where Self: ~Copyable {
    /// Returns the value as a bool.
    public func bool() throws(PayloadError) -> Bool {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("bool", as: unsafe \.boolValue)
    }
    /// Returns the value of `key` as a bool.
    @inlinable @inline(__always)
    public func bool(_ key: StaticString) throws(PayloadError) -> Bool {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), unsafe node.tag == UInt32(HSLINK_BOOL) {
            return unsafe node.`as`.i64 != 0
        }
        return try unsafe unsafeNode.bool(of: key.description)
    }
    /// Returns the value of `key` as a bool, for keys that are not literals.
    @_disfavoredOverload
    public func bool(_ key: String) throws(PayloadError) -> Bool {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.bool(of: key)
    }
    /// Returns the value of `key` as a bool; nil if it is missing or null.
    @inlinable
    public func boolIfPresent(_ key: String) throws(PayloadError) -> Bool? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if unsafe node.tag == UInt32(HSLINK_BOOL) { return unsafe node.`as`.i64 != 0 }
        return try unsafe unsafeNode.bool(of: key)
    }

    /// Returns the value as a signed integer.
    public func int() throws(PayloadError) -> Int {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("int", isNumber: true, as: unsafe \.intValue)
    }
    /// Returns the value of `key` as a signed integer.
    @inlinable @inline(__always)
    public func int(_ key: StaticString) throws(PayloadError) -> Int {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), unsafe node.tag == UInt32(HSLINK_INT) {
            return unsafe Int(node.`as`.i64)
        }
        return try unsafe unsafeNode.int(of: key.description)
    }
    /// Returns the value of `key` as a signed integer, for keys that are not literals.
    @_disfavoredOverload
    public func int(_ key: String) throws(PayloadError) -> Int {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.int(of: key)
    }
    /// Returns the value of `key` as a signed integer; nil if it is missing or null.
    @inlinable
    public func intIfPresent(_ key: String) throws(PayloadError) -> Int? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if unsafe node.tag == UInt32(HSLINK_INT) { return unsafe Int(node.`as`.i64) }
        return try unsafe unsafeNode.int(of: key)
    }

    /// Returns the value as an unsigned integer.
    public func uint() throws(PayloadError) -> UInt64 {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("uint", isNumber: true, as: unsafe \.uintValue)
    }
    /// Returns the value of `key` as an unsigned integer.
    @inlinable @inline(__always)
    public func uint(_ key: StaticString) throws(PayloadError) -> UInt64 {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), let value = unsafe node.uintValue { return value }
        return try unsafe unsafeNode.uint(of: key.description)
    }
    /// Returns the value of `key` as an unsigned integer, for keys that are not literals.
    @_disfavoredOverload
    public func uint(_ key: String) throws(PayloadError) -> UInt64 {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.uint(of: key)
    }
    /// Returns the value of `key` as an unsigned integer; nil if it is missing or null.
    @inlinable
    public func uintIfPresent(_ key: String) throws(PayloadError) -> UInt64? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if let value = unsafe node.uintValue { return value }
        return try unsafe unsafeNode.uint(of: key)
    }

    /// Returns the value as a double; integers are accepted if a double holds them exactly.
    public func double() throws(PayloadError) -> Double {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("double", isNumber: true, as: unsafe \.doubleValue)
    }
    /// Returns the value of `key` as a double; integers are accepted if a double holds them exactly.
    @inlinable @inline(__always)
    public func double(_ key: StaticString) throws(PayloadError) -> Double {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), unsafe node.tag == UInt32(HSLINK_DOUBLE) {
            return unsafe node.`as`.f64
        }
        return try unsafe unsafeNode.double(of: key.description)
    }
    /// Returns the value of `key` as a double, for keys that are not literals; integers are accepted if a double holds them
    /// exactly.
    @_disfavoredOverload
    public func double(_ key: String) throws(PayloadError) -> Double {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.double(of: key)
    }
    /// Returns the value of `key` as a double; nil if it is missing or null. Integers are accepted if a double holds them exactly.
    @inlinable
    public func doubleIfPresent(_ key: String) throws(PayloadError) -> Double? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if unsafe node.tag == UInt32(HSLINK_DOUBLE) { return unsafe node.`as`.f64 }
        return try unsafe unsafeNode.double(of: key)
    }
}

extension PayloadReading where Self: ~Copyable {
    /// Returns the value as a string; throws if its bytes are not UTF-8.
    public func string() throws(PayloadError) -> String {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("string", as: unsafe \.stringValue)
    }
    /// Returns the value of `key` as a string.
    @inlinable @inline(__always)
    public func string(_ key: StaticString) throws(PayloadError) -> String {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), let value = unsafe node.stringValue { return value }
        return try unsafe unsafeNode.string(of: key.description)
    }
    /// Returns the value of `key` as a string, for keys that are not literals.
    @_disfavoredOverload
    public func string(_ key: String) throws(PayloadError) -> String {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.string(of: key)
    }
    /// Returns the value of `key` as a string; nil if it is missing or null.
    @inlinable
    public func stringIfPresent(_ key: String) throws(PayloadError) -> String? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if let value = unsafe node.stringValue { return value }
        return try unsafe unsafeNode.string(of: key)
    }

    /// Returns a copy of the value's bytes.
    public func bytes() throws(PayloadError) -> [UInt8] {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("bytes", as: unsafe \.bytesValue)
    }
    /// Returns a copy of the bytes stored under `key`.
    @inlinable @inline(__always)
    public func bytes(_ key: StaticString) throws(PayloadError) -> [UInt8] {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), let value = unsafe node.bytesValue { return value }
        return try unsafe unsafeNode.bytes(of: key.description)
    }
    /// Returns a copy of the bytes stored under `key`, for keys that are not literals.
    @_disfavoredOverload
    public func bytes(_ key: String) throws(PayloadError) -> [UInt8] {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.bytes(of: key)
    }
    /// Returns a copy of the bytes stored under `key`; nil if it is missing or null.
    @inlinable
    public func bytesIfPresent(_ key: String) throws(PayloadError) -> [UInt8]? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if let value = unsafe node.bytesValue { return value }
        return try unsafe unsafeNode.bytes(of: key)
    }

    /// Returns the value as a point in time.
    public func date() throws(PayloadError) -> Timestamp {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("date", as: unsafe \.dateValue)
    }
    /// Returns the value of `key` as a point in time.
    @inlinable @inline(__always)
    public func date(_ key: StaticString) throws(PayloadError) -> Timestamp {
        defer { extendLifetime(self) }
        if let node = unsafe unsafeNode.find(key), let value = unsafe node.dateValue { return value }
        return try unsafe unsafeNode.date(of: key.description)
    }
    /// Returns the value of `key` as a point in time, for keys that are not literals.
    @_disfavoredOverload
    public func date(_ key: String) throws(PayloadError) -> Timestamp {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.date(of: key)
    }
    /// Returns the value of `key` as a point in time; nil if it is missing or null.
    @inlinable
    public func dateIfPresent(_ key: String) throws(PayloadError) -> Timestamp? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key), unsafe node.tag != UInt32(HSLINK_NULL) else { return nil }
        if let value = unsafe node.dateValue { return value }
        return try unsafe unsafeNode.date(of: key)
    }

    /// Returns whether a map has `key`, even if its value is null.
    @inlinable
    public func contains(_ key: String) -> Bool {
        defer { extendLifetime(self) }
        return unsafe unsafeNode.find(key) != nil
    }

    /// Returns the first key of a map that satisfies `predicate`; nil if there is none, or if the value is not a map.
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
