/// Writes a value that is neither map nor list, or that stands for another one.
struct EncodingSingle: SingleValueEncodingContainer {
    let node: EncodingNode

    var codingPath: [any CodingKey] { node.codingPath }

    private func set(_ payload: Payload) { node.set(payload) }

    func encodeNil() { set(.null) }
    func encode(_ value: Bool) { set(value.payload) }
    func encode(_ value: String) { set(value.payload) }
    func encode(_ value: Double) { set(value.payload) }
    func encode(_ value: Float) { set(value.payload) }
    func encode(_ value: Int) { set(value.payload) }
    func encode(_ value: Int8) { set(value.payload) }
    func encode(_ value: Int16) { set(value.payload) }
    func encode(_ value: Int32) { set(value.payload) }
    func encode(_ value: Int64) { set(value.payload) }
    func encode(_ value: UInt) { set(value.payload) }
    func encode(_ value: UInt8) { set(value.payload) }
    func encode(_ value: UInt16) { set(value.payload) }
    func encode(_ value: UInt32) { set(value.payload) }
    func encode(_ value: UInt64) { set(value.payload) }

    /// The value encodes itself in a node of its own, at the same place.
    func encode<Value: Encodable>(_ value: Value) throws {
        let inner = EncodingNode(userInfo: node.sendableUserInfo, place: node.place, depth: node.depth)
        set(try inner.payload(encoding: value))
    }
}
