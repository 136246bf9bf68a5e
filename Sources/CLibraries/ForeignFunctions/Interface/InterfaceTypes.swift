import CDeclarations

/// Maps the types of a set of declarations to libffi's. Not thread-safe.
final class InterfaceTypes {
    private let declarations: CDeclarations
    private var records: [CRecord: InterfaceType] = [:]

    /// The maximum size, in bytes, of a value on the stack.
    private static let maximumSize = 1 << 16

    init(_ declarations: CDeclarations) { self.declarations = declarations }

    /// - Throws: `CObstacle` with the reason if values of the type cannot be passed.
    func type(of type: CType) throws(CObstacle) -> InterfaceType {
        switch type.kind {
        case .void: return .void
        case .scalar(let scalar): return .scalar(scalar, on: declarations.target)
        case .enumeration(let enumeration): return .scalar(enumeration.underlying, on: declarations.target)
        case .pointer: return .pointer
        case .unsupported(let unsupported): throw unsupported.obstacle
        case .function: throw CObstacle("a function cannot be passed by value")
        case .array: throw CObstacle("an array cannot be passed by value")
        case .record(let record):
            if let known = records[record] { return known }
            let made = try make(record)
            records[record] = made
            return made
        }
    }

    private func make(_ record: CRecord) throws(CObstacle) -> InterfaceType {
        guard let definition = declarations.definition(of: record) else {
            throw CObstacle("\(record.name) is not defined, so it cannot be passed by value")
        }
        let layout = try definition.layout.get()
        if let obstacle = definition.obstacle { throw obstacle }
        guard !definition.hasFlexibleArray else {
            throw CObstacle("\(record.name) ends with an array without a length, so it cannot be passed by value")
        }
        guard layout.size > 0 else { throw CObstacle("\(record.name) is empty, so it cannot be passed by value") }
        guard layout.alignment <= 16, layout.size <= InterfaceTypes.maximumSize else {
            throw CObstacle(
                "\(record.name) has \(layout.size) bytes aligned to \(layout.alignment), but at most "
                    + "\(InterfaceTypes.maximumSize) bytes aligned to 16 can be passed by value")
        }
        var leaves = RecordLeaves(declarations)
        try leaves.add(definition, at: 0)
        return InterfaceType(elements: try leaves.elements(of: record, layout), layout)
    }
}

/// The numbers and pointers that a struct or union consists of, with their offsets, and the elements that describe it
/// to libffi. libffi supports neither unions nor arrays, so these are replaced by elements that are passed in the same
/// registers.
private struct RecordLeaves {
    private struct Leaf {
        let offset: Int
        let size: Int
        let alignment: Int
        let type: InterfaceType
        let isFloating: Bool
        let isLongDouble: Bool
    }

    private let declarations: CDeclarations
    private var leaves: [Leaf] = []
    private var hasUnion = false
    private var hasBits = false
    private var isNatural = true
    /// Whether a record is at an offset that its alignment does not allow. Its bit-fields do not tell.
    private var hasMisplacedRecord = false

    init(_ declarations: CDeclarations) { self.declarations = declarations }

    /// Larger structs are passed in memory on every platform, so their leaves are not needed.
    private static let sizeOfInterest = 64
    /// The maximum number of fields that are visited. Nested empty structs take no space, so the size does not limit
    /// their number.
    private static let maximumFields = 4096
    private var fieldCount = 0
    /// Recursion over nested records must end before the stack does.
    private static let maximumDepth = 64
    private var depth = 0

