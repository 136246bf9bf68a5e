import Glibc
import SystemSupport

/// Says on a terminal that something still goes on, once it has taken a second, and for how long.
enum Progress {
    /// Does `work`; the line is gone when it is done.
    ///
    /// - Parameter text: what goes on, as in "probe of VideoLink"; it is escaped.
    static func during<Value: Sendable>(_ text: String, _ work: () async throws -> Value) async rethrows -> Value {
        guard isatty(STDERR_FILENO) == 1 else { return try await work() }
        let ticker = Task {
            let start = ContinuousClock.now
            defer { Output.replaceLine(with: "") }
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                Output.replaceLine(with: "\(text.escaped): \((ContinuousClock.now - start).components.seconds) s …")
            }
        }
        // The line is gone before anything else is written.
        func end() async {
            ticker.cancel()
            await ticker.value
        }
        do {
            let value = try await work()
            await end()
            return value
        } catch {
            await end()
            throw error
        }
    }
}
