import CHSLink
import ComponentKit
import Synchronization

/// Carries out the calls of a host, once it is known which method they go to.
///
/// A call is carried out in place (`CallEngine+InPlace.swift`), or on a thread of the host (``DetachedCall``), in the order
/// that the ``ConcurrencyLimiter`` of its component gives. However it ends, it ends once, by its ``PendingReply``, and what is kept
/// of it goes then: its deadline, its place in the queue, its row among the open calls.
final class CallEngine: Sendable {
    /// Threads for methods.
    let pool: WorkerPool
    /// Threads for code of callers and handlers of methods, which must not wait for a thread that a method keeps. A
    /// component has its share of them, the host's own code as many as there are.
    let callers: WorkerPool
    /// The share of `callers` for handlers of methods whose component is not known.
    private let unknownThreads = PoolShare()
    let timer = DeadlineTimer()
    let gates: OnceGates
    let options: HostOptions
    /// Limiters of objects whose component is not known, by the image that their code lies in.
    private let imageLimiters = Lock<[UInt: ConcurrencyLimiter]>([:])
    private let phase = Atomic<UInt8>(Phase.open)

    private enum Phase {
        static let open: UInt8 = 0
        /// The host is stopping: what is in flight goes on, nothing comes in from outside.
        static let closing: UInt8 = 1
        /// It has stopped: nobody would end a call any more.
        static let over: UInt8 = 2
    }

    init(_ options: HostOptions) {
        self.options = options
        pool = WorkerPool(threadLimit: options.threadLimit, sleeperLimit: options.sleeperLimit)
        callers = WorkerPool(name: "hslink-caller", threadLimit: options.callerThreadLimit)
        gates = OnceGates(patience: options.startPatience)
    }

    deinit {
        pool.end()
        callers.end()
        timer.end()
    }

    // MARK: - The end

    /// Whether calls from outside are refused.
    var isClosing: Bool { phase.load(ordering: .sequentiallyConsistent) != Phase.open }

    /// Whether nobody would end a call any more.
    var isOver: Bool { phase.load(ordering: .sequentiallyConsistent) == Phase.over }

    func beginClosing() { phase.store(Phase.closing, ordering: .sequentiallyConsistent) }

    func endClosing() { phase.store(Phase.over, ordering: .sequentiallyConsistent) }

    /// Whether a call may begin: while the host stops, those that calls in flight and components make.
    func admits(isFromComponent: Bool, on thread: ThreadContext) -> Bool {
        !isClosing || (!isOver && (isFromComponent || CallOrigin.isInFlight(thread)))
    }

    // MARK: - Calls on threads of the host

    /// Makes a call that a thread of the host carries out.
    ///
    /// - Parameters:
    ///   - unit: the component that it goes to; nil where that is not known.
    ///   - caller: the component that calls; nil for the host's own code.
    ///   - names: of class and selector, for errors.
    func begin(
        _ target: DetachedCall.Target, of unit: ComponentUnit?, _ limiter: ConcurrencyLimiter, _ payload: Payload,
        _ mode: CallMode, from caller: HostTable?, carried: Payload?, core: HostCore,
        names: (className: String, selector: String)
    ) -> BegunCall {
        let thread = ThreadContext.current
        let sleep: Sleep?
        do throws(LinkError) {
            try admit(limiter, mode, from: caller, on: thread)
            sleep =
                mode.callerSleeps
                ? try Sleep(on: thread, owedBy: unit?.number ?? .host, self, isNecessary: false) : nil
        } catch {
            return .ended(
                .failure(
                    error.naming(className: names.className, selector: names.selector, component: unit?.name ?? "")))
        }
        let origin = CallOrigin(on: thread, limiter, sleep: sleep?.sleep)
        let pending = PendingReply.open(on: thread, ledger: unit?.ledger.index ?? 0)
        let call = DetachedCall(
            target, payload, mode.deadline, pending, of: unit, core: core, caller: caller, carried: carried,
            origin: origin)
        let key = unit?.openCalls.add(pending)
        let item = mode.deadline.map { deadline in timer.schedule(deadline) { call.expire() } }
        limiter.submit(call, self)
        return .runs { [self] completion in
            pending.whenDone(on: .current) { outcome, isReply in
                sleep?.end()
                if let item { self.timer.cancel(item) }
                if let key { unit?.openCalls.remove(key) }
                limiter.callEnded(call, isReply: isReply, self)
                self.deliver(
                    outcome.mapError {
                        $0.naming(className: names.className, selector: names.selector, component: unit?.name ?? "")
                    }, to: completion, of: caller?.unit)
            }
            // Nobody would end it any more.
            if unit?.openCalls.isEnded == true { pending.end(with: LinkError(.cancelled)) }
            return pending.identifier
        }
    }

