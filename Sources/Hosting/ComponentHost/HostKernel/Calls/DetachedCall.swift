import CHSLink
import ComponentKit
import Synchronization

/// A call that runs on a thread of the host. It keeps its payload until the method has returned, which may be long
/// after the caller was answered.
// Unchecked: mutable state is guarded by the limiter's lock.
final class DetachedCall: @unchecked Sendable {
    @safe
    // Unchecked: a method is a constant of a component, which the core keeps alive.
    enum Target: @unchecked Sendable {
        /// A method of a component that is not loaded yet.
        case listed(ListedClass, String, SelectorKind)
        case method(UnsafePointer<MethodEntry>)
        case object(CalledObject)
    }

    /// Everything needed to carry out the call.
    struct Work: Sendable {
        fileprivate let target: Target
        fileprivate let payload: Payload
        fileprivate let caller: HostTable?
        fileprivate let carried: Payload?
    }

    let pending: PendingReply
    /// What has led to the call.
    let origin: CallOrigin
    private let core: HostCore
    /// Counts the call.
    let counters: MethodCounters
    /// The calling component; nil for the host's own code.
    let caller: ComponentUnit?
    private let deadline: Deadline?
    /// Taken by the thread that carries out the call, or by the code that releases the work without running it.
    private let work: Lock<Work?>

    // MARK: - Guarded by the limiter

    /// The index among the running calls; negative if the call does not occupy a slot.
    var position = -1
    /// The position in the queue; 0 if the call was never queued.
    var ticket: UInt64 = 0
    /// The thread that carries out the call; nil before it has begun.
    var thread: ThreadContext?
    /// The limiter of another component that the thread is found in after the call has ended: that component, and not
    /// the one that was called, keeps it.
    var blamed: ConcurrencyLimiter?
    /// The deadline for the method to return after its caller has been answered; nil before the answer.
    var patience: Deadline?
    /// Whether the method itself has replied.
    var hasReplied = false

    init(
        _ target: Target, _ payload: Payload, deadline: Deadline?, pending: PendingReply,
        core: HostCore, counters: MethodCounters, caller: HostTable?, carried: Payload?, origin: CallOrigin
    ) {
        self.deadline = deadline
        self.pending = pending
        self.core = core
        self.counters = counters
        self.caller = caller?.unit
        self.origin = origin
        work = Lock(Work(target: target, payload: payload, caller: caller, carried: carried))
    }

    /// Takes the work out of the call. Releasing it may run an author's code.
    func takeWork() -> Work? { work.withLock { $0.take() } }

    /// Carries out the call, on a thread of the host.
    func run() {
        // The deadline passed, or the caller cancelled, before the call's turn came.
        guard let work = takeWork(), pending.isOpen else { return }
        let thread = HostThread.current
        let sleep = origin.sleep
        if let sleep { core.engine.gates.beginCarrying(sleep) }
        // If the system has no threads to give, this thread may be in the middle of another call.
        let outer = unsafe thread.state.pointee.running
        let carriedOut = unsafe thread.state.pointee.carriesOut
        var running = unsafe ThreadContext.Running()
        unsafe running.origin = unsafe UnsafeRawPointer(Unmanaged.passUnretained(origin).toOpaque())
        unsafe running.base = thread.depth
        unsafe running.depthLimit = ThreadContext.frameCount - origin.depth
        unsafe thread.state.pointee.running = unsafe running
        unsafe thread.state.pointee.carriesOut = unsafe running.origin
        defer {
            unsafe thread.state.pointee.running = unsafe outer
            unsafe thread.state.pointee.carriesOut = unsafe carriedOut
            if let sleep { core.engine.gates.endCarrying(sleep) }
            withExtendedLifetime(origin) {}
        }
        do throws(LinkError) {
            switch work.target {
            case .method(let method): try unsafe call(method, work)
            case .object(let called): try call(called, work)
            case .listed(let listed, let selector, let kind):
                let method = try unsafe core.resolve(
                    listed, selector, kind: kind, for: work.caller?.unit, isWanted: { pending.isOpen })
                // The call may have ended while the component was loading.
                guard pending.isOpen else { return }
                try unsafe call(method, work)
            }
        } catch {
            pending.end(with: error, isReply: true)
        }
    }

    private func call(_ method: UnsafePointer<MethodEntry>, _ work: borrowing Work) throws(LinkError) {
        let counters = unsafe method.pointee.counters.takeUnretainedValue()
        counters.inside.add(1, ordering: .relaxed)
        defer { counters.inside.subtract(1, ordering: .relaxed) }
        settle(
            unsafe try work.payload.withUnsafeValue { value throws(LinkError) in
                try unsafe DetachedCall.withCarried(work.carried) { carried throws(LinkError) in
                    unsafe try core.engine.invoke(
                        method, value, pending: pending, on: .current,
                        terms: CallTerms(
                            caller: work.caller?.caller ?? hslink_string(), deadline: deadline?.nanoseconds ?? 0,
                            table: work.caller.map { unsafe Unmanaged.passUnretained($0) }, carried: carried))
                }
            })
    }

    private func call(_ called: CalledObject, _ work: borrowing Work) throws(LinkError) {
        settle(
            unsafe try DetachedCall.withCarried(work.carried) { carried throws(LinkError) in
                unsafe try core.engine.invoke(
                    called, work.payload, pending: pending, on: .current,
                    terms: CallTerms(
                        caller: work.caller?.caller ?? hslink_string(), deadline: deadline?.nanoseconds ?? 0,
                        table: work.caller.map { unsafe Unmanaged.passUnretained($0) }, carried: carried))
            })
    }

    private static func withCarried<Result, Failure: Error>(
        _ carried: Payload?, _ body: (UnsafePointer<hslink_value>?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let carried else { return try body(nil) }
        return try unsafe carried.withUnsafeValue { value throws(Failure) in
            unsafe ThreadContext.current.state.pointee.running.carried = unsafe value
            return try unsafe body(value)
        }
    }

    /// Ends the call with an error if its method returned without a reply and will not reply later.
    private func settle(_ status: Int32) {
        if status == Int32(HSLINK_LATER) { return }
        pending.end(
            with: status == Int32(HSLINK_REPLIED) ? LinkError(.noReply) : CallEngine.noReply(status), isReply: true)
    }
}
