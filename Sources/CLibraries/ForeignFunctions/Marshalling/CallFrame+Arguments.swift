import CFFI
import CHSLink
import ComponentKit
import Glibc

extension CallFrame {
    /// Builds an argument.
    @inline(__always)
    mutating func fill(_ index: Int) throws(PayloadError) {
        let argument = plan.arguments[index]
        if case .plain(.integer(let form)) = argument.mode, let node = unsafe find(argument),
            unsafe Int(node.pointee.tag) == HSLINK_INT, unsafe form.holds(node.pointee.`as`.i64)
        {
            return unsafe form.store(node.pointee.`as`.i64, at: base + argument.offset)
        }
        guard argument.lifetime == .call else {
            let count = unsafe writer.handles.count
            try inKeptMemory(argument.lifetime) { (frame) throws(PayloadError) in
                try frame.fillOther(argument, index)
            }
            let positions = unsafe count..<writer.handles.count
            if !positions.isEmpty { keptHandles.append((positions, argument.lifetime)) }
            return
        }
        try fillOther(argument, index)
    }

    @inline(never)
    private mutating func fillOther(_ argument: ArgumentPlan, _ index: Int) throws(PayloadError) {
        let place = unsafe base + argument.offset
        do throws(PayloadError) {
            switch argument.mode {
            case .plain(.integer(let form)):
                // `find` has already counted the key, so look it up without counting.
                guard let node = unsafe hslink_map_find(payload, argument.key.bytes, argument.key.length) else {
                    throw PayloadError(expected: form.rangeWords, found: "nothing")
                }
                try unsafe writer.write(form, node.pointee, at: place)
            case .plain(let form):
                guard let node = try unsafe required(argument, form.words) else { return }
                try unsafe writer.write(form, node.pointee, at: place)
            case .text:
                guard let node = try unsafe required(argument, "string") else { return }
                let text = try unsafe writer.text(node.pointee)
                unsafe place.storeBytes(of: text, as: UnsafeMutableRawPointer?.self)
            case .value(let form, let direction): try unsafe fillValue(argument, form, direction: direction, at: place)
            case .buffer(let buffer): try unsafe fillBuffer(argument, buffer, index: index, at: place)
            case .length(let form, let buffers): try unsafe fillLength(argument, form, of: buffers, at: place)
            case .constant(let form, let formula):
                guard let number = evaluate(formula), number >= Int128(Int64.min), number <= Int128(UInt64.max) else {
                    throw PayloadError(
                        expected: "a number that can be computed", found: "an overflow or a missing function")
                }
                unsafe form.store(Int64(truncatingIfNeeded: number), at: place)
            case .constantDouble(let form, let number):
                var node = unsafe hslink_double(number)
                if case .float = form { unsafe node = unsafe hslink_double(Double(Float(number))) }
                try unsafe writer.write(form, node, at: place)
            case .handle(let kind), .consumed(let kind, _):
                guard let node = try unsafe required(argument, "an object \(kind.name)") else { return }
                try unsafe writer.write(kind, node.pointee, at: place)
            case .new(_, let size, _):
                guard let memory = unsafe calloc(1, max(size, 1)) else {
                    throw PayloadError(expected: "\(size) bytes of memory", found: "not enough memory")
                }
                unsafe kept[index] = unsafe memory
                unsafe place.storeBytes(of: memory, as: UnsafeMutableRawPointer?.self)
            case .callback(let plan, let life):
                guard let node = try unsafe required(argument, "a closure") else { return }
                try unsafe writer.write(plan, node.pointee, lifetime: life, at: place)
            case .function(let symbols):
                guard let node = try unsafe required(argument, "the name of a function") else { return }
                try unsafe writer.write(symbols, node.pointee, at: place)
            case .object:
                guard let node = try unsafe required(argument, "a value") else { return }
                let value = KeptValue(try unsafe Payload(copying: node.pointee, limits: .standard))
                unsafe place.storeBytes(of: value.pointer, as: UnsafeMutableRawPointer?.self)
                keep(value, argument.lifetime)
            case .field: break
            case .left, .failure:
                let memory = try unsafe allocate(MemoryLayout<UnsafeRawPointer>.size)
                unsafe place.storeBytes(of: memory, as: UnsafeMutableRawPointer?.self)
            case .context: unsafe place.storeBytes(of: place, as: UnsafeMutableRawPointer?.self)
            }
        } catch {
            throw error.within(.key(argument.name))
        }
    }

