import ComponentKit
import Glibc

/// Something that is done once while other threads wait for it: loading a component, making a shared
/// instance. Guarded by ``OnceGates``.
// Unchecked: `inside` is read and written by `OnceGates` only, under its lock.
final class OnceGate: @unchecked Sendable {
    /// The component whose code runs inside.
    let component: ComponentNumber
    /// Since when which thread is inside.
    fileprivate(set) var inside: OnceGates.Position?

    init(of component: ComponentNumber = .host) { self.component = component }
}

/// Passes threads through gates one at a time, without any lock held while author code runs, and refuses
/// to wait where that would wait for oneself: author code may call back into what is being made.
///
/// What a thread waits for is known while it waits at a gate, or for a call that another thread carries out. Where author
/// code waits in its own ways (for a thread of its own, for a reply that comes later), only this is known: which components
/// have to do something before the start can end. A call of one of those waits for a while, and is refused then.
// Unchecked: all state is guarded by `lock`, which also lets threads sleep, as no Lock does.
final class OnceGates: @unchecked Sendable {
    private let lock = WaitLock()
    /// Which gate each waiting thread waits for.
    private var waiting: [pthread_t: OnceGate] = [:]
    /// The gates that a thread is inside of, outermost first.
    private var entered: [pthread_t: [OnceGate]] = [:]
    /// What a thread sleeps for, the latest last.
    private var sleeping: [pthread_t: [Sleep]] = [:]
    /// Counts what begins.
    private var time: UInt64 = 0
    private var isEnded = false

    /// How long a call waits for a start that may be waiting for it.
    private let patience: Duration
    /// How often a waiting thread looks whether there is still a need to wait.
    private static let pause = Duration.milliseconds(20)

    /// A thread from some moment on: what it has begun since then has to end first.
    struct Position {
        let thread: pthread_t
        fileprivate let context: ThreadContext
        /// How many marks it had.
        fileprivate let depth: Int
        fileprivate let time: UInt64
    }

    /// A thread sleeps until a call has ended.
    // Unchecked: `carrier` is guarded by the lock of the gates.
    final class Sleep: @unchecked Sendable {
        fileprivate let thread: pthread_t
        /// The component that owes the reply.
        fileprivate let debtor: ComponentNumber
        /// What the thread was carrying out.
        fileprivate let work: AnyObject?
        fileprivate let time: UInt64
        /// The thread that carries out the call.
        fileprivate var carrier: Position?

        fileprivate init(debtor: ComponentNumber, work: AnyObject?, time: UInt64) {
            thread = pthread_self()
            self.debtor = debtor
            self.work = work
            self.time = time
        }
    }

    init(patience: Duration = .seconds(2)) { self.patience = patience }

    /// Runs `body` unless `isDone` says that there is no need any more; only one thread at a time is inside
    /// a gate, others wait until it has left.
    ///
    /// - Parameters:
    ///   - caller: the component on whose behalf this thread comes.
    ///   - isWanted: whether somebody still waits for this.
    /// - Throws: what `body` throws; ``LinkError/Code/wouldDeadlock`` when the thread inside waits, over
    ///   however many gates and calls, for this thread, or has for long been waiting for what may be the caller's to do;
    ///   ``LinkError/Code/cancelled`` when this is not wanted any more, ``LinkError/Code/stopped`` after ``end()``.
    func pass(
        _ gate: OnceGate, unless isDone: @autoclosure () -> Bool, for caller: ComponentNumber = .host,
        isWanted: () -> Bool = { true }, _ body: () throws(LinkError) -> Void
    ) throws(LinkError) {
        guard try enter(gate, isDone, caller, isWanted) else { return }
        defer {
            lock.withLock {
                gate.inside = nil
                removeLast(of: pthread_self(), from: &entered)
                lock.wakeAll()
            }
        }
        try body()
    }

