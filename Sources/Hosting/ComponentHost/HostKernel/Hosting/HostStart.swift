public import ComponentKit
import Synchronization
import SystemSupport

/// The result of starting a host.
public struct StartReport: Sendable {
    /// A component that should have started with the host.
    public struct Failure: Sendable {
        /// The component.
        public let component: String
        /// Why it was not loaded.
        public let error: LinkError
    }

    /// The components that started with the host, those with a higher priority first.
    public internal(set) var started: [String] = []
    /// Those that should have, in order.
    public internal(set) var failures: [Failure] = []
}

/// One call of `start`. It is answered once: when the start is over, or when it is ended early.
private final class StartRun: Sendable {
    private let state: Lock<(report: StartReport, answer: (@Sendable (StartReport) -> Void)?)>

    init(_ answer: @escaping @Sendable (StartReport) -> Void) { state = Lock((StartReport(), answer)) }

    func add(started component: String) { state.withLock { $0.report.started.append(component) } }

    func add(_ failure: StartReport.Failure) { state.withLock { $0.report.failures.append(failure) } }

    /// Answers with what has started so far; no effect the second time.
    func end() {
        let (report, answer) = state.withLock { ($0.report, $0.answer.take()) }
        answer?(report)
    }
}

/// The calls of `start` that are under way.
final class StartRuns: Sendable {
    private let state = Lock<(isEnded: Bool, runs: [StartRun])>((false, []))

    /// Whether no further component is to start with the host.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    fileprivate func add(_ run: StartRun) {
        let isEnded = state.withLock { state in
            if !state.isEnded { state.runs.append(run) }
            return state.isEnded
        }
        if isEnded { run.end() }
    }

    fileprivate func remove(_ run: StartRun) {
        state.withLock { state in state.runs.removeAll { $0 === run } }
        run.end()
    }

    /// Lets no further component start with the host, and answers the calls: a component whose start hangs must not
    /// keep the host from being stopped.
    func end() {
        let runs = state.withLock { state in
            state.isEnded = true
            defer { state.runs = [] }
            return state.runs
        }
        for run in runs { run.end() }
    }
}

extension HostCore {
    /// Starts the host on a thread of its own; see ``LinkHost/start()``.
    ///
    /// - Parameters:
    ///   - answer: receives the report, once.
    ///   - endsAtFailure: whether no further component is loaded after one that cannot be.
    ///   - isInHandler: whether a handler of an event makes the call. A start that is under way may wait for it.
    func start(
        _ answer: @escaping @Sendable (StartReport) -> Void, endsAtFailure: Bool = false, isInHandler: Bool = false
    ) {
        if isInHandler, isStarted.load(ordering: .acquiring) { return answer(StartReport()) }
        let run = StartRun(answer)
        startRuns.add(run)
        let start: @Sendable () -> Void = { [self] in
            self.start(run, endsAtFailure: endsAtFailure)
            startRuns.remove(run)
        }
        if !startThread(named: "hslink-start", start) { start() }
    }

    /// Loads the components that start with the host, and tells all that it has started. Has no effect the second time.
    private func start(_ run: StartRun, endsAtFailure: Bool) {
        do throws(LinkError) {
            try stopGates.pass(startGate, unless: isStarted.load(ordering: .acquiring) || engine.isClosing) {
                () throws(LinkError) in
                isStarted.store(true, ordering: .releasing)
                for feature in features { feature.starting(in: self) }
                let units = registry.contents.withLock { $0.components }
                let starting = units.enumerated().filter { $1.manifest.starts == .withHost }
                    .sorted { ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset) }
                for (_, unit) in starting where !startRuns.isEnded {
                    do throws(LinkError) {
                        try registry.load(unit, in: self)
                        run.add(started: unit.name)
                    } catch {
                        run.add(StartReport.Failure(component: unit.name, error: error))
                        options.log(.warning, "did not start with the host: \(error.message)", component: unit.name)
                        if endsAtFailure { return }
                    }
                }
                guard !startRuns.isEnded else { return }
                announceAndWait(HostStarted(), until: nil)
                isStartOver.store(true, ordering: .releasing)
            }
        } catch {
            log(.warning, "start was called from a component that is starting; ignored")
        }
    }
}
