/// Turns payloads into `Decodable` values, without JSON in between: the way back of ``PayloadEncoder``.
///
/// Numbers are never bent: an integer serves as a `Double` where that is exact, a `Double` never as an integer,
/// and a number beyond its type is an error. What is ``PayloadConvertible`` wherever it stands is read from its
/// own payload, so its conformance must not come back here. Any thread.
public struct PayloadDecoder: Sendable {
    /// What values may ask their decoder for.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// A decoder without user info.
    public init() {}

    /// The value of a payload.
    ///
    /// - Parameters:
    ///   - type: what to read.
    ///   - payload: where from; nothing in it is trusted.
    /// - Throws: a `DecodingError` with the coding path of the place where the payload does not fit, or what the
    ///   value itself throws.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from payload: Payload) throws -> Value {
        try DecodingNode(payload, userInfo: userInfo, place: nil, depth: 0).decode(type)
    }

    /// The value of a borrowed payload, which is copied: a type may keep its decoder for later.
    func decode<Value: Decodable>(_ type: Value.Type, borrowing view: borrowing PayloadView) throws -> Value {
        try decode(type, from: try view.copy())
    }
}
