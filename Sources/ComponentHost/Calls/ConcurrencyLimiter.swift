import ComponentKit
import Synchronization

/// The detached calls of one component: how many run at a time, which wait for their turn, and which are inside though
/// they have ended. Slow calls of one component take no thread from those of another.
final class ConcurrencyLimiter: Sendable {
    @safe
    private struct State {
        /// Those inside, some of them asleep.
        var running: [DetachedCall] = []
        /// Those inside whose threads sleep until a call of theirs has ended: they take nobody's place.
        var sleeping = 0
        var queue = CallQueue()
        var isStuck = false
        /// It became stuck or recovered, and that has not been logged yet.
        var hasChanged = false
        var isCheckScheduled = false
        /// What calls of the component look at; nil until it is loaded.
        nonisolated(unsafe) var runState: UnsafeMutablePointer<ComponentRunState>?
    }

    private let state = Lock(State())
    private let limit: Int
    private let stuckLimit: Int
    /// How many threads of the host the component may have, those that sleep included: the host has some for others.
    private let threadLimit: Int
    /// How long a method may stay inside after its call has ended before it counts as stuck: neither one that is about to
    /// return, nor one whose callers are impatient, makes its component stuck.
    private let patience: Duration
    private let log: @Sendable (_ isStuck: Bool) -> Void

    /// - Parameter component: its name; nil where nobody knows it.
    init(_ options: HostOptions, of component: String?) {
        log = { isStuck in
            guard let component else { return }
            options.log(
                .warning,
                isStuck
                    ? "it is stuck: \(options.stuckLimit) threads or more are inside for calls that have ended; calls to it "
                        + "fail until some return"
                    : "it takes calls again",
                component: component)
        }
        limit = max(1, options.concurrencyLimit)
        threadLimit = max(limit * 4, 256)
        // With all places taken for good it would wait without a word.
        stuckLimit = max(1, min(options.stuckLimit, limit))
        patience = options.stuckPatience
    }

    /// How many calls have ended while their methods are still running.
    var stuckCount: Int {
        state.withLock { state in
            state.running.count {
                $0.hasStarted && $0.patience != nil && (!$0.hasReplied || isAbandoned($0))
            }
        }
    }

    var isStuck: Bool { state.withLock { $0.isStuck } }

    /// How many threads inside sleep until a call of theirs has ended.
    var sleepingCount: Int { state.withLock { $0.sleeping } }

    /// Whether the component has as many threads of the host as it may: calls that sleep until others of their own have
    /// ended have taken them.
    var isFull: Bool { state.withLock { $0.running.count >= threadLimit } }

    /// The component has been loaded.
    func attach(_ runState: UnsafeMutablePointer<ComponentRunState>) {
        state.withLock { unsafe $0.runState = unsafe runState }
    }

    // MARK: - Running calls

    /// Runs the call on a thread of the engine, now or when there is a place for it.
    func submit(_ call: DetachedCall, _ engine: CallEngine) {
        let (mayRun, refused) = withState { state -> (Bool, [DetachedCall]) in
            if state.running.count >= stuckLimit { judge(&state) }
            guard !state.isStuck else {
                return (false, takeRefused(&state) + [call])
            }
            guard state.running.count - state.sleeping < limit else {
                state.queue.append(call)
                scheduleCheck(&state, engine)
                return (false, [])
            }
            add(call, &state)
            return (true, [])
        }
        if mayRun { start(call, engine) }
        refuse(refused)
    }

    private func start(_ call: DetachedCall, _ engine: CallEngine) {
        engine.pool.submit { [self] in
            var next: DetachedCall? = call
            self.state.withLock { _ in call.hasStarted = true }
            while let call = next {
                call.run()
                next = takeNext(after: call)
            }
        }
    }

    /// The caller has its answer; the method may still be running.
    ///
    /// - Parameter isReply: the method itself has replied, so it may be about to return.
    func callEnded(_ call: DetachedCall, isReply: Bool, _ engine: CallEngine) {
        let isInside = state.withLock { state in
            guard call.position >= 0 else {
                state.queue.remove(call)
                return false
            }
            call.patience = .after(patience)
            call.hasReplied = isReply
            if !state.queue.isEmpty || (!isReply && state.running.count >= stuckLimit) {
                scheduleCheck(&state, engine)
            }
            return true
        }
        if !isInside { engine.releaseWork(of: call) }
    }

    private func takeNext(after call: DetachedCall) -> DetachedCall? {
        withState { state in
            remove(call, &state)
            if state.isStuck { judge(&state) }
            guard state.running.count - state.sleeping < limit, let next = state.queue.popFirst() else { return nil }
            add(next, &state)
            next.hasStarted = true
            return next
        }
    }

    // MARK: - Sleepers

