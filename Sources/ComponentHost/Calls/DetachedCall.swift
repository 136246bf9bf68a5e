import CHSLink
import ComponentKit
import Synchronization

/// One call on a thread of the host. Its payload is kept until the method has returned, which may be long after the caller
/// was answered.
// Unchecked: what changes is guarded by the limiter's lock.
final class DetachedCall: @unchecked Sendable {
    @safe
    // Unchecked: a method is a constant of a component, which the core keeps.
    enum Target: @unchecked Sendable {
        /// A method of a component that is not loaded yet.
        case listed(ListedClass, String, SelectorKind)
        case method(UnsafePointer<MethodEntry>)
        case object(LinkObject, String)
    }

    /// What it takes to carry the call out.
    struct Work: Sendable {
        fileprivate let target: Target
        fileprivate let payload: Payload
        fileprivate let caller: HostTable?
        fileprivate let carried: Payload?
        fileprivate let origin: CallOrigin
    }

    let pending: PendingReply
    private let core: HostCore
    /// The component that calls; nil for the host's own code.
    let caller: ComponentUnit?
    private let deadline: Deadline?
    /// Taken by the thread that carries it out, or by who lets go of it before one does.
    private let work: Lock<Work?>

    // MARK: - Guarded by the limiter

    /// The place among those that run; negative: none.
    var position = -1
    /// The place among those that wait.
    var ticket: UInt64 = 0
    /// Whether a thread has begun to carry it out.
    var hasStarted = false
    /// Until when its method may stay inside, once it has ended for its caller.
    var patience: Deadline?
    /// Whether its method has replied itself.
    var hasReplied = false

    init(
        _ target: Target, _ payload: Payload, _ deadline: Deadline?, _ pending: PendingReply,
        core: HostCore, caller: HostTable?, carried: Payload?, origin: CallOrigin
    ) {
        self.deadline = deadline
        self.pending = pending
        self.core = core
        self.caller = caller?.unit
        work = Lock(Work(target: target, payload: payload, caller: caller, carried: carried, origin: origin))
    }

    /// Takes what only a thread that carries the call out needs; its end may run an author's code.
    func takeWork() -> Work? { work.withLock { $0.take() } }

    /// Carries the call out, on a thread of the host.
    func run() {
        // Nobody waits any more: the deadline passed, or the caller gave up, before its turn came.
        guard let work = takeWork(), pending.isOpen else { return }
        let thread = ThreadContext.current
        let sleep = work.origin.sleep
        if let sleep { core.engine.gates.beginCarrying(sleep) }
        // Where the system has no threads, this one is in the middle of something else.
        let outer = unsafe (thread.state.pointee.origin, thread.state.pointee.depthLimit, thread.state.pointee.carried)
        unsafe thread.state.pointee.origin = unsafe UnsafeRawPointer(
            Unmanaged.passUnretained(work.origin).toOpaque())
        unsafe thread.state.pointee.depthLimit = ThreadContext.frameCount - work.origin.depth
        unsafe thread.state.pointee.carried = nil
        defer {
            unsafe (thread.state.pointee.origin, thread.state.pointee.depthLimit, thread.state.pointee.carried) =
                unsafe outer
            if let sleep { core.engine.gates.endCarrying(sleep) }
            withExtendedLifetime(work.origin) {}
        }
        do throws(LinkError) {
            switch work.target {
            case .method(let method): try unsafe call(method, work)
            case .object(let object, let selector): call(object, selector, work)
            case .listed(let listed, let selector, let kind):
                let method = try unsafe core.resolve(
                    listed, selector, kind, for: work.caller?.unit, isWanted: { pending.isOpen })
                // Loading may have taken longer than the caller had patience.
                guard pending.isOpen else { return }
                try unsafe call(method, work)
            }
        } catch {
            pending.end(with: error, isReply: true)
        }
    }

    private func call(_ method: UnsafePointer<MethodEntry>, _ work: borrowing Work) throws(LinkError) {
        settle(
            unsafe try work.payload.withUnsafeValue { value throws(LinkError) in
                try unsafe DetachedCall.withCarried(work.carried) { carried throws(LinkError) in
                    unsafe try core.engine.invoke(
                        method, value, pending, on: .current,
                        CallTerms(
                            caller: work.caller?.caller ?? hslink_string(), deadline: deadline?.nanoseconds ?? 0,
                            table: work.caller.map { unsafe Unmanaged.passUnretained($0) }, carried: carried))
                }
            })
    }

    private func call(_ object: LinkObject, _ selector: String, _ work: borrowing Work) {
        unsafe DetachedCall.withCarried(work.carried) { carried in
            var call = unsafe hslink_call(
                pending.handle(on: .current), flags: 0, deadline: deadline?.nanoseconds ?? 0,
                caller: work.caller?.caller ?? hslink_string())
            unsafe call.carried = unsafe carried
            settle(unsafe object.invoke(selector, work.payload, call))
        }
    }

    private static func withCarried<Result, Failure: Error>(
        _ carried: Payload?, _ body: (UnsafePointer<hslink_value>?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let carried else { return try body(nil) }
        return try unsafe carried.withUnsafeValue { value throws(Failure) in
            unsafe ThreadContext.current.state.pointee.carried = unsafe value
            return try unsafe body(value)
        }
    }

    /// A method that says it has replied, and has not, ends the call here.
    private func settle(_ status: Int32) {
        if status == Int32(HSLINK_LATER) { return }
        pending.end(
            with: status == Int32(HSLINK_REPLIED) ? LinkError(.noReply) : CallEngine.noReply(status), isReply: true)
    }
}
