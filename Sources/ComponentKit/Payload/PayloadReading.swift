public import CHSLink

/// What can be read of a payload, whether it is owned (``Payload``) or borrowed for the length of a
/// call (``PayloadView``).
///
/// Accessors come in threes: of the value itself (`payload.int()`), of a key (`payload.int("limit")`,
/// an error when the key is missing or null), and of a key that may be missing or null
/// (`payload.intIfPresent("limit")`). Numbers are never bent: an integer serves as a double where it is
/// exact, a double never as an integer, a bool never as a number. Any thread.
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

    /// The value as a bool.
    public func bool() throws(PayloadError) -> Bool {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("bool", as: unsafe \.boolValue)
    }
    /// The bool of `key`.
    public func bool(_ key: String) throws(PayloadError) -> Bool {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read(key, "bool", as: unsafe \.boolValue)
    }
    /// The bool of `key`, nil when missing or null.
    public func boolIfPresent(_ key: String) throws(PayloadError) -> Bool? {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.readIfPresent(key, "bool", as: unsafe \.boolValue)
    }

    /// The value as a signed integer.
    public func int() throws(PayloadError) -> Int {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("int", as: unsafe \.intValue)
    }
    /// The signed integer of `key`.
    @inlinable
    public func int(_ key: String) throws(PayloadError) -> Int {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.int(of: key)
    }
    /// The signed integer of `key`, nil when missing or null.
    public func intIfPresent(_ key: String) throws(PayloadError) -> Int? {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.readIfPresent(key, "int", as: unsafe \.intValue)
    }

    /// The value as an unsigned integer.
    public func uint() throws(PayloadError) -> UInt64 {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("uint", as: unsafe \.uintValue)
    }
    /// The unsigned integer of `key`.
    public func uint(_ key: String) throws(PayloadError) -> UInt64 {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read(key, "uint", as: unsafe \.uintValue)
    }
    /// The unsigned integer of `key`, nil when missing or null.
    public func uintIfPresent(_ key: String) throws(PayloadError) -> UInt64? {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.readIfPresent(key, "uint", as: unsafe \.uintValue)
    }

    /// The value as a double, or an integer that a double holds exactly.
    public func double() throws(PayloadError) -> Double {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.read("double", as: unsafe \.doubleValue)
    }
    /// The double of `key`, or an integer that a double holds exactly.
    @inlinable
    public func double(_ key: String) throws(PayloadError) -> Double {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.double(of: key)
    }
    /// The double of `key`, nil when missing or null.
    public func doubleIfPresent(_ key: String) throws(PayloadError) -> Double? {
        defer { extendLifetime(self) }
        return try unsafe unsafeNode.readIfPresent(key, "double", as: unsafe \.doubleValue)
    }
}