    /// Returns the value of a parameter; nil if it is null or missing and is nullable.
    ///
    /// - Throws: `PayloadError` if it is null or missing and must not be.
    private mutating func required(
        _ argument: ArgumentPlan, _ expected: String
    ) throws(PayloadError) -> UnsafePointer<hslink_value>? {
        guard let node = unsafe find(argument) else {
            if argument.isNullable { return nil }
            throw PayloadError(expected: expected, found: "nothing")
        }
        guard unsafe Int(node.pointee.tag) == HSLINK_NULL else { return unsafe node }
        if argument.isNullable { return nil }
        throw PayloadError(expected: expected, found: "null")
    }

    /// Builds a pointer to one value.
    private mutating func fillValue(
        _ argument: ArgumentPlan, _ form: ValueForm, direction: Annotation.Direction, at place: UnsafeMutableRawPointer
    ) throws(PayloadError) {
        if direction == .out {
            let memory = try unsafe allocate(form.size)
            return unsafe place.storeBytes(of: memory, as: UnsafeMutableRawPointer?.self)
        }
        guard let node = try unsafe required(argument, form.words) else { return }
        let memory = try unsafe allocate(form.size)
        try unsafe writer.write(form, node.pointee, at: memory)
        unsafe place.storeBytes(of: memory, as: UnsafeMutableRawPointer?.self)
    }

    mutating func allocate(_ size: Int) throws(PayloadError) -> UnsafeMutableRawPointer {
        guard let memory = unsafe writer.arena.allocate(size) else {
            throw PayloadError(
                expected: "at most \(CallArena.maximumSize) bytes", found: "more, or not enough memory")
        }
        return unsafe memory
    }

    // MARK: Buffers

    private mutating func fillBuffer(
        _ argument: ArgumentPlan, _ buffer: BufferPlan, index: Int, at place: UnsafeMutableRawPointer
    ) throws(PayloadError) {
        if buffer.direction == .out {
            let count = try size(buffer)
            counts[index] = count
            // One more byte, so that text has a NUL after its capacity.
            let memory = try unsafe allocate(count * buffer.stride + 1)
            return unsafe place.storeBytes(of: memory, as: UnsafeMutableRawPointer?.self)
        }
        guard let node = try unsafe required(argument, buffer.words) else {
            counts[index] = 0
            return
        }
        // C does not write through a pointer to const, so it may read the payload's own memory.
        let borrows = buffer.isConst && argument.lifetime == .call
        counts[index] = try unsafe write(buffer, node.pointee, at: place, borrows: borrows)
    }

    /// Checks that an input has at least the computed length.
    func checkBuffer(_ index: Int) throws(PayloadError) {
        let argument = plan.arguments[index]
        guard case .buffer(let buffer) = argument.mode, let count = counts[index],
            unsafe (base + argument.offset).load(as: UnsafeRawPointer?.self) != nil
        else { return }
        do throws(PayloadError) {
            let wanted = try size(buffer)
            guard wanted <= count else {
                throw PayloadError(expected: "at least \(wanted) \(buffer.unit)", found: "\(count)")
            }
        } catch {
            throw error.within(.key(argument.name))
        }
    }

