import CFFI
import CHSLink
import ComponentKit
import Glibc

/// One call of a closure by C: converts the arguments to a payload, and the closure's answer to C values.
@safe
final class CallbackCall {
    private let plan: CallbackPlan
    private let arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    private let library: ForeignLibrary
    private var reader = CValueToPayload(lendsHandles: true)
    /// The outputs, converted but not yet written to C's memory: a closure whose answer does not fit changes nothing.
    private var outputs: [Output] = []
    /// What lives as long as the function pointer, because C may use it.
    private(set) var kept: [any AnyObject & Sendable] = []
    /// The handle that the closure has returned, for the same time.
    private(set) var returned: HandleUse?

    init(
        _ plan: CallbackPlan, _ arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, library: ForeignLibrary
    ) {
        self.plan = plan
        unsafe self.arguments = unsafe arguments
        self.library = library
    }

    /// Invalidates the handles that C only lent.
    func end() {
        for handle in reader.lent { handle.invalidate() }
    }

    /// Sets the values that the closure fills in to zero, so that C never reads uninitialised memory if the closure fails.
    func clearOutputs() {
        guard plan.hasOutputs || plan.data != nil else { return }
        for (index, parameter) in plan.parameters.enumerated() {
            let size: Int
            switch parameter.mode {
            case .value(let form, .out): size = form.size
            case .length(let form): size = form.size
            default: continue
            }
            guard let target = unsafe arguments?[index]?.load(as: UnsafeMutableRawPointer?.self) else { continue }
            unsafe target.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        }
    }

    /// Returns the closure's payload: an array of the parameters in C's order, without contexts and outputs.
    func payload() throws(LinkError) -> Payload {
        var values: [Payload] = []
        for (index, parameter) in plan.parameters.enumerated() {
            guard let place = unsafe arguments?[index] else { continue }
            switch parameter.mode {
            case .left, .length: continue
            case .object: values.append(try unsafe KeptValue.value(at: place.load(as: UnsafeRawPointer?.self)))
            case .plain(let form): unsafe values.append(reader.read(form, at: place))
            case .value(let form, let direction):
                guard direction != .out else { continue }
                guard let target = unsafe place.load(as: UnsafeRawPointer?.self) else {
                    values.append(.null)
                    continue
                }
                unsafe values.append(reader.read(form, at: target))
            case .buffer(let buffer):
                guard buffer.direction != .out else { continue }
                values.append(try unsafe read(buffer, at: place, name: parameter.name))
            }
        }
        return .array(values)
    }

    private func read(
        _ buffer: BufferPlan, at place: UnsafeMutableRawPointer, name: String
    ) throws(LinkError) -> Payload {
        guard let target = unsafe place.load(as: UnsafeRawPointer?.self) else { return .null }
        if case .endedItems(let form) = buffer.content { return unsafe reader.endedItems(form, at: target) }
        let count = try size(buffer, name)
        switch buffer.content {
        case .bytes: return unsafe Payload(copyingBytes: UnsafeRawBufferPointer(start: target, count: count))
        case .text:
            let text = unsafe target.assumingMemoryBound(to: CChar.self)
            return unsafe CValueToPayload.text(text, length: strnlen(text, count))
        case .measuredText:
            return unsafe CValueToPayload.text(target.assumingMemoryBound(to: CChar.self), length: count)
        case .items(let form), .endedItems(let form):
            return unsafe reader.items(form, at: target, count: count, stride: buffer.stride)
        }
    }

    private func size(_ buffer: BufferPlan, _ name: String) throws(LinkError) -> Int {
        guard let size = evaluate(buffer.size), size >= 0,
            size <= Int128(CallArena.maximumSize / max(buffer.stride, 1))
        else {
            throw LinkError(.payloadMismatch, message: "\(name): the length that C passed is out of range")
        }
        return Int(size)
    }

    private func evaluate(_ formula: BoundFormula) -> Int128? {
        formula.evaluate(
            { word in
                guard case .argument(let index) = word, let place = unsafe arguments?[index] else { return 0 }
                let parameter = plan.parameters[index]
                if case .value(let form, _) = parameter.mode {
                    guard case .integer(let integer) = form, let target = unsafe place.load(as: UnsafeRawPointer?.self)
                    else { return 0 }
                    return unsafe integer.number(target)
                }
                guard let form = parameter.word else { return 0 }
                return unsafe form.number(UnsafeRawPointer(place))
            }, { function, words in library.call(function, words) })
    }

