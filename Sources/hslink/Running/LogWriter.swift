import Dispatch
import Synchronization

/// Writes lines to standard error on a queue of its own: who reads them may stop reading, and neither Swift's pool nor
/// a component waits for that.
final class LogWriter: Sendable {
    private let queue = DispatchQueue(label: "hslink.log")
    private let waiting = Atomic<Int>(0)
    private let lost = Atomic<Int>(0)

    /// Lines beyond are counted only.
    private static let limit = 10_000

    /// Any thread; returns at once.
    func write(_ line: String) {
        guard waiting.add(1, ordering: .relaxed).newValue <= LogWriter.limit else {
            waiting.subtract(1, ordering: .relaxed)
            lost.add(1, ordering: .relaxed)
            return
        }
        queue.async { [self] in
            Output.note(line)
            waiting.subtract(1, ordering: .relaxed)
            let count = lost.exchange(0, ordering: .relaxed)
            if count > 0 { Output.note("\(count) lines of the log were lost, as nobody read it") }
        }
    }

    /// Waits until all lines are written, for at most a second: perhaps nobody reads them.
    func flush() {
        let isWritten = DispatchSemaphore(value: 0)
        queue.async { isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + .seconds(1))
    }
}
