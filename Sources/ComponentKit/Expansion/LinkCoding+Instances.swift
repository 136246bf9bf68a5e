import CHSLink

extension __LinkCoding {
    /// A reference to an instance.
    ///
    /// - Throws: when the source has no link.
    public static func payload<Value: LinkClass>(
        of value: Value, for source: borrowing some __LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        try source.requireLink(for: "an instance").object(value)
    }

    /// A reference to an instance, null for nil.
    ///
    /// - Throws: when the source has no link.
    public static func payload<Value: LinkClass>(
        of value: Value?, for source: borrowing some __LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        guard let value else { return .null }
        return try payload(of: value, for: source)
    }

    /// The instance of `key`, which must be one of this very class in this very file: others travel as
    /// references only, a ``LinkObject``.
    ///
    /// - Throws: when there is no such instance.
    public static func value<Value: LinkClass>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        try reading.require(key, "instance of \(type)") { view throws(PayloadError) in
            try unwrap(view, as: type)
        }
    }

    /// The instance of `key`, nil when the key is missing or null.
    ///
    /// - Throws: when there is something else than an instance of this very class in this very file.
    public static func value<Value: LinkClass>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value?.Type = Value?.self
    ) throws(PayloadError) -> Value? {
        try valueIfPresent(key, in: reading, as: type) ?? nil
    }

    /// The instance of `key`, nil when the key is missing; otherwise like `value(_:in:as:)`.
    public static func valueIfPresent<Value: LinkClass>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value? {
        try reading.ifPresent(key) { view throws(PayloadError) in try unwrap(view, as: type) }
    }

    /// The same for a parameter that may be null.
    public static func valueIfPresent<Value: LinkClass>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value?.Type = Value?.self
    ) throws(PayloadError) -> Value?? {
        try reading.ifPresent(key) { view throws(PayloadError) in
            view.isNull ? nil : try unwrap(view, as: Value.self)
        }
    }

    /// The instance of a whole payload; otherwise like `value(_:in:as:)`.
    public static func value<Value: LinkClass>(
        of payload: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        try payload.borrow { view throws(PayloadError) in try unwrap(view, as: type) }
    }

    /// The instance of a whole payload, nil for null.
    public static func value<Value: LinkClass>(
        of payload: borrowing some PayloadReading & ~Copyable, as type: Value?.Type = Value?.self
    ) throws(PayloadError) -> Value? {
        try payload.borrow { view throws(PayloadError) in view.isNull ? nil : try unwrap(view, as: Value.self) }
    }

    private static func unwrap<Value: LinkClass>(
        _ view: borrowing PayloadView, as type: Value.Type
    ) throws(PayloadError) -> Value {
        let object = try LinkObject(payload: view)
        guard let target = ClassTable.target(of: object) else {
            throw PayloadError(
                expected: "instance of \(type)",
                found: "an object of another component (\(object.className)); "
                    + "instances travel between components as references only: take a LinkObject")
        }
        guard let value = target as? Value, Swift.type(of: target) == type else {
            throw PayloadError(expected: "instance of \(type)", found: "an instance of \(Swift.type(of: target))")
        }
        return value
    }
}

extension ClassTable {
    /// The Swift instance behind an object, if this very image made it.
    static func target(of object: LinkObject) -> AnyObject? {
        // Each image has functions of its own, so an object that is called through ours is laid out as ours.
        let its = unsafe unsafeBitCast(object.pointer.pointee.type.pointee.invoke, to: UInt.self)
        let ours = unsafe unsafeBitCast(ClassTable.invoke, to: UInt.self)
        guard its == ours else { return nil }
        return unsafe ObjectBox.of(object.pointer)._withUnsafeGuaranteedRef { unsafe $0.header.target }
    }
}
