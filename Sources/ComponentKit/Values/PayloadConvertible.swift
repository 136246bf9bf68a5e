/// A type whose values travel between components as payloads.
///
///     extension Money: PayloadConvertible {
///         var payload: Payload { ["amount": amount.payload, "currency": currency.payload] }
///
///         init(payload: borrowing PayloadView) throws(PayloadError) {
///             amount = try payload.value("amount")
///             currency = try payload.value("currency")
///         }
///     }
///
/// Integers, floating-point numbers, `Bool`, `String`, ``Timestamp``, `Date`, `Data`, `URL`, `UUID`, `Duration`,
/// optionals, arrays, sets and dictionaries do already. What one side writes the other must be able to read:
/// a value that went through a payload is equal to the one before. Any thread.
public protocol PayloadConvertible: SendableMetatype {
    /// The value as a payload.
    var payload: Payload { get }

    /// Reads the value from a payload that is borrowed for the length of the call.
    ///
    /// - Parameter payload: what to read; nothing in it is trusted.
    /// - Throws: where in the payload something else was found than expected.
    init(payload: borrowing PayloadView) throws(PayloadError)

    /// What a missing key of a map stands for; nil, the default, when the key must be there. An `Optional`
    /// answers with its own nil.
    static var valueIfAbsent: Self? { get }
}

extension PayloadConvertible {
    /// Nil: the key must be there.
    @inlinable public static var valueIfAbsent: Self? { nil }
}
