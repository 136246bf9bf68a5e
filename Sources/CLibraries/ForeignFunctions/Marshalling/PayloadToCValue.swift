import CFFI
import CHSLink
import ComponentKit
import Glibc
import SystemSupport

/// Writes values of payloads to memory in C's representation. Checks the ranges of numbers, text for NULs, and the
/// kinds of handles.
@safe
struct PayloadToCValue: ~Copyable {
    var arena: CallArena
    /// The values of named constants.
    let constants: [String: Int128]
    /// The handles and their locations. Pointers are stored once the families of the handles have been entered.
    private(set) var handles: [(handle: ForeignHandle, place: UnsafeMutableRawPointer)] = unsafe []
    /// The callbacks made so far.
    private(set) var callbacks: [(closure: ForeignClosure, life: Lifetime)] = []
    /// The memory in structs that C was given to fill in, by the places of the pointers to it.
    private(set) var rooms: [UnsafeRawPointer: DataRoom] = unsafe [:]
    /// The library for which callbacks are made; nil if callbacks are not allowed.
    private let library: ForeignLibrary?

    init(arena: consuming CallArena, constants: [String: Int128], library: ForeignLibrary?) {
        self.arena = arena
        self.constants = constants
        self.library = library
    }

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - memory: Memory with the size of the form. What the value leaves out keeps its content: zero in an arena.
    ///   - isNullable: Whether null is allowed for a pointer.
    mutating func write(
        _ form: ValueForm, _ node: hslink_value, at memory: UnsafeMutableRawPointer, isNullable: Bool = false
    ) throws(PayloadError) {
        if unsafe Int(node.tag) == HSLINK_NULL, form.isPointer {
            guard isNullable else { throw unsafe mismatch(form.expectation, node) }
            return
        }
        switch form {
        case .integer(let integer): try unsafe write(integer, node, at: memory)
        case .bits(let form): try unsafe write(form, node, at: memory)
        case .bool:
            guard let truth = unsafe node.boolValue else { throw unsafe mismatch("bool", node) }
            unsafe memory.storeBytes(of: truth ? 1 : 0, as: UInt8.self)
        case .float:
            guard let number = unsafe node.doubleValue else { throw unsafe mismatch("double", node, isNumber: true) }
            let float = Float(number)
            guard float.isFinite || !number.isFinite, unsafe node.isDouble || Double(float) == number else {
                throw unsafe mismatch("a number that fits into a float", node, isNumber: true)
            }
            unsafe memory.storeBytes(of: float, as: Float.self)
        case .double: try unsafe memory.storeBytes(of: number(node), as: Double.self)
        case .longDouble: try unsafe hslink_store_long_double(memory, number(node))
        case .text: try unsafe memory.storeBytes(of: text(node), as: UnsafeMutableRawPointer?.self)
        case .measured(let measured): try unsafe write(measured, node, at: memory)
        case .pointed(let pointed): try unsafe write(pointed, node, at: memory)
        case .textInPlace(let size): try unsafe writeText(node, at: memory, size: size)
        case .bytesInPlace(let size):
            let isText = unsafe Int(node.tag) == HSLINK_STRING
            guard unsafe isText || Int(node.tag) == HSLINK_BYTES, unsafe Int(node.length) <= size else {
                throw unsafe mismatch("at most \(size) bytes", node)
            }
            let source = unsafe isText ? UnsafeRawPointer(node.`as`.utf8) : UnsafeRawPointer(node.`as`.bytes)
            unsafe PayloadToCValue.fill(
                memory, size, with: UnsafeRawBufferPointer(start: source, count: Int(node.length)))
        case .array(let element, let count, let stride):
            guard unsafe Int(node.tag) == HSLINK_ARRAY, unsafe Int(node.length) == count else {
                throw unsafe mismatch("an array of \(count)", node)
            }
            try unsafe writeItems(element, node, at: memory, stride: stride)
        case .record(let record): try unsafe write(record, node, at: memory)
        case .handle(let kind): try unsafe write(kind, node, at: memory)
        case .callback(let plan, let life): try unsafe write(plan, node, lifetime: life, at: memory)
        // A struct with such a union is never written.
        case .opaque, .tagged:
            guard unsafe Int(node.tag) == HSLINK_NULL else { throw unsafe mismatch("null", node) }
        }
    }

