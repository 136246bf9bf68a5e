/// How large things are, by the ABIs of 64-bit Linux.
enum LayoutRules {
    /// More no process has.
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
