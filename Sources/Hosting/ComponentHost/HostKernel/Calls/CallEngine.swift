import CHSLink
import ComponentKit
import Synchronization

/// Runs the calls of a host, including calls to components that are not loaded yet.
///
/// A call runs in place (`CallEngine+InPlace.swift`) or on a thread of the host (``DetachedCall``), in the order that
/// the ``ConcurrencyLimiter`` of its component decides. Every call ends exactly once, through its ``PendingReply``. The
/// host then discards everything kept for it: its deadline, its position in the queue and its entry among the open
/// calls.
final class CallEngine: Sendable {
    /// Threads for methods.
    let pool: WorkerPool
    /// Threads for callers' callbacks and methods' handlers, separate from `pool` so that a blocked method cannot delay
    /// them. Each component is limited to a share; the host's own code is not.
    let callers: WorkerPool
    /// The share of `callers` for handlers of methods whose component is unknown.
    private let unknownThreads = PoolShare()
    let timer = DeadlineTimer()
    let gates: OnceGates
    let options: KernelOptions
    let counters = CounterTable()
    /// Limiters for objects of unknown components, by the address of the image that contains their code.
    private let imageLimiters = Lock<[UInt: ConcurrencyLimiter]>([:])
    /// The calls of the program's own objects, and of those whose component is unknown.
    let ownOpenCalls: OpenCalls
    /// Count those calls.
    let ownObjectCounters: ObjectCounters
    /// The components of objects that other images have made, by the addresses of the code that they are called with.
    let codeOwners = Lock<[UInt: CodeOwner]>([:])
    private let phase = Atomic<UInt8>(Phase.open)

    private enum Phase {
        static let open: UInt8 = 0
        /// The host is stopping: calls in flight continue, and calls from outside are refused.
        static let closing: UInt8 = 1
        /// The host has stopped: nothing would end a new call.
        static let over: UInt8 = 2
    }

    init(_ options: KernelOptions) {
        self.options = options
        pool = WorkerPool(threadLimit: options.threadLimit, sleeperLimit: options.sleeperLimit)
        callers = WorkerPool(name: "hslink-caller", threadLimit: options.callerThreadLimit)
        gates = OnceGates(patience: options.startPatience)
        ownOpenCalls = OpenCalls(isWatched: options.watchesCalls)
        ownObjectCounters = ObjectCounters("", counters)
    }

    /// Returns the open calls of a component; those of the program's own objects if it is nil.
    func openCalls(of unit: ComponentUnit?) -> OpenCalls { unit?.openCalls ?? ownOpenCalls }

    deinit {
        pool.end()
        callers.end()
        timer.end()
    }

    // MARK: - Closing

    /// Whether calls from outside are refused.
    var isClosing: Bool { phase.load(ordering: .sequentiallyConsistent) != Phase.open }

    /// Whether the host has stopped, so nothing would end a new call.
    var isOver: Bool { phase.load(ordering: .sequentiallyConsistent) == Phase.over }

    func beginClosing() { phase.store(Phase.closing, ordering: .sequentiallyConsistent) }

    func endClosing() { phase.store(Phase.over, ordering: .sequentiallyConsistent) }

    /// Whether a call may begin. While the host is stopping, only components and calls in flight may make calls.
    func admits(isFromComponent: Bool, on thread: ThreadContext) -> Bool {
        !isClosing || (!isOver && (isFromComponent || thread.isInFlight))
    }

    // MARK: - Calls on threads of the host

