import ComponentKit
import Synchronization

/// What the program has added to a host while it runs: a route, an interceptor or an event handler. It stays until it is
/// removed; releasing this object does not remove it.
///
/// A closure must not wait for other code that removes it: each would wait for the other.
public final class Registration: Sendable {
    private let gate: ClosureGate
    private let removal: @Sendable () -> Void

    init(gate: ClosureGate, _ removal: @escaping @Sendable () -> Void) {
        self.gate = gate
        self.removal = removal
    }

    /// Removes it, and blocks this thread until its closure is not running any more. After this has returned, the
    /// closure is never called. Within the closure itself this returns at once.
    ///
    /// Do not call this from asynchronous code: there is a form that suspends.
    public func remove() {
        removal()
        gate.close()
    }

    /// Removes it, and suspends until its closure is not running any more. After this has returned, the closure is never
    /// called. Within the closure itself this returns at once.
    public func remove() async {
        removal()
        await gate.close()
    }
}

/// Lets a closure run until it is closed, and knows how many runs there are.
final class ClosureGate: Sendable {
    private struct State {
        var isClosed = false
        var runs = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    /// A run of a closure. Tasks that the closure starts know it, even after it has ended.
    private final class Run: Sendable {
        let gate: ObjectIdentifier
        let isOver = Atomic(false)

        init(_ gate: ClosureGate) { self.gate = ObjectIdentifier(gate) }
    }

    /// The runs that the running code is part of, or was started in.
    @TaskLocal private static var runs: [Run] = []

    /// Runs `body`, or `otherwise` once the gate is closed.
    func run<Value: Sendable>(
        _ body: () async throws -> Value, otherwise: () throws -> Value
    ) async throws -> Value {
        guard enter() else { return try otherwise() }
        let run = Run(self)
        defer {
            run.isOver.store(true, ordering: .releasing)
            leave()
        }
        return try await ClosureGate.$runs.withValue(ClosureGate.runs + [run]) { try await body() }
    }

    /// Whether it no longer lets anyone in.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    private func enter() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.runs += 1
            return true
        }
    }

    private func leave() {
        let waiting = state.withLock { state -> [@Sendable () -> Void] in
            state.runs -= 1
            guard state.runs == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for resume in waiting { resume() }
    }

    /// Closes the gate, and calls `resume` when no one is inside, or at once if the running code is.
    private func close(_ resume: @escaping @Sendable () -> Void) {
        let isInside = ClosureGate.runs.contains {
            $0.gate == ObjectIdentifier(self) && !$0.isOver.load(ordering: .acquiring)
        }
        let isOver = state.withLock { state in
            state.isClosed = true
            if state.runs == 0 || isInside { return true }
            state.waiting.append(resume)
            return false
        }
        if isOver { resume() }
    }

    func close() {
        let wait = BlockingWait()
        close { wait.finish(.success(.null)) }
        _ = try? wait.wait()
    }

    func close() async { await awaitResume { (resume: @escaping @Sendable (()) -> Void) in close { resume(()) } } }
}
