import CFFI
import CHSLink
import ComponentKit
import Glibc
import SystemSupport

/// One call of a C function: the memory of its arguments, which are built from a payload, and of its result.
@safe
struct CallFrame: ~Copyable {
    let function: ForeignFunction
    let payload: UnsafePointer<hslink_value>
    /// The start of the arguments, which are at the offsets of the plan.
    let base: UnsafeMutableRawPointer
    let result: UnsafeMutableRawPointer
    let places: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    var writer: PayloadToCValue
    /// The number of keys in the payload that belong to parameters.
    var keyCount = 0
    /// The number of elements in each buffer, by argument.
    var counts: [Int: Int] = [:]
    /// The memory of structs that were allocated for the call, until a handle owns it.
    var kept: [Int: UnsafeMutableRawPointer] = unsafe [:]
    /// The memory that C may use after the call.
    private var memories: [(memory: any AnyObject & Sendable, lifetime: Lifetime)] = []
    /// The handles that C may use after the call, as positions among those of the writer.
    var keptHandles: [(positions: Range<Int>, lifetime: Lifetime)] = []
    /// What released handles have kept, which is dropped with the frame, after all families have been left.
    private var dropped: [any AnyObject & Sendable] = []
    private var entered: [HandleFamily] = []
    /// The output handles. If the call fails, they are released with the frame, after all families have been left.
    var cameOut: [ForeignHandle] = []
    /// The number of the writer's handles that are marked as in use.
    private var usedCount = 0
    /// `errno` after the call, if the plan requests it.
    private var errorNumber: Int32 = 0

    var plan: FunctionPlan { function.plan }

    init(
        _ function: ForeignFunction, _ payload: UnsafePointer<hslink_value>, memory: UnsafeMutableRawPointer,
        scratch: UnsafeMutableRawPointer, scratchSize: Int
    ) {
        self.function = function
        unsafe self.payload = unsafe payload
        unsafe base = unsafe memory
        unsafe result = unsafe memory + function.plan.frameSize
        unsafe places = unsafe (memory + function.plan.frameSize + function.plan.interface.resultSize)
            .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        writer = unsafe PayloadToCValue(
            arena: CallArena(scratch, size: scratchSize), constants: function.library.constants,
            library: function.library)
    }

    deinit {
        for unsafe(_, memory) in unsafe kept { unsafe free(memory) }
    }

    /// Builds the arguments, calls the function, and reads the outputs and the result.
    mutating func run(_ address: UnsafeRawPointer, hasCallbacks: Bool) throws(LinkError) -> Payload {
        let plan = plan
        var extra: CallInterface?
        do throws(PayloadError) {
            let tag = unsafe Int(payload.pointee.tag)
            guard tag == HSLINK_MAP || tag == HSLINK_NULL else {
                throw unsafe mismatch("a map with the parameters", payload.pointee)
            }
            for index in plan.order[..<plan.computedStart] { try fill(index) }
            if let variadic = plan.variadic { extra = try fillVariadic(variadic) }
            try checkKeys()
        } catch {
            throw LinkError(.payloadMismatch, message: error.description)
        }
        for index in plan.signature.arguments.indices {
            unsafe places[index] = unsafe base + plan.arguments[index].offset
        }
        defer { leaveHandles() }
        try enterHandles()
        // Computed after the families of the handles have been entered, because formulas may call functions with them.
        do throws(PayloadError) {
            for index in plan.order[plan.computedStart...] { try fill(index) }
            for index in plan.checkedBuffers { try checkBuffer(index) }
            for (index, check) in plan.enumerations { try self.check(plan.arguments[index], check) }
        } catch {
            throw LinkError(.payloadMismatch, message: error.description)
        }
        for index in plan.keepers where handle(of: index)?.isLent == true {
            throw LinkError(
                .payloadMismatch,
                message:
                    "\(plan.arguments[index].name): C has only lent this handle to a callback, so that no other handle "
                    + "can keep it")
        }
        if !keptHandles.isEmpty { try checkKeptHandles() }
        if plan.endsParts { try checkParts() }
        try consumeHandles()
        if plan.endsParts { endParts() }
        for (positions, lifetime) in keptHandles {
            for position in positions {
                let kept = unsafe writer.handles[position].handle
                memories.append((HandleKeep(kept), lifetime))
            }
        }
        if plan.hasFields { writeFields() }
        keepMemories()
        let interface = extra ?? plan.interface
        let failures = hasCallbacks ? CallbackFailures() : nil
        if let failures {
            attachCallbacks(failures)
            failures.during { unsafe invoke(interface, address) }
        } else {
            unsafe invoke(interface, address)
        }
        if plan.hasFields { readFields() }
        return try finish(failures)
    }