    /// Writes the closure's answer to the outputs and the result.
    ///
    /// - Throws: `PayloadError` if the answer does not fit. The outputs are unchanged then.
    func finish(_ answer: Payload, _ result: UnsafeMutableRawPointer?) throws(PayloadError) {
        try unsafe convert(answer, result)
        for output in outputs { output.write() }
    }

    private func convert(_ answer: Payload, _ result: UnsafeMutableRawPointer?) throws(PayloadError) {
        var answerOfResult = answer
        var filledIn: Int64?
        if plan.hasOutputs {
            for (index, parameter) in plan.parameters.enumerated() {
                guard let place = unsafe arguments?[index] else { continue }
                if let count = try unsafe write(parameter, of: answer, at: place) { filledIn = count }
            }
            answerOfResult = answer["return"] ?? .null
        }
        guard let form = plan.result, let result = unsafe result else { return }
        if answerOfResult.isNull, let filledIn, case .integer(let integer) = form {
            return unsafe storeWidened(filledIn, integer, at: result)
        }
        var writer = writer()
        defer { extendLifetime(self) }
        do throws(PayloadError) {
            switch form {
            case .integer(let integer):
                var number: Int64 = 0
                try unsafe withUnsafeMutableBytes(of: &number) { bytes throws(PayloadError) in
                    guard let base = bytes.baseAddress else { return }
                    try unsafe writer.write(integer, answerOfResult.unsafeNode, at: base)
                }
                let value = unsafe withUnsafeBytes(of: &number) { bytes in
                    unsafe bytes.baseAddress.map { unsafe integer.load($0) } ?? 0
                }
                unsafe storeWidened(value, integer, at: result)
            case .bool:
                unsafe result.storeBytes(of: try answerOfResult.bool() ? 1 : 0, as: Int64.self)
            case .text, .handle:
                let isNull = plan.isNullable && answerOfResult.isNull
                let pointer = unsafe isNull ? nil : try pointer(to: answerOfResult, as: form, with: &writer)
                unsafe result.storeBytes(of: pointer, as: UnsafeMutableRawPointer?.self)
            // The planner allows no pointers here, because their memory would not outlive this call.
            default: try unsafe writer.write(form, answerOfResult.unsafeNode, at: result)
            }
        } catch {
            throw plan.hasOutputs ? error.within(.key("return")) : error
        }
    }

    /// Returns a pointer to what a closure has returned.
    private func pointer(
        to answer: Payload, as form: ValueForm, with writer: inout PayloadToCValue
    ) throws(PayloadError) -> UnsafeMutableRawPointer? {
        if case .handle(let kind) = form {
            let handle = try unsafe PayloadToCValue.handle(kind, answer.unsafeNode)
            // C may use it until the function pointer ends, so that no one can release it before.
            if !handle.isLent { returned = HandleUse(handle) }
            do throws(LinkError) {
                return try unsafe handle.pointer()
            } catch {
                throw PayloadError(expected: "an object \(kind.name)", found: error.message)
            }
        }
        let count: Int
        let text: UnsafeMutableRawPointer?
        if let data = plan.data {
            let copy = try unsafe writer.data(answer.unsafeNode, isText: data.isText)
            unsafe text = unsafe copy.memory
            count = unsafe copy.count
            try report(count, data)
        } else {
            unsafe text = try unsafe writer.text(answer.unsafeNode)
            count = unsafe text.map { unsafe strlen($0.assumingMemoryBound(to: CChar.self)) } ?? 0
        }
        guard let text = unsafe text else { return nil }
        switch plan.owner {
        case .caller:
            guard let copy = unsafe malloc(count + 1) else {
                throw PayloadError(expected: "\(count) bytes of memory", found: "not enough memory")
            }
            unsafe copy.copyMemory(from: text, byteCount: count)
            unsafe copy.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
            return unsafe copy
        case .closure:
            var arena = CallArena()
            swap(&writer.arena, &arena)
            kept.append(KeptMemory(arena))
            return unsafe text
        }
    }

    /// Tells C the length of what the closure has returned.
    private func report(_ count: Int, _ data: CallbackPlan.ReturnedData) throws(PayloadError) {
        guard case .length(let form) = plan.parameters[data.length].mode,
            let target = unsafe arguments?[data.length]?.load(as: UnsafeMutableRawPointer?.self)
        else { return }
        guard form.holds(Int64(count)) else {
            throw PayloadError(expected: "a length that is an \(form.rangeWords)", found: "\(count) bytes")
        }
        let output = unsafe Output(form.size, target, keepsContent: false)
        unsafe form.store(Int64(count), at: output.memory)
        outputs.append(output)
    }

