import CFFI
import CHSLink
import ComponentKit
import Glibc

/// The fast path for functions that take numbers, text and borrowed bytes and return a number or text. It allocates,
/// retains and locks nothing, and does without libffi where all arguments are in registers.
///
/// Unusual calls (a value that does not fit, an unknown key, long text) are left to ``CallFrame`` before the function
/// has been called.
@safe
// Unchecked: written in init, read-only from then on.
final class DirectCall: @unchecked Sendable {
    private enum Code: UInt8 {
        case integer, double, float, text, bytes, length
    }

    /// The instructions for one argument, without references to objects.
    @unsafe
    private struct Step {
        let key: UnsafePointer<CChar>
        let keyLength: UInt32
        let offset: Int32
        let code: Code
        /// The form of an integer or a length.
        let form: IntegerForm
        /// For a length, the index of the step with the data; for data, the minimum length.
        let number: Int
    }

    private enum Output: UInt8 {
        case none, integer, double, float, text
    }

    private static let memorySize = 512
    private static let maximumCount = 12

    private let steps: UnsafeMutablePointer<Step>
    private let stepCount: Int
    private let argumentCount: Int
    private let keyCount: UInt32
    private let interface: CallInterface
    private let output: Output
    private let resultForm: IntegerForm
    private let resultOffset: Int
    private let placesOffset: Int
    private let scratchOffset: Int
    /// Whether all arguments are in registers; then they are written to a `hslink_registers` at the start of the memory.
    private let usesRegisters: Bool
    private let hasFloats: Bool
    /// Retained because it owns the keys.
    private let plan: FunctionPlan

    /// - Returns: Nil if the fast path does not support the function.
    init?(_ plan: FunctionPlan) {
        guard plan.variadic == nil, plan.errorRule == nil, !plan.hasOutputs, !plan.hasFields, plan.enumerations.isEmpty,
            plan.arguments.count <= DirectCall.maximumCount, let (output, form) = DirectCall.output(plan.result)
        else { return nil }
        var steps: [Step] = unsafe []
        var stepOfArgument: [Int: Int] = [:]
        let registers = DirectCall.registers(plan)
        usesRegisters = registers != nil
        hasFloats = plan.arguments.contains(where: \.isFloating)
        for index in plan.order {
            let offset = registers?[index] ?? plan.arguments[index].offset
            guard let step = unsafe DirectCall.step(for: index, of: plan, after: stepOfArgument, at: offset) else {
                return nil
            }
            stepOfArgument[index] = unsafe steps.count
            unsafe steps.append(step)
        }
        resultOffset = max(plan.frameSize, usesRegisters ? MemoryLayout<hslink_registers>.size : 0)
        placesOffset = resultOffset + plan.interface.resultSize
        scratchOffset = (placesOffset + plan.arguments.count * 8 + 15) & ~15
        guard scratchOffset + 64 <= DirectCall.memorySize else { return nil }
        self.plan = plan
        self.output = output
        resultForm = form
        interface = plan.interface
        stepCount = unsafe steps.count
        argumentCount = plan.arguments.count
        keyCount = unsafe UInt32(steps.count { unsafe $0.code != .length })
        unsafe self.steps = .allocate(capacity: max(unsafe steps.count, 1))
        for unsafe(index, step) in unsafe steps.enumerated() { unsafe (self.steps + index).initialize(to: step) }
    }

    deinit { unsafe steps.deallocate() }

    private static func output(_ result: ResultPlan) -> (Output, IntegerForm)? {
        switch result {
        case .none, .ignored: (.none, .pointer)
        case .plain(.integer(let form)): (.integer, form)
        case .plain(.double): (.double, .pointer)
        case .plain(.float): (.float, .pointer)
        case .text(release: nil): (.text, .pointer)
        default: nil
        }
    }

    /// Returns the places of the arguments in a `hslink_registers`; nil if they are not all in registers.
    private static func registers(_ plan: FunctionPlan) -> [Int]? {
        #if arch(x86_64) || arch(arm64)
            // An ignored result may be a struct, whose address would take the first register.
            guard plan.signature.result.isInRegister else { return nil }
            var (integers, floats) = (0, 0)
            var offsets: [Int] = []
            let start = MemoryLayout<hslink_registers>.size - Int(HSLINK_FLOAT_REGISTERS) * 8
            for argument in plan.arguments {
                if argument.isFloating {
                    offsets.append(start + floats * 8)
                    floats += 1
                } else {
                    offsets.append(integers * 16)
                    integers += 1
                }
            }
            return integers <= Int(HSLINK_INTEGER_REGISTERS) && floats <= Int(HSLINK_FLOAT_REGISTERS) ? offsets : nil
        #else
            return nil
        #endif
    }

