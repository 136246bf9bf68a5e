import ComponentKit

/// Reports how far an edit has come, and ends it early.
final class EditControl: Sendable {
    private let isCancelled = Lock(false)
    private let report: @Sendable (Double) -> Void

    /// - Parameter report: Is called with how much is done, from 0 to 1, on the thread of the edit, at most about a
    ///   hundred times.
    init(_ report: @escaping @Sendable (Double) -> Void = { _ in }) { self.report = report }

    /// Ends the edit soon. May be called from any thread.
    func cancel() { isCancelled.withLock { $0 = true } }

    /// - Throws: `CancellationError` if the edit is to end.
    func check() throws(CancellationError) {
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
    }

    /// Reports how much is done.
    func done(_ part: UInt64, of whole: UInt64) { report(whole == 0 ? 1 : Double(part) / Double(whole)) }
}