    @inline(__always)
    func write(
        _ form: IntegerForm, _ node: hslink_value, at memory: UnsafeMutableRawPointer
    ) throws(PayloadError) {
        if unsafe Int(node.tag) == HSLINK_INT, unsafe form.holds(node.`as`.i64) {
            return unsafe form.store(node.`as`.i64, at: memory)
        }
        try unsafe form.store(rareInteger(form, node), at: memory)
    }

    @inline(never)
    private func rareInteger(_ form: IntegerForm, _ node: hslink_value) throws(PayloadError) -> Int64 {
        switch unsafe Int(node.tag) {
        case HSLINK_UINT where form.size == 8 && !form.isSigned: return unsafe Int64(bitPattern: node.`as`.u64)
        case HSLINK_STRING:
            guard let name = unsafe PayloadView(node).text, let number = constants[name] else {
                var error = unsafe mismatch("\(form.rangeWords), or the name of a constant", node)
                let near = unsafe PayloadView(node).text?.meant(among: constants.keys.sorted()) ?? ""
                if !near.isEmpty { error.found += near }
                throw error
            }
            guard form.range.contains(number) else {
                throw PayloadError(expected: form.rangeWords, found: "\(name), which is \(number)")
            }
            return Int64(truncatingIfNeeded: number)
        default: throw unsafe mismatch(form.rangeWords, node, isNumber: true)
        }
    }

    private func write(
        _ form: BitsForm, _ node: hslink_value, at memory: UnsafeMutableRawPointer
    ) throws(PayloadError) {
        if form.isBool {
            guard let truth = unsafe node.boolValue else { throw unsafe mismatch("bool", node) }
            return unsafe form.store(truth ? 1 : 0, at: memory)
        }
        let number: Int128?
        switch unsafe Int(node.tag) {
        case HSLINK_INT: number = unsafe Int128(node.`as`.i64)
        case HSLINK_UINT: number = unsafe Int128(node.`as`.u64)
        case HSLINK_STRING: number = unsafe PayloadView(node).text.flatMap { constants[$0] }
        default: number = nil
        }
        guard let number, form.holds(number) else { throw unsafe mismatch(form.rangeWords, node, isNumber: true) }
        unsafe form.store(number, at: memory)
    }

    private func number(_ node: hslink_value) throws(PayloadError) -> Double {
        guard let number = unsafe node.doubleValue else {
            if let name = unsafe PayloadView(node).text, let number = library?.numbers[name] { return number }
            throw unsafe mismatch(
                unsafe Int(node.tag) == HSLINK_INT ? "a number that fits into a double" : "double", node,
                isNumber: true)
        }
        return number
    }

    /// Returns a NUL-terminated copy; nil for null.
    mutating func text(_ node: hslink_value) throws(PayloadError) -> UnsafeMutableRawPointer? {
        if unsafe Int(node.tag) == HSLINK_NULL { return nil }
        let bytes = try unsafe PayloadToCValue.textBytes(node)
        guard let copy = unsafe arena.allocate(bytes.count + 1) else { throw unsafe mismatch("a shorter string", node) }
        if let base = bytes.baseAddress { unsafe copy.copyMemory(from: base, byteCount: bytes.count) }
        return unsafe copy
    }