    private static func step(
        for index: Int, of plan: FunctionPlan, after steps: [Int: Int], at offset: Int
    ) -> Step? {
        let argument = plan.arguments[index]
        guard argument.lifetime == .call else { return nil }
        var form = IntegerForm.pointer
        var number = 0
        let code: Code
        switch argument.mode {
        case .plain(.integer(let integer)): (code, form) = (.integer, integer)
        case .plain(.double): code = .double
        case .plain(.float): code = .float
        case .text: code = .text
        case .length(let integer, let buffers):
            guard buffers.count == 1, let step = steps[buffers[0]] else { return nil }
            (code, form, number) = (.length, integer, step)
        case .buffer(let buffer):
            guard buffer.isConst, buffer.direction == .in, case .bytes = buffer.content else { return nil }
            if let size = buffer.size.constant {
                guard size >= 0, size <= Int(UInt32.max) else { return nil }
                number = Int(size)
            } else {
                guard let length = buffer.size.bareArgument, case .length = plan.arguments[length].mode else {
                    return nil
                }
            }
            code = .bytes
        default: return nil
        }
        return unsafe Step(
            key: argument.key.bytes, keyLength: UInt32(argument.key.length), offset: Int32(offset), code: code,
            form: form, number: number)
    }

    /// Calls the function.
    ///
    /// - Returns: Nil if the function was not called and ``CallFrame`` has to be used.
    @inline(__always)
    func call(_ payload: UnsafePointer<hslink_value>, _ address: UnsafeRawPointer) -> Payload? {
        let isMap = unsafe Int(payload.pointee.tag) == HSLINK_MAP
        guard unsafe (isMap ? payload.pointee.length : 0) == keyCount else { return nil }
        return unsafe withUnsafeTemporaryAllocation(byteCount: DirectCall.memorySize, alignment: 16) { memory in
            guard let base = memory.baseAddress, unsafe fill(base, payload) else { return nil }
            let result = unsafe base + resultOffset
            if usesRegisters { return unsafe callInRegisters(address, base, result: result) }
            let places = unsafe (base + placesOffset).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
            unsafe interface.call(address, result: result, arguments: places)
            switch output {
            case .none: return .null
            case .integer: return unsafe CValueToPayload.integer(resultForm, at: UnsafeRawPointer(result))
            case .double: return unsafe Payload(result.load(as: Double.self))
            case .float: return unsafe Payload(Double(result.load(as: Float.self)))
            case .text: return unsafe CValueToPayload.text(result.load(as: UnsafePointer<CChar>?.self))
            }
        }
    }

    @inline(__always)
    private func callInRegisters(
        _ address: UnsafeRawPointer, _ base: UnsafeMutableRawPointer, result: UnsafeMutableRawPointer
    ) -> Payload {
        let registers = unsafe base.assumingMemoryBound(to: hslink_registers.self)
        let hasFloats: Int32 = hasFloats ? 1 : 0
        switch output {
        case .double: return unsafe Payload(hslink_call_for_double(address, registers, hasFloats))
        case .float: return unsafe Payload(Double(hslink_call_for_float(address, registers, hasFloats)))
        case .none:
            unsafe _ = hslink_call_for_integer(address, registers, hasFloats)
            return .null
        case .integer:
            unsafe result.storeBytes(of: hslink_call_for_integer(address, registers, hasFloats), as: Int64.self)
            return unsafe CValueToPayload.integer(resultForm, at: UnsafeRawPointer(result))
        case .text:
            let bits = unsafe hslink_call_for_integer(address, registers, hasFloats)
            return unsafe CValueToPayload.text(UnsafePointer(bitPattern: UInt(bitPattern: Int(bits))))
        }
    }

