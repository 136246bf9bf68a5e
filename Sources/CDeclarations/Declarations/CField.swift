/// A field of a struct or union.
package struct CField: Sendable, Hashable {
    /// Nil for a struct or union inside that has no name.
    package let name: String?
    package let type: CType
    /// In bytes from the beginning of the record.
    package let offset: Int
}
