import ComponentKit
import Synchronization
import SystemSupport

/// Schedules the detached calls of one component: limits how many run at a time, queues the others, and tracks methods
/// that keep running after their calls have ended. Slow calls to one component take no threads from calls to another.
final class ConcurrencyLimiter: Sendable {
    @safe
    private struct State {
        /// The calls that occupy a slot, including those that sleep.
        var running: [DetachedCall] = []
        /// The sleeps of running calls whose threads sleep until calls of their own have ended, by the calls' origins.
        /// These calls do not count towards the limit.
        var sleeping: [ObjectIdentifier: [OnceGates.Sleep]] = [:]
        var queue = CallQueue()
        var isStuck = false
        /// Whether the component has become stuck or recovered since the last log line.
        var hasChanged = false
        var isCheckScheduled = false
        /// The calls of other components that keep running because their threads are inside this one.
        var guests: Set<ObjectIdentifier> = []
        /// The state that every call of the component reads; nil until the component is loaded.
        nonisolated(unsafe) var runState: UnsafeMutablePointer<ComponentRunState>?
    }

    private let state = Lock(State())
    private let limit: Int
    private let stuckLimit: Int
    /// The number of host threads that the component may use, sleeping ones included, so that some are left for others.
    private let threadLimit: Int
    /// How long a method may keep running after its call has ended before it counts as stuck. A method that is about to
    /// return, or one with impatient callers, does not make its component stuck.
    private let patience: Duration
    private let log: @Sendable (_ isStuck: Bool) -> Void

    /// - Parameter component: the name of the component; nil if it is unknown.
    init(_ options: KernelOptions, of component: String?) {
        limit = max(1, options.concurrencyLimit)
        threadLimit = max(limit * 4, 256)
        // If it exceeded the number of slots, stuck calls could occupy them all, and the others would wait forever.
        let stuckLimit = max(1, min(options.stuckLimit, limit))
        self.stuckLimit = stuckLimit
        log = { isStuck in
            guard let component else { return }
            options.log(
                .warning,
                isStuck
                    ? "it is stuck: \(stuckLimit) or more threads are still running methods whose calls have ended; "
                        + "calls to it fail until some of them return"
                    : "it has recovered and accepts calls again",
                component: component)
        }
        patience = options.stuckPatience
    }

    /// The calls that have ended while their methods are still running. A method that has replied counts only after the
    /// patience.
    var stuckCalls: [DetachedCall] { state.withLock { state in state.running.filter(keepsRunning) } }

    /// The number of threads that this component keeps after the calls have ended, also calls to others.
    var stuckCount: Int {
        state.withLock { state in
            state.running.count { keepsRunning($0) && $0.blamed == nil } + state.guests.count
        }
    }

    private func keepsRunning(_ call: DetachedCall) -> Bool {
        call.thread != nil && call.patience != nil && (!call.hasReplied || isAbandoned(call))
    }

    var isStuck: Bool { state.withLock { $0.isStuck } }

    /// The number of threads that run methods of the component and sleep until a call of their own has ended.
    var sleepingCount: Int { state.withLock { $0.sleeping.count } }

    /// Whether the component uses as many host threads as it may, because its calls sleep until calls of their own have
    /// ended.
    var isFull: Bool { state.withLock { $0.running.count >= threadLimit } }

    /// Connects the limiter to the run state of the loaded component.
    func attach(_ runState: UnsafeMutablePointer<ComponentRunState>) {
        unsafe ComponentRunState.set(self, of: runState)
        state.withLock { unsafe $0.runState = unsafe runState }
    }

    // MARK: - Running calls