    @inline(__always)
    private func fill(_ base: UnsafeMutableRawPointer, _ payload: UnsafePointer<hslink_value>) -> Bool {
        if usesRegisters {
            // Also those that the function does not expect: nothing undefined is passed.
            unsafe base.assumingMemoryBound(to: hslink_registers.self).initialize(to: hslink_registers())
        } else {
            let places = unsafe (base + placesOffset).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
            for index in 0..<argumentCount { unsafe places[index] = unsafe base + index * 16 }
        }
        var scratch = scratchOffset
        for index in 0..<stepCount {
            let step = unsafe steps + index
            let place = unsafe base + Int(step.pointee.offset)
            if unsafe step.pointee.code == .length {
                // The step with the data has stored its count after its pointer.
                let data = unsafe base + Int(steps[step.pointee.number].offset)
                let count = unsafe data.load(fromByteOffset: 8, as: Int64.self)
                guard unsafe step.pointee.form.holds(count) else { return false }
                unsafe store(count, step.pointee.form, at: place)
                continue
            }
            guard let node = unsafe DirectCall.find(step, from: index, in: payload) else { return false }
            switch unsafe step.pointee.code {
            case .integer:
                guard unsafe Int(node.pointee.tag) == HSLINK_INT, unsafe step.pointee.form.holds(node.pointee.`as`.i64)
                else { return false }
                unsafe store(node.pointee.`as`.i64, step.pointee.form, at: place)
            case .double:
                guard unsafe Int(node.pointee.tag) == HSLINK_DOUBLE else { return false }
                unsafe place.storeBytes(of: node.pointee.`as`.f64, as: Double.self)
            case .float:
                guard unsafe Int(node.pointee.tag) == HSLINK_DOUBLE else { return false }
                let float = unsafe Float(node.pointee.`as`.f64)
                guard float.isFinite else { return false }
                // In a register, the other half is zero already.
                unsafe place.storeBytes(of: float, as: Float.self)
            case .text:
                let length = unsafe Int(node.pointee.length)
                guard unsafe Int(node.pointee.tag) == HSLINK_STRING, scratch + length < DirectCall.memorySize else {
                    return false
                }
                let copy = unsafe base + scratch
                if length > 0, let source = unsafe node.pointee.`as`.utf8 {
                    guard unsafe hslink_copy_text(copy, source, length) != 0 else { return false }
                }
                unsafe copy.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
                unsafe place.storeBytes(of: copy, as: UnsafeMutableRawPointer.self)
                scratch += length + 1
            case .bytes:
                guard unsafe Int(node.pointee.tag) == HSLINK_BYTES,
                    unsafe Int(node.pointee.length) >= step.pointee.number,
                    let bytes = unsafe node.pointee.`as`.bytes
                else { return false }
                unsafe place.storeBytes(of: bytes, as: UnsafePointer<UInt8>.self)
                unsafe place.storeBytes(of: Int64(node.pointee.length), toByteOffset: 8, as: Int64.self)
            case .length: return false
            }
        }
        return true
    }

    /// Writes a number that the form holds: as a register has it, or as libffi expects it.
    @inline(__always)
    private func store(_ number: Int64, _ form: IntegerForm, at place: UnsafeMutableRawPointer) {
        if usesRegisters {
            unsafe place.storeBytes(of: number, as: Int64.self)
        } else {
            unsafe form.store(number, at: place)
        }
    }

    /// Returns the value of a key; nil if there is none. The search starts at the position of the parameter, where the
    /// key usually is.
    @inline(__always)
    private static func find(
        _ step: UnsafeMutablePointer<Step>, from index: Int, in payload: UnsafePointer<hslink_value>
    ) -> UnsafePointer<hslink_value>? {
        guard let entries = unsafe payload.pointee.`as`.entries else { return nil }
        let count = unsafe Int(payload.pointee.length)
        var position = index < count ? index : 0
        for _ in 0..<count {
            let entry = unsafe entries + position
            position = position + 1 == count ? 0 : position + 1
            guard unsafe entry.pointee.key_length == step.pointee.keyLength, let key = unsafe entry.pointee.key else {
                continue
            }
            if unsafe hslink_same_text(key, step.pointee.key, Int(step.pointee.keyLength)) != 0 {
                return unsafe UnsafeRawPointer(entry).advanced(by: 16).assumingMemoryBound(to: hslink_value.self)
            }
        }
        return nil
    }
}

extension ArgumentPlan {
    /// Whether the argument is in a register for floating-point numbers, if it is in one.
    fileprivate var isFloating: Bool {
        switch mode {
        case .plain(.double), .plain(.float): true
        default: false
        }
    }
}
