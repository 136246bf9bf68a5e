import CFFI
import CHSLink
import ComponentKit
import Glibc

extension CallFrame {
    /// Reads the outputs and the result.
    ///
    /// - Throws: The first `LinkError` from a callback, or the error from the error rule.
    mutating func finish(_ failures: CallbackFailures?) throws(LinkError) -> Payload {
        let plan = plan
        var failure = failure(failures)
        let isFailed = failure != nil
        releaseFailures()
        defer { freeKept() }
        if !plan.hasOutputs {
            if let failure {
                discardResult()
                throw failure
            }
            return try readResult()
        }
        var entries: [(String, Payload)] = []
        entries.reserveCapacity(plan.arguments.count + 2)
        // If the call failed, output handles are still read, so that they are released.
        for (index, argument) in plan.arguments.enumerated() where argument.isOutput {
            guard failure == nil || argument.bringsHandle else {
                discardOutput(argument)
                continue
            }
            do throws(LinkError) {
                entries.append((argument.name, try readOutput(argument, index, isFailed: isFailed)))
            } catch {
                failure = failure ?? error
            }
        }
        if let failure {
            discardResult()
            throw failure
        }
        switch plan.result {
        case .none, .ignored: break
        default: entries.append(("return", try readResult()))
        }
        if plan.wantsErrno { entries.append(("errno", .int(Int64(systemError)))) }
        return .map(entries)
    }

    private mutating func freeKept() {
        for unsafe(_, memory) in unsafe kept { unsafe free(memory) }
        unsafe kept = [:]
    }

    // MARK: Outputs

    private mutating func readOutput(
        _ argument: ArgumentPlan, _ index: Int, isFailed: Bool
    ) throws(LinkError) -> Payload {
        let place = unsafe base + argument.offset
        let target = unsafe place.load(as: UnsafeMutableRawPointer?.self)
        switch argument.mode {
        case .plain(.integer(let form)), .length(let form, _), .field(.integer(let form)):
            return unsafe CValueToPayload.integer(form, at: UnsafeRawPointer(place))
        case .plain(let form), .field(let form):
            var reader = CValueToPayload()
            return unsafe reader.read(form, at: UnsafeRawPointer(place))
        case .value(.handle(let kind), _):
            guard let pointer = unsafe target?.load(as: UnsafeMutableRawPointer?.self) else { return .null }
            return unsafe wrap(
                pointer, kind, keeps: argument.keeps, partOf: argument.isPart ? argument.keeps : nil, as: .output(index)
            )
        case .left(let plan):
            return try unsafe readTarget(plan, target?.load(as: UnsafeMutableRawPointer?.self))
        case .value(let form, _):
            guard let target = unsafe target else { return .null }
            var reader = unsafe CValueToPayload(rooms: writer.rooms)
            defer { unsafe release(target, argument.release) }
            return unsafe reader.read(form, at: target)
        case .buffer(let buffer):
            guard let target = unsafe target else { return .null }
            return try unsafe read(buffer, target, capacity: counts[index] ?? 0)
        case .new(let kind, _, _):
            // If the call failed, the struct was not initialised, so there is nothing to release.
            guard !isFailed, let memory = unsafe kept.removeValue(forKey: index) else { return .null }
            let release = unsafe function.library.release(kind.release)
            let handle = unsafe ForeignHandle(
                memory, kind, release: release, parent: handle(of: argument.keeps), memory: memory,
                owner: function.library.owner)
            return payload(handle, as: .output(index))
        default: return .null
        }
    }

    private func read(
        _ buffer: BufferPlan, _ target: UnsafeMutableRawPointer, capacity: Int
    ) throws(LinkError) -> Payload {
        if case .text = buffer.content {
            let text = unsafe target.assumingMemoryBound(to: CChar.self)
            return unsafe CValueToPayload.text(text, length: strnlen(text, capacity))
        }
        // Evaluate again: the call may have changed a length behind a pointer.
        let formula = buffer.used ?? buffer.size
        guard let used = evaluate(formula, room: capacity) else {
            throw LinkError(.invalidReply, message: "the length of the output cannot be computed")
        }
        let count = Int(min(max(used, 0), Int128(capacity)))
        switch buffer.content {
        case .items(let form):
            var reader = unsafe CValueToPayload(rooms: writer.rooms)
            return unsafe reader.items(form, at: target, count: count, stride: buffer.stride)
        case .measuredText:
            return unsafe CValueToPayload.text(target.assumingMemoryBound(to: CChar.self), length: count)
        default: return unsafe Payload(copyingBytes: UnsafeRawBufferPointer(start: target, count: count))
        }
    }

