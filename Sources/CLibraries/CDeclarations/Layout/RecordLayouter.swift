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
    /// The name; nil for an unnamed struct or union, and for an unnamed bit-field.
    let name: String?
    let type: CType
    /// The number of bits of a bit-field; nil for other fields.
    let width: Int?
    /// The minimum alignment that an attribute of the field requires.
    let alignment: Int?
    /// Whether the field itself has the attribute `packed`.
    let isPacked: Bool
    /// The byte offset in the text, for error messages.
    let offset: Int
}

/// Lays out the fields of a struct or union as gcc and clang do.
struct RecordLayouter {
    let target: CTarget
    let isUnion: Bool
    /// Whether the whole record has the attribute `packed`.
    let isPacked: Bool
    /// The maximum alignment that `#pragma pack` sets.
    let packing: Int?
    /// The minimum alignment that an attribute of the record requires.
    let alignment: Int?

    struct Found {
        /// The offsets of the fields in bits.
        let offsets: [Int]
        let whole: CLayout
    }

    /// Returns the offsets of the fields and the layout of the record.
    ///
    /// - Throws: `CObstacle` with the reason if a field has no layout or the record is too large.
    func layout(
        _ fields: [PendingField], measuring layout: (CType) throws(CObstacle) -> CLayout
    ) throws(CObstacle) -> Found {
        var offsets: [Int] = []
        offsets.reserveCapacity(fields.count)
        // In bits; `next` is where a field would follow without padding.
        var next = 0
        var end = 0
        var whole = max(1, alignment ?? 1)
        for field in fields {
            let own = try measure(field, layout)
            if isUnion { next = 0 }
            let offset: Int
            let align: Int
            if let width = field.width {
                (offset, align) = place(bitField: field, width, own, at: next)
                next = offset + width
            } else {
                align = alignment(of: field, own)
                offset = RecordLayouter.round(next, up: align * 8)
                next = offset + own.size * 8
            }
            offsets.append(offset)
            end = max(end, next)
            whole = max(whole, align)
            guard end / 8 <= LayoutRules.maximumSize else {
                throw CObstacle("the fields together exceed the address space")
            }
        }
        let size = RecordLayouter.round((end + 7) / 8, up: whole)
        return Found(offsets: offsets, whole: CLayout(size: size, alignment: whole))
    }

    private func alignment(of field: PendingField, _ own: CLayout) -> Int {
        let align = max(isPacked || field.isPacked ? 1 : own.alignment, field.alignment ?? 1)
        // The pragma overrides attributes of fields, as in clang.
        return packing.map { min(align, $0) } ?? align
    }

    /// Places a bit-field: at the next bit, unless it would then cross the boundary of an object of its type.
    ///
    /// - Returns: The offset in bits, and the alignment in bytes that the record needs for the field.
    private func place(
        bitField field: PendingField, _ width: Int, _ own: CLayout, at next: Int
    ) -> (offset: Int, alignment: Int) {
        // In bits: a packed bit-field needs no alignment, unless it has no width and ends a unit.
        var align = (isPacked || field.isPacked) && width > 0 ? 1 : own.alignment * 8
        align = max(align, (field.alignment ?? 0) * 8)
        if let packing, width > 0 {
            align = isPacked || field.isPacked ? min(own.alignment, packing) * 8 : min(align, packing * 8)
        }
        var offset = next
        if width == 0 || (packing == nil && next % align + width > own.size * 8) {
            offset = RecordLayouter.round(next, up: align)
        } else if let explicit = field.alignment, packing.map({ explicit <= $0 }) ?? true {
            offset = RecordLayouter.round(next, up: explicit * 8)
        }
        // The types of unnamed bit-fields do not align the record on x86_64, but on aarch64 they do.
        let counts = field.name != nil || target == .arm64
        return (offset, counts ? max(align / 8, 1) : 1)
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
