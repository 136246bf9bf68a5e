import CDeclarations

/// The representation of a value in C memory, which also determines its type in a payload.
indirect enum ValueForm: Sendable {
    /// An integer of 1, 2, 4 or 8 bytes.
    case integer(IntegerForm)
    /// An integer or a truth value in some bits of a struct.
    case bits(BitsForm)
    case bool
    case float
    case double
    case longDouble
    /// A pointer to NUL-terminated text.
    case text
    /// A pointer to text or bytes whose length is in another field of the same struct.
    case measured(MeasuredForm)
    /// A pointer in a struct to other values.
    case pointed(PointedForm)
    /// A union whose member another field of the same struct tells.
    case tagged(TaggedForm)
    /// An inline char array with room for this many bytes, including the NUL.
    case textInPlace(Int)
    /// An inline array of this many bytes.
    case bytesInPlace(Int)
    case array(ValueForm, count: Int, stride: Int)
    case record(RecordForm)
    /// A pointer that is passed around but never dereferenced here.
    case handle(HandleKind)
    case callback(CallbackPlan, Lifetime)
    /// A pointer that is neither passed nor read: C receives null.
    case opaque

    /// The size in bytes.
    var size: Int {
        switch self {
        case .integer(let form): form.size
        case .bits(let form): form.place.byteCount
        case .bool: 1
        case .float: 4
        case .double: 8
        case .longDouble: 16
        case .text, .measured, .pointed, .handle, .callback, .opaque: 8
        case .textInPlace(let size), .bytesInPlace(let size): size
        case .array(_, let count, let stride): count * stride
        case .record(let form): form.size
        case .tagged(let form): form.size
        }
    }

    /// The maximum number of payload values in an array.
    static let maximumValues = 1 << 22

    /// The number of payload values that this form is converted to.
    var valueCount: Int {
        switch self {
        case .array(let element, let count, _): ValueForm.limited(element.valueCount, times: count)
        case .record(let form): form.valueCount
        case .pointed(let form): form.count.isOne ? form.element.valueCount : 1
        case .tagged(let form): form.members.values.map(\.form.valueCount).max() ?? 1
        default: 1
        }
    }

    /// The maximum number of items of this form in an array.
    var maximumItems: Int {
        min(CallArena.maximumSize / max(size, 1), ValueForm.maximumValues / max(valueCount, 1))
    }

    /// Returns the product, or `Int.max` if it overflows.
    private static func limited(_ count: Int, times factor: Int) -> Int {
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        return overflow ? Int.max : product
    }

    /// The name of a contained pointer that overlaps another field; nil if there is none. If there is one, values of
    /// this form cannot be written.
    var sharedField: String? {
        switch self {
        case .array(let element, let count, _): count > 0 ? element.sharedField : nil
        case .record(let form): form.sharedField.map { "\($0) of \(form.name)" }
        case .pointed(let form): form.element.sharedField
        default: nil
        }
    }

    /// Refuses memory that C fills in a struct which does not come out.
    func checkHasNoRooms() throws(CObstacle) {
        switch self {
        case .measured(let form) where form.direction == .out:
            throw CObstacle("\"out\" in a struct needs \"inout\" for the struct")
        case .array(let element, _, _): try element.checkHasNoRooms()
        case .pointed(let form): try form.element.checkHasNoRooms()
        case .record(let record):
            for field in record.fields {
                try CObstacle.within(field.name) { () throws(CObstacle) in try field.form.checkHasNoRooms() }
            }
        default: break
        }
    }

    /// Whether all-zero memory would contain a null pointer where null is not allowed.
    var refusesZeros: Bool {
        switch self {
        case .text, .handle, .callback, .pointed: true
        case .measured(let form): form.direction != .out
        case .array(let element, let count, _): count > 0 && element.refusesZeros
        case .record(let form): form.fields.contains { !$0.isNullable && $0.form.refusesZeros }
        default: false
        }
    }

    /// The name of the type in manifests and messages.
    var words: String {
        switch self {
        case .integer(let form): form.words
        case .bits(let form): form.isBool ? "Bool" : form.declared.words
        case .bool: "Bool"
        case .float, .double, .longDouble: "Double"
        case .text, .textInPlace: "String"
        case .measured(let form): form.isText ? "String" : "Data"
        case .pointed(let form): form.count.isOne ? form.element.words : "[\(form.element.words)]"
        case .tagged: "[String: Payload]"
        case .bytesInPlace: "Data"
        case .array(let element, _, _): "[\(element.words)]"
        case .record(let form): String(form.name.split(separator: " ").last ?? "")
        case .handle(let kind): kind.words
        case .callback: "LinkClosure"
        case .opaque: "Payload?"
        }
    }

    // MARK: - What values contain, however deep

    /// Returns whether this form, or one inside it, meets a condition.
    func contains(where condition: (ValueForm) -> Bool) -> Bool {
        if condition(self) { return true }
        return switch self {
        case .array(let element, _, _): element.contains(where: condition)
        case .record(let form): form.fields.contains { $0.form.contains(where: condition) }
        case .pointed(let form): form.element.contains(where: condition)
        case .tagged(let form): form.members.values.contains { $0.form.contains(where: condition) }
        default: false
        }
    }

    /// Whether values contain pointers.
    var holdsPointers: Bool {
        contains { form in
            switch form {
            case .text, .measured, .pointed, .handle, .callback: true
            default: false
            }
        }
    }

    var holdsHandles: Bool { contains { if case .handle = $0 { true } else { false } } }

    var holdsCallbacks: Bool { contains { if case .callback = $0 { true } else { false } } }

    /// Whether C may call callbacks in it after the call.
    var holdsKeptCallbacks: Bool {
        contains { if case .callback(_, let life) = $0 { life != .call } else { false } }
    }
}

