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
