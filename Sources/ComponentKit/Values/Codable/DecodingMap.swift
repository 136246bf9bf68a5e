import CHSLink

/// Reads keys and values of a map.
struct DecodingMap<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let node: DecodingNode
    /// For maps with so many keys that looking through all of them for each would take long.
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
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try read(key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try read(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try read(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try read(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try read(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try read(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try read(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try read(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try read(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try read(key) }

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
                codingPath: codingPath, debugDescription: "no value for the key \(key.stringValue.excerpt)",
                underlyingError: error.within(codingPath + [key])))
    }

    private func child(_ payload: Payload, _ key: any CodingKey) -> DecodingNode {
        node.child(payload, node.place.appending(key))
    }

    /// Reads a value in its own form.
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
