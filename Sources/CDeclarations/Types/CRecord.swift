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

/// What is in a struct or union.
package struct RecordDefinition: Sendable {
    package let record: CRecord
    /// In the order of the declaration, with their offsets; those after the first with an obstacle are missing.
    package let fields: [CField]
    /// Size and alignment, or why they are not known: a bit-field, or an error in the declaration.
    package let layout: Result<CLayout, CObstacle>
    /// Whether all fields lie where they would without attributes, as libraries expect that compute a layout
    /// from the fields' types. False when `packed`, `aligned` or `#pragma pack` moved something.
    package let isNatural: Bool
    /// Whether the last field is an array without a length: its elements are not part of the size.
    package let hasFlexibleArray: Bool
    /// Why values of it are not passed, though the layout is known (`transparent_union`).
    package let obstacle: CObstacle?
    package let place: CPlace

    /// The fields by name; those of a member without a name count as the record's own, with their offsets in
    /// the record.
    package let namedFields: [CField]
}

/// A field of a struct or union.
package struct CField: Sendable, Hashable {
    /// Nil for a struct or union inside that has no name.
    package let name: String?
    package let type: CType
    /// In bytes from the beginning of the record.
    package let offset: Int
}
