public import CHSLink

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

    /// Reads a list; an element that comes twice counts once.
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