    /// - Returns: whether there is something to do.
    private func enter(
        _ gate: OnceGate, _ isDone: () -> Bool, _ caller: ComponentNumber, _ isWanted: () -> Bool
    ) throws(LinkError) -> Bool {
        let thread = pthread_self()
        var end: Deadline?
        let outcome: Result<Bool, LinkError> = lock.withLock {
            while let inside = gate.inside {
                switch prospect(of: inside, for: thread, caller) {
                case .goesOn: end = nil
                case .waitsForThis:
                    return .failure(
                        LinkError(
                            .wouldDeadlock,
                            message: "it is being started by a call that waits for this one; call it after the start"))
                case .mayWaitForThis:
                    let limit = end ?? Deadline.after(patience)
                    guard !limit.hasPassed else {
                        return .failure(
                            LinkError(
                                .wouldDeadlock,
                                message: "it is being started, and its start may be waiting for this call; "
                                    + "call it after the start"))
                    }
                    end = limit
                }
                if isEnded { return .failure(LinkError(.stopped)) }
                if !isWanted() { return .failure(LinkError(.cancelled)) }
                waiting[thread] = gate
                lock.wait(until: Deadline.after(OnceGates.pause).nanoseconds)
                waiting[thread] = nil
            }
            guard !isDone() else { return .success(false) }
            gate.inside = here()
            entered[thread, default: []].append(gate)
            return .success(true)
        }
        return try outcome.get()
    }

    /// Lets nobody wait any more.
    func end() {
        lock.withLock {
            isEnded = true
            lock.wakeAll()
        }
    }

    // MARK: - Sleepers

    /// This thread begins to sleep until a call has ended; ``endSleep(_:)`` follows on whatever thread.
    ///
    /// - Parameters:
    ///   - debtor: the component that owes the reply.
    ///   - work: what the thread is carrying out.
    /// - Returns: whether it is the first sleep in that work: a method that passes its reply on begins one of its own.
    func beginSleep(owedBy debtor: ComponentNumber, in work: AnyObject?) -> (sleep: Sleep, isFirst: Bool) {
        lock.withLock {
            time += 1
            let sleep = Sleep(debtor: debtor, work: work, time: time)
            let isFirst = sleeping[sleep.thread]?.contains { $0.work === work } != true
            sleeping[sleep.thread, default: []].append(sleep)
            return (sleep, isFirst)
        }
    }

    /// The call has ended, whoever is still inside of its method.
    func endSleep(_ sleep: Sleep) {
        lock.withLock {
            sleeping[sleep.thread]?.removeAll { $0 === sleep }
            if sleeping[sleep.thread]?.isEmpty == true { sleeping[sleep.thread] = nil }
        }
    }

    /// This thread carries out the call until ``endCarrying(_:)``.
    func beginCarrying(_ sleep: Sleep) { lock.withLock { sleep.carrier = here() } }

    func endCarrying(_ sleep: Sleep) { lock.withLock { sleep.carrier = nil } }

    /// How many threads sleep.
    var sleeperCount: Int { lock.withLock { sleeping.count } }

    // MARK: - What a thread waits for

    private enum Prospect {
        case goesOn, mayWaitForThis, waitsForThis
    }

    /// What has to happen before the thread at `position` leaves it.
    private func prospect(of position: Position, for thread: pthread_t, _ caller: ComponentNumber) -> Prospect {
        var position = position
        var prospect = Prospect.goesOn
        for _ in 0...(waiting.count + sleeping.count) {
            if position.thread == thread { return .waitsForThis }
            let sleep = sleeping[position.thread]?.last { $0.time > position.time }
            if caller != .host, sleep?.debtor == caller || runs(codeOf: caller, since: position) {
                prospect = .mayWaitForThis
            }
            guard let next = waiting[position.thread].flatMap({ $0.inside }) ?? sleep?.carrier else { break }
            position = next
        }
        return prospect
    }

    /// Whether the thread has got inside the component since then.
    private func runs(codeOf component: ComponentNumber, since position: Position) -> Bool {
        let gates = entered[position.thread] ?? []
        return gates.contains { $0.component == component && ($0.inside?.time ?? 0) >= position.time }
            || position.context.components(from: position.depth).contains {
                ComponentRunState.component(of: $0) == component
            }
    }

    /// This thread from now on.
    private func here() -> Position {
        time += 1
        let context = ThreadContext.current
        return Position(thread: pthread_self(), context: context, depth: context.depth, time: time)
    }

    private func removeLast(of thread: pthread_t, from gates: inout [pthread_t: [OnceGate]]) {
        gates[thread]?.removeLast()
        if gates[thread]?.isEmpty == true { gates[thread] = nil }
    }
}
