/// A parameter of a function.
package struct CParameter: Sendable, Hashable {
    /// Nil when the declaration has none.
    package let name: String?
    /// Arrays and functions have become pointers, as in C.
    package let type: CType
    /// The length in `int values[4]`, which is a pointer for C; nil when none was written.
    package let arrayLength: Int?
    /// Whether an attribute, `_Nonnull` or `[static n]` forbids a null pointer.
    package var isNonnull: Bool

    package init(name: String?, type: CType, arrayLength: Int? = nil, isNonnull: Bool = false) {
        self.name = name
        self.type = type
        self.arrayLength = arrayLength
        self.isNonnull = isNonnull
    }

    /// Names are nobody's business when types are compared, nor are qualifiers of the parameter itself.
    package static func == (left: CParameter, right: CParameter) -> Bool {
        left.type.unqualified == right.type.unqualified
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(type.unqualified) }
}