    mutating func add(_ definition: RecordDefinition, at offset: Int) throws(CObstacle) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= RecordLeaves.maximumDepth else {
            throw CObstacle("\(definition.record.name) is nested too deeply to be passed by value")
        }
        if definition.record.isUnion { hasUnion = true }
        if !definition.isNatural { isNatural = false }
        for field in definition.fields {
            fieldCount += 1
            guard fieldCount <= RecordLeaves.maximumFields else {
                throw CObstacle("\(definition.record.name) has too many fields to be passed by value")
            }
            if let bits = field.bits {
                hasBits = true
                add(bits, at: offset + field.offset)
            } else {
                try add(field.type, at: offset + field.offset)
            }
        }
    }

    /// Bit-fields are passed like the integers that they are parts of.
    private mutating func add(_ bits: CBits, at offset: Int) {
        for index in 0..<bits.byteCount where offset + index < RecordLeaves.sizeOfInterest {
            leaves.append(
                Leaf(
                    offset: offset + index, size: 1, alignment: 1, type: .integer(size: 1, isSigned: false),
                    isFloating: false, isLongDouble: false))
        }
    }

    private mutating func add(_ type: CType, at offset: Int) throws(CObstacle) {
        guard offset < RecordLeaves.sizeOfInterest else { return }
        switch type.kind {
        case .scalar(let scalar): add(scalar, at: offset)
        case .enumeration(let enumeration): add(enumeration.underlying, at: offset)
        case .pointer:
            leaves.append(
                Leaf(offset: offset, size: 8, alignment: 8, type: .pointer, isFloating: false, isLongDouble: false))
        case .record(let record):
            guard let definition = declarations.definition(of: record) else {
                throw CObstacle("\(record.name) is not defined")
            }
            if offset % (try definition.layout.get().alignment) != 0 { hasMisplacedRecord = true }
            try add(definition, at: offset)
        case .array(let element, let length):
            let size = try declarations.layout(of: element).size
            // Elements of size 0 have no leaves.
            guard size > 0 else { return }
            let count = min(length ?? 0, (RecordLeaves.sizeOfInterest - offset + size - 1) / size)
            for index in 0..<count {
                try add(element, at: offset + index * size)
            }
        case .unsupported(let unsupported): throw unsupported.obstacle
        case .void, .function: throw CObstacle("a field of this type has no value")
        }
    }

    private mutating func add(_ scalar: CScalar, at offset: Int) {
        leaves.append(
            Leaf(
                offset: offset, size: scalar.size, alignment: scalar.size,
                type: .scalar(scalar, on: declarations.target), isFloating: scalar.isFloating,
                isLongDouble: scalar == .longDouble))
    }

    /// Returns elements for libffi that are passed in the same way as the record.
    ///
    /// - Throws: `CObstacle` with the reason if there are none.
    func elements(of record: CRecord, _ layout: CLayout) throws(CObstacle) -> [InterfaceType] {
        declarations.target == .amd64
            ? try eightbytes(of: record, layout) : try plainElements(of: record, layout)
    }

    /// Classifies by the x86_64 ABI: up to 16 bytes are passed in registers, each 8 bytes by their content; larger
    /// records are always passed in memory.
    private func eightbytes(of record: CRecord, _ layout: CLayout) throws(CObstacle) -> [InterfaceType] {
        guard layout.size <= 16 else {
            return Array(repeating: .int64, count: (layout.size + 7) / 8)
        }
        guard !hasMisplacedRecord, !leaves.contains(where: { $0.offset % $0.alignment != 0 }) else {
            throw CObstacle("\(record.name) has fields that are not aligned, so it cannot be passed by value")
        }
        if leaves.contains(where: \.isLongDouble) {
            guard leaves.count == 1 else {
                throw CObstacle("\(record.name) has a long double and other fields, so it cannot be passed by value")
            }
            return [.longDouble]
        }
        // Eight bytes of padding take no register, which no element for libffi can say.
        let starts = stride(from: 0, to: layout.size, by: 8)
        guard starts.allSatisfy({ start in leaves.contains { $0.offset >= start && $0.offset < start + 8 } }) else {
            throw CObstacle("\(record.name) has eight bytes of padding, so it cannot be passed by value")
        }
        return starts.flatMap { start in
            let size = min(8, layout.size - start)
            let inside = leaves.filter { $0.offset >= start && $0.offset < start + 8 }
            if inside.allSatisfy(\.isFloating), !inside.isEmpty {
                let isDouble = inside.contains { $0.size == 8 }
                if isDouble { return [InterfaceType.double] }
                return Array(repeating: InterfaceType.float, count: size / 4)
            }
            return RecordLeaves.integers(size: size, alignment: layout.alignment)
        }
    }

    /// Returns integers that fill `size` bytes.
    private static func integers(size: Int, alignment: Int) -> [InterfaceType] {
        let unit = min(alignment, 8)
        return Array(repeating: .integer(size: unit, isSigned: false), count: size / unit)
    }

    /// Returns the elements for platforms other than x86_64: the fields themselves, or integers for unions without
    /// floating-point members and for large records.
    private func plainElements(of record: CRecord, _ layout: CLayout) throws(CObstacle) -> [InterfaceType] {
        if !hasUnion, !hasBits, isNatural, layout.size <= RecordLeaves.sizeOfInterest { return leaves.map(\.type) }
        guard !leaves.contains(where: \.isFloating) || layout.size > RecordLeaves.sizeOfInterest, isNatural else {
            throw CObstacle(
                "\(record.name) has attributes that change its layout, or a union or bit-fields beside floating-point members, so it "
                    + "cannot be passed by value on this platform")
        }
        return RecordLeaves.integers(size: layout.size, alignment: layout.alignment)
    }
}
