import CHSLink
import SystemSupport

/// Decodes payloads into `Decodable` values without JSON in between: the inverse of ``PayloadEncoder``.
///
/// Numbers are converted only without loss: an integer can be read as a `Double` if that is exact, but a `Double` never
/// as an integer, and a number beyond the range of its type is an error. Any value that conforms to
/// ``PayloadConvertible``, at any depth, is read with that conformance, which therefore must not use this decoder for
/// the same value. May be used from any thread.
public struct PayloadDecoder: Sendable {
    /// User info that values can read from their decoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder without user info.
    public init() {}

    /// Decodes a value from a payload.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - payload: The payload, which may be untrusted.
    /// - Throws: `DecodingError` with the coding path at which the payload does not fit, or an error that the value
    ///   itself throws.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from payload: Payload) throws -> Value {
        try DecodingNode(payload, userInfo: userInfo, place: nil, depth: 0).decode(type)
    }

    /// Decodes a value from a borrowed payload, which is copied because a type may keep its decoder.
    func decode<Value: Decodable>(_ type: Value.Type, borrowing view: borrowing PayloadView) throws -> Value {
        try decode(type, from: try view.copy())
    }
}

/// A value that is being decoded.
private struct DecodingNode: Decoder, SingleValueDecodingContainer {
    let payload: Payload
    let sendableUserInfo: [CodingUserInfoKey: any Sendable]
    let place: CodingPlace?
    /// The number of containers around it.
    let depth: Int

    init(_ payload: Payload, userInfo: [CodingUserInfoKey: any Sendable], place: CodingPlace?, depth: Int) {
        self.payload = payload
        sendableUserInfo = userInfo
        self.place = place
        self.depth = depth
    }

    /// Returns the node for a part of this value.
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

    func decode<Form: Decodable & PayloadConvertible>(_ type: Form.Type) throws -> Form { try read() }

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

    /// Reads a value with its own ``PayloadConvertible`` conformance.
    private func read<Form: PayloadConvertible>() throws -> Form {
        do {
            return try payload.value()
        } catch {
            throw error.decodingError(at: place, Form.self)
        }
    }

    private func mismatch(expected: String, found: String? = nil, _ type: Any.Type) -> any Error {
        let found = unsafe found ?? payload.node.kindSummary
        return PayloadError(expected: expected, found: found).decodingError(at: place, type)
    }
}

/// Reads the keys and values of a map.
private struct DecodingMap<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let node: DecodingNode
    /// An index for maps with so many keys that a linear search for each would be slow.
    private let table: KeyTable?

    init(node: DecodingNode) {
        self.node = node
        let entries = unsafe node.payload.node.entryNodes
        guard entries.count > 32 else {
            table = nil
            return
        }
        var table = KeyTable(count: entries.count)
        for index in entries.indices { _ = unsafe table.insert(index) { unsafe entries[$0].keyBytes } }
        self.table = table
    }

    var codingPath: [any CodingKey] { node.codingPath }

    var allKeys: [Key] {
        defer { extendLifetime(node.payload) }
        return unsafe node.payload.node.entryNodes.compactMap { unsafe Key(stringValue: $0.keyText) }
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try require(key).isNull }

    func decode<Form: Decodable & PayloadConvertible>(_ type: Form.Type, forKey key: Key) throws -> Form {
        try read(key)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if let convertible = ConvertibleTypes.find(type) { return try own(convertible, as: type, key) }
        return try child(try require(key), key).decode(type)
    }

    private func own<Form: PayloadConvertible, Value>(
        _ form: Form.Type, as type: Value.Type, _ key: Key
    ) throws -> Value {
        let value: Form = try read(key)
        guard let value = value as? Value else { throw missing(key) }
        return value
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try child(try require(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try child(try require(key), key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { child(find("super") ?? .null, PlainKey.super) }
    func superDecoder(forKey key: Key) -> any Decoder { child(find(key) ?? .null, key) }

    private func find(_ key: Key) -> Payload? { find(key.stringValue) }

    private func find(_ key: String) -> Payload? {
        guard let table else { return node.payload[key] }
        defer { extendLifetime(node.payload) }
        var key = key
        let entries = unsafe node.payload.node.entryNodes
        let index = key.withUTF8 { bytes in
            unsafe table.find(UnsafeRawBufferPointer(bytes)) { unsafe entries[$0].keyBytes }
        }
        return index.map { unsafe Payload(node: entries[$0].value, owner: node.payload.owner) }
    }

    private func require(_ key: Key) throws -> Payload {
        guard let value = find(key) else { throw missing(key) }
        return value
    }

    private func missing(_ key: Key) -> any Error {
        let error = PayloadError(expected: "a value", found: "nothing")
        return DecodingError.keyNotFound(
            key,
            DecodingError.Context(
                codingPath: codingPath, debugDescription: "no value for the key \(key.stringValue.quoted())",
                underlyingError: error.within(codingPath + [key])))
    }

    private func child(_ payload: Payload, _ key: any CodingKey) -> DecodingNode {
        node.child(payload, node.place.appending(key))
    }

    /// Reads a value with its own ``PayloadConvertible`` conformance.
    private func read<Form: PayloadConvertible>(_ key: Key) throws -> Form {
        defer { extendLifetime(node.payload) }
        guard table == nil, let value = unsafe node.payload.node.find(key.stringValue) else {
            return try convert(try require(key), key)
        }
        do {
            return try unsafe Form(payload: PayloadView(node: value))
        } catch {
            throw error.decodingError(at: node.place.appending(key), Form.self)
        }
    }

    private func convert<Form: PayloadConvertible>(_ payload: Payload, _ key: Key) throws -> Form {
        do {
            return try payload.value()
        } catch {
            throw error.decodingError(at: node.place.appending(key), Form.self)
        }
    }
}

/// Reads the items of an array, from first to last.
private struct DecodingArray: UnkeyedDecodingContainer {
    private let node: DecodingNode
    private(set) var currentIndex = 0

    init(node: DecodingNode) { self.node = node }

    var codingPath: [any CodingKey] { node.codingPath }
    var count: Int? { node.payload.count }
    var isAtEnd: Bool { currentIndex >= node.payload.count }

    /// Consumes a null; any other value is kept.
    mutating func decodeNil() throws -> Bool {
        let isNull = try next(Any?.self).payload.isNull
        if isNull { currentIndex += 1 }
        return isNull
    }

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

    /// Reads the next item; one that does not fit is not consumed, and can be read again as another type.
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

    /// Reads an item with its own ``PayloadConvertible`` conformance; returns nil at the end.
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
