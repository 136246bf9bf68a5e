/// Encodes `Encodable` values as payloads without JSON in between.
///
/// A structure becomes a map of its keys, without the keys of nil optionals; an array becomes an array. Any value that
/// conforms to ``PayloadConvertible``, at any depth (numbers, `Date`, `Data`, `URL`, `UUID`, models, collections of
/// them), is encoded with that conformance, which therefore must not use this encoder for the same value. May be used
/// from any thread.
public struct PayloadEncoder: Sendable {
    /// User info that values can read from their encoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder without user info.
    public init() {}

    /// Encodes a value as a payload.
    ///
    /// - Throws: `EncodingError` if the value is more than 64 levels deep or requests containers of different kinds, or
    ///   an error that the value itself throws.
    public func encode<Value: Encodable>(_ value: Value) throws -> Payload {
        try EncodingNode(userInfo: userInfo, place: nil, depth: 0).payload(encoding: value)
    }
}

/// A value that is being encoded, with the parts encoded so far.
private final class EncodingNode: Encoder {
    enum Form {
        case undecided, single, map, array
        /// The value requested two containers of different kinds.
        case conflict
    }

    let sendableUserInfo: [CodingUserInfoKey: any Sendable]
    let place: CodingPlace?
    /// The number of containers around it.
    let depth: Int
    private(set) var form = Form.undecided
    private var single = Payload.null
    private var entries: [(String, Payload)] = []
    private var items: [Payload] = []
    /// Nested containers with their index among the entries or items; values may write to them until encoding ends.
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

    /// Sets the payload of a single value; called once per value.
    func set(_ payload: Payload) {
        form = form == .undecided ? .single : .conflict
        single = payload
    }

    /// Adds a nested container to a map.
    func appendNode(_ key: any CodingKey) -> EncodingNode {
        let child = child(key)
        nested.append((entries.count, child))
        entries.append((key.stringValue, .null))
        return child
    }

    /// Adds a nested container to an array.
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
    /// Returns the payload of a value that is encoded with this node, which must be unused.
    func payload<Value: Encodable>(encoding value: Value) throws -> Payload {
        if let payload = ConvertibleTypes.payload(of: value) { return payload }
        return try own(value)
    }

    /// Returns the payload of a part of this value.
    func payload<Value: Encodable>(encoding value: Value, key: @autoclosure () -> any CodingKey) throws -> Payload {
        if let payload = ConvertibleTypes.payload(of: value) { return payload }
        return try child(key()).own(value)
    }

    private func own<Value: Encodable>(_ value: Value) throws -> Payload {
        try checkDepth(value)
        try value.encode(to: self)
        return try finish(value)
    }

    /// Returns the parts encoded so far as a payload.
    private func finish(_ value: Any) throws -> Payload {
        // After a conflict, the index of a nested container could belong to either form.
        if form == .conflict { throw failure(value, "the value requests containers of different kinds") }
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
        guard depth < limit else { throw failure(value, "the value is more than \(limit) levels deep") }
    }

    private func failure(_ value: Any, _ description: String) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: codingPath, debugDescription: description))
    }
}

/// Writes the keys and values of a map.
private struct EncodingMap<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodingNode

    var codingPath: [any CodingKey] { node.codingPath }

    private func add(_ payload: Payload, _ key: Key) { node.append(payload, key: key.stringValue) }

    func encodeNil(forKey key: Key) { add(.null, key) }

    func encode<Form: Encodable & PayloadConvertible>(_ value: Form, forKey key: Key) { add(value.payload, key) }

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
    /// Creates a map in which the last value of a duplicate key wins, as in other encoders.
    fileprivate init(lastOfEach entries: [(String, Payload)]) {
        self.init(uniqueEntries: entries)
        if firstRepeatedKey != nil { self.init(entries: entries) { _, last in last } }
    }
}

/// Writes the items of an array.
private struct EncodingArray: UnkeyedEncodingContainer {
    let node: EncodingNode

    var codingPath: [any CodingKey] { node.codingPath }

    var count: Int { node.itemCount }

    private func add(_ payload: Payload) { node.append(payload) }

    func encodeNil() { add(.null) }

    func encode<Form: Encodable & PayloadConvertible>(_ value: Form) { add(value.payload) }

    func encode<Value: Encodable>(_ value: Value) throws {
        add(try node.payload(encoding: value, key: PlainKey(count)))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        node.appendNode().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.appendNode().unkeyedContainer() }

    func superEncoder() -> any Encoder { node.appendNode() }
}

/// Writes a value that is neither a map nor an array, or that encodes itself as another value.
private struct EncodingSingle: SingleValueEncodingContainer {
    let node: EncodingNode

    var codingPath: [any CodingKey] { node.codingPath }

    private func set(_ payload: Payload) { node.set(payload) }

    func encodeNil() { set(.null) }

    func encode<Form: Encodable & PayloadConvertible>(_ value: Form) { set(value.payload) }

    /// The value is encoded in a node of its own, at the same position.
    func encode<Value: Encodable>(_ value: Value) throws {
        let inner = EncodingNode(userInfo: node.sendableUserInfo, place: node.place, depth: node.depth)
        set(try inner.payload(encoding: value))
    }
}
