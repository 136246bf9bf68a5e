import CHSLink
import ComponentKit
import Synchronization

/// What a detached call goes to.
@safe
enum CallTarget {
    case method(UnsafePointer<MethodEntry>)
    case object(LinkObject, String)
}

extension HostCore {
    /// Runs a call on a thread of the host. The call keeps its payload until the method has returned, which
    /// may be long after the caller was answered.
    ///
    /// - Parameters:
    ///   - unit: the component that the call goes to; nil for an object, whose owner is not known.
    ///   - find: resolves the target on the thread of the host, since that may load the component.
    func detach(
        _ unit: ComponentUnit?, _ payload: Payload, _ deadline: Deadline?, from caller: HostTable?,
        names: (className: String, selector: String),
        _ completion: CallCompletion,
        _ find: @escaping @Sendable (HostCore) throws(LinkError) -> CallTarget
    ) -> CallIdentifier? {
        if let unit, unit.isStuck {
            completion.fail(
                LinkError(.stuck, className: names.className, selector: names.selector, component: unit.name))
            return nil
        }
        let lane = unit?.lane ?? objectLane
        let thread = CallThread.current
        let pending = PendingReply.open(on: thread, ledger: unit?.ledger.index ?? 0)
        let key = unit?.outstanding.add(pending)
        let call = DetachedCall(
            core: self, lane: lane, unit: unit, payload: payload, deadline: deadline, caller: caller,
            pending: pending, find: find)
        // Before anything can end the call: its end takes the timer's item back.
        let item = deadline.map { deadline in timer.schedule(deadline) { call.expire() } }
        pending.whenDone(on: thread) { [timer] outcome in
            if let item { timer.cancel(item) }
            if let key { unit?.outstanding.remove(key) }
            // Its payload may be large, and the calls before it may never end.
            if call.isQueued { lane.drop(call) }
            completion.finish(
                outcome.mapError {
                    $0.naming(className: names.className, selector: names.selector, component: unit?.name ?? "")
                })
        }
        lane.submit(call, to: pool)
        return pending.identifier
    }
}

/// One call on a thread of the host.
final class DetachedCall: Sendable {
    private enum Phase {
        static let queued = 0
        static let inside = 1
        static let insideLate = 2
        static let over = 3
    }

    private let core: HostCore
    private let lane: CallLane
    private let unit: ComponentUnit?
    private let payload: Payload
    private let deadline: Deadline?
    private let caller: HostTable?
    private let pending: PendingReply
    private let find: @Sendable (HostCore) throws(LinkError) -> CallTarget
    private let phase = Atomic<Int>(Phase.queued)

    /// Whether it has not begun.
    var isQueued: Bool { phase.load(ordering: .relaxed) == Phase.queued }

    init(
        core: HostCore, lane: CallLane, unit: ComponentUnit?, payload: Payload, deadline: Deadline?,
        caller: HostTable?, pending: PendingReply,
        find: @escaping @Sendable (HostCore) throws(LinkError) -> CallTarget
    ) {
        self.core = core
        self.lane = lane
        self.unit = unit
        self.payload = payload
        self.deadline = deadline
        self.caller = caller
        self.pending = pending
        self.find = find
    }

    /// Runs on a thread of the host.
    func run() {
        phase.store(Phase.inside, ordering: .sequentiallyConsistent)
        defer { finish() }
        // Nobody waits any more: the deadline passed, or the caller gave up, before its turn came.
        guard pending.isOpen else { return }
        do throws(LinkError) {
            switch try find(core) {
            case .method(let entry): unsafe call(entry)
            case .object(let object, let selector): call(object, selector)
            }
        } catch {
            pending.end(with: error)
        }
    }

    private func call(_ entry: UnsafePointer<MethodEntry>) {
        do throws(LinkError) {
            settle(
                unsafe try payload.withUnsafeValue { value throws(LinkError) in
                    unsafe try core.invoke(
                        entry, value, pending, on: .current, caller: caller?.caller ?? hslink_string(),
                        deadline: deadline?.nanoseconds ?? 0, flags: 0)
                })
        } catch {
            pending.end(with: error)
        }
    }

    private func call(_ object: LinkObject, _ selector: String) {
        unsafe settle(
            object.invoke(
                selector, payload,
                hslink_call(
                    struct_size: UInt32(MemoryLayout<hslink_call>.size), flags: 0,
                    reply: pending.handle(on: .current), deadline: deadline?.nanoseconds ?? 0,
                    caller: caller?.caller ?? hslink_string(), component: nil, carried: nil)))
    }

    /// A method that says it has replied, and has not, ends the call here.
    private func settle(_ status: Int32) {
        if status == Int32(HSLINK_LATER) { return }
        pending.end(with: status == Int32(HSLINK_REPLIED) ? LinkError(.noReply) : HostCore.noReply(status))
    }

    /// Runs on the timer's thread when the deadline has come. The caller's own code runs on the pool: it may
    /// block, and other deadlines must hold.
    func expire() {
        core.pool.submit { [self] in endLate() }
    }

    private func endLate() {
        guard pending.end(with: LinkError(.deadlineExceeded)) else { return }
        let isInside = phase.compareExchange(
            expected: Phase.inside, desired: Phase.insideLate, ordering: .sequentiallyConsistent
        ).exchanged
        if isInside { lane.countStuck(1, limit: core.options.stuckLimit, unit) }
    }

    private func finish() {
        if phase.exchange(Phase.over, ordering: .sequentiallyConsistent) == Phase.insideLate {
            lane.countStuck(-1, limit: core.options.stuckLimit, unit)
        }
    }
}
