public import CHSLink

extension PayloadReading where Self: ~Copyable {
    /// The value as a string; bytes that are no UTF-8 are an error.
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

    /// Whether a map has `key`, be it with null.
    @inlinable
    public func contains(_ key: String) -> Bool {
        defer { extendLifetime(self) }
        return unsafe unsafeNode.find(key) != nil
    }
}
