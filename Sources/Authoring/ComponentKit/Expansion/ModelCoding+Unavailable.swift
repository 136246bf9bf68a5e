// The compiler selects these overloads when no other fits, so its error message explains what is wrong with the type of
// a property or an associated value.

extension __ModelSize {
    /// Unavailable: the overload for types that cannot be part of a model.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "this type cannot be part of a model: make it a @Model, or conform it to PayloadConvertible"
    )
    public mutating func add<Value>(_ value: Value) {
        // Never reached: no call to this function compiles.
        fatalError("unavailable")
    }
}

extension __ModelWriter {
    /// Unavailable: the overload for types that cannot be part of a model.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "this type cannot be part of a model: make it a @Model, or conform it to PayloadConvertible"
    )
    public mutating func add<Value>(_ key: StaticString, _ value: Value) {
        // Never reached: no call to this function compiles.
        fatalError("unavailable")
    }
}

extension __ModelReader {
    /// Unavailable: the overload for types that cannot be part of a model.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "this type cannot be part of a model: make it a @Model, or conform it to PayloadConvertible"
    )
    public mutating func value<Value>(
        _ key: StaticString, in payload: borrowing PayloadView, as type: Value.Type
    ) throws(PayloadError) -> Value {
        // Never reached: no call to this function compiles.
        fatalError("unavailable")
    }

    /// Unavailable: the overload for types that cannot be part of a model.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "this type cannot be part of a model: make it a @Model, or conform it to PayloadConvertible"
    )
    public mutating func valueIfPresent<Value>(
        _ key: StaticString, in payload: borrowing PayloadView, as type: Value.Type
    ) throws(PayloadError) -> Value? {
        // Never reached: no call to this function compiles.
        fatalError("unavailable")
    }
}

extension __ModelCoding {
    /// Unavailable: the overload for types that cannot be part of a model.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "this type cannot be part of a model: make it a @Model, or conform it to PayloadConvertible"
    )
    public static func payload<Value>(_ value: Value) -> Payload {
        // Never reached: no call to this function compiles.
        fatalError("unavailable")
    }

    /// Unavailable: the overload for types that cannot be part of a model.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "this type cannot be part of a model: make it a @Model, or conform it to PayloadConvertible"
    )
    public static func value<Value>(
        _ key: StaticString, in payload: borrowing some PayloadReading & ~Copyable, as type: Value.Type
    ) throws(PayloadError) -> Value {
        // Never reached: no call to this function compiles.
        fatalError("unavailable")
    }

    /// Unavailable: the overload for types that cannot be part of a model.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "this type cannot be part of a model: make it a @Model, or conform it to PayloadConvertible"
    )
    public static func value<Value>(
        _ key: String, in payload: borrowing PayloadView, as type: Value.Type,
        default fallback: @autoclosure () -> Value
    ) throws(PayloadError) -> Value {
        // Never reached: no call to this function compiles.
        fatalError("unavailable")
    }
}

extension __ModelCoding {
    /// Unavailable: the overload for types that cannot be a configuration.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "this type cannot be a configuration: mark it @Model; its properties are the keys of the configuration"
    )
    public static func requireConfiguration<Value>(_ type: Value.Type) {}
}
