import CHSLink
import ComponentKit
import Glibc

/// A bound call as a component holds it: an object whose empty selector calls the method.
@safe
// Unchecked: `record` is a pointer, which no compiler can follow; what it leads to is written in init and never again.
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

    /// The bound call behind an object; nil for any other object.
    static func of(_ object: UnsafeMutablePointer<hslink_object>) -> BoundObject? {
        guard unsafe object.pointee.type == BoundObject.type else { return nil }
        return unsafe unmanaged(object).takeUnretainedValue()
    }

    /// Carries out a component's call as one of the component that provides the method, not as one of an object
    /// that anybody may own: whoever never returns takes threads from calls to himself only.
    func start(_ request: borrowing CallRequest, _ completion: CallCompletion) -> CallIdentifier? {
        guard !caller.isClosed else {
            completion.fail(.stopped, LinkError(.stopped, component: caller.unit.name))
            return nil
        }
        return method.start(
            request.payload, request.deadline, isDetached: request.isDetached, from: caller,
            flags: request.waits ? UInt32(HSLINK_CALL_WAITS) : 0, completion)
    }

    private static func unmanaged(_ object: UnsafeMutablePointer<hslink_object>) -> Unmanaged<BoundObject> {
        let record = unsafe UnsafeRawPointer(object).assumingMemoryBound(to: Record.self)
        return unsafe Unmanaged<BoundObject>.fromOpaque(record.pointee.object)
    }

    /// Written once when it is made, read-only from then on.
    nonisolated(unsafe) private static let type: UnsafePointer<hslink_object_type> = {
        let type = UnsafeMutablePointer<hslink_object_type>.allocate(capacity: 1)
        unsafe type.initialize(
            to: hslink_object_type(
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
        return unsafe UnsafePointer(type)
    }()

    /// Passes the payload on as it is: it is the caller's until the method has returned.
    private func invoke(_ payload: UnsafePointer<hslink_value>, _ call: UnsafePointer<hslink_call>) -> Int32 {
        let reply = unsafe call.pointee.reply
        guard !caller.isClosed else {
            return unsafe HostTable.fail(reply, LinkError(.stopped, component: caller.unit.name))
        }
        let started = unsafe method.core.run(
            method.entry, payload, caller: caller.caller, deadline: call.pointee.deadline, flags: call.pointee.flags,
            .outcome { outcome in unsafe HostTable.complete(reply, outcome) })
        guard let started else { return Int32(HSLINK_REPLIED) }
        unsafe HostTable.end(started, with: reply)
        return Int32(HSLINK_LATER)
    }
}
