/// Writes the items of a list.
struct EncodingArray: UnkeyedEncodingContainer {
    let node: EncodingNode

    var codingPath: [any CodingKey] { node.codingPath }

    var count: Int { node.itemCount }

    private func add(_ payload: Payload) { node.append(payload) }

    func encodeNil() { add(.null) }
    func encode(_ value: Bool) { add(value.payload) }
    func encode(_ value: String) { add(value.payload) }
    func encode(_ value: Double) { add(value.payload) }
    func encode(_ value: Float) { add(value.payload) }
    func encode(_ value: Int) { add(value.payload) }
    func encode(_ value: Int8) { add(value.payload) }
    func encode(_ value: Int16) { add(value.payload) }
    func encode(_ value: Int32) { add(value.payload) }
    func encode(_ value: Int64) { add(value.payload) }
    func encode(_ value: UInt) { add(value.payload) }
    func encode(_ value: UInt8) { add(value.payload) }
    func encode(_ value: UInt16) { add(value.payload) }
    func encode(_ value: UInt32) { add(value.payload) }
    func encode(_ value: UInt64) { add(value.payload) }

    func encode<Value: Encodable>(_ value: Value) throws {
        add(try node.payload(encoding: value, key: PlainKey(count)))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        node.appendNode().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.appendNode().unkeyedContainer() }

    func superEncoder() -> any Encoder { node.appendNode() }
}
