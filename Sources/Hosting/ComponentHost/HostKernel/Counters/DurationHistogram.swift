/// How long calls have taken: how many took up to each of a row of bounds.
///
/// The bounds are 100 ns, 200 ns, 500 ns, 1 µs and so on up to 100 s, so a quantile is at most two and a half times too
/// large. A call that the host hands to one of its threads, or that an asynchronous method answers, counts for itself.
/// Of the calls that run in place, on the thread of their caller, the host times the first 64 that a thread makes to a
/// method and then one in 64, chosen evenly, which counts for 64. So the numbers of a busy method are an estimate;
/// ``CallCounters/calls`` is exact.
///
///     let probe = host.counters.first { $0.className == "VideoLink" && $0.selector == "probe" }
///     if let slow = probe?.counters.durations.quantile(0.99) { print("99 % take at most \(slow)") }
public struct DurationHistogram: Sendable, Hashable {
    /// The upper bounds of the buckets, ascending; the bounds belong to their buckets. A last bucket has no bound.
    public static let bounds: [Duration] = limits.map { .nanoseconds(Int64($0)) }

    /// How many calls each bucket has: one number for each bound, and the last one for longer calls.
    public private(set) var counts: [Int]
    /// The time that all calls have taken together.
    public private(set) var sum: Duration

    /// Creates a histogram of no calls.
    public init() { self.init(counts: Array(repeating: 0, count: DurationHistogram.bucketCount), sum: .zero) }

    /// - Parameter counts: one number for each bucket.
    init(counts: [Int], sum: Duration) {
        self.counts = counts
        self.sum = sum
    }

    /// How many calls the histogram has.
    public var count: Int { counts.reduce(0, &+) }

    /// The average; nil if there are no calls.
    public var mean: Duration? { count == 0 ? nil : sum / count }

    /// Returns a duration that this share of the calls does not exceed: the bound of the bucket in which it is reached,
    /// or 100 s if that has none; nil if there are no calls.
    ///
    /// - Parameter share: a number from 0 to 1, such as 0.99; others are treated as the nearest of these.
    public func quantile(_ share: Double) -> Duration? {
        let count = count
        guard count > 0 else { return nil }
        let rank = max(1, (min(max(share.isNaN ? 1 : share, 0), 1) * Double(count)).rounded(.up))
        var sum = 0
        for (index, bound) in DurationHistogram.bounds.enumerated() {
            sum &+= counts[index]
            if Double(sum) >= rank { return bound }
        }
        return DurationHistogram.bounds.last
    }

    /// Returns the calls of both histograms.
    public static func + (first: DurationHistogram, second: DurationHistogram) -> DurationHistogram {
        DurationHistogram(counts: zip(first.counts, second.counts).map { $0 &+ $1 }, sum: first.sum + second.sum)
    }

    /// Returns the calls that this histogram has in addition to those of an earlier one of the same calls.
    public func since(_ earlier: DurationHistogram) -> DurationHistogram {
        DurationHistogram(
            counts: zip(counts, earlier.counts).map { max($0 &- $1, 0) }, sum: max(sum - earlier.sum, .zero))
    }
}

extension DurationHistogram {
    /// The bounds in nanoseconds.
    static let limits: [UInt64] = {
        let decades = (0..<9).map { decade in (0..<decade).reduce(100) { (bound: UInt64, _) in bound * 10 } }
        return decades.flatMap { (decade: UInt64) -> [UInt64] in [decade, 2 * decade, 5 * decade] } + [100_000_000_000]
    }()

    static let bucketCount = 29

    /// Returns the index of the bucket for a duration.
    static func bucket(of nanoseconds: UInt64) -> Int {
        limits.firstIndex { nanoseconds <= $0 } ?? limits.count
    }
}

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