/// An integer of the same struct, which tells something about another field.
struct NearbyInteger: Sendable {
    /// The place, relative to that of the field that it tells about.
    let offset: Int
    let form: IntegerForm

    /// - Parameter memory: The field that it tells about.
    func number(beside memory: UnsafeRawPointer) -> Int128 { unsafe form.number(memory + offset) }
}

/// A pointer to text or bytes whose length is in another field.
struct MeasuredForm: Sendable {
    let isText: Bool
    /// Whether data only goes in, or only comes out; nil for whatever the struct does.
    let direction: Annotation.Direction?
    /// The length.
    let length: NearbyInteger
    /// The number of bytes that C has written, for data that only comes out; nil if the length says it.
    let used: FieldFormula?
}

/// A pointer in a struct to one value or to an array.
struct PointedForm: Sendable {
    enum Count: Sendable {
        case one
        /// As many values as another field says.
        case field(NearbyInteger)
        /// Pointers with a null pointer behind the last.
        case untilNull

        var isOne: Bool { if case .one = self { true } else { false } }

        /// Whether a null pointer ends the values.
        var isEnded: Bool { if case .untilNull = self { true } else { false } }
    }

    let element: ValueForm
    let count: Count
    /// Whether the values only go in.
    let isInput: Bool
}

/// A formula over the fields of a struct.
struct FieldFormula: Sendable {
    let formula: BoundFormula
    /// The fields by their numbers in the formula.
    let fields: [NearbyInteger]

    /// Evaluates the formula.
    ///
    /// - Parameter memory: The field that the formula is for.
    /// - Returns: Nil if a number is too large.
    func evaluate(at memory: UnsafeRawPointer, room: Int) -> Int128? {
        formula.evaluate(
            { word in
                switch word {
                case .argument(let index): unsafe fields[index].number(beside: memory)
                case .room: Int128(room)
                case .function, .result: 0
                }
            }, { _, _ in nil })
    }
}