    /// Releases what a failed call has left. Its structs were not filled in, so they hold nothing to release.
    private func discardOutput(_ argument: ArgumentPlan) {
        guard case .left = argument.mode, argument.release != nil else { return }
        let target = unsafe (base + argument.offset).load(as: UnsafeMutableRawPointer?.self)
        unsafe release(target?.load(as: UnsafeMutableRawPointer?.self), argument.release)
    }

    /// Releases what the function has left in the places of errors.
    private func releaseFailures() {
        for (index, _) in plan.failures {
            let target = unsafe (base + plan.arguments[index].offset).load(as: UnsafeMutableRawPointer?.self)
            unsafe release(target?.load(as: UnsafeMutableRawPointer?.self), plan.arguments[index].release)
        }
    }

    private func release(_ data: UnsafeMutableRawPointer?, _ name: String?) {
        guard let data = unsafe data, let release = unsafe function.library.release(name) else { return }
        unsafe hslink_ffi_release(release, data)
    }

    private mutating func wrap(
        _ pointer: UnsafeMutableRawPointer, _ kind: HandleKind, keeps: Int?, partOf: Int?, as lifetime: Lifetime
    ) -> Payload {
        let parent = handle(of: partOf ?? keeps)
        let handle = unsafe ForeignHandle(
            pointer, kind, release: function.library.release(kind.release), parent: parent, isPart: partOf != nil,
            owner: function.library.owner)
        return payload(handle, as: lifetime)
    }

    private mutating func payload(_ handle: ForeignHandle, as lifetime: Lifetime) -> Payload {
        keep(lifetime, in: handle)
        cameOut.append(handle)
        return handle.payload
    }

    // MARK: The result

    private mutating func readResult() throws(LinkError) -> Payload {
        switch plan.result {
        case .none, .ignored: return .null
        case .plain(.integer(let form)): return unsafe CValueToPayload.integer(form, at: UnsafeRawPointer(result))
        case .plain(let form):
            var reader = CValueToPayload()
            return unsafe reader.read(form, at: UnsafeRawPointer(result))
        case .handle(let kind, let keeps, let partOf):
            guard let pointer = unsafe resultPointer else { return .null }
            return unsafe wrap(pointer, kind, keeps: keeps, partOf: partOf, as: .result)
        default: return try unsafe readTarget(plan.result, resultPointer)
        }
    }

    /// Reads what a pointer leads to that the function has returned or left, and releases it.
    private func readTarget(
        _ plan: ResultPlan, _ pointer: UnsafeMutableRawPointer?
    ) throws(LinkError) -> Payload {
        guard let target = unsafe pointer else { return .null }
        defer { unsafe release(target, plan.dataRelease) }
        var reader = CValueToPayload()
        switch plan {
        case .none, .ignored, .plain, .handle: return .null
        case .object: return try unsafe KeptValue.value(at: target)
        case .text: return unsafe CValueToPayload.text(UnsafePointer(target.assumingMemoryBound(to: CChar.self)))
        case .measuredText(let formula, _):
            let count = try resultCount(formula, limit: CallArena.maximumSize)
            return unsafe CValueToPayload.text(target.assumingMemoryBound(to: CChar.self), length: count)
        case .value(let form, _): return unsafe reader.read(form, at: UnsafeRawPointer(target))
        case .bytes(let formula, _):
            let count = try resultCount(formula, limit: CallArena.maximumSize)
            return unsafe Payload(copyingBytes: UnsafeRawBufferPointer(start: target, count: count))
        case .items(let form, let formula, _):
            let count = try resultCount(formula, limit: form.maximumItems)
            return unsafe reader.items(form, at: UnsafeRawPointer(target), count: count, stride: form.size)
        case .endedItems(let form, _): return unsafe reader.endedItems(form, at: UnsafeRawPointer(target))
        }
    }

    private var resultPointer: UnsafeMutableRawPointer? {
        unsafe result.load(as: UnsafeMutableRawPointer?.self)
    }

    private func resultCount(_ formula: BoundFormula, limit: Int) throws(LinkError) -> Int {
        guard let count = evaluate(formula), count >= 0, count <= Int128(limit) else {
            throw LinkError(.invalidReply, message: "the length of the result is out of range")
        }
        return Int(count)
    }

    /// Releases the result of a failed call.
    private mutating func discardResult() {
        guard case .handle = plan.result else { return unsafe release(resultPointer, plan.result.dataRelease) }
        // A result that its rule calls a failure is not a handle.
        let isFailure = plan.errorRule.map { unsafe $0.isFailure($0.form.number(UnsafeRawPointer(result))) }
        if isFailure != true { _ = try? readResult() }
    }
}

extension ArgumentPlan {
    /// Whether the output is a handle.
    fileprivate var bringsHandle: Bool {
        switch mode {
        case .value(.handle, _), .new: true
        default: false
        }
    }
}