    /// Makes a call that runs on a thread of the host.
    ///
    /// - Parameters:
    ///   - callee: what is called.
    ///   - caller: the calling component; nil for the host's own code.
    func beginOnHostThread(
        _ target: DetachedCall.Target, _ payload: Payload, of callee: Callee, limiter: ConcurrencyLimiter,
        mode: CallMode, from caller: HostTable?, carried: Payload?, core: HostCore
    ) -> BegunCall {
        let thread = ThreadContext.current
        let (unit, counters) = (callee.unit, callee.counters)
        let timing = counters.count()
        let sleep: Sleep?
        do throws(LinkError) {
            try admit(limiter, mode, from: caller, on: thread)
            sleep =
                mode.callerSleeps
                ? try Sleep(on: thread, owedBy: unit?.number ?? .host, self, isNecessary: false) : nil
        } catch {
            counters.end(.failure(error), timing)
            return .ended(.failure(callee.named(error)))
        }
        let origin = CallOrigin(on: thread, limiter, sleep: sleep?.sleep)
        let pending = PendingReply.open(
            on: thread, ledger: counters.ledger.index == 0 ? unit?.ledger.index ?? 0 : counters.ledger.index)
        let call = DetachedCall(
            target, payload, deadline: mode.deadline, pending: pending, core: core, counters: counters, caller: caller,
            carried: carried, origin: origin)
        let open = openCalls(of: unit)
        let key = open.add(pending, of: callee)
        let item = mode.deadline.map { expire(pending, of: unit, at: $0) }
        limiter.submit(call, self)
        return .runs { [self] completion in
            pending.whenDone(on: .current, wakes: !completion.runsCallersCode) { outcome, isReply in
                sleep?.end()
                if let item { self.timer.cancel(item) }
                open.remove(key)
                counters.end(outcome, timing)
                limiter.callEnded(call, isReply: isReply, self)
                self.deliver(outcome.mapError(callee.named), to: completion, of: caller?.unit)
            }
            // The component has stopped, so nothing else would end this call.
            if open.isEnded { pending.end(with: LinkError(.cancelled)) }
            return pending.identifier
        }
    }

    /// Checks that a call may begin.
    ///
    /// - Throws: `LinkError` with code `stopped`, `deadlineExceeded`, `tooDeep` or `stuck` if it may not.
    private func admit(
        _ limiter: ConcurrencyLimiter, _ mode: CallMode, from caller: HostTable?, on thread: ThreadContext
    ) throws(LinkError) {
        if !admits(isFromComponent: caller != nil, on: thread) { throw LinkError(.stopped) }
        if mode.deadline?.hasPassed == true { throw LinkError(.deadlineExceeded) }
        if CallOrigin.depth(thread) >= ThreadContext.frameCount { throw CallOrigin.tooDeepError(thread) }
        if limiter.isFull { throw thread.isInFlight ? CallOrigin.tooDeepError(thread) : LinkError(.stuck) }
        if limiter.isStuck { throw LinkError(.stuck) }
    }

    /// How deeply completions may nest on one thread, such as when a reply is forwarded along a chain, before delivery
    /// moves to another thread.
    private static let deliveryLimit = 32

    /// Whether a completion may run within the one that the thread runs. Threads of authors may have small stacks.
    private static func mayNest(on thread: ThreadContext) -> Bool {
        unsafe thread.state.pointee.deliveries < deliveryLimit && thread.hasStack
    }

    /// Ends a call as cancelled; no effect once it has ended. Its method's handler runs on this thread, or elsewhere if
    /// handlers are nested as deeply as ``deliver(_:to:of:)`` allows.
    func cancel(_ call: CallIdentifier) {
        let thread = ThreadContext.current
        guard CallEngine.mayNest(on: thread) else { return callers.submit { [self] in cancel(call) } }
        unsafe thread.state.pointee.deliveries += 1
        PendingReply(identifier: call)?.end(with: LinkError(.cancelled))
        unsafe thread.state.pointee.deliveries -= 1
    }

    /// Runs callback code on a callback thread: within the component's share, or without a limit for the host's own
    /// code.
    private func submit(_ job: @escaping WorkerPool.Job, for unit: ComponentUnit?) {
        guard let unit, !unit.isHost else { return callers.submit(job) }
        unit.callerThreads.submit(job, to: callers)
    }

    /// Delivers the outcome of a call to its caller, in whose context this thread is running. A thread that serves all
    /// components leaves the caller's code to another thread.
    ///
    /// - Parameter caller: the calling component; nil for the host's own code.
    func deliver(_ outcome: Result<Payload, LinkError>, to completion: CallCompletion, of caller: ComponentUnit?) {
        let thread = ThreadContext.current
        let component = completion.runsCallersCode ? caller?.resident : nil
        // The caller's component is not destroyed until its code has run, wherever that is.
        unsafe component?.runState.beginHostWork()
        guard CallEngine.mayNest(on: thread),
            unsafe !completion.runsCallersCode || !thread.state.pointee.servesAll
        else {
            let context = completion.runsCallersCode ? CallerContext.current : nil
            let finish = { @Sendable [self] in self.finish(completion, outcome, of: component, in: caller) }
            guard let context else { return submit(finish, for: nil) }
            return submit({ context.run(finish) }, for: caller)
        }
        unsafe thread.state.pointee.deliveries += 1
        finish(completion, outcome, of: component, in: caller)
        unsafe thread.state.pointee.deliveries -= 1
    }

