import CHSLink

/// Reads the items of a list, front to back.
struct DecodingArray: UnkeyedDecodingContainer {
    private let node: DecodingNode
    private(set) var currentIndex = 0

    init(node: DecodingNode) { self.node = node }

    var codingPath: [any CodingKey] { node.codingPath }
    var count: Int? { node.payload.count }
    var isAtEnd: Bool { currentIndex >= node.payload.count }

    /// Null is consumed, anything else stays.
    mutating func decodeNil() throws -> Bool {
        let isNull = try next(Any?.self).payload.isNull
        if isNull { currentIndex += 1 }
        return isNull
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type) }
    mutating func decode(_ type: String.Type) throws -> String { try take(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try take(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try take(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try take(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try take(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try take(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try take(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try take(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try take(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try take(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try take(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try take(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try take(type) }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try take(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try next([String: Any].self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try next([Any].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try next((any Decoder).self)
        currentIndex += 1
        return decoder
    }

    /// An item that does not fit stays, for another try.
    private mutating func take<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value: Value
        if let convertible = ConvertibleTypes.find(type), let own = try read(convertible) as? Value {
            value = own
        } else {
            value = try next(type).decode(type)
        }
        currentIndex += 1
        return value
    }

    /// Reads an item in its own form; nil at the end.
    private func read<Form: PayloadConvertible>(_ form: Form.Type) throws -> Form? {
        guard let item = node.payload[currentIndex] else { return nil }
        do {
            let value: Form = try item.value()
            return value
        } catch {
            throw error.decodingError(at: node.place.appending(PlainKey(currentIndex)), form)
        }
    }

    private func next(_ type: Any.Type) throws -> DecodingNode {
        let place = node.place.appending(PlainKey(currentIndex))
        guard let item = node.payload[currentIndex] else {
            throw PayloadError(expected: "an item", found: "nothing").decodingError(at: place, type)
        }
        return node.child(item, place)
    }
}
