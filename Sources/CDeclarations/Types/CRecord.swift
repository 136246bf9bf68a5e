/// A struct or union, known by its place among the declarations: what is in it,
/// ``CDeclarations/definition(of:)`` says. So a struct may point to itself, and be declared before it is defined.
package struct CRecord: Sendable, Hashable {
    /// Its place in ``CDeclarations/records``.
    package let index: Int
    /// Whether it is a union.
    package let isUnion: Bool
    /// The tag, when there is one.
    package let tag: String?
    /// As it is named: `struct tm`, the name of the `typedef` for one without a tag, else a description.
    package let name: String

    package static func == (left: CRecord, right: CRecord) -> Bool { left.index == right.index }

    package func hash(into hasher: inout Hasher) { hasher.combine(index) }
}
