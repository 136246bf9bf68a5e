import CHSLink

extension Dictionary: PayloadConvertible where Key: LosslessStringConvertible, Value: PayloadConvertible {
    /// A map with the keys as text, in ascending order.
    public var payload: Payload {
        if Key.self == String.self, let dictionary = self as? [String: Value] {
            return Payload(dictionary.mapValues { $0.payload })
        }
        // Two keys that differ may have one text, as two NaNs have.
        let entries = map { ($0.key.description, $0.value.payload) }.sorted { $0.0 < $1.0 }
        return Payload(entries: entries) { first, _ in first }
    }

    /// Reads a map.
    ///
    /// - Throws: when there is no map, when a key is no text of a `Key`, when two keys are equal as `Key` ("1"
    ///   and "+1" for `Int`, two spellings of "é" for `String`), or what a value throws, with its key.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        guard payload.kind == .map else {
            throw unsafe PayloadError(expected: "map", found: payload.unsafeNode.kindSummary)
        }
        let entries = unsafe payload.unsafeNode.entryNodes
        self.init(minimumCapacity: entries.count)
        for index in entries.indices {
            let text = unsafe entries[index].keyText
            // A Character traps on any other text instead of answering nil.
            guard Key.self != Character.self || text.count == 1, let key = Key(text) else {
                throw PayloadError(expected: "keys that are a \(Key.self)", found: text.excerpt)
            }
            let value: Value
            do {
                value = unsafe try Value(payload: PayloadView(node: entries[index].value))
            } catch {
                throw error.within(.key(text))
            }
            guard updateValue(value, forKey: key) == nil else {
                throw PayloadError(expected: "each key once", found: "\(text.excerpt) in two spellings")
            }
        }
    }
}
