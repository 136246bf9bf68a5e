/// Writes keys and values of a map.
struct EncodingMap<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodingNode

    var codingPath: [any CodingKey] { node.codingPath }

    private func add(_ payload: Payload, _ key: Key) { node.append(payload, key: key.stringValue) }

    func encodeNil(forKey key: Key) { add(.null, key) }
    func encode(_ value: Bool, forKey key: Key) { add(value.payload, key) }
    func encode(_ value: String, forKey key: Key) { add(value.payload, key) }
    func encode(_ value: Double, forKey key: Key) { add(value.payload, key) }
    func encode(_ value: Float, forKey key: Key) { add(value.payload, key) }
    func encode(_ value: Int, forKey key: Key) { add(value.payload, key) }
    func encode(_ value: Int8, forKey key: Key) { add(value.payload, key) }
    func encode(_ value: Int16, forKey key: Key) { add(value.payload, key) }
    func encode(_ value: Int32, forKey key: Key) { add(value.payload, key) }
    func encode(_ value: Int64, forKey key: Key) { add(value.payload, key) }
    func encode(_ value: UInt, forKey key: Key) { add(value.payload, key) }
    func encode(_ value: UInt8, forKey key: Key) { add(value.payload, key) }
    func encode(_ value: UInt16, forKey key: Key) { add(value.payload, key) }
    func encode(_ value: UInt32, forKey key: Key) { add(value.payload, key) }
    func encode(_ value: UInt64, forKey key: Key) { add(value.payload, key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        add(try node.payload(encoding: value, key: key), key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        node.appendNode(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        node.appendNode(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { node.appendNode(PlainKey.super) }
    func superEncoder(forKey key: Key) -> any Encoder { node.appendNode(key) }
}

extension Payload {
    /// A map in which the last of two values of one key counts, as with other encoders.
    init(lastOfEach entries: [(String, Payload)]) {
        self.init(uniqueEntries: entries)
        if firstRepeatedKey != nil { self.init(entries: entries) { _, last in last } }
    }
}