    private func check(_ argument: ArgumentPlan, _ check: EnumerationCheck) throws(PayloadError) {
        guard case .plain(.integer(let form)) = argument.mode else { return }
        let number = unsafe form.number(base + argument.offset)
        guard !check.allows(number) else { return }
        throw PayloadError(path: [.key(argument.name)], expected: check.expectation, found: "\(number)")
    }

    /// Copies the values passed for fields into their structs.
    private func writeFields() {
        for argument in plan.arguments {
            guard let field = argument.field, let target = unsafe target(of: field) else { continue }
            if case .field = argument.mode { continue }
            unsafe target.copyMemory(from: base + argument.offset, byteCount: field.size)
        }
    }

    /// Copies output fields out of their structs, and clears fields that point to the memory of this call.
    private func readFields() {
        for argument in plan.arguments {
            guard let field = argument.field, !isEnded(field.parent), let target = unsafe target(of: field) else {
                continue
            }
            if field.comesOut {
                unsafe (base + argument.offset).copyMemory(from: target, byteCount: field.size)
                continue
            }
            switch argument.mode {
            case .buffer, .text: unsafe target.storeBytes(of: nil, as: UnsafeRawPointer?.self)
            default: break
            }
        }
    }

    private func target(of field: ArgumentPlan.FieldPlace) -> UnsafeMutableRawPointer? {
        let place = unsafe base + plan.arguments[field.parent].offset
        return unsafe place.load(as: UnsafeMutableRawPointer?.self).map { unsafe $0 + field.offset }
    }

    private mutating func invoke(_ interface: CallInterface, _ address: UnsafeRawPointer) {
        if plan.wantsErrno {
            errorNumber = unsafe interface.callForErrno(address, result: result, arguments: places)
        } else {
            unsafe interface.call(address, result: result, arguments: places)
        }
    }

    /// Rejects keys that belong to no parameter.
    private func checkKeys() throws(PayloadError) {
        guard unsafe Int(payload.pointee.tag) == HSLINK_MAP else { return }
        guard unsafe Int(payload.pointee.length) != keyCount else { return }
        for key in unsafe payload.pointee.entryNodes.map({ unsafe $0.keyText }) {
            let isKnown =
                plan.arguments.contains { $0.name == key && $0.mayBeGiven } || (key == "..." && plan.variadic != nil)
            if isKnown { continue }
            let names = plan.arguments.filter(\.isInput).map(\.name)
            throw PayloadError(
                path: [.key(key)],
                expected: names.isEmpty ? "no parameters" : "one of the parameters \(names.joined(separator: ", "))",
                found: "an unknown parameter\(key.meant(among: plan.arguments.filter(\.mayBeGiven).map(\.name)))")
        }
    }

    /// Returns the value of a parameter; nil if the payload does not have it.
    @inline(__always)
    mutating func find(_ argument: ArgumentPlan) -> UnsafePointer<hslink_value>? {
        guard let node = unsafe hslink_map_find(payload, argument.key.bytes, argument.key.length) else { return nil }
        keyCount += 1
        return unsafe node
    }

    // MARK: Handles

    /// Enters the families of all handles in a fixed order, and stores the handles' pointers.
    private mutating func enterHandles() throws(LinkError) {
        guard unsafe !writer.handles.isEmpty else { return }
        var families: [HandleFamily] = []
        for unsafe(handle, _) in unsafe writer.handles where !families.contains(where: { $0 === handle.family }) {
            families.append(handle.family)
        }
        // The places are read once: families may become one meanwhile.
        let places = families.count < 2 ? families.map { (0, $0) } : families.map { ($0.place, $0) }
        for (_, family) in places.sorted(by: { $0.0 < $1.0 }) {
            try family.enter()
            entered.append(family)
        }
        for unsafe(handle, place) in unsafe writer.handles {
            handle.beginUse()
            usedCount += 1
            let pointer = try unsafe handle.pointer()
            unsafe place.storeBytes(of: pointer, as: UnsafeMutableRawPointer?.self)
        }
    }