/// A bit-field of a struct.
struct BitsForm: Sendable {
    let place: CBits
    /// The integer that the field is declared as.
    let declared: IntegerForm
    let isBool: Bool

    /// The numbers that the field can have.
    private var range: ClosedRange<Int128> {
        let bits = Int128(place.width)
        return declared.isSigned ? -(1 << (bits - 1))...(1 << (bits - 1)) - 1 : 0...(1 << bits) - 1
    }

    /// The range of values, for messages.
    var rangeWords: String { "int from \(range.lowerBound) to \(range.upperBound)" }

    func holds(_ number: Int128) -> Bool { range.contains(number) }

    /// Reads the number.
    func load(_ memory: UnsafeRawPointer) -> Int128 {
        var all: UInt128 = 0
        for index in 0..<place.byteCount {
            unsafe all |= UInt128(memory.load(fromByteOffset: index, as: UInt8.self)) << UInt128(index * 8)
        }
        let number = Int128(truncatingIfNeeded: (all >> UInt128(place.start)) & mask)
        let isNegative = declared.isSigned && !isBool && number >> Int128(place.width - 1) == 1
        return isNegative ? number - (1 << Int128(place.width)) : number
    }

    /// Writes the low-order bits of a number, and leaves the bits around the field as they are.
    func store(_ number: Int128, at memory: UnsafeMutableRawPointer) {
        let new = (UInt128(truncatingIfNeeded: number) & mask) << UInt128(place.start)
        let field = mask << UInt128(place.start)
        for index in 0..<place.byteCount {
            let shift = UInt128(index * 8)
            let before = unsafe memory.load(fromByteOffset: index, as: UInt8.self)
            let after = before & ~UInt8(truncatingIfNeeded: field >> shift) | UInt8(truncatingIfNeeded: new >> shift)
            unsafe memory.storeBytes(of: after, toByteOffset: index, as: UInt8.self)
        }
    }

    private var mask: UInt128 { (1 << UInt128(place.width)) - 1 }
}

/// A union whose member another field tells.
struct TaggedForm: Sendable {
    let size: Int
    let tag: NearbyInteger
    /// The members by the values of the field; other values have none.
    let members: [Int128: RecordForm.Field]
}

/// A C integer.
struct IntegerForm: Sendable, Hashable {
    /// The size in bytes: 1, 2, 4 or 8.
    let size: Int
    let isSigned: Bool

    /// A pointer as a number.
    static let pointer = IntegerForm(size: 8, isSigned: false)

    /// The name of the type in manifests.
    var words: String { (isSigned ? "Int" : "UInt") + "\(size * 8)" }

    /// The numbers that have this form.
    var range: ClosedRange<Int128> {
        let bits = Int128(size * 8)
        return isSigned ? -(1 << (bits - 1))...(1 << (bits - 1)) - 1 : 0...(1 << bits) - 1
    }

    /// The range of values, for messages.
    var rangeWords: String { "int from \(range.lowerBound) to \(range.upperBound)" }

    /// Returns the number that C makes of another one when it converts it to this form, as in a comparison of an
    /// unsigned number with -1; nil if the number has more bits than the form.
    func converted(_ number: Int128) -> Int128? {
        if range.contains(number) { return number }
        let other = IntegerForm(size: size, isSigned: !isSigned)
        guard other.range.contains(number) else { return nil }
        return number < 0 ? number + (1 << Int128(size * 8)) : number - (1 << Int128(size * 8))
    }

    /// Returns whether a number is in the range of this form.
    @inline(__always)
    func holds(_ number: Int64) -> Bool {
        if isSigned {
            let shift = 64 - size * 8
            return (number << shift) >> shift == number
        }
        return number >= 0 && (size == 8 || number >> (size * 8) == 0)
    }

