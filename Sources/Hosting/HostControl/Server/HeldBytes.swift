import Synchronization

/// Counts the bytes of requests, or of answers, that all connections hold together, in whole pieces. A connection that
/// holds less than one piece counts as zero and does not touch the shared counter.
final class HeldBytes: Sendable {
    private let count = Atomic<Int>(0)
    private let limit: Int

    /// The size of a piece in bytes, a power of two.
    static let piece = 64 << 10
    /// The message for a refused request.
    static let tooMuch = "the host has reached its limit on bytes in requests; try again later"

    /// - Parameter limit: the maximum for all connections together, in bytes.
    init(limit: Int) { self.limit = limit }

    /// Updates the count of a connection that now holds `bytes`.
    ///
    /// - Parameter counted: the bytes counted for the connection so far.
    /// - Returns: false if that would exceed the limit; nothing has changed then.
    func count(_ bytes: Int, _ counted: inout Int) -> Bool {
        let pieces = bytes & ~(HeldBytes.piece - 1)
        let change = pieces - counted
        guard change != 0 else { return true }
        if count.add(change, ordering: .relaxed).newValue > limit, change > 0 {
            count.subtract(change, ordering: .relaxed)
            return false
        }
        counted = pieces
        return true
    }
}