    /// Refuses handles that cannot be kept by what they go in with.
    private func checkKeptHandles() throws(LinkError) {
        for (positions, lifetime) in keptHandles {
            for position in positions {
                let kept = unsafe writer.handles[position].handle
                guard !kept.isLent else {
                    throw LinkError(
                        .payloadMismatch,
                        message: "C has only lent the handle \(kept.kind.name) to a callback, so that nothing can "
                            + "keep it")
                }
                guard case .argument(let index) = lifetime, let keeper = handle(of: index),
                    keeper.whole !== kept.whole, kept.depends(on: keeper.whole)
                else { continue }
                throw LinkError(
                    .payloadMismatch,
                    message: "\(plan.arguments[index].name): the handle \(keeper.kind.name) is kept by the handle "
                        + "\(kept.kind.name), and cannot keep it in turn")
            }
        }
    }

    // MARK: Parts of handles

    /// Refuses to end parts that something still needs, also through another reference to them.
    private func checkParts() throws(LinkError) {
        var released: [ForeignHandle] = []
        for index in plan.arguments.indices {
            if case .consumed = plan.arguments[index].mode, let handle = handle(of: index) { released.append(handle) }
        }
        for index in plan.arguments.indices where plan.arguments[index].endsParts {
            let sharing = handle(of: index)?.whole.sharingParts ?? []
            for other in sharing {
                let references = sharing.reduce(0) { $0 + $1.references(to: other) }
                try other.checkPartsCanEnd(
                    ownUses: ownUses(of: other), ownKeepers: released.reduce(references) { $0 + $1.keeps(other) })
            }
        }
    }

    /// Returns how often this call uses a handle.
    private func ownUses(of handle: ForeignHandle) -> Int {
        unsafe writer.handles.reduce(0) { unsafe $0 + $1.handle.uses(of: handle) }
    }

    /// Whether the call has ended the part that was passed for an argument, so that its pointer may lead nowhere.
    private func isEnded(_ index: Int) -> Bool { plan.endsParts && handle(of: index)?.hasEnded == true }

    private func endParts() {
        for index in plan.arguments.indices where plan.arguments[index].endsParts {
            handle(of: index)?.family.endParts()
        }
    }

    // MARK: Handles that are released

    /// Invalidates the handles that the function releases. This comes last, when no other check can fail the call.
    private mutating func consumeHandles() throws(LinkError) {
        var released: [(handle: ForeignHandle, isTaken: Bool)] = []
        for argument in plan.arguments {
            guard case .consumed(_, let isTaken) = argument.mode,
                let handle = unsafe handle(at: base + argument.offset)
            else { continue }
            try checkCanBeConsumed(handle, argument.name, isTaken: isTaken)
            released.append((handle, isTaken))
        }
        // All of them are checked before the first one is invalidated, because C releases all or none.
        let ownKeepers = released.map { item in released.reduce(0) { $0 + $1.handle.keeps(item.handle) } }
        for ((handle, _), keepers) in zip(released, ownKeepers) {
            try handle.checkCanBeReleased(ownUses: ownUses(of: handle), ownKeepers: keepers)
        }
        for ((handle, _), keepers) in zip(released, ownKeepers) {
            _ = try unsafe handle.consume(ownUses: ownUses(of: handle), ownKeepers: keepers)
        }
        for (handle, isTaken) in released {
            if isTaken { handOver(handle) } else { dropped += handle.takeKeptHandles() }
        }
    }

