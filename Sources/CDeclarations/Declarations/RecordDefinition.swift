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