    /// A thread inside begins to sleep until a call that it made has ended; another may take its place, since that call may
    /// be one of this component.
    func beginSleep(_ engine: CallEngine) {
        let next = state.withLock { state -> DetachedCall? in
            state.sleeping += 1
            guard state.running.count - state.sleeping < limit, state.running.count < threadLimit,
                let next = state.queue.popFirst()
            else { return nil }
            add(next, &state)
            return next
        }
        if let next { start(next, engine) }
    }

    /// The thread is awake again and counts as running, even if that exceeds the limit.
    func endSleep() { state.withLock { $0.sleeping -= 1 } }

    // MARK: - Stuck

    /// What may find that it is stuck, or is no longer; that is logged behind the lock.
    ///
    /// - Parameter engine: has a thread for the log where this one serves all, and logging may take its time.
    private func withState<Result>(loggingOn engine: CallEngine? = nil, _ body: (inout State) -> Result) -> Result {
        let (result, change) = state.withLock { state -> (Result, Bool?) in
            let result = body(&state)
            defer { state.hasChanged = false }
            return (result, state.hasChanged ? state.isStuck : nil)
        }
        if let change {
            if let engine { engine.callers.submit { [log] in log(change) } } else { log(change) }
        }
        return result
    }

    /// Whether it is inside for nothing. One that waits for a thread is not inside yet.
    private func isAbandoned(_ call: DetachedCall) -> Bool { call.hasStarted && call.patience?.hasPassed == true }

    /// Decides whether as many threads as allowed are inside for nothing.
    private func judge(_ state: inout State) {
        let isStuck = state.running.count { isAbandoned($0) } >= stuckLimit
        guard isStuck != state.isStuck else { return }
        state.isStuck = isStuck
        state.hasChanged.toggle()
        unsafe state.runState?.setStuck(isStuck)
    }

    /// Those that wait for a place that none of the stuck calls will give.
    private func takeRefused(_ state: inout State) -> [DetachedCall] { state.isStuck ? state.queue.removeAll() : [] }

    private func refuse(_ calls: [DetachedCall]) {
        for call in calls { call.pending.end(with: LinkError(.stuck)) }
    }

    /// Schedules another check after the patience, since no other event may trigger one.
    private func scheduleCheck(_ state: inout State, _ engine: CallEngine) {
        guard !state.isStuck, !state.isCheckScheduled, state.running.contains(where: { $0.patience != nil }) else {
            return
        }
        state.isCheckScheduled = true
        engine.timer.schedule(.after(patience + .milliseconds(10))) { [weak self, weak engine] in
            guard let self, let engine else { return }
            let refused = withState(loggingOn: engine) { state -> [DetachedCall] in
                state.isCheckScheduled = false
                judge(&state)
                if !state.isStuck, !state.queue.isEmpty { scheduleCheck(&state, engine) }
                return takeRefused(&state)
            }
            refuse(refused)
        }
    }

    // MARK: - Places

    private func add(_ call: DetachedCall, _ state: inout State) {
        call.position = state.running.count
        state.running.append(call)
    }

    private func remove(_ call: DetachedCall, _ state: inout State) {
        let last = state.running.removeLast()
        if last !== call {
            state.running[call.position] = last
            last.position = call.position
        }
        call.position = -1
    }
}

/// Calls that wait for their turn, the first first; any of them may be taken out.
private struct CallQueue {
    private var order: [UInt64] = []
    private var first = 0
    private var calls: [UInt64: DetachedCall] = [:]
    private var lastTicket: UInt64 = 0

    var isEmpty: Bool { calls.isEmpty }

    mutating func append(_ call: DetachedCall) {
        lastTicket += 1
        call.ticket = lastTicket
        calls[lastTicket] = call
        order.append(lastTicket)
    }

    mutating func popFirst() -> DetachedCall? {
        while first < order.count {
            let call = calls.removeValue(forKey: order[first])
            first += 1
            if first > 1024, first > order.count / 2 {
                order.removeFirst(first)
                first = 0
            }
            if call != nil { return call }
        }
        order = []
        first = 0
        return nil
    }

    /// Takes out a call, if it waits here.
    mutating func remove(_ call: DetachedCall) {
        guard call.ticket != 0, calls.removeValue(forKey: call.ticket) != nil else { return }
        // Tickets of those that were taken out go when they are more than the others.
        if order.count - first > 64, calls.count < (order.count - first) / 2 {
            order = order[first...].filter { calls[$0] != nil }
            first = 0
        }
    }

    mutating func removeAll() -> [DetachedCall] {
        defer { self = CallQueue(lastTicket: lastTicket) }
        return order[first...].compactMap { calls[$0] }
    }

    init(lastTicket: UInt64 = 0) { self.lastTicket = lastTicket }
}
