/// An `enum` with its constants.
package struct CEnumeration: Sendable, Hashable {
    /// The place of its definition among all of them.
    let index: Int
    /// As it is named: `enum color`, the name of the `typedef` for one without a tag, else a description.
    package let name: String
    /// The tag, when there is one.
    package let tag: String?
    /// What it is passed as.
    package let underlying: CScalar
    /// In the order of the declaration.
    package let constants: [CConstant]

    package static func == (left: CEnumeration, right: CEnumeration) -> Bool { left.index == right.index }

    package func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

/// A name for an integer: of an `enum`, or of a `#define`.
package struct CConstant: Sendable, Hashable {
    package let name: String
    package let value: Int128
    /// What the type of the name is in an expression.
    package let type: CScalar

    package init(name: String, value: Int128, type: CScalar) {
        self.name = name
        self.value = value
        self.type = type
    }
}