    /// Refuses a handle that the function cannot release because of how it goes in.
    private func checkCanBeConsumed(_ handle: ForeignHandle, _ name: String, isTaken: Bool) throws(LinkError) {
        let others = unsafe writer.handles.map { unsafe $0.handle }.filter { $0 !== handle }
        guard unsafe others.count == writer.handles.count - 1 else {
            throw LinkError(.payloadMismatch, message: "\(name): the handle \(handle.kind.name) is passed twice")
        }
        guard unsafe !isTaken || handle.memory == nil else {
            throw LinkError(
                .payloadMismatch,
                message: "\(name): the handle \(handle.kind.name) can only be released by its own function")
        }
        guard plan.isNamedLikeRelease || !isTaken || !others.contains(where: { $0.depends(on: handle) }) else {
            throw LinkError(
                .payloadMismatch,
                message: "\(name): the handle \(handle.kind.name) cannot be taken over by a part of itself, or "
                    + "by a handle that keeps it")
        }
    }

    /// Gives what a released handle kept to the handles that may have taken it over, with which C may go on to use it.
    private mutating func handOver(_ handle: ForeignHandle) {
        let kept = handle.takeKept()
        guard !kept.isEmpty else { return }
        // Nothing says which of several handles it is.
        var takers: [ForeignHandle] = []
        for index in plan.arguments.indices {
            if case .handle = plan.arguments[index].mode, let taker = self.handle(of: index) { takers.append(taker) }
        }
        for taker in takers { for object in kept { taker.keepForC(object) } }
        var lifetimes = plan.arguments.indices.filter { plan.arguments[$0].mode.isHandleOutput }.map(Lifetime.output)
        if case .handle = plan.result { lifetimes.append(.result) }
        for lifetime in lifetimes { for object in kept { memories.append((object, lifetime)) } }
        if takers.isEmpty, lifetimes.isEmpty, !plan.isNamedLikeRelease {
            // The library has taken it over, for an unknown time.
            for object in kept { keep(object, beforeCall: .process) }
        }
    }

    private mutating func leaveHandles() {
        for unsafe(handle, _) in unsafe writer.handles.prefix(usedCount) { handle.endUse() }
        usedCount = 0
        for family in entered.reversed() { family.leave() }
        entered = []
    }

    /// Returns the handle that was passed for an argument.
    func handle(of index: Int?) -> ForeignHandle? {
        guard let index else { return nil }
        return unsafe handle(at: base + plan.arguments[index].offset)
    }

    private func handle(at place: UnsafeMutableRawPointer) -> ForeignHandle? {
        for unsafe(handle, other) in unsafe writer.handles where unsafe other == place { return handle }
        return nil
    }

    // MARK: Callbacks

    private func attachCallbacks(_ failures: CallbackFailures) {
        for (closure, life) in writer.callbacks {
            if life == .call { closure.report(to: failures) } else { keep(closure, beforeCall: life) }
        }
    }

    /// Keeps the callbacks and the memory that live as long as a handle that has come out of the call. What was taken out
    /// of a whole may use what that keeps.
    func keep(_ lifetime: Lifetime, in handle: ForeignHandle) {
        for index in plan.arguments.indices where plan.arguments[index].endsParts {
            guard let whole = self.handle(of: index)?.whole, !handle.depends(on: whole) else { continue }
            for object in whole.keptWithParent { handle.keepForC(object) }
        }
        for (closure, life) in writer.callbacks where life == lifetime { handle.keepForC(closure) }
        for (memory, life) in memories where life == lifetime { handle.keepForC(memory) }
    }

    // MARK: Memory that C keeps

    /// Builds an argument in memory of its own, which outlives the call.
    mutating func inKeptMemory(
        _ lifetime: Lifetime, _ build: (inout CallFrame) throws(PayloadError) -> Void
    ) throws(PayloadError) {
        var arena = CallArena()
        swap(&writer.arena, &arena)
        do throws(PayloadError) {
            try build(&self)
        } catch {
            swap(&writer.arena, &arena)
            throw error
        }
        swap(&writer.arena, &arena)
        memories.append((KeptMemory(arena), lifetime))
    }

    /// Keeps an object as long as C may use it, and at least until the call has ended.
    mutating func keep(_ object: any AnyObject & Sendable, _ lifetime: Lifetime) { memories.append((object, lifetime)) }

    private func keepMemories() {
        for (memory, lifetime) in memories { keep(memory, beforeCall: lifetime) }
    }