    /// Returns a copy of text or bytes, with a zero byte behind it, and its length.
    mutating func data(
        _ node: hslink_value, isText: Bool
    ) throws(PayloadError) -> (memory: UnsafeMutableRawPointer, count: Int) {
        let source: UnsafeRawPointer?
        switch unsafe Int(node.tag) {
        case HSLINK_BYTES: unsafe source = unsafe UnsafeRawPointer(node.`as`.bytes)
        case HSLINK_STRING: unsafe source = unsafe UnsafeRawPointer(node.`as`.utf8)
        default: throw unsafe mismatch(isText ? "string" : "bytes", node)
        }
        let count = unsafe Int(node.length)
        guard let copy = unsafe arena.allocate(count + 1) else { throw unsafe mismatch("less data", node) }
        if let source = unsafe source { unsafe copy.copyMemory(from: source, byteCount: count) }
        return unsafe (copy, count)
    }

    /// Writes a copy of text or bytes, and its length beside the pointer.
    private mutating func write(
        _ form: MeasuredForm, _ node: hslink_value, at memory: UnsafeMutableRawPointer
    ) throws(PayloadError) {
        let copy = try unsafe data(node, isText: form.isText)
        let count = unsafe Int64(copy.count)
        guard form.length.form.holds(count) else { throw unsafe mismatch("less data", node) }
        unsafe memory.storeBytes(of: copy.memory, as: UnsafeMutableRawPointer?.self)
        unsafe form.length.form.store(count, at: memory + form.length.offset)
    }

    /// Writes values to memory of their own, a pointer to them, and their number beside it.
    private mutating func write(
        _ form: PointedForm, _ node: hslink_value, at memory: UnsafeMutableRawPointer
    ) throws(PayloadError) {
        let element = form.element
        var count = 1
        if !form.count.isOne {
            guard unsafe Int(node.tag) == HSLINK_ARRAY else { throw unsafe mismatch("an array", node) }
            count = unsafe Int(node.length)
            guard count <= element.maximumItems else {
                throw unsafe mismatch("an array of at most \(element.maximumItems)", node)
            }
        }
        let size = (count + (form.count.isEnded ? 1 : 0)) * element.size
        guard let target = unsafe arena.allocate(size) else { throw unsafe mismatch("less data", node) }
        if form.count.isOne {
            try unsafe write(element, node, at: target)
        } else {
            try unsafe writeItems(element, node, at: target, stride: element.size)
        }
        if case .field(let place) = form.count {
            guard place.form.holds(Int64(count)) else { throw unsafe mismatch("fewer items", node) }
            unsafe place.form.store(Int64(count), at: memory + place.offset)
        }
        unsafe memory.storeBytes(of: target, as: UnsafeMutableRawPointer?.self)
    }

    private static func textBytes(_ node: hslink_value) throws(PayloadError) -> UnsafeBufferPointer<UInt8> {
        guard unsafe Int(node.tag) == HSLINK_STRING else { throw unsafe mismatch("string", node) }
        let bytes = unsafe node.textBytes
        guard unsafe !bytes.contains(0) else {
            throw PayloadError(expected: "a string without NUL characters", found: "one with a NUL")
        }
        return unsafe bytes
    }

    private func writeText(
        _ node: hslink_value, at memory: UnsafeMutableRawPointer, size: Int
    ) throws(PayloadError) {
        let bytes = try unsafe PayloadToCValue.textBytes(node)
        guard bytes.count < size else { throw unsafe mismatch("a string of at most \(max(size - 1, 0)) bytes", node) }
        unsafe PayloadToCValue.fill(memory, size, with: UnsafeRawBufferPointer(bytes))
    }

    /// Copies the bytes and sets the rest to zero: the memory may hold an earlier, longer value.
    private static func fill(_ memory: UnsafeMutableRawPointer, _ size: Int, with bytes: UnsafeRawBufferPointer) {
        if let base = bytes.baseAddress { unsafe memory.copyMemory(from: base, byteCount: bytes.count) }
        unsafe (memory + bytes.count).initializeMemory(as: UInt8.self, repeating: 0, count: size - bytes.count)
    }

