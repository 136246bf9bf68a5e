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
    /// A pointer that nobody looks through: null is written, nothing is read.
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

    /// More values no array of a payload is made of.
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

    /// A product that is no larger than anyone wants to know.
    private static func limited(_ count: Int, times factor: Int) -> Int {
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        return overflow ? Int.max : product
    }

    /// A field inside that shares its place with a pointer, so that nothing of this form can be written.
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