    private func storeWidened(_ value: Int64, _ form: IntegerForm, at result: UnsafeMutableRawPointer) {
        unsafe result.storeBytes(of: value, as: Int64.self)
    }

    private func writer() -> PayloadToCValue {
        PayloadToCValue(arena: CallArena(), constants: library.constants, library: nil)
    }

    /// - Returns: The number of elements written, if that is the result.
    private func write(
        _ parameter: CallbackPlan.Parameter, of answer: Payload, at place: UnsafeMutableRawPointer
    ) throws(PayloadError) -> Int64? {
        let target = unsafe place.load(as: UnsafeMutableRawPointer?.self)
        switch parameter.mode {
        case .plain, .left, .object, .length: return nil
        case .value(let form, let direction):
            guard direction != .in, let target = unsafe target else { return nil }
            let value = try answer.value(.key(parameter.name))
            let output = unsafe Output(form.size, target, keepsContent: direction == .inout)
            outputs.append(output)
            var writer = writer()
            try PayloadError.within(.key(parameter.name)) { () throws(PayloadError) in
                try unsafe writer.write(form, value.unsafeNode, at: output.memory)
            }
            return nil
        case .buffer(let buffer):
            guard buffer.direction != .in, let target = unsafe target else { return nil }
            let value = try answer.value(.key(parameter.name))
            let count = try PayloadError.within(.key(parameter.name)) { () throws(PayloadError) in
                try unsafe write(buffer, value, at: target, name: parameter.name)
            }
            return buffer.used?.isResult == true ? Int64(count) : nil
        }
    }

    private func write(
        _ buffer: BufferPlan, _ value: Payload, at target: UnsafeMutableRawPointer, name: String
    ) throws(PayloadError) -> Int {
        guard let room = try? size(buffer, name) else {
            throw PayloadError(expected: "a length that can be computed", found: "one that is out of range")
        }
        switch buffer.content {
        case .bytes:
            let bytes = try value.bytes()
            guard bytes.count <= room else {
                throw PayloadError(expected: "at most \(room) bytes", found: "\(bytes.count) bytes")
            }
            unsafe outputs.append(Output(bytes, target))
            return bytes.count
        case .text, .measuredText:
            let text = Array(try value.string().utf8)
            guard text.count < room, !text.contains(0) else {
                throw PayloadError(
                    expected: "a string of at most \(max(room - 1, 0)) bytes", found: "\(text.count) bytes")
            }
            unsafe outputs.append(Output(text + [0], target))
            return text.count
        case .items(let form), .endedItems(let form):
            guard value.kind == .array, value.count <= room else {
                throw PayloadError(expected: "an array of at most \(room)", found: "\(value.kind) of \(value.count)")
            }
            let output = unsafe Output(
                value.count * buffer.stride, target, keepsContent: buffer.direction == .inout)
            outputs.append(output)
            var writer = writer()
            try unsafe writer.writeItems(form, value.unsafeNode, at: output.memory, stride: buffer.stride)
            return value.count
        }
    }
}

/// A converted value and the memory of C that it is for.
@safe
private final class Output {
    let memory: UnsafeMutableRawPointer
    private let count: Int
    private let target: UnsafeMutableRawPointer

    /// - Parameter keepsContent: Whether what the value leaves out keeps C's content, such as pointers that are never
    ///   passed to closures; else it is zero.
    init(_ count: Int, _ target: UnsafeMutableRawPointer, keepsContent: Bool) {
        unsafe memory = .allocate(byteCount: max(count, 1), alignment: 16)
        if keepsContent {
            unsafe memory.copyMemory(from: target, byteCount: count)
        } else {
            unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        }
        self.count = count
        unsafe self.target = unsafe target
    }

    convenience init(_ bytes: [UInt8], _ target: UnsafeMutableRawPointer) {
        unsafe self.init(bytes.count, target, keepsContent: false)
        unsafe bytes.withUnsafeBytes { source in
            if let base = source.baseAddress { unsafe memory.copyMemory(from: base, byteCount: source.count) }
        }
    }

    deinit { unsafe memory.deallocate() }

    func write() { unsafe target.copyMemory(from: memory, byteCount: count) }
}