    /// Writes the low-order bytes of a number.
    @inline(__always)
    func store(_ bits: Int64, at memory: UnsafeMutableRawPointer) {
        switch size {
        case 1: unsafe memory.storeBytes(of: UInt8(truncatingIfNeeded: bits), as: UInt8.self)
        case 2: unsafe memory.storeBytes(of: UInt16(truncatingIfNeeded: bits), as: UInt16.self)
        case 4: unsafe memory.storeBytes(of: UInt32(truncatingIfNeeded: bits), as: UInt32.self)
        default: unsafe memory.storeBytes(of: bits, as: Int64.self)
        }
    }

    /// Reads a number with the sign that its form gives it.
    func number(_ memory: UnsafeRawPointer) -> Int128 {
        let bits = unsafe load(memory)
        return isSigned ? Int128(bits) : Int128(UInt64(bitPattern: bits))
    }

    /// Reads a number; an unsigned number of 8 bytes keeps its bit pattern.
    @inline(__always)
    func load(_ memory: UnsafeRawPointer) -> Int64 {
        switch (size, isSigned) {
        case (1, true): unsafe Int64(memory.loadUnaligned(as: Int8.self))
        case (1, false): unsafe Int64(memory.loadUnaligned(as: UInt8.self))
        case (2, true): unsafe Int64(memory.loadUnaligned(as: Int16.self))
        case (2, false): unsafe Int64(memory.loadUnaligned(as: UInt16.self))
        case (4, true): unsafe Int64(memory.loadUnaligned(as: Int32.self))
        case (4, false): unsafe Int64(memory.loadUnaligned(as: UInt32.self))
        default: unsafe memory.loadUnaligned(as: Int64.self)
        }
    }
}

/// A struct or union with the offsets of its fields.
final class RecordForm: Sendable {
    struct Field: Sendable {
        let name: String
        let offset: Int
        let form: ValueForm
        /// Whether the field may be null or missing in a payload.
        let isNullable: Bool
        /// The field whose length this one is. It is set with that field, and not from a payload.
        var measures: String?
    }

    /// The name in C.
    let name: String
    let size: Int
    let alignment: Int
    let isUnion: Bool
    let fields: [Field]
    /// The name of a pointer that overlaps another field; nil if there is none. C could use data written to that field
    /// as the pointer, so such records are never written.
    let sharedField: String?
    /// The number of payload values that the record is converted to.
    let valueCount: Int

    init(name: String, size: Int, alignment: Int, isUnion: Bool, fields: [Field], sharedField: String?) {
        self.name = name
        self.size = size
        self.alignment = alignment
        self.isUnion = isUnion
        self.fields = fields
        self.sharedField = sharedField
        valueCount = fields.reduce(1) { count, field in
            let (sum, overflow) = count.addingReportingOverflow(field.form.valueCount)
            return overflow ? Int.max : sum
        }
    }
}

/// A kind of handle: pointers that one function returns and others accept, with the function that releases them.
final class HandleKind: Sendable {
    /// The tag of the struct that the handle points to, or the name that an annotation specifies.
    let name: String
    /// The function that releases a handle; nil if there is none.
    let release: String?

    /// The owner of the kind, because unrelated libraries may use the same name.
    let owner: Owner

    /// The description that a kind comes from.
    struct Owner: Sendable, Hashable {
        /// The name of the description, or that of the one whose handles it shares.
        let name: String
        /// The libraries that it opens.
        let libraries: [String]
        /// Whether the description says that it shares the handles of another one.
        let shares: Bool

        /// Whether functions of one description can use handles from the other.
        func knows(_ other: Owner) -> Bool {
            name == other.name && (libraries == other.libraries || shares || other.shares)
        }

        /// For messages.
        var words: String { ([name] + libraries).joined(separator: ", ") }
    }

    init(name: String, owner: Owner, release: String?) {
        self.name = name
        self.owner = owner
        self.release = release
    }

    /// The name of the type in manifests.
    var words: String { "LinkObject<\(name)>" }
}
