/// How a value lies in memory, and so what it is in a payload.
indirect enum ValueForm: Sendable {
    /// 1, 2, 4 or 8 bytes.
    case integer(IntegerForm)
    case bool
    case float
    case double
    case longDouble
    /// A pointer to text that ends with a NUL.
    case text
    /// Text in place, with room for so many bytes, the NUL with them.
    case textInPlace(Int)
    /// Bytes in place.
    case bytesInPlace(Int)
    case array(ValueForm, count: Int, stride: Int)
    case record(RecordForm)
    /// A pointer that is only passed around.
    case handle(HandleKind)
    case callback(CallbackPlan, CallbackLife)
    /// A pointer that is not followed: null is written, nothing is read.
    case opaque

    /// Bytes that it takes.
    var size: Int {
        switch self {
        case .integer(let form): form.size
        case .bool: 1
        case .float: 4
        case .double: 8
        case .longDouble: 16
        case .text, .handle, .callback, .opaque: 8
        case .textInPlace(let size), .bytesInPlace(let size): size
        case .array(_, let count, let stride): count * stride
        case .record(let form): form.size
        }
    }

    /// The most values that an array of a payload is made of.
    static let maximumValues = 1 << 22

    /// How many values of a payload it becomes.
    var valueCount: Int {
        switch self {
        case .array(let element, let count, _): ValueForm.limited(element.valueCount, times: count)
        case .record(let form): form.valueCount
        default: 1
        }
    }

    /// How many items of this form an array may have.
    var maximumItems: Int {
        min(CallArena.maximumSize / max(size, 1), ValueForm.maximumValues / max(valueCount, 1))
    }

    /// The product, or `Int.max` where it overflows.
    private static func limited(_ count: Int, times factor: Int) -> Int {
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        return overflow ? Int.max : product
    }

    /// A field inside that overlaps a pointer, so that no value of this form can be written.
    var sharedField: String? {
        switch self {
        case .array(let element, let count, _): count > 0 ? element.sharedField : nil
        case .record(let form): form.sharedField.map { "\($0) of \(form.name)" }
        default: nil
        }
    }

    /// Whether zeros would be a null pointer where none is allowed.
    var refusesZeros: Bool {
        switch self {
        case .text, .handle, .callback: true
        case .array(let element, let count, _): count > 0 && element.refusesZeros
        case .record(let form): form.fields.contains { !$0.isNullable && $0.form.refusesZeros }
        default: false
        }
    }

    /// As manifests and messages call it.
    var words: String {
        switch self {
        case .integer(let form): form.words
        case .bool: "Bool"
        case .float, .double, .longDouble: "Double"
        case .text, .textInPlace: "String"
        case .bytesInPlace: "Data"
        case .array(let element, _, _): "[\(element.words)]"
        case .record(let form): String(form.name.split(separator: " ").last ?? "")
        case .handle(let kind): kind.words
        case .callback: "LinkClosure"
        case .opaque: "Payload?"
        }
    }
}

/// An integer of C.
struct IntegerForm: Sendable, Hashable {
    /// 1, 2, 4 or 8 bytes.
    let size: Int
    let isSigned: Bool

    /// A pointer as a number.
    static let pointer = IntegerForm(size: 8, isSigned: true)

    /// As manifests call it.
    var words: String { (isSigned ? "Int" : "UInt") + "\(size * 8)" }

    /// What it holds, for messages.
    var rangeWords: String {
        isSigned
            ? "int from \(Int64.min >> (64 - size * 8)) to \(Int64.max >> (64 - size * 8))"
            : "int from 0 to \(UInt64.max >> (64 - size * 8))"
    }

    /// Whether it holds a signed number.
    @inline(__always)
    func holds(_ number: Int64) -> Bool {
        if isSigned {
            let shift = 64 - size * 8
            return (number << shift) >> shift == number
        }
        return number >= 0 && (size == 8 || number >> (size * 8) == 0)
    }

    /// Writes the low bytes of a number.
    @inline(__always)
    func store(_ bits: Int64, at memory: UnsafeMutableRawPointer) {
        switch size {
        case 1: unsafe memory.storeBytes(of: UInt8(truncatingIfNeeded: bits), as: UInt8.self)
        case 2: unsafe memory.storeBytes(of: UInt16(truncatingIfNeeded: bits), as: UInt16.self)
        case 4: unsafe memory.storeBytes(of: UInt32(truncatingIfNeeded: bits), as: UInt32.self)
        default: unsafe memory.storeBytes(of: bits, as: Int64.self)
        }
    }

    /// The number there; an unsigned one of 8 bytes by its bits.
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

/// A struct or union: its fields with their places.
final class RecordForm: Sendable {
    struct Field: Sendable {
        let name: String
        let offset: Int
        let form: ValueForm
        /// Whether null may be given, and the field be left out.
        let isNullable: Bool
    }

    /// As C names it.
    let name: String
    let size: Int
    let alignment: Int
    let isUnion: Bool
    let fields: [Field]
    /// A field that overlaps a pointer; nil for none. C could take what is written there for the pointer, so nothing
    /// is written.
    let sharedField: String?
    /// How many values of a payload it becomes.
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

/// A kind of handle: pointers that come from one function and go to another, with what releases them.
final class HandleKind: Sendable {
    /// The tag of the struct that it points to, or the name that an annotation gives.
    let name: String
    /// The function that takes one back; nil where nothing has to be done.
    let release: String?

    /// Whose kind it is: libraries that know nothing of each other use the same names.
    let library: String

    init(name: String, library: String, release: String?) {
        self.name = name
        self.library = library
        self.release = release
    }

    /// As manifests call it.
    var words: String { "LinkObject<\(name)>" }
}
