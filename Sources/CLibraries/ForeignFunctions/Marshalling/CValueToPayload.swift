import CFFI
import CHSLink
import ComponentKit
import Glibc

/// Converts C values to payloads. Everything is copied.
@safe
struct CValueToPayload {
    /// Handles to pointers that C only lends to a callback. They are invalidated when the callback ends.
    private(set) var lent: [ForeignHandle] = []
    /// Whether the caller invalidates the handles that are read. Otherwise handles are read as null, because it is
    /// unknown how long they are valid.
    private let lendsHandles: Bool

    /// The memory that C was given to fill in, by the places of the pointers to it. C may have moved the pointers.
    private let rooms: [UnsafeRawPointer: DataRoom]

    init(lendsHandles: Bool = false) {
        self.lendsHandles = lendsHandles
        unsafe rooms = unsafe [:]
    }

    init(rooms: [UnsafeRawPointer: DataRoom]) {
        lendsHandles = false
        unsafe self.rooms = unsafe rooms
    }

    /// Reads a value.
    ///
    /// - Parameter memory: Memory that contains a value of this form.
    mutating func read(_ form: ValueForm, at memory: UnsafeRawPointer) -> Payload {
        switch form {
        case .integer(let integer): return unsafe CValueToPayload.integer(integer, at: memory)
        case .bits(let form):
            let number = unsafe form.load(memory)
            if form.isBool { return .bool(number != 0) }
            return Int64(exactly: number).map { .int($0) } ?? .uint(UInt64(truncatingIfNeeded: number))
        case .bool: return unsafe .bool(memory.load(as: UInt8.self) != 0)
        case .float: return unsafe .double(Double(memory.loadUnaligned(as: Float.self)))
        case .double: return unsafe .double(memory.loadUnaligned(as: Double.self))
        case .longDouble: return unsafe .double(hslink_load_long_double(memory))
        case .text: return unsafe CValueToPayload.text(memory.loadUnaligned(as: UnsafePointer<CChar>?.self))
        case .measured(let form) where form.direction == .out: return unsafe filled(form, at: memory)
        case .measured(let form): return unsafe CValueToPayload.measured(form, at: memory)
        case .pointed(let form): return unsafe pointed(form, at: memory)
        case .tagged(let form):
            let tag = unsafe form.tag.number(beside: memory)
            guard let member = form.members[tag] else { return .null }
            return unsafe .map([(member.name, read(member.form, at: memory + member.offset))])
        case .textInPlace(let size):
            let text = unsafe memory.assumingMemoryBound(to: CChar.self)
            return unsafe CValueToPayload.text(text, length: strnlen(text, size))
        case .bytesInPlace(let size):
            return unsafe Payload(copyingBytes: UnsafeRawBufferPointer(start: memory, count: size))
        case .array(let element, let count, let stride):
            return unsafe items(element, at: memory, count: count, stride: stride)
        case .record(let record): return unsafe read(record, at: memory)
        case .handle(let kind):
            guard lendsHandles, let pointer = unsafe memory.loadUnaligned(as: UnsafeMutableRawPointer?.self) else {
                return .null
            }
            let handle = unsafe ForeignHandle(pointer, kind, release: nil, isLent: true)
            lent.append(handle)
            return handle.payload
        case .callback, .opaque: return .null
        }
    }

    /// Reads text or bytes whose length is beside the pointer; null if the length is out of range.
    private static func measured(_ form: MeasuredForm, at memory: UnsafeRawPointer) -> Payload {
        let length = unsafe form.length.number(beside: memory)
        guard let target = unsafe memory.loadUnaligned(as: UnsafeRawPointer?.self), length >= 0,
            length <= Int128(CallArena.maximumSize)
        else { return .null }
        return form.isText
            ? unsafe text(target.assumingMemoryBound(to: CChar.self), length: Int(length))
            : unsafe Payload(copyingBytes: UnsafeRawBufferPointer(start: target, count: Int(length)))
    }