    /// Writes the items of an array in sequence.
    mutating func writeItems(
        _ form: ValueForm, _ node: hslink_value, at memory: UnsafeMutableRawPointer, stride: Int,
        isNullable: Bool = false
    ) throws(PayloadError) {
        for unsafe(index, item) in unsafe node.itemNodes.enumerated() {
            do throws(PayloadError) {
                try unsafe write(form, item, at: memory + index * stride, isNullable: isNullable)
            } catch {
                throw error.within(.index(index))
            }
        }
    }

    private mutating func write(
        _ record: RecordForm, _ node: hslink_value, at memory: UnsafeMutableRawPointer
    ) throws(PayloadError) {
        guard unsafe Int(node.tag) == HSLINK_MAP else { throw unsafe mismatch("a map for \(record.name)", node) }
        guard unsafe !record.isUnion || node.length <= 1 else {
            throw unsafe mismatch("a map with one key, because \(record.name) is a union", node)
        }
        if let name = record.sharedField {
            throw PayloadError(
                expected: "a struct or union without overlapping pointers",
                found: "\(record.name), whose \(name) is a pointer that overlaps another field")
        }
        for unsafe(_, entry) in unsafe node.entryNodes.enumerated() {
            let key = unsafe entry.keyText
            guard let field = record.fields.first(where: { $0.name.isExactly(key) }) else {
                throw PayloadError(path: [.key(key)], expected: "a field of \(record.name)", found: "an unknown key")
            }
            if case .measured(let form) = field.form, form.direction == .out {
                throw PayloadError(
                    path: [.key(key)], expected: "no value, because it is an output",
                    found: unsafe entry.value.kindSummary)
            }
            if let measured = field.measures {
                throw PayloadError(
                    path: [.key(key)], expected: "no value, because it is the length of \"\(measured)\"",
                    found: unsafe entry.value.kindSummary)
            }
            do throws(PayloadError) {
                try unsafe write(
                    field.form, entry.value, at: memory + field.offset, isNullable: field.isNullable)
            } catch {
                throw error.within(.key(key))
            }
        }
        for field in record.fields {
            if case .measured(let form) = field.form, form.direction == .out {
                try unsafe makeRoom(form, at: memory + field.offset, field.name)
            }
            guard !field.isNullable, field.form.refusesZeros else { continue }
            guard unsafe !node.entryNodes.contains(where: { unsafe $0.keyText.isExactly(field.name) }) else { continue }
            throw PayloadError(path: [.key(field.name)], expected: field.form.expectation, found: "nothing")
        }
    }

    /// Makes memory for C to fill in, as much as the field for the length says.
    private mutating func makeRoom(
        _ form: MeasuredForm, at place: UnsafeMutableRawPointer, _ name: String
    ) throws(PayloadError) {
        let size = unsafe form.length.number(beside: UnsafeRawPointer(place))
        guard size >= 0, size <= Int128(CallArena.maximumSize), let room = unsafe arena.allocate(Int(size)) else {
            throw PayloadError(
                path: [.key(name)], expected: "room for at most \(CallArena.maximumSize) bytes", found: "\(size)")
        }
        unsafe rooms[UnsafeRawPointer(place)] = unsafe DataRoom(memory: UnsafeRawPointer(room), size: Int(size))
        unsafe place.storeBytes(of: room, as: UnsafeMutableRawPointer?.self)
    }

    /// Records the handle and the location of its pointer, which is stored once the handle's family has been entered.
    mutating func write(
        _ kind: HandleKind, _ node: hslink_value, at memory: UnsafeMutableRawPointer
    ) throws(PayloadError) {
        if unsafe Int(node.tag) == HSLINK_NULL { return }
        unsafe handles.append((try PayloadToCValue.handle(kind, node), memory))
    }