    /// Writes the data of an input buffer.
    ///
    /// - Returns: The number of elements.
    private mutating func write(
        _ buffer: BufferPlan, _ node: hslink_value, at place: UnsafeMutableRawPointer, borrows: Bool
    ) throws(PayloadError) -> Int {
        let count = unsafe Int(node.length)
        switch buffer.content {
        case .items(let form), .endedItems(let form):
            guard unsafe Int(node.tag) == HSLINK_ARRAY else { throw unsafe mismatch("array", node) }
            guard count <= buffer.limit else { throw unsafe mismatch("at most \(buffer.limit) items", node) }
            // The memory is zero, so the last pointer of "items[null]" is null.
            let end = if case .endedItems = buffer.content { 1 } else { 0 }
            let memory = try unsafe allocate((count + end) * buffer.stride)
            try unsafe writer.writeItems(
                form, node, at: memory, stride: buffer.stride, isNullable: buffer.hasNullableItems)
            unsafe place.storeBytes(of: memory, as: UnsafeMutableRawPointer?.self)
        case .bytes, .text, .measuredText:
            let source: UnsafeRawPointer?
            switch unsafe Int(node.tag) {
            case HSLINK_BYTES: unsafe source = unsafe UnsafeRawPointer(node.`as`.bytes)
            case HSLINK_STRING: unsafe source = unsafe UnsafeRawPointer(node.`as`.utf8)
            default: throw unsafe mismatch(buffer.isText ? "string" : "bytes", node)
            }
            if case .text = buffer.content, let source = unsafe source, unsafe memchr(source, 0, count) != nil {
                throw PayloadError(expected: "a string without NUL characters", found: "one with a NUL")
            }
            if borrows, !buffer.isText, let source = unsafe source {
                unsafe place.storeBytes(of: source, as: UnsafeRawPointer.self)
                return count
            }
            // Text ends with a NUL too, for libraries that look for one whatever the length is.
            let memory = try unsafe allocate(count + 1)
            if let source = unsafe source { unsafe memory.copyMemory(from: source, byteCount: count) }
            unsafe place.storeBytes(of: memory, as: UnsafeMutableRawPointer?.self)
        }
        return count
    }

    /// Returns the capacity of a buffer, in elements, as computed by its formula.
    func size(_ buffer: BufferPlan) throws(PayloadError) -> Int {
        let size = try evaluateSize(buffer.size)
        guard let size, size >= 0, size <= Int128(buffer.limit) else {
            throw PayloadError(
                expected: "a length of at most \(buffer.limit) \(buffer.unit)",
                found: size.map { "\($0)" } ?? "one that cannot be computed")
        }
        return Int(size)
    }

    /// Evaluates a length in which no part may be negative. Two negative numbers would have a plausible product, while
    /// C would read them as huge counts.
    ///
    /// - Returns: Nil if the length cannot be computed.
    private func evaluateSize(_ formula: BoundFormula) throws(PayloadError) -> Int128? {
        switch formula {
        case .number, .text, .function, .result, .room, .member: return evaluate(formula)
        case .argument(let index):
            guard let number = evaluate(formula), number < 0 else { return evaluate(formula) }
            throw PayloadError(
                expected: "\"\(plan.arguments[index].name)\" to be at least 0, as part of a length",
                found: "\(number)")
        case .operation(let sign, let left, let right):
            guard let left = try evaluateSize(left), let right = try evaluateSize(right),
                sign != .times || left >= 0 && right >= 0
            else { return nil }
            return sign.result(left, right)
        case .call(let function, _):
            guard let number = evaluate(formula), number < 0 else { return evaluate(formula) }
            throw PayloadError(
                expected: "\(function.symbol) to return at least 0, as part of a length", found: "\(number)")
        }
    }

    /// Builds the length of input data. Callers may pass a smaller length.
    private mutating func fillLength(
        _ argument: ArgumentPlan, _ form: IntegerForm, of buffers: [Int], at place: UnsafeMutableRawPointer
    ) throws(PayloadError) {
        let lengths = buffers.map { counts[$0] ?? 0 }
        let shortest = lengths.min() ?? 0
        if let node = unsafe find(argument), unsafe Int(node.pointee.tag) != HSLINK_NULL {
            try unsafe writer.write(form, node.pointee, at: place)
            let given = unsafe form.number(UnsafeRawPointer(place))
            guard given >= 0, given <= Int128(shortest) else {
                throw PayloadError(expected: "at most \(shortest), the length of the data", found: "\(given)")
            }
            return
        }
        guard lengths.allSatisfy({ $0 == shortest }) else {
            throw PayloadError(expected: "data of equal lengths", found: "lengths \(lengths)")
        }
        guard form.holds(Int64(shortest)) else {
            throw PayloadError(expected: form.rangeWords, found: "data of length \(shortest)")
        }
        unsafe form.store(Int64(shortest), at: place)
    }
}

extension BufferPlan {
    /// The maximum number of elements.
    fileprivate var limit: Int {
        switch content {
        case .items(let form), .endedItems(let form): form.maximumItems
        case .bytes, .text, .measuredText: CallArena.maximumSize
        }
    }

    fileprivate var isText: Bool {
        switch content {
        case .text, .measuredText: true
        case .bytes, .items, .endedItems: false
        }
    }

    /// The unit of its length, for messages.
    fileprivate var unit: String {
        if case .items = content { "items" } else { "bytes" }
    }
}
