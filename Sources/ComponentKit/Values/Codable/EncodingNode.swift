/// A value that is being encoded: what it has encoded of itself so far.
final class EncodingNode: Encoder {
    enum Form {
        case undecided, single, map, array
        /// It asked for two containers of different kinds.
        case conflict
    }

    let sendableUserInfo: [CodingUserInfoKey: any Sendable]
    let place: CodingPlace?
    /// How many containers there are around it.
    let depth: Int
    private(set) var form = Form.undecided
    private var single = Payload.null
    private var entries: [(String, Payload)] = []
    private var items: [Payload] = []
    /// Nested containers with their index among entries or items: they may be written to until the end.
    private var nested: [(index: Int, node: EncodingNode)] = []

    init(userInfo: [CodingUserInfoKey: any Sendable], place: CodingPlace?, depth: Int) {
        sendableUserInfo = userInfo
        self.place = place
        self.depth = depth
    }

    var codingPath: [any CodingKey] { place.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { sendableUserInfo }
    var itemCount: Int { items.count }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if form == .undecided { entries.reserveCapacity(12) }
        decide(.map)
        return KeyedEncodingContainer(EncodingMap<Key>(node: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        decide(.array)
        return EncodingArray(node: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { EncodingSingle(node: self) }

    private func decide(_ form: Form) {
        if self.form == .undecided { self.form = form } else if self.form != form { self.form = .conflict }
    }
}

extension EncodingNode {
    func append(_ payload: Payload, key: String) { entries.append((key, payload)) }

    func append(_ payload: Payload) { items.append(payload) }

    /// Called once for each value.
    func set(_ payload: Payload) {
        form = form == .undecided ? .single : .conflict
        single = payload
    }

    /// A nested container of a map.
    func appendNode(_ key: any CodingKey) -> EncodingNode {
        let child = child(key)
        nested.append((entries.count, child))
        entries.append((key.stringValue, .null))
        return child
    }

    /// A nested container of an array.
    func appendNode() -> EncodingNode {
        let child = child(PlainKey(items.count))
        nested.append((items.count, child))
        items.append(.null)
        return child
    }

    private func child(_ key: any CodingKey) -> EncodingNode {
        EncodingNode(userInfo: sendableUserInfo, place: place.appending(key), depth: depth + 1)
    }
}

extension EncodingNode {
    /// The payload of a value that is encoded with this node, which must be fresh.
    func payload<Value: Encodable>(encoding value: Value) throws -> Payload {
        if let payload = ConvertibleTypes.payload(of: value) { return payload }
        return try own(value)
    }

    /// The payload of a part of this value.
    func payload<Value: Encodable>(encoding value: Value, key: @autoclosure () -> any CodingKey) throws -> Payload {
        if let payload = ConvertibleTypes.payload(of: value) { return payload }
        return try child(key()).own(value)
    }

    private func own<Value: Encodable>(_ value: Value) throws -> Payload {
        try checkDepth(value)
        try value.encode(to: self)
        return try finish(value)
    }

    /// What has been encoded, as a payload.
    private func finish(_ value: Any) throws -> Payload {
        // Then the places of the nested values may be those of either form.
        if form == .conflict { throw failure(value, "the value encodes itself in two ways at once") }
        for (index, node) in nested {
            try node.checkDepth(value)
            let payload = try node.finish(value)
            if form == .array { items[index] = payload } else { entries[index].1 = payload }
        }
        switch form {
        case .undecided: return Payload(entries: [])
        case .single: return single
        case .map: return Payload(lastOfEach: entries)
        case .array: return Payload(items)
        case .conflict: preconditionFailure("refused above")
        }
    }

    private func checkDepth(_ value: Any) throws {
        let limit = PayloadLimits.standard.depth
        guard depth < limit else { throw failure(value, "more than \(limit) levels deep") }
    }

    private func failure(_ value: Any, _ description: String) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: codingPath, debugDescription: description))
    }
}