    /// Runs the call on a thread of the engine, now or once a slot is free.
    func submit(_ call: DetachedCall, _ engine: CallEngine) {
        let (mayRun, refused) = withState { state -> (Bool, [DetachedCall]) in
            if state.running.count >= stuckLimit || !state.guests.isEmpty { judge(&state) }
            guard !state.isStuck else {
                return (false, takeRefused(&state) + [call])
            }
            guard hasSlot(&state) else {
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
            self.state.withLock { _ in call.thread = .current }
            while let call = next {
                call.run()
                TestDelays.pause()
                next = takeNext(after: call, engine)
            }
        }
    }

    /// Records that the caller has been answered. The method may still be running.
    ///
    /// - Parameter isReply: whether the method itself has replied and so may be about to return.
    func callEnded(_ call: DetachedCall, isReply: Bool, _ engine: CallEngine) {
        let isInside = state.withLock { state in
            guard call.position >= 0 else {
                state.queue.remove(call)
                return false
            }
            call.patience = .after(patience)
            call.hasReplied = isReply
            if !state.queue.isEmpty || !isReply { scheduleCheck(&state, engine) }
            return true
        }
        if !isInside { engine.releaseWork(of: call) }
    }

    /// Whether another call may run. Calls whose threads hang in another component keep no slot, since that component
    /// may never let them go.
    private func hasSlot(_ state: inout State) -> Bool {
        let count = state.running.count - state.sleeping.count
        if count < limit { return true }
        // Those that sleep, too, keep none anyway.
        let elsewhere = state.running.count { $0.blamed != nil && state.sleeping[ObjectIdentifier($0.origin)] == nil }
        return state.running.count < threadLimit && count - elsewhere < limit
    }

    /// Gives a queued call a slot.
    private func takeQueued(_ state: inout State) -> DetachedCall? {
        guard hasSlot(&state), let next = state.queue.popFirst() else { return nil }
        add(next, &state)
        return next
    }

    private func takeNext(after call: DetachedCall, _ engine: CallEngine) -> DetachedCall? {
        var blamed: ConcurrencyLimiter?
        var wasAsleep = false
        let next = withState { state -> DetachedCall? in
            remove(call, &state)
            // The thread is awake, even if a call to which its method has forwarded the reply goes on.
            wasAsleep = state.sleeping.removeValue(forKey: ObjectIdentifier(call.origin)) != nil
            blamed = call.blamed.take()
            if state.isStuck { judge(&state) }
            let next = takeQueued(&state)
            next?.thread = .current
            return next
        }
        if wasAsleep { engine.pool.endSleep() }
        blamed?.remove(guest: call)
        return next
    }

    // MARK: - Sleepers

    /// Records that a running thread sleeps until a call of its own has ended. Another call may use its slot, since the
    /// awaited call may be one to this component.
    func beginSleep(_ sleep: OnceGates.Sleep, of origin: CallOrigin, _ engine: CallEngine) {
        let next = state.withLock { state -> DetachedCall? in
            state.sleeping[ObjectIdentifier(origin)] = [sleep]
            guard state.running.count < threadLimit else { return nil }
            return takeQueued(&state)
        }
        if let next { start(next, engine) }
    }

    /// Records another sleep of a thread that counts as sleeping already.
    ///
    /// A method that forwards its reply begins a sleep while it runs, so with more marks on the thread. Once it has
    /// returned, that of its caller takes its place: the caller may be answered while the call to which the reply was
    /// forwarded goes on.
    ///
    /// - Returns: False, without recording anything, if the thread does not count as sleeping.
    func addSleep(_ sleep: OnceGates.Sleep, of origin: CallOrigin) -> Bool {
        state.withLock { state in
            guard var sleeps = state.sleeping[ObjectIdentifier(origin)] else { return false }
            sleeps.removeAll { $0.depth > sleep.depth }
            state.sleeping[ObjectIdentifier(origin)] = sleeps + [sleep]
            return true
        }
    }

    /// Records that a sleep has ended. A thread that is awake again counts as running, even if that exceeds the limit.
    ///
    /// - Returns: Whether the thread has slept until now.
    func endSleep(_ sleep: OnceGates.Sleep, of origin: CallOrigin) -> Bool {
        state.withLock { state in
            guard var sleeps = state.sleeping[ObjectIdentifier(origin)],
                let index = sleeps.firstIndex(where: { $0 === sleep })
            else { return false }
            sleeps.remove(at: index)
            state.sleeping[ObjectIdentifier(origin)] = sleeps.isEmpty ? nil : sleeps
            return sleeps.isEmpty
        }
    }

    // MARK: - Stuck components

    /// Runs `body` under the lock, then logs if the component has become stuck or has recovered.
    ///
    /// - Parameter engine: the engine whose threads write the log line; required on a thread that serves all
    ///   components, since logging may block.
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

    /// Whether the method is still running long after its call has ended. A call that waits for a thread has not
    /// started yet.
    private func isAbandoned(_ call: DetachedCall) -> Bool { call.thread != nil && call.patience?.hasPassed == true }

    /// Updates the stuck state from the number of abandoned calls whose threads are in this component.
    private func judge(_ state: inout State) {
        let own = state.running.count { isAbandoned($0) && $0.blamed == nil }
        let isStuck = own + state.guests.count >= stuckLimit
        guard isStuck != state.isStuck else { return }
        state.isStuck = isStuck
        state.hasChanged.toggle()
        unsafe state.runState?.setStuck(isStuck)
    }

    /// Finds out in which components the threads of abandoned calls are. A method that waits for a call in place to
    /// another component is not the one that hangs.
    ///
    /// - Returns: What to tell the other components, without this one's lock.
    private func findCulprits(_ state: inout State) -> [@Sendable () -> Void] {
        var notices: [@Sendable () -> Void] = []
        for call in state.running where isAbandoned(call) {
            let culprit = call.thread?.components(from: 0).last.flatMap { ComponentRunState.limiter(of: $0) }
            let other = culprit === self ? nil : culprit
            guard other !== call.blamed else { continue }
            if let former = call.blamed { notices.append { former.remove(guest: call) } }
            call.blamed = other
            guard let other else { continue }
            notices.append { [self] in
                other.add(guest: call)
                // The call may have returned meanwhile.
                if !self.state.withLock({ _ in call.blamed === other }) { other.remove(guest: call) }
            }
        }
        return notices
    }

    private func add(guest call: DetachedCall) {
        let refused = withState { state -> [DetachedCall] in
            state.guests.insert(ObjectIdentifier(call))
            judge(&state)
            return takeRefused(&state)
        }
        refuse(refused)
    }

    private func remove(guest call: DetachedCall) {
        withState { state in
            guard state.guests.remove(ObjectIdentifier(call)) != nil else { return }
            judge(&state)
        }
    }

    /// Removes and returns the queued calls if the component is stuck, since none of the stuck calls will free a slot.
    private func takeRefused(_ state: inout State) -> [DetachedCall] { state.isStuck ? state.queue.removeAll() : [] }

    private func refuse(_ calls: [DetachedCall]) {
        for call in calls { call.pending.end(with: LinkError(.stuck)) }
    }

    /// Schedules another check after the patience, since nothing else might trigger one.
    private func scheduleCheck(_ state: inout State, _ engine: CallEngine) {
        guard !state.isCheckScheduled, state.running.contains(where: { $0.patience != nil }) else { return }
        state.isCheckScheduled = true
        engine.timer.schedule(.after(patience + .milliseconds(10))) { [weak self, weak engine] in
            guard let self, let engine else { return }
            let (refused, next, notices) = withState(loggingOn: engine) { state in
                state.isCheckScheduled = false
                let notices = findCulprits(&state)
                judge(&state)
                // A thread that has hung in one component may go on, and hang in another one.
                let mayChange = state.running.contains {
                    $0.patience != nil && (!$0.hasReplied || isAbandoned($0))
                }
                if !state.queue.isEmpty || mayChange { scheduleCheck(&state, engine) }
                var next: [DetachedCall] = []
                while !state.isStuck, let call = takeQueued(&state) { next.append(call) }
                return (takeRefused(&state), next, notices)
            }
            refuse(refused)
            for call in next { start(call, engine) }
            // The other components log what they become, which may block.
            if !notices.isEmpty { engine.callers.submit { for notice in notices { notice() } } }
        }
    }

    // MARK: - Slots

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

/// A first-in, first-out queue of calls, from which any call can be removed.
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

    /// Removes a call if it is queued here.
    mutating func remove(_ call: DetachedCall) {
        guard call.ticket != 0, calls.removeValue(forKey: call.ticket) != nil else { return }
        // Compact the array once the tickets of removed calls outnumber the others.
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
