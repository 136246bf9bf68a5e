// What the compiler takes when nothing else fits, so that it says in plain words what is wrong with the type.
extension LinkCoding {
    /// Not there: for types that cannot travel.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "this type cannot travel between components: make it a @Model, or let it conform to PayloadConvertible or Codable"
    )
    public static func payload<Value>(
        of value: Value, for source: borrowing some LinkSource & ~Copyable
    ) throws -> Payload {
        // No program that calls it compiles.
        fatalError("unavailable")
    }

    /// Not there: for types that cannot travel.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "this type cannot travel between components: make it a @Model, or let it conform to PayloadConvertible or Codable"
    )
    public static func value<Value>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws -> Value {
        // No program that calls it compiles.
        fatalError("unavailable")
    }

    /// Not there: for types that cannot travel.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "this type cannot travel between components: make it a @Model, or let it conform to PayloadConvertible or Codable"
    )
    public static func valueIfPresent<Value>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws -> Value? {
        // No program that calls it compiles.
        fatalError("unavailable")
    }

    /// Not there: for types that cannot travel.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "this type cannot travel between components: make it a @Model, or let it conform to PayloadConvertible or Codable"
    )
    public static func value<Value>(
        of payload: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws -> Value {
        // No program that calls it compiles.
        fatalError("unavailable")
    }
}