    /// Runs a completion, and ends the host's work that ``deliver(_:to:of:)`` has begun for it. Code of a component marks
    /// the thread like a call to it: the thread may be lent by another component, which is not to blame if the code does
    /// not return.
    private func finish(
        _ completion: CallCompletion, _ outcome: Result<Payload, LinkError>, of component: LoadedComponent?,
        in unit: ComponentUnit?
    ) {
        guard let component else { return completion.finish(outcome) }
        let thread = HostThread.current
        let depth = thread.depth
        let marks = unsafe thread.enter(component.runState.identity, method: ThreadContext.objectMark) ? 1 : 0
        completion.finish(outcome)
        if !thread.leave(to: depth, expecting: marks) { logUnbalanced("a callback", of: unit) }
        unsafe component.runState.endHostWork()
    }

    /// Notifies a method that its call has ended, on a thread that the method's code may block. The component is not
    /// destroyed until the handler has returned.
    ///
    /// - Parameter unit: the component that has the method; nil if it is unknown.
    func notify(_ handler: @escaping @Sendable () -> Void, of unit: ComponentUnit?) {
        guard let unit else { return unknownThreads.submit(handler, to: callers) }
        let component = unit.resident
        unsafe component?.runState.beginHostWork()
        submit(
            {
                handler()
                unsafe component?.runState.endHostWork()
            }, for: unit)
    }

    /// Releases the work of a call that will not run. This may release an author's objects, so it never happens on a
    /// thread that serves all components. The other thread takes the work out of the call itself: if it were passed
    /// along, this thread might release the last reference.
    func releaseWork(of call: DetachedCall) {
        guard unsafe ThreadContext.current.state.pointee.servesAll else {
            _ = call.takeWork()
            return
        }
        submit({ _ = call.takeWork() }, for: call.caller)
    }

    /// The limiters for calls to objects that belong to no component of this host.
    var ownLimiters: [ConcurrencyLimiter] { imageLimiters.withLock { Array($0.values) } }

    /// Returns the limiter for calls to an object that belongs to no component of this host.
    func limiter(ofImageAt address: UInt) -> ConcurrencyLimiter {
        imageLimiters.withLock { limiters in
            if let limiter = limiters[address] { return limiter }
            let limiter = ConcurrencyLimiter(options, of: nil)
            limiters[address] = limiter
            return limiter
        }
    }

    /// A thread that sleeps until a call it made has ended. A host thread gives up its slot while it sleeps.
    struct Sleep: Sendable {
        let sleep: OnceGates.Sleep
        private let gates: OnceGates
        private let pool: WorkerPool
        /// The call whose slot the thread gives up; nil if it holds none.
        private let origin: CallOrigin?

        /// - Parameters:
        ///   - debtor: the component that owes the reply.
        ///   - isNecessary: whether the call has already begun, so the limit on sleeping threads does not apply.
        /// - Throws: `LinkError` with code ``LinkError/Code/tooDeep`` if the limit on sleeping host threads is reached.
        init(
            on thread: ThreadContext, owedBy debtor: ComponentNumber, _ engine: CallEngine, isNecessary: Bool
        ) throws(LinkError) {
            (gates, pool) = (engine.gates, engine.pool)
            // Code that a thread is lent to sleeps in the slot of the call that the thread carries out.
            origin = CallOrigin.current(thread) ?? CallOrigin.carriedOut(by: thread)
            sleep = gates.beginSleep(owedBy: debtor)
            guard let origin, !origin.limiter.addSleep(sleep, of: origin) else { return }
            guard pool.beginSleep(isNecessary: isNecessary) else {
                gates.endSleep(sleep)
                throw CallOrigin.tooDeepError(thread)
            }
            origin.limiter.beginSleep(sleep, of: origin, engine)
        }

        func end() {
            gates.endSleep(sleep)
            if let origin, origin.limiter.endSleep(sleep, of: origin) { pool.endSleep() }
        }
    }
}
