import Synchronization

/// Counts the bytes of requests that all connections hold together, in whole pieces: a connection that holds less than one
/// counts for nothing, and costs nothing.
final class HeldBytes: Sendable {
    private let count = Atomic<Int>(0)
    private let limit: Int

    /// A power of two.
    static let piece = 64 << 10
    /// Why somebody is refused.
    static let tooMuch = "the host holds as many bytes of requests as it may; try again later"

    /// - Parameter limit: of all together.
    init(limit: Int) { self.limit = limit }

    /// Counts a connection anew that holds `bytes` now.
    ///
    /// - Parameter counted: what has been counted of it.
    /// - Returns: false when that is too much; then all is as before.
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
