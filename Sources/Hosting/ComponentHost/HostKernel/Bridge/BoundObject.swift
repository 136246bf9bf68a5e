import CHSLink
import ComponentKit
import Glibc

/// The object that represents a bound call in a component. Invoking the empty selector on it calls the method.
@safe
// Unchecked: the compiler cannot reason about the pointer `record`; its memory is written once, in init.
final class BoundObject: @unchecked Sendable {
    @unsafe
    private struct Record {
        var base: hslink_object
        var object: UnsafeMutableRawPointer
    }

    private let method: HostBoundMethod
    private let caller: HostTable
    private let record: UnsafeMutablePointer<Record>

    private init(_ method: HostBoundMethod, _ caller: HostTable) {
        self.method = method
        self.caller = caller
        unsafe record = .allocate(capacity: 1)
        unsafe record.initialize(
            to: Record(
                base: hslink_object(type: BoundObject.type), object: Unmanaged.passUnretained(self).toOpaque()))
    }

    deinit { unsafe record.deallocate() }

    /// Makes an object with one reference, which the caller owns.
    static func make(_ method: HostBoundMethod, caller: HostTable) -> UnsafeMutablePointer<hslink_object> {
        let object = BoundObject(method, caller)
        _ = unsafe Unmanaged.passRetained(object)
        return unsafe UnsafeMutableRawPointer(object.record).assumingMemoryBound(to: hslink_object.self)
    }

    /// Returns the bound call that an object represents, or nil for any other object.
    static func of(_ object: UnsafeMutablePointer<hslink_object>) -> BoundObject? {
        guard unsafe object.pointee.type == BoundObject.type else { return nil }
        return unsafe unmanaged(object).takeUnretainedValue()
    }

    /// Makes the component's call. It counts as a call to the component that provides the method, rather than as a call
    /// to an object whose owner is unknown, so a method that never returns takes threads only from its own component.
    func begin(_ payload: borrowing Payload, _ mode: CallMode, carried: Payload?) -> BegunCall {
        guard !caller.isClosed else { return .ended(.failure(LinkError(.stopped, component: caller.unit.name))) }
        return unsafe method.core.beginMethod(method.method, payload, mode: mode, from: caller, carried: carried)
    }

    private static func unmanaged(_ object: UnsafeMutablePointer<hslink_object>) -> Unmanaged<BoundObject> {
        let record = unsafe UnsafeRawPointer(object).assumingMemoryBound(to: Record.self)
        return unsafe Unmanaged<BoundObject>.fromOpaque(record.pointee.object)
    }

    /// Written once, at initialisation, and read-only afterwards.
    nonisolated(unsafe) private static let type = unsafe UnsafePointer(
        constant: hslink_object_type(
            struct_size: UInt32(MemoryLayout<hslink_object_type>.size), reserved: 0,
            name: hslink_string_c(strdup("bound call")),
            retain: { _ = unsafe BoundObject.unmanaged($0).retain() },
            release: { unsafe BoundObject.unmanaged($0).release() },
            invoke: { object, selector, payload, call in
                let bound = unsafe BoundObject.unmanaged(object).takeUnretainedValue()
                guard unsafe selector.length == 0 else {
                    return unsafe HostTable.fail(
                        call.pointee.reply, LinkError(.selectorNotFound, selector: String(name: selector)))
                }
                return unsafe bound.invoke(payload, call)
            }, get_extension: nil))

    /// Forwards the payload without copying it: the caller keeps it valid until the method has returned.
    private func invoke(_ payload: UnsafePointer<hslink_value>, _ call: UnsafePointer<hslink_call>) -> Int32 {
        let reply = unsafe call.pointee.reply
        guard !caller.isClosed else {
            return unsafe HostTable.fail(reply, LinkError(.stopped, component: caller.unit.name))
        }
        let deadline = unsafe call.pointee.deadline
        guard Deadline(boundary: deadline)?.hasPassed != true else {
            return unsafe HostTable.fail(reply, method.method.pointee.refused(LinkError(.deadlineExceeded)))
        }
        if let carried = unsafe call.pointee.carried {
            do throws(PayloadError) {
                try unsafe Payload.checkCarried(carried.pointee)
            } catch {
                return unsafe HostTable.fail(reply, method.method.pointee.refused(LinkError(thrown: error)))
            }
        }
        let terms = unsafe CallTerms(
            caller: caller.caller, deadline: deadline, flags: call.pointee.flags,
            table: Unmanaged.passUnretained(caller), carried: call.pointee.carried)
        let engine = method.core.engine
        let begun =
            method.core.isTracing
            ? unsafe trace(payload, terms) : unsafe engine.beginInPlace(method.method, payload, terms: terms)
        return unsafe HostTable.answer(reply, with: begun, callerSleeps: terms.callerSleeps, engine: engine)
    }

    /// Makes the call in a tracing span, and adds the span's strings to those that the call carries.
    @inline(never)
    private func trace(_ payload: UnsafePointer<hslink_value>, _ terms: CallTerms) -> BegunCall {
        let linkClass = unsafe method.method.pointee.linkClass.takeUnretainedValue()
        let names = unsafe (linkClass.name, method.method.pointee.selector)
        let carried = unsafe terms.carried.flatMap { unsafe try? Payload(carried: $0.pointee) }
        return method.core.traced(names, unit: linkClass.unit, from: caller, carried: carried) { carried in
            guard let carried else {
                return unsafe method.core.engine.beginInPlace(method.method, payload, terms: terms)
            }
            return unsafe carried.withUnsafeValue { value in
                var terms = unsafe terms
                unsafe terms.carried = unsafe value
                return unsafe method.core.engine.beginInPlace(method.method, payload, terms: terms)
            }
        }
    }
}
