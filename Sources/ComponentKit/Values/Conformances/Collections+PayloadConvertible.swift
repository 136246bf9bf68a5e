public import CHSLink
import SystemSupport

extension Optional: PayloadConvertible where Wrapped: PayloadConvertible {
    /// Null for nil.
    @inlinable public var payload: Payload { self?.payload ?? .null }

    /// Reads nil from null. An optional inside an optional cannot be told from its outer one.
    @inlinable
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self = payload.isNull ? .none : .some(try Wrapped(payload: payload))
    }

    /// Nil, as for a key with null.
    @inlinable public static var valueIfAbsent: Wrapped?? { .some(.none) }
}

extension Array: PayloadConvertible where Element: PayloadConvertible {
    /// A list of the elements, in order; an array of `UInt8` as bytes.
    @inlinable public var payload: Payload {
        @_specialize(where Element == String)
        @_specialize(where Element == Int)
        @_specialize(where Element == Double)
        get { list }
    }

    @inlinable @inline(__always) var list: Payload {
        if Element.self == UInt8.self, let bytes = self as? [UInt8] { return Payload(bytes) }
        if Element.self == String.self, let texts = self as? [String] { return Payload(texts: texts) }
        return Payload(map { $0.payload })
    }

    /// Reads a list; an array of `UInt8` from bytes, or from a list of integers.
    ///
    /// - Throws: when there is no list, or what an element throws, with its index.
    @inlinable
    @_specialize(where Element == String)
    @_specialize(where Element == Int)
    @_specialize(where Element == Double)
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        if Element.self == UInt8.self, payload.kind == .bytes, let bytes = try payload.bytes() as? [Element] {
            self = bytes
            return
        }
        let count = try payload.arrayCount
        self.init()
        reserveCapacity(count)
        try payload.forEachElement { item throws(PayloadError) in append(try Element(payload: item)) }
    }
}

extension Set: PayloadConvertible where Element: PayloadConvertible {
    /// A list of the elements, in any order.
    public var payload: Payload { Payload(map { $0.payload }) }

    /// Reads a list; a repeated element counts once.
    ///
    /// - Throws: when there is no list, or what an element throws, with its index.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let count = try payload.arrayCount
        self.init(minimumCapacity: count)
        try payload.forEachElement { item throws(PayloadError) in insert(try Element(payload: item)) }
    }
}

extension PayloadView {
    /// How many items the array has.
    @usableFromInline var arrayCount: Int {
        get throws(PayloadError) {
            guard kind == .array else { throw unsafe PayloadError(expected: "array", found: unsafeNode.kindSummary) }
            return unsafe unsafeNode.itemNodes.count
        }
    }

    /// ``forEachItem(_:)`` for code that is specialised in another module.
    @inlinable
    func forEachElement(_ body: (borrowing PayloadView) throws(PayloadError) -> Void) throws(PayloadError) {
        guard let items = unsafe unsafeNode.`as`.items else { return }
        for index in try 0..<arrayCount {
            do {
                try unsafe body(PayloadView(node: items[index]))
            } catch {
                throw PayloadView.place(error, at: index)
            }
        }
    }

    @usableFromInline
    static func place(_ error: PayloadError, at index: Int) -> PayloadError { error.within(.index(index)) }
}

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
                throw PayloadError(expected: "keys that are a \(Key.self)", found: text.quoted())
            }
            let value: Value
            do {
                value = unsafe try Value(payload: PayloadView(node: entries[index].value))
            } catch {
                throw error.within(.key(text))
            }
            guard updateValue(value, forKey: key) == nil else {
                throw PayloadError(expected: "each key once", found: "\(text.quoted()) in two spellings")
            }
        }
    }
}
