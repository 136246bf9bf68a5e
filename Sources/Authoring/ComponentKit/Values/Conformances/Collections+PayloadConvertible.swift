public import CHSLink
import SystemSupport

extension Optional: PayloadConvertible where Wrapped: PayloadConvertible {
    /// Null for nil; otherwise the payload of the wrapped value.
    @inlinable public var payload: Payload { self?.payload ?? .null }

    /// Reads null as nil. An inner nil of a nested optional is read as the outer nil.
    @inlinable
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self = payload.isNull ? .none : .some(try Wrapped(payload: payload))
    }

    /// Nil, as if the key were null.
    @inlinable public static var valueIfAbsent: Wrapped?? { .some(.none) }
}

extension Array: PayloadConvertible where Element: PayloadConvertible {
    /// An array of the elements, in order; bytes for an array of `UInt8`.
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

    /// Reads an array; an array of `UInt8` is read from bytes, or from an array of integers.
    ///
    /// - Throws: ``PayloadError`` if the value is not an array, or the error from an element, with its index.
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
    /// An array of the elements, in any order.
    public var payload: Payload { Payload(map { $0.payload }) }

    /// Reads an array; duplicate elements are merged.
    ///
    /// - Throws: ``PayloadError`` if the value is not an array, or the error from an element, with its index.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let count = try payload.arrayCount
        self.init(minimumCapacity: count)
        try payload.forEachElement { item throws(PayloadError) in insert(try Element(payload: item)) }
    }
}

extension PayloadView {
    /// The number of items of the array.
    @usableFromInline var arrayCount: Int {
        get throws(PayloadError) {
            guard kind == .array else { throw unsafe PayloadError(expected: "array", found: unsafeNode.kindSummary) }
            return unsafe unsafeNode.itemNodes.count
        }
    }

    /// Like ``forEachItem(_:)``, for code that is specialised in another module.
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
    /// A map with the keys as strings, in ascending order.
    public var payload: Payload {
        if Key.self == String.self, let dictionary = self as? [String: Value] {
            return Payload(dictionary.mapValues { $0.payload })
        }
        // Different keys can have the same text, for example two NaNs.
        let entries = map { ($0.key.description, $0.value.payload) }.sorted { $0.0 < $1.0 }
        return Payload(entries: entries) { first, _ in first }
    }

    /// Reads a map.
    ///
    /// - Throws: ``PayloadError`` if the value is not a map, if a key cannot be converted to `Key`, if two keys are
    ///   equal as `Key` ("1" and "+1" for `Int`, two spellings of "é" for `String`), or the error from a value, with
    ///   its key.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        guard payload.kind == .map else {
            throw unsafe PayloadError(expected: "map", found: payload.unsafeNode.kindSummary)
        }
        let entries = unsafe payload.unsafeNode.entryNodes
        self.init(minimumCapacity: entries.count)
        for index in entries.indices {
            let text = unsafe entries[index].keyText
            // `Character` traps on text that is not exactly one character, instead of returning nil.
            guard Key.self != Character.self || text.count == 1, let key = Key(text) else {
                throw PayloadError(expected: "keys of type \(Key.self)", found: text.quoted())
            }
            let value: Value
            do {
                value = unsafe try Value(payload: PayloadView(node: entries[index].value))
            } catch {
                throw error.within(.key(text))
            }
            guard updateValue(value, forKey: key) == nil else {
                throw PayloadError(expected: PayloadError.uniqueKeys, found: "\(text.quoted()) in two spellings")
            }
        }
    }
}
