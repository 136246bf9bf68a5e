public import CHSLink

extension Payload: ExpressibleByNilLiteral {
    /// Null.
    @inlinable public init(nilLiteral: ()) { self = .null }
}

extension Payload: ExpressibleByBooleanLiteral {
    /// A truth value.
    @inlinable public init(booleanLiteral value: Bool) { self.init(value) }
}

extension Payload: ExpressibleByIntegerLiteral {
    /// A signed integer.
    @inlinable public init(integerLiteral value: Int) { self.init(value) }
}

extension Payload: ExpressibleByFloatLiteral {
    /// A floating-point number.
    @inlinable public init(floatLiteral value: Double) { self.init(value) }
}

extension Payload: ExpressibleByArrayLiteral {
    /// A list, in order.
    public init(arrayLiteral elements: Payload...) { self.init(elements) }
}

extension Payload: ExpressibleByDictionaryLiteral {
    /// A map in the order as written; a key twice traps.
    @inlinable
    public init(dictionaryLiteral elements: (String, Payload)...) {
        // Inlined, so that the array stays on the caller's stack.
        self = unsafe elements.withUnsafeBufferPointer { unsafe Payload.uniqueMap(of: $0) }
    }
}

extension Payload: ExpressibleByStringInterpolation {
    /// The text itself, not a copy: literals live as long as the program.
    @inlinable
    public init(stringLiteral value: StaticString) {
        if value.hasPointerRepresentation {
            unsafe self.init(node: hslink_utf8(value.utf8Start, UInt32(value.utf8CodeUnitCount)), owner: nil)
        } else {
            self.init(String(value.unicodeScalar))
        }
    }

    /// The text of the pieces, copied.
    public init(stringInterpolation: Interpolation) { self.init(stringInterpolation.text) }

    /// Collects the pieces of `"…\(x)…"`.
    public struct Interpolation: StringInterpolationProtocol {
        var text = ""

        /// Makes room for about as much text as there will be.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 8)
        }

        /// Adds a piece as it is.
        public mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        /// Adds the description of a value.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += value.description
        }
    }
}
