// Sizes, alignments and offsets, by the ABIs of 64-bit Linux.

/// Size and alignment of a value in memory.
package struct CLayout: Sendable, Hashable {
    /// Bytes, a multiple of the alignment except for an array of over-aligned elements.
    package let size: Int
    /// Bytes, a power of two.
    package let alignment: Int

    package init(size: Int, alignment: Int) {
        self.size = size
        self.alignment = alignment
    }
}

/// How large things are, by the ABIs of 64-bit Linux.
enum LayoutRules {
    /// The address space of a process.
    static let maximumSize = 1 << 47
    /// Of a pointer; the size is the same.
    static let pointer = CLayout(size: 8, alignment: 8)

    /// Size and alignment of a value of a type.
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
            guard !overflow, size <= maximumSize else { throw CObstacle("the array is larger than any memory") }
            return CLayout(size: size, alignment: one.alignment)
        }
    }
}

/// A field that was read and has no offset yet.
struct PendingField {
    /// Nil for a struct or union inside that has no name.
    let name: String?
    let type: CType
    /// The least alignment, from an attribute of the field.
    let alignment: Int?
    /// Whether it has the attribute `packed` of its own.
    let isPacked: Bool
    /// Of a name, for failures.
    let offset: Int
}

/// Lays out the fields of a struct or union as gcc and clang do.
struct RecordLayouter {
    let isUnion: Bool
    /// Whether the whole record has the attribute `packed`.
    let isPacked: Bool
    /// What `#pragma pack` limits alignments to.
    let packing: Int?
    /// The least alignment, from an attribute of the record.
    let alignment: Int?

    /// Offsets of the fields, and size and alignment of the record.
    ///
    /// - Throws: why it has no layout: a field without one, or too large.
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
            // The pragma wins over attributes of fields, as in clang.
            if let packing { align = min(align, packing) }
            let offset = isUnion ? 0 : RecordLayouter.round(end, up: align)
            offsets.append(offset)
            end = max(end, offset + own.size)
            whole = max(whole, align)
            guard end <= LayoutRules.maximumSize else {
                throw CObstacle("all fields together are larger than any memory")
            }
        }
        return (offsets, CLayout(size: RecordLayouter.round(end, up: whole), alignment: whole))
    }

    /// An array without a length takes nothing, but it is aligned.
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