    /// - Throws: why the call does not begin.
    private func admit(
        _ limiter: ConcurrencyLimiter, _ mode: CallMode, from caller: HostTable?, on thread: ThreadContext
    ) throws(LinkError) {
        if !admits(isFromComponent: caller != nil, on: thread) { throw LinkError(.stopped) }
        if mode.deadline?.hasPassed == true { throw LinkError(.deadlineExceeded) }
        if CallOrigin.depth(thread) >= ThreadContext.frameCount { throw CallOrigin.tooDeep(thread) }
        if limiter.isFull { throw CallOrigin.isInFlight(thread) ? CallOrigin.tooDeep(thread) : LinkError(.stuck) }
        if limiter.isStuck { throw LinkError(.stuck) }
    }

    /// How many calls may end each other, as where replies are passed on in a chain, before another thread goes on.
    private static let deliveryLimit = 32

    /// Ends a call as cancelled since the one was that it answers; as deep as ``deliver(_:to:)``.
    func cancel(_ call: CallIdentifier) {
        let thread = ThreadContext.current
        guard unsafe thread.state.pointee.deliveries < CallEngine.deliveryLimit else {
            return callers.submit { [self] in cancel(call) }
        }
        unsafe thread.state.pointee.deliveries += 1
        PendingReply(identifier: call)?.end(with: LinkError(.cancelled))
        unsafe thread.state.pointee.deliveries -= 1
    }

    /// Runs code of a component, or of the host's own where there is none, on one of their threads for callbacks.
    private func submit(_ job: @escaping WorkerPool.Job, for unit: ComponentUnit?) {
        guard let unit, !unit.isHost else { return callers.submit(job) }
        unit.callerThreads.submit(job, to: callers)
    }

    /// Notifies whoever made a call. On a thread that serves all of them no code of one of them runs.
    ///
    /// - Parameter caller: the component that made it; nil for the host's own code.
    func deliver(_ outcome: Result<Payload, LinkError>, to completion: CallCompletion, of caller: ComponentUnit?) {
        let thread = ThreadContext.current
        let isDeep = unsafe thread.state.pointee.deliveries >= CallEngine.deliveryLimit
        let isForeign = unsafe completion.runsCallersCode && thread.state.pointee.servesAll
        guard !isForeign, !isDeep else {
            return submit({ completion.finish(outcome) }, for: caller)
        }
        unsafe thread.state.pointee.deliveries += 1
        defer { unsafe thread.state.pointee.deliveries -= 1 }
        // What this thread's call carries along is not the caller's, who happens to be answered by it.
        let carried = unsafe thread.state.pointee.carried
        unsafe thread.state.pointee.carried = nil
        completion.finish(outcome)
        unsafe thread.state.pointee.carried = unsafe carried
    }

    /// Tells a method that its call was ended, on a thread that may wait for its code. The component is not destroyed before.
    ///
    /// - Parameter unit: the component that has the method; nil where that is not known.
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

    /// Lets go of what a call was to be carried out with: of objects of an author's, so not on a thread that serves all. The
    /// other thread takes it from the call: were it handed over, the last of the two would let go of it.
    func releaseWork(of call: DetachedCall) {
        guard unsafe ThreadContext.current.state.pointee.servesAll else {
            _ = call.takeWork()
            return
        }
        submit({ _ = call.takeWork() }, for: call.caller)
    }

    /// The limiter for calls of an object that belongs to no component of this host.
    func limiter(ofImageAt address: UInt) -> ConcurrencyLimiter {
        imageLimiters.withLock { limiters in
            if let limiter = limiters[address] { return limiter }
            let limiter = ConcurrencyLimiter(options, of: nil)
            limiters[address] = limiter
            return limiter
        }
    }

    /// A thread sleeps until a call that it made has ended; one of the host's gives its place away meanwhile.
    struct Sleep: Sendable {
        let sleep: OnceGates.Sleep
        private let gates: OnceGates
        private let pool: WorkerPool
        /// Where the thread has a place to give, and has not given it yet.
        private let limiter: ConcurrencyLimiter?

        /// - Parameters:
        ///   - debtor: the component that owes the reply.
        ///   - isNecessary: the call has begun, so the thread sleeps whether or not it may.
        /// - Throws: ``LinkError/Code/tooDeep`` when as many threads of the host sleep as may.
        init(
            on thread: ThreadContext, owedBy debtor: ComponentNumber, _ engine: CallEngine, isNecessary: Bool
        ) throws(LinkError) {
            (gates, pool) = (engine.gates, engine.pool)
            let origin = CallOrigin.current(thread)
            let begun = gates.beginSleep(owedBy: debtor, in: origin)
            sleep = begun.sleep
            limiter = begun.isFirst ? origin?.limiter : nil
            guard let limiter else { return }
            guard pool.beginSleep(isNecessary: isNecessary) else {
                gates.endSleep(sleep)
                throw CallOrigin.tooDeep(thread)
            }
            limiter.beginSleep(engine)
        }

        func end() {
            gates.endSleep(sleep)
            guard let limiter else { return }
            limiter.endSleep()
            pool.endSleep()
        }
    }
}
