import CHSLink

/// A value that is being decoded.
struct DecodingNode: Decoder, SingleValueDecodingContainer {
    let payload: Payload
    let sendableUserInfo: [CodingUserInfoKey: any Sendable]
    let place: CodingPlace?
    /// How many containers there are around it.
    let depth: Int

    init(_ payload: Payload, userInfo: [CodingUserInfoKey: any Sendable], place: CodingPlace?, depth: Int) {
        self.payload = payload
        sendableUserInfo = userInfo
        self.place = place
        self.depth = depth
    }

    /// A part of this value.
    func child(_ payload: Payload, _ place: CodingPlace) -> DecodingNode {
        DecodingNode(payload, userInfo: sendableUserInfo, place: place, depth: depth + 1)
    }

    var codingPath: [any CodingKey] { place.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { sendableUserInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard payload.kind == .map else { throw mismatch(expected: "map", [String: Any].self) }
        return KeyedDecodingContainer(DecodingMap<Key>(node: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard payload.kind == .array else { throw mismatch(expected: "array", [Any].self) }
        return DecodingArray(node: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { payload.isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try read() }
    func decode(_ type: String.Type) throws -> String { try read() }
    func decode(_ type: Double.Type) throws -> Double { try read() }
    func decode(_ type: Float.Type) throws -> Float { try read() }
    func decode(_ type: Int.Type) throws -> Int { try read() }
    func decode(_ type: Int8.Type) throws -> Int8 { try read() }
    func decode(_ type: Int16.Type) throws -> Int16 { try read() }
    func decode(_ type: Int32.Type) throws -> Int32 { try read() }
    func decode(_ type: Int64.Type) throws -> Int64 { try read() }
    func decode(_ type: UInt.Type) throws -> UInt { try read() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try read() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try read() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try read() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try read() }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let limit = PayloadLimits.standard.depth
        guard depth <= limit else { throw mismatch(expected: "at most \(limit) levels", found: "more", type) }
        if let convertible = ConvertibleTypes.find(type) { return try own(convertible, as: type) }
        return try Value(from: self)
    }

    private func own<Form: PayloadConvertible, Value>(_ form: Form.Type, as type: Value.Type) throws -> Value {
        let value: Form = try read()
        guard let value = value as? Value else { throw mismatch(expected: "\(type)", type) }
        return value
    }

    /// Reads a value in its own form.
    private func read<Form: PayloadConvertible>() throws -> Form {
        do {
            return try payload.value()
        } catch {
            throw error.decodingError(at: place, Form.self)
        }
    }

    func mismatch(expected: String, found: String? = nil, _ type: Any.Type) -> any Error {
        let found = unsafe found ?? payload.node.summary(expecting: expected)
        return PayloadError(expected: expected, found: found).decodingError(at: place, type)
    }
}
