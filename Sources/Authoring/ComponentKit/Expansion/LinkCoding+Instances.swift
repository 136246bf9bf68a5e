import CHSLink

extension __LinkCoding {
    /// Returns a reference to an instance.
    ///
    /// - Throws: `LinkError` with code ``LinkError/Code/methodFailed`` if the source has no link.
    public static func payload<Value: LinkClass>(
        of value: Value, for source: borrowing some __LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        try source.requireLink(for: "an instance").object(value)
    }

    /// Returns a reference to an instance; null for nil.
    ///
    /// - Throws: `LinkError` with code ``LinkError/Code/methodFailed`` if the source has no link.
    public static func payload<Value: LinkClass>(
        of value: Value?, for source: borrowing some __LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        guard let value else { return .null }
        return try payload(of: value, for: source)
    }

    /// Returns the instance for `key`, which must be of exactly this class and made by this image. Instances from other
    /// images travel only as references: read them as a ``LinkObject``.
    ///
    /// - Throws: `PayloadError` if the key is missing or its value is not such an instance.
    public static func value<Value: LinkClass>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        try reading.require(key, "instance of \(type)") { view throws(PayloadError) in
            try unwrap(view, as: type)
        }
    }

    /// Returns the instance for `key`; nil if the key is missing or null.
    ///
    /// - Throws: `PayloadError` if the value is not an instance of exactly this class that this image made.
    public static func value<Value: LinkClass>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value?.Type = Value?.self
    ) throws(PayloadError) -> Value? {
        try valueIfPresent(key, in: reading, as: type) ?? nil
    }

    /// Returns the instance for `key`, or nil if the key is missing; otherwise like `value(_:in:as:)`.
    public static func valueIfPresent<Value: LinkClass>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value? {
        try reading.ifPresent(key) { view throws(PayloadError) in try unwrap(view, as: type) }
    }

    /// Returns the instance for `key`, for an optional parameter: nil if the key is missing, a wrapped nil for null.
    public static func valueIfPresent<Value: LinkClass>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value?.Type = Value?.self
    ) throws(PayloadError) -> Value?? {
        try reading.ifPresent(key) { view throws(PayloadError) in
            view.isNull ? nil : try unwrap(view, as: Value.self)
        }
    }

    /// Returns the instance that is the whole payload; otherwise like `value(_:in:as:)`.
    public static func value<Value: LinkClass>(
        of payload: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        try payload.borrow { view throws(PayloadError) in try unwrap(view, as: type) }
    }

    /// Returns the instance that is the whole payload; nil for null.
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
                    + "instances travel between components as references only: use a LinkObject")
        }
        guard let value = target as? Value, Swift.type(of: target) == type else {
            throw PayloadError(expected: "instance of \(type)", found: "an instance of \(Swift.type(of: target))")
        }
        return value
    }
}

extension ClassTable {
    /// Returns the Swift instance behind an object that this image made; nil for objects from other images.
    static func target(of object: LinkObject) -> AnyObject? {
        // Each image has its own `invoke` function, so an object with the function of this image also has its layout.
        let its = unsafe unsafeBitCast(object.pointer.pointee.type.pointee.invoke, to: UInt.self)
        let ours = unsafe unsafeBitCast(ClassTable.invoke, to: UInt.self)
        guard its == ours else { return nil }
        return unsafe ObjectBox.of(object.pointer)._withUnsafeGuaranteedRef { unsafe $0.header.target }
    }
}

// Services that travel by reference: parameters and results of type `any AccountService`.
extension __LinkCoding {
    /// Returns a service as a payload that refers to an instance: `value` itself or, for a client, the one it calls.
    ///
    /// - Throws: `LinkError` with code ``LinkError/Code/payloadMismatch`` if the value is neither an instance of a link
    ///   class nor a client that calls an instance, or if it is an instance but the source has no link. A client that
    ///   calls a class, whose instances the host makes, cannot be passed on, nor can a service whose functions are class
    ///   methods.
    public static func service<Client: ServiceClient, Source: __LinkSource & ~Copyable>(
        _ value: Any, as client: Client.Type, for source: borrowing Source
    ) throws -> Payload {
        guard Client.__service.kind == .object else {
            throw LinkError(
                .payloadMismatch,
                message: "\(Client.__service.protocolName) can't be passed on: its functions are class methods")
        }
        if let client = value as? any ServiceClient, let object = client.__endpoint.object { return Payload(object) }
        guard let instance = value as? any LinkClass, let link = source.__link else {
            throw LinkError(
                .payloadMismatch,
                message:
                    "\(type(of: value)) can't be passed as \(Client.__service.protocolName): it is not an instance of "
                    + "a class marked @LinkClass")
        }
        return link.object(instance)
    }

    /// Returns a client of the service that is the value for `key`.
    public static func service<Client: ServiceClient>(
        _ key: String, in payload: borrowing some PayloadReading & ~Copyable, as client: Client.Type,
        for source: borrowing some __LinkSource & ~Copyable
    ) throws -> Client {
        try endpoint(of: payload.value(key, as: LinkObject.self), for: source)
    }

    /// Returns a client of the service that is the whole reply.
    public static func service<Client: ServiceClient>(
        of payload: Payload, as client: Client.Type, for source: borrowing some __LinkSource & ~Copyable
    ) throws -> Client {
        try endpoint(of: payload.value(as: LinkObject.self), for: source)
    }

    private static func endpoint<Client: ServiceClient>(
        of object: LinkObject, for source: borrowing some __LinkSource & ~Copyable
    ) throws -> Client {
        guard let link = source.__link else {
            throw LinkError(.methodFailed, message: "a service can be called only through a link; there is none here")
        }
        return Client(__endpoint: __ServiceEndpoint(Client.__service, of: object, link))
    }
}
