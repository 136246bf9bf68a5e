/// A struct or union, identified by its index among the declarations.
///
/// ``CDeclarations/definition(of:)`` returns its content. Because the two are separate, a struct can point to itself
/// and be declared before it is defined.
package struct CRecord: Sendable, Hashable {
    /// The index in ``CDeclarations/records``.
    package let index: Int
    /// Whether it is a union.
    package let isUnion: Bool
    /// The tag; nil if the record has none.
    package let tag: String?
    /// The name: `struct tm`, or the `typedef` name of a record without a tag, or a description if it has neither.
    package let name: String
    /// Whether the name is only a description.
    package var isUnnamed = false

    package static func == (left: CRecord, right: CRecord) -> Bool { left.index == right.index }

    package func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

/// The content of a struct or union.
package struct RecordDefinition: Sendable {
    package let record: CRecord
    /// The fields with their offsets, in the order of their declaration, without unnamed bit-fields; empty if the layout
    /// is not known.
    package let fields: [CField]
    /// The size and alignment, or the reason why they are not known: an error in the declaration.
    package let layout: Result<CLayout, CObstacle>
    /// Whether the layout is the same as without attributes. Libraries that compute a layout from the fields' types
    /// expect this. False if `packed`, `aligned` or `#pragma pack` changes the layout.
    package let isNatural: Bool
    /// Whether the last field is an array without a length, whose elements are not part of the size.
    package let hasFlexibleArray: Bool
    /// The reason why values can't be passed, even if the layout is known (`transparent_union`); nil if they can.
    package let obstacle: CObstacle?
    package let place: CPlace

    /// The fields, with each unnamed struct or union replaced by its own fields. Offsets are relative to the record.
    package let namedFields: [CField]
}

/// A field of a struct or union.
package struct CField: Sendable, Hashable {
    /// The name; nil for an unnamed struct or union.
    package let name: String?
    package let type: CType
    /// The offset in bytes from the beginning of the record. For a bit-field, of the byte with its lowest bit.
    package let offset: Int
    /// The place of a bit-field within its bytes; nil for other fields.
    package var bits: CBits?
}

/// The place of a bit-field within the bytes at its offset, on little-endian systems.
package struct CBits: Sendable, Hashable {
    /// The number of lower bits in the first byte that are not part of the field, from 0 to 7.
    package let start: Int
    /// The number of bits, from 1 to 64.
    package let width: Int

    package init(start: Int, width: Int) {
        self.start = start
        self.width = width
    }

    /// The number of bytes that hold the bits, from 1 to 9.
    package var byteCount: Int { (start + width + 7) / 8 }
}
