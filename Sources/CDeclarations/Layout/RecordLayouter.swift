// Sizes, alignments and offsets in the ABIs of 64-bit Linux.

/// The size and alignment of a value in memory.
package struct CLayout: Sendable, Hashable {
    /// The size in bytes, which is a multiple of the alignment except for arrays of over-aligned elements.
    package let size: Int
    /// The alignment in bytes, which is a power of two.
    package let alignment: Int

    package init(size: Int, alignment: Int) {
        self.size = size
        self.alignment = alignment
    }
}

/// The layout of types in the ABIs of 64-bit Linux.
enum LayoutRules {
    /// The size of a process's address space.
    static let maximumSize = 1 << 47
    /// The layout of any pointer.
    static let pointer = CLayout(size: 8, alignment: 8)

    /// Returns the size and alignment of a value of a type.
    static func layout(
        of type: CType, definition: (CRecord) -> RecordDefinition?
    ) throws(CObstacle) -> CLayout {
        switch type.kind {
        case .void: throw CObstacle("void has no size")
        case .scalar(let scalar): return CLayout(size: scalar.size, alignment: scalar.size)
        case .enumeration(let enumeration):
            return CLayout(size: enumeration.underlying.size, alignment: enumeration.underlying.size)
        case .pointer: return pointer
        case .function: throw CObstacle("a function has no size")
        case .unsupported(let type):
            guard let layout = type.layout else { throw type.obstacle }
            return layout
        case .record(let record):
            guard let found = definition(record) else { throw CObstacle("\(record.name) is not defined") }
            return try found.layout.get()
        case .array(let element, let length):
            guard let length else { throw CObstacle("an array without a length has no size") }
            let one = try layout(of: element, definition: definition)
            let (size, overflow) = one.size.multipliedReportingOverflow(by: length)
            guard !overflow, size <= maximumSize else { throw CObstacle("the array exceeds the address space") }
            return CLayout(size: size, alignment: one.alignment)
        }
    }
}

/// A parsed field whose offset is not computed yet.
struct PendingField {
    /// The name; nil for an unnamed struct or union.
    let name: String?
    let type: CType
    /// The minimum alignment that an attribute of the field requires.
    let alignment: Int?
    /// Whether the field itself has the attribute `packed`.
    let isPacked: Bool
    /// The byte offset in the text, for error messages.
    let offset: Int
}

/// Lays out the fields of a struct or union as gcc and clang do.
struct RecordLayouter {
    let isUnion: Bool
    /// Whether the whole record has the attribute `packed`.
    let isPacked: Bool
    /// The maximum alignment that `#pragma pack` sets.
    let packing: Int?
    /// The minimum alignment that an attribute of the record requires.
    let alignment: Int?

    /// Returns the offsets of the fields and the layout of the record.
    ///
    /// - Throws: `CObstacle` with the reason if a field has no layout or the record is too large.
    func layout(
        _ fields: [PendingField], measuring layout: (CType) throws(CObstacle) -> CLayout
    ) throws(CObstacle) -> (offsets: [Int], whole: CLayout) {
        var offsets: [Int] = []
        offsets.reserveCapacity(fields.count)
        var end = 0
        var whole = max(1, alignment ?? 1)
        for field in fields {
            let own = try measure(field, layout)
            var align = isPacked || field.isPacked ? 1 : own.alignment
            align = max(align, field.alignment ?? 1)
            // The pragma overrides attributes of fields, as in clang.
            if let packing { align = min(align, packing) }
            let offset = isUnion ? 0 : RecordLayouter.round(end, up: align)
            offsets.append(offset)
            end = max(end, offset + own.size)
            whole = max(whole, align)
            guard end <= LayoutRules.maximumSize else {
                throw CObstacle("the fields together exceed the address space")
            }
        }
        return (offsets, CLayout(size: RecordLayouter.round(end, up: whole), alignment: whole))
    }

    /// Returns the layout of a field. An array without a length has size 0 and the alignment of its elements.
    private func measure(
        _ field: PendingField, _ layout: (CType) throws(CObstacle) -> CLayout
    ) throws(CObstacle) -> CLayout {
        if case .array(let element, length: nil) = field.type.kind {
            return CLayout(size: 0, alignment: try layout(element).alignment)
        }
        return try layout(field.type)
    }

    private static func round(_ size: Int, up alignment: Int) -> Int { (size + alignment - 1) & ~(alignment - 1) }
}