    /// Reads what a pointer in a struct leads to; null if it leads nowhere or the count is out of range.
    private mutating func pointed(_ form: PointedForm, at memory: UnsafeRawPointer) -> Payload {
        guard let target = unsafe memory.loadUnaligned(as: UnsafeRawPointer?.self) else { return .null }
        switch form.count {
        case .one: return unsafe read(form.element, at: target)
        case .untilNull: return unsafe endedItems(form.element, at: target)
        case .field(let place):
            let count = unsafe place.number(beside: memory)
            guard count >= 0, count <= Int128(form.element.maximumItems) else { return .null }
            return unsafe items(form.element, at: target, count: Int(count), stride: form.element.size)
        }
    }

    /// Reads what C has written to memory that it was given; null if it was given none.
    private func filled(_ form: MeasuredForm, at memory: UnsafeRawPointer) -> Payload {
        guard let room = unsafe rooms[memory] else { return .null }
        let used =
            if let formula = form.used {
                unsafe formula.evaluate(at: memory, room: room.size) ?? 0
            } else {
                unsafe form.length.number(beside: memory)
            }
        let count = unsafe Int(min(max(used, 0), Int128(room.size)))
        return form.isText
            ? unsafe CValueToPayload.text(room.memory.assumingMemoryBound(to: CChar.self), length: count)
            : unsafe Payload(copyingBytes: UnsafeRawBufferPointer(start: room.memory, count: count))
    }

    static func integer(_ form: IntegerForm, at memory: UnsafeRawPointer) -> Payload {
        let number = unsafe form.load(memory)
        return form.size == 8 && !form.isSigned ? .uint(UInt64(bitPattern: number)) : .int(number)
    }

    /// Reads text, as bytes if it is not UTF-8; null for a null pointer.
    static func text(_ text: UnsafePointer<CChar>?) -> Payload {
        guard let text = unsafe text else { return .null }
        return unsafe CValueToPayload.text(text, length: strlen(text))
    }

    static func text(_ text: UnsafePointer<CChar>, length: Int) -> Payload {
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length)
        let typed = unsafe bytes.assumingMemoryBound(to: UInt8.self)
        guard unsafe typed.isValidUTF8 else { return unsafe Payload(copyingBytes: bytes) }
        return unsafe .string(String(decoding: typed, as: UTF8.self))
    }

    mutating func items(_ form: ValueForm, at memory: UnsafeRawPointer, count: Int, stride: Int) -> Payload {
        var items: [Payload] = []
        items.reserveCapacity(count)
        for index in 0..<max(count, 0) { unsafe items.append(read(form, at: memory + index * stride)) }
        return .array(items)
    }

    /// Reads pointers up to a null pointer, and at most as many as an array can have.
    mutating func endedItems(_ form: ValueForm, at memory: UnsafeRawPointer) -> Payload {
        var count = 0
        while count < form.maximumItems,
            unsafe (memory + count * form.size).loadUnaligned(as: UnsafeRawPointer?.self) != nil
        {
            count += 1
        }
        return unsafe items(form, at: memory, count: count, stride: form.size)
    }

    private mutating func read(_ record: RecordForm, at memory: UnsafeRawPointer) -> Payload {
        var entries: [(String, Payload)] = []
        for field in record.fields {
            switch field.form {
            case .opaque, .callback: continue
            case .measured(let form) where form.direction == .in: continue
            case .pointed(let form) where form.isInput: continue
            // It is unknown which member of a union is set: the number in one may not be a valid pointer in another.
            case .text where record.isUnion, .measured where record.isUnion, .handle where record.isUnion,
                .record where record.isUnion,
                .array where record.isUnion:
                continue
            default: unsafe entries.append((field.name, read(field.form, at: memory + field.offset)))
            }
        }
        return .map(entries)
    }
}
