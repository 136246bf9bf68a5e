import ComponentKit

/// Reads the host's counters from time to time, so that a page can show what has happened before it was opened.
///
/// Each reading is two calls of the host, which are not among those that it counts.
final class ActivityRecorder: Sendable {
    private struct State {
        var history = ActivityHistory()
        var recording: Task<Void, Never>?
        var isEnded = false
    }

    private let interval: Duration
    private let read: @Sendable () async throws -> CallFigures
    private let state = Lock(State())

    /// - Parameters:
    ///   - interval: how long to wait between two readings.
    ///   - read: reads the sums. If it throws, the interval becomes longer.
    init(
        every interval: Duration = .seconds(ActivityHistory.seconds),
        read: @escaping @Sendable () async throws -> CallFigures
    ) {
        self.interval = interval
        self.read = read
    }

    /// What has been recorded so far.
    var history: ActivityHistory { state.withLock { $0.history } }

    /// Whether it reads the counters from time to time.
    var isRecording: Bool { state.withLock { $0.recording != nil } }

    /// Begins to record, unless it has begun or ended already.
    func start() {
        state.withLock { state in
            guard state.recording == nil, !state.isEnded else { return }
            state.recording = Session.with(nil) { Task { await record() } }
        }
    }

    private func record() async {
        while !Task.isCancelled {
            if let sums = try? await read() { state.withLock { $0.history.add(sums) } }
            try? await Task.sleep(for: interval)
        }
        state.withLock { $0.recording = nil }
    }

    /// Ends recording for good.
    func end() {
        let recording = state.withLock { state in
            state.isEnded = true
            return state.recording
        }
        recording?.cancel()
    }
}