    /// Keeps what C has been given as long as a handle that goes in, or as long as the process.
    private func keep(_ object: any AnyObject & Sendable, beforeCall lifetime: Lifetime) {
        switch lifetime {
        case .argument(let index):
            // Without the handle it is unknown how long C keeps the object.
            guard let handle = handle(of: index) else { fallthrough }
            handle.keepForC(object)
        case .process: _ = unsafe Unmanaged<AnyObject>.passRetained(object)
        case .call, .output, .result: break
        }
    }

    // MARK: Formulas

    /// Returns the value of a word in a formula.
    func word(_ word: FormulaWord, room: Int) -> Int128 {
        let index: Int
        switch word {
        case .room: return Int128(room)
        case .function(let symbol):
            guard let address = try? unsafe function.library.address(of: symbol) else { return 0 }
            return Int128(UInt(bitPattern: address))
        case .result: return unsafe (plan.resultForm ?? .pointer).number(UnsafeRawPointer(result))
        case .argument(let found): index = found
        }
        let argument = plan.arguments[index]
        let place = unsafe base + argument.offset
        guard let word = argument.word else { return 0 }
        guard word.isIndirect else { return unsafe word.form.number(UnsafeRawPointer(place)) }
        guard let target = unsafe place.load(as: UnsafeRawPointer?.self) else { return 0 }
        return unsafe word.form.number(target)
    }

    /// Returns the value of a formula; nil if it cannot be computed, or uses a handle that the call has ended.
    func evaluate(_ formula: BoundFormula, room: Int = 0) -> Int128? {
        if plan.endsParts, formula.arguments.contains(where: { isEnded($0) }) { return nil }
        return formula.evaluate({ word($0, room: room) }, { function.library.call($0, $1) })
    }

    /// Returns the first error from a callback, what the function has left in the place of an error, or the error from
    /// the function's error rule; nil if the call succeeded.
    func failure(_ failures: CallbackFailures?) -> LinkError? {
        if let error = failures?.error { return error }
        for (index, rule) in plan.failures {
            let pointer = word(.argument(index), room: 0)
            if rule.isFailure(pointer) { return error(rule, 1, otherwise: "\(plan.symbol) reports an error") }
        }
        guard let rule = plan.errorRule else { return nil }
        let number = unsafe rule.form.number(UnsafeRawPointer(result))
        guard rule.isFailure(number) else { return nil }
        let isNull = number == 0 && plan.result.isPointer
        return error(rule, number, otherwise: "\(plan.symbol) returned \(isNull ? "null" : "\(number)")")
    }

    private func error(_ rule: BoundErrorRule, _ tested: Int128, otherwise: String) -> LinkError {
        let number = rule.number.flatMap { evaluate($0) } ?? tested
        var message = ""
        if let formula = rule.message, let word = evaluate(formula), word != 0 {
            let text = unsafe UnsafePointer<CChar>(bitPattern: UInt(truncatingIfNeeded: word))
            message = unsafe text.map { unsafe String(cString: $0) } ?? ""
        }
        if message.isEmpty {
            message = plan.wantsErrno ? systemMessage(errorNumber) : otherwise
        }
        let isSystemError = plan.wantsErrno && rule.number == nil
        if isSystemError {
            return LinkError(domain: function.library.description.name, number: errorNumber, message: message)
        }
        // An error has 32 bits, and C libraries use all of them, also those of unsigned numbers. One of 64 bits without a
        // sign may be a small negative one, as the size_t of zstd.
        let signed = number > Int128(Int64.max) ? Int128(Int64(truncatingIfNeeded: number)) : number
        let small = Int32(exactly: signed) ?? UInt32(exactly: number).map { Int32(bitPattern: $0) }
        return LinkError(
            domain: function.library.description.name, number: small ?? (number < 0 ? .min : .max),
            message: small != nil || message == otherwise ? message : "\(message) (number \(number))")
    }

    /// `errno` after the call.
    var systemError: Int32 { errorNumber }
}

extension ArgumentPlan {
    /// Whether callers may pass the argument. This includes lengths, which are filled in if they are missing.
    fileprivate var mayBeGiven: Bool {
        if case .length = mode { true } else { isInput }
    }
}
