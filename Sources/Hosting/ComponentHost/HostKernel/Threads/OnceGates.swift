import ComponentKit
import Glibc
import SystemSupport

/// A step that one thread performs while others wait for it, such as loading a component or making a shared instance.
/// Guarded by ``OnceGates``.
// Unchecked: `inside` is read and written by `OnceGates` only, under its lock.
final class OnceGate: @unchecked Sendable {
    /// The component whose code runs in this step.
    let component: ComponentNumber
    /// The thread that performs the step, and since when; nil if there is none.
    fileprivate(set) var inside: OnceGates.Position?

    init(of component: ComponentNumber = .host) { self.component = component }
}

/// Lets threads through gates one at a time, without holding a lock while an author's code runs. It refuses a wait that
/// would deadlock, since an author's code may call back into what is being made.
///
/// While a thread waits at a gate, or for a call that another thread carries out, the gates know what it waits for. If
/// an author's code waits by other means (for a thread of its own, or for a later reply), they only know which
/// components must act before the start can end. A call from one of those components waits for a limited time, and is
/// then refused.
// Unchecked: all state is guarded by `lock`, a WaitLock because threads also sleep on it.
final class OnceGates: @unchecked Sendable {
    private let lock = WaitLock()
    /// The gate that each waiting thread waits for.
    private var waiting: [pthread_t: OnceGate] = [:]
    /// The gates that each thread has entered, outermost first.
    private var entered: [pthread_t: [OnceGate]] = [:]
    /// The sleeps of each thread, newest last.
    private var sleeping: [pthread_t: [Sleep]] = [:]
    /// A counter that orders positions and sleeps.
    private var time: UInt64 = 0
    private var isEnded = false

    /// How long a call waits for a start that may be waiting for it.
    private let patience: Duration
    /// How often a waiting thread checks whether it still has to wait.
    private static let pause = Duration.milliseconds(20)

    /// A point in the execution of a thread. The thread leaves it once everything that it has begun since then has
    /// ended.
    struct Position {
        let thread: pthread_t
        fileprivate let context: ThreadContext
        /// The number of marks that the thread had.
        fileprivate let depth: Int
        fileprivate let time: UInt64
    }

    /// The sleep of a thread until a call has ended.
    // Unchecked: `carrier` is guarded by the lock of the gates.
    final class Sleep: @unchecked Sendable {
        fileprivate let thread: pthread_t
        /// The component that owes the reply.
        fileprivate let debtor: ComponentNumber
        /// The number of marks that the thread had.
        let depth = ThreadContext.current.depth
        fileprivate let time: UInt64
        /// The thread that carries out the call.
        fileprivate var carrier: Position?

        fileprivate init(debtor: ComponentNumber, time: UInt64) {
            thread = pthread_self()
            self.debtor = debtor
            self.time = time
        }
    }

    init(patience: Duration = .seconds(2)) { self.patience = patience }

    /// Runs `body` unless `isDone` is true. Only one thread at a time is in a gate; others wait until it has left.
    ///
    /// - Parameters:
    ///   - caller: the component on whose behalf this thread acts.
    ///   - isWanted: whether a caller still waits for the result.
    /// - Throws: The error that `body` throws, or `LinkError` with code ``LinkError/Code/wouldDeadlock`` if the thread
    ///   in the gate waits for this one, through any number of gates and calls, or has long been waiting for something
    ///   that the caller may have to do; ``LinkError/Code/cancelled`` if the result is no longer wanted; or
    ///   ``LinkError/Code/stopped`` after ``end()``.
    func pass(
        _ gate: OnceGate, unless isDone: @autoclosure () -> Bool, for caller: ComponentNumber = .host,
        isWanted: () -> Bool = { true }, _ body: () throws(LinkError) -> Void
    ) throws(LinkError) {
        guard try enter(gate, unless: isDone, for: caller, isWanted: isWanted) else { return }
        defer {
            lock.withLock {
                gate.inside = nil
                removeLast(of: pthread_self(), from: &entered)
                lock.wakeAll()
            }
        }
        try body()
    }

    /// - Returns: Whether this thread is now in the gate and must run its body.
    private func enter(
        _ gate: OnceGate, unless isDone: () -> Bool, for caller: ComponentNumber, isWanted: () -> Bool
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
        TestDelays.pause()
        return try outcome.get()
    }

    /// Ends all waits, current and future, with `stopped`.
    func end() {
        lock.withLock {
            isEnded = true
            lock.wakeAll()
        }
    }

    // MARK: - Sleepers

    /// Records that this thread sleeps until a call has ended. Any thread may call ``endSleep(_:)``.
    ///
    /// - Parameter debtor: the component that owes the reply.
    func beginSleep(owedBy debtor: ComponentNumber) -> Sleep {
        lock.withLock {
            time += 1
            let sleep = Sleep(debtor: debtor, time: time)
            sleeping[sleep.thread, default: []].append(sleep)
            return sleep
        }
    }

    /// Records that the call has ended, even if its method is still running.
    func endSleep(_ sleep: Sleep) {
        lock.withLock {
            sleeping[sleep.thread]?.removeAll { $0 === sleep }
            if sleeping[sleep.thread]?.isEmpty == true { sleeping[sleep.thread] = nil }
        }
    }

    /// Records that this thread carries out the call, until ``endCarrying(_:)``.
    func beginCarrying(_ sleep: Sleep) { lock.withLock { sleep.carrier = here() } }

    func endCarrying(_ sleep: Sleep) { lock.withLock { sleep.carrier = nil } }

    /// The number of sleeping threads.
    var sleeperCount: Int { lock.withLock { sleeping.count } }

    // MARK: - What a thread waits for

    private enum Prospect {
        case goesOn, mayWaitForThis, waitsForThis
    }

    /// Determines what must happen before the thread at `position` leaves it.
    private func prospect(of position: Position, for thread: pthread_t, _ caller: ComponentNumber) -> Prospect {
        var position = position
        var prospect = Prospect.goesOn
        for _ in 0...(waiting.count + sleeping.count) {
            if position.thread == thread { return .waitsForThis }
            // Several if methods have forwarded their replies: one for each call, all until the same reply.
            let sleeps = (sleeping[position.thread] ?? []).filter { $0.time > position.time }
            if caller != .host, sleeps.contains(where: { $0.debtor == caller }) || runs(codeOf: caller, since: position)
            {
                prospect = .mayWaitForThis
            }
            let carrier = sleeps.last { $0.carrier != nil }?.carrier
            guard let next = waiting[position.thread].flatMap({ $0.inside }) ?? carrier else { break }
            position = next
        }
        return prospect
    }

    /// Whether the thread has entered the component since that position.
    private func runs(codeOf component: ComponentNumber, since position: Position) -> Bool {
        let gates = entered[position.thread] ?? []
        return gates.contains { $0.component == component && ($0.inside?.time ?? 0) >= position.time }
            || position.context.components(from: position.depth).contains {
                ComponentRunState.component(of: $0) == component
            }
    }

    /// Returns this thread's position at this moment.
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
