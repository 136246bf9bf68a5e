import Glibc
import SystemSupport

/// Shows a line with the elapsed time on a terminal while work takes longer than a second.
enum Progress {
    /// Runs `work` and removes the line when it is done.
    ///
    /// - Parameter text: the name of the work, as in "probe of VideoLink"; it is escaped.
    static func during<Value: Sendable>(_ text: String, _ work: () async throws -> Value) async rethrows -> Value {
        guard isatty(STDERR_FILENO) == 1 else { return try await work() }
        let ticker = Task {
            let start = ContinuousClock.now
            defer { Output.replaceLine(with: "") }
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                Output.replaceLine(with: "\(text.escaped): \((ContinuousClock.now - start).components.seconds) s …")
            }
        }
        // The line must be removed before anything else is written.
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
