import CHSLink

extension PayloadReading where Self: ~Copyable {
    /// The value as a string; bytes that are no UTF-8 are an error.
    public func string() throws(PayloadError) -> String {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("string", as: unsafe \.stringValue)
    }
    /// The string of `key`.
    @inlinable
    public func string(_ key: String) throws(PayloadError) -> String {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.string(of: key)
    }
    /// The string of `key`, nil when missing or null.
    public func stringIfPresent(_ key: String) throws(PayloadError) -> String? {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.readIfPresent(key, "string", as: unsafe \.stringValue)
    }

    /// A copy of the value's bytes.
    public func bytes() throws(PayloadError) -> [UInt8] {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("bytes", as: unsafe \.bytesValue)
    }
    /// A copy of the bytes of `key`.
    public func bytes(_ key: String) throws(PayloadError) -> [UInt8] {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read(key, "bytes", as: unsafe \.bytesValue)
    }
    /// A copy of the bytes of `key`, nil when missing or null.
    public func bytesIfPresent(_ key: String) throws(PayloadError) -> [UInt8]? {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.readIfPresent(key, "bytes", as: unsafe \.bytesValue)
    }

    /// The value as a point in time.
    public func date() throws(PayloadError) -> Timestamp {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("date", as: unsafe \.dateValue)
    }
    /// The point in time of `key`.
    public func date(_ key: String) throws(PayloadError) -> Timestamp {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read(key, "date", as: unsafe \.dateValue)
    }
    /// The point in time of `key`, nil when missing or null.
    public func dateIfPresent(_ key: String) throws(PayloadError) -> Timestamp? {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.readIfPresent(key, "date", as: unsafe \.dateValue)
    }

    /// Whether a map has `key`, be it with null.
    public func contains(_ key: String) -> Bool {
        defer { extendLifetime(self) }
        return unsafe unsafeNode.find(key) != nil
    }
}
