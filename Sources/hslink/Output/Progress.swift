import Glibc

/// Says on a terminal that something still goes on, once it has taken a second, and for how long.
enum Progress {
    /// Does `work`; the line is gone when it is done.
    ///
    /// - Parameter text: what goes on, as in "probe of VideoLink"; it is escaped.
    static func during<Value: Sendable>(_ text: String, _ work: () async -> Value) async -> Value {
        guard isatty(STDERR_FILENO) == 1 else { return await work() }
        let ticker = Task {
            let start = ContinuousClock.now
            defer { Output.replaceLine(with: "") }
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                Output.replaceLine(with: "\(text.escaped): \((ContinuousClock.now - start).components.seconds) s …")
            }
        }
        let value = await work()
        ticker.cancel()
        // The line is gone before anything else is written.
        await ticker.value
        return value
    }
}
