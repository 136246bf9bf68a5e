/// Lays out the fields of a struct or union as gcc and clang do.
struct RecordLayouter {
    let isUnion: Bool
    /// Whether the whole record has the attribute `packed`.
    let isPacked: Bool
    /// What `#pragma pack` limits alignments to.
    let packing: Int?
    /// What an attribute of the record asks for at least.
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
            // The pragma wins over attributes of fields, as clang has it.
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

    static func round(_ size: Int, up alignment: Int) -> Int { (size + alignment - 1) & ~(alignment - 1) }
}
