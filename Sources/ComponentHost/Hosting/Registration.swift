import ComponentKit
import Synchronization

/// Removes a route or an interceptor that the program has added.
///
/// A closure must not wait for other code that removes it: each would wait for the other.
public final class RouteToken: Sendable {
    private let gate: RouteGate
    private let removal: @Sendable () -> Void

    init(gate: RouteGate, _ removal: @escaping @Sendable () -> Void) {
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
final class RouteGate: Sendable {
    private struct State {
        var isClosed = false
        var runs = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    /// A run of a closure. Tasks that the closure starts know it, also after it has ended.
    private final class Run: Sendable {
        let gate: ObjectIdentifier
        let isOver = Atomic(false)

        init(_ gate: RouteGate) { self.gate = ObjectIdentifier(gate) }
    }

    /// The runs that the running code is part of, or was started in.
    @TaskLocal private static var runs: [Run] = []

    /// Runs `body` with a request, or `otherwise` once the gate is closed.
    func run<Value: Sendable>(
        _ request: Payload, _ body: @Sendable (RouteRequest) async throws -> Value, otherwise: () throws -> Value
    ) async throws -> Value {
        let isOpen = state.withLock { state in
            guard !state.isClosed else { return false }
            state.runs += 1
            return true
        }
        guard isOpen else { return try otherwise() }
        let run = Run(self)
        defer {
            run.isOver.store(true, ordering: .releasing)
            leave()
        }
        return try await RouteGate.$runs.withValue(RouteGate.runs + [run]) {
            try await RouteGate.run(request, body)
        }
    }

    /// Runs a closure that knows which URLs have led to it.
    static func run<Value: Sendable>(
        _ request: Payload, _ body: (RouteRequest) async throws -> Value
    ) async throws -> Value {
        let way: [String] = try request[RouteRequest.openedBy]?.value() ?? []
        return try await RouteOpening.$inClosures.withValue(way) { try await body(try request.value()) }
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

    /// Closes the gate, and calls `resume` when nobody is inside, or at once if the running code is.
    private func close(_ resume: @escaping @Sendable () -> Void) {
        let isInside = RouteGate.runs.contains {
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
