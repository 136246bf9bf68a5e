import HostContract

/// How many calls there were in each of the last intervals of 15 seconds, a quarter of an hour in all.
struct ActivityHistory: WatchedState {
    struct Interval: Hashable, Sendable {
        var calls: Int
        var failed: Int
    }

    /// The oldest one comes first.
    private(set) var intervals: [Interval] = []
    /// The sums at the end of the last interval; nil before the first.
    private var last: CallFigures?

    /// The length of an interval, in seconds.
    static let seconds = 15
    /// How many intervals are kept.
    static let most = 60

    /// Adds the interval that ends with these sums.
    mutating func add(_ sums: CallFigures) {
        defer { last = sums }
        guard let last else { return }
        // A host forgets the counts of a component whose file is gone.
        intervals.append(
            Interval(calls: max(sums.calls &- last.calls, 0), failed: max(sums.failed &- last.failed, 0)))
        if intervals.count > ActivityHistory.most { intervals.removeFirst() }
    }

    /// How long ago each interval ended, as in "1 min 15 s ago".
    var labels: [String] {
        intervals.indices.map { index in
            let seconds = (intervals.count - 1 - index) * ActivityHistory.seconds
            let parts = [
                seconds >= 60 ? "\(seconds / 60) min" : nil, seconds % 60 > 0 ? "\(seconds % 60) s" : nil,
            ].compactMap(\.self)
            return parts.isEmpty ? "now" : parts.joined(separator: " ") + " ago"
        }
    }
}
