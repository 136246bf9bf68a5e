/// An `enum` with its constants.
package struct CEnumeration: Sendable, Hashable {
    /// The index of its definition among all enum definitions.
    let index: Int
    /// The name: `enum color`, or the `typedef` name of an enum without a tag, or a description if it has neither.
    package let name: String
    /// The tag; nil if the enum has none.
    package let tag: String?
    /// The integer type that is used to pass values.
    package let underlying: CScalar
    /// The constants, in the order of their declaration.
    package let constants: [CConstant]

    package static func == (left: CEnumeration, right: CEnumeration) -> Bool { left.index == right.index }

    package func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

/// A named integer, from an `enum`, a `#define` or a `static const` variable.
package struct CConstant: Sendable, Hashable {
    package let name: String
    package let value: Int128
    /// The type that the name has in an expression.
    package let type: CScalar

    package init(name: String, value: Int128, type: CScalar) {
        self.name = name
        self.value = value
        self.type = type
    }
}

/// A named text or floating-point number, from a `#define`.
package struct CNamedValue: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case text(String)
        case number(Double)
    }

    package let name: String
    package let value: Value
}