    static func handle(_ kind: HandleKind, _ node: hslink_value) throws(PayloadError) -> ForeignHandle {
        guard unsafe Int(node.tag) == HSLINK_OBJECT, let object = unsafe node.`as`.object else {
            throw unsafe mismatch("an object \(kind.name)", node)
        }
        guard let handle = unsafe ForeignHandle.behind(object) else {
            throw PayloadError(expected: "an object \(kind.name)", found: "an object of another class")
        }
        guard handle.kind.name == kind.name else {
            throw PayloadError(expected: "an object \(kind.name)", found: "an object \(handle.kind.name)")
        }
        guard handle.kind.owner.knows(kind.owner) else {
            throw PayloadError(
                expected: "an object \(kind.name) from \(kind.owner.words)",
                found: "one from \(handle.kind.owner.words)")
        }
        return handle
    }

    /// Writes the address of a function of the library that a name stands for.
    ///
    /// - Parameter symbols: The symbols of the functions of the right type, by their names.
    func write(
        _ symbols: [String: String], _ node: hslink_value, at memory: UnsafeMutableRawPointer
    ) throws(PayloadError) {
        guard let name = unsafe PayloadView(node).text else { throw unsafe mismatch("the name of a function", node) }
        guard let symbol = symbols[name], let library else {
            throw PayloadError(
                expected: "the name of a function of this type",
                found: name.quoted() + name.meant(among: symbols.keys.sorted()))
        }
        do throws(LinkError) {
            unsafe memory.storeBytes(of: try library.address(of: symbol), as: UnsafeRawPointer.self)
        } catch {
            throw PayloadError(expected: "a function of the library", found: "\(name): \(error.message)")
        }
    }

    mutating func write(
        _ plan: CallbackPlan, _ node: hslink_value, lifetime: Lifetime, at memory: UnsafeMutableRawPointer
    ) throws(PayloadError) {
        if unsafe Int(node.tag) == HSLINK_NULL { return }
        if unsafe Int(node.tag) == HSLINK_STRING, !plan.functions.isEmpty {
            return try unsafe write(plan.functions, node, at: memory)
        }
        guard unsafe Int(node.tag) == HSLINK_OBJECT, let object = unsafe node.`as`.object, let library,
            unsafe ForeignHandle.behind(object) == nil
        else { throw unsafe mismatch("a closure", node) }
        guard let closure = unsafe ForeignClosure(plan, LinkObject(retaining: object), library: library) else {
            throw PayloadError(
                expected: "executable memory for a callback", found: "none: it is exhausted, or the system forbids it")
        }
        callbacks.append((closure, lifetime))
        unsafe memory.storeBytes(of: closure.code, as: UnsafeRawPointer.self)
    }
}

extension ValueForm {
    /// Whether null becomes a null pointer that C may dereference.
    fileprivate var isPointer: Bool {
        switch self {
        case .text, .measured, .pointed, .handle, .callback: true
        default: false
        }
    }

    /// The expected value, for messages.
    fileprivate var expectation: String {
        switch self {
        case .text: "string"
        case .measured(let form): form.isText ? "string" : "bytes"
        case .pointed(let form): form.count.isOne ? form.element.expectation : "an array"
        case .handle(let kind): "an object \(kind.name)"
        case .callback: "a closure"
        default: words
        }
    }
}

/// Returns an error with what was expected and what was found. It shows a number only where one was expected.
func mismatch(_ expected: String, _ node: hslink_value, isNumber: Bool = false) -> PayloadError {
    PayloadError(expected: expected, found: unsafe isNumber ? node.summary : node.kindSummary)
}

extension hslink_value {
    /// Whether the value is a floating-point number.
    fileprivate var isDouble: Bool { unsafe Int(tag) == HSLINK_DOUBLE }
}

extension PayloadView {
    fileprivate init(_ node: hslink_value) {
        self = unsafe withUnsafePointer(to: node) { unsafe PayloadView(unsafeBorrowing: $0) }
    }

    fileprivate var text: String? { try? string() }
}
