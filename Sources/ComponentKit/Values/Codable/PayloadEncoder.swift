/// Turns `Encodable` values into payloads, without JSON in between.
///
/// A structure becomes a map of its keys, without those of optionals that are nil; an array becomes a list. What
/// is ``PayloadConvertible`` wherever it stands (numbers, `Date`, `Data`, `URL`, `UUID`, models, collections of
/// them) becomes its own payload, so its conformance must not come back here. Any thread.
public struct PayloadEncoder: Sendable {
    /// What values may ask their encoder for.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// An encoder without user info.
    public init() {}

    /// The payload of a value.
    ///
    /// - Throws: an `EncodingError` when the value is more than 64 levels deep or encodes itself in two ways at
    ///   once, or what the value itself throws.
    public func encode<Value: Encodable>(_ value: Value) throws -> Payload {
        try EncodingNode(userInfo: userInfo, place: nil, depth: 0).payload(encoding: value)
    }
}
