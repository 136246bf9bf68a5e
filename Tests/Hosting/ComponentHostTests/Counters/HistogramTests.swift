import ComponentKit
import Foundation
import HostContract
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Histograms of durations")
struct HistogramTests {
    @Test("the bounds are 1, 2 and 5 of every power of ten from 100 ns to 100 s")
    func bounds() {
        #expect(DurationHistogram.bounds.count == DurationHistogram.bucketCount - 1)
        #expect(DurationHistogram.bounds.first == .nanoseconds(100))
        #expect(DurationHistogram.bounds.last == .seconds(100))
        #expect(DurationHistogram.bounds.contains(.milliseconds(2)))
        for (lower, upper) in zip(DurationHistogram.bounds, DurationHistogram.bounds.dropFirst()) {
            #expect(upper / lower >= 2 && upper / lower <= 2.5)
        }
    }

    @Test(
        "a duration belongs to the bucket whose bound it does not exceed",
        arguments: [
            (0, 0), (100, 0), (101, 1), (200, 1), (201, 2), (1000, 3), (1001, 4), (99_999_999_999, 27),
            (100_000_000_000, 27), (100_000_000_001, 28), (.max, 28),
        ] as [(UInt64, Int)])
    func buckets(nanoseconds: UInt64, bucket: Int) {
        #expect(DurationHistogram.bucket(of: nanoseconds) == bucket)
    }

    @Test("quantiles are bounds that enough calls do not exceed")
    func quantiles() {
        var counts = Array(repeating: 0, count: DurationHistogram.bucketCount)
        counts[3] = 50
        counts[6] = 40
        counts[9] = 9
        counts[28] = 1
        let histogram = DurationHistogram(counts: counts, sum: .seconds(100))
        for (share, expected) in [
            (0.0, Duration.microseconds(1)), (0.5, .microseconds(1)), (0.51, .microseconds(10)),
            (0.9, .microseconds(10)), (0.99, .microseconds(100)), (1, .seconds(100)), (7, .seconds(100)),
            (-1, .microseconds(1)), (.nan, .seconds(100)),
        ] {
            #expect(histogram.quantile(share) == expected, "\(share)")
        }
        #expect(histogram.count == 100)
        #expect(histogram.mean == .seconds(1))
        #expect(DurationHistogram().quantile(0.5) == nil)
        #expect(DurationHistogram().mean == nil)
        #expect((histogram + histogram).count == 200)
        #expect((histogram + histogram).since(histogram) == histogram)
        #expect(histogram.since(histogram + histogram) == DurationHistogram())
    }

    @Test("the answer of a host with other bounds is read as near as possible")
    func otherBounds() {
        let buckets = [
            DurationBucket(upTo: 0.0021, calls: 3), DurationBucket(upTo: 1e6, calls: 4),
            DurationBucket(upTo: .nan, calls: 5), DurationBucket(calls: 6),
        ]
        let histogram = DurationHistogram(CallDurations(calls: 18, sum: .nan, buckets: buckets))
        #expect(histogram.sum == .zero)
        let counts = zip(DurationHistogram.bounds, histogram.counts).filter { $1 > 0 }
        #expect(counts.map(\.0) == [.milliseconds(2)] && counts.map(\.1) == [3])
        #expect(histogram.counts.last == 15)
    }

    @Test("the answer of a host may have any numbers")
    func anyNumbers() {
        let numbers = [Int.max, .max, 1, .min, -1]
        let buckets = numbers.map { DurationBucket(upTo: 1, calls: $0) } + numbers.map { DurationBucket(calls: $0) }
        for sum in [Double.infinity, -.infinity, .nan, 1e300] {
            let histogram = DurationHistogram(CallDurations(calls: .min, sum: sum, buckets: buckets))
            #expect(histogram.counts.last == numbers.reduce(0, &+))
            #expect(histogram.since(histogram) == DurationHistogram())
        }
    }

    @Test("of many calls in place, one in 64 is timed and counts for 64, whatever the caller alternates with")
    func sampling() {
        for step in [1, 2, 64, 128, 4096] as [UInt64] {
            var weights = (0, 0)
            for index in 0..<100_000 as Range<UInt64> {
                let timing = CallTiming(after: 64 + index * step, share: CallTiming.sampled)
                guard timing.isTimed else { continue }
                #expect(timing.end().weight == CallTiming.weight)
                weights.0 += 1
            }
            #expect((1500...1625).contains(weights.0), "\(step): \(weights.0)")
            weights.1 += 1
        }
        for count in 0..<64 as Range<UInt64> {
            #expect(CallTiming(after: count, share: CallTiming.sampled).end().weight == 1)
        }
        #expect(CallTiming(after: 1_000_001, share: CallTiming.all).end().weight == 1)
        #expect(!CallTiming.none.isTimed)
    }

    @Test("the estimate of a busy method is close to the exact number of calls")
    func estimate() async throws {
        let host = try Depth.builtIn.host()
        try await onThread {
            let bound = try host.bind("FixtureLink", "sum")
            for _ in 0..<100_000 { _ = try bound(["a": 1, "b": 2, "c": 3]) }
        }
        let sum = try #require(host.counters.first { $0.selector == "sum" }?.counters)
        #expect(sum.calls == 100_000)
        #expect(abs(sum.durations.count - 100_000) < 2000, "\(sum.durations.count)")
        await host.stop()
    }

    @Test("durations are passed on in the same proportions, and never too many")
    func picked() {
        var counts = Array(repeating: 0, count: DurationHistogram.bucketCount)
        counts[0] = 3
        counts[28] = 1
        let few = DurationHistogram(counts: counts, sum: .zero).picked(atMost: 128)
        #expect(few.map(\.nanoseconds) == [50, 100_000_000_000])
        #expect(few.map(\.count) == [3, 1])
        counts[3] = 750_000
        counts[4] = 250_000
        let many = DurationHistogram(counts: counts, sum: .zero).picked(atMost: 100)
        #expect(many.map(\.count).reduce(0, +) == 100)
        #expect(many.map(\.nanoseconds) == [750, 1500])
        #expect(many.map(\.count) == [75, 25])
        #expect(DurationHistogram().picked(atMost: 128).isEmpty)
    }
}

@Suite("Cells of threads")
struct ThreadCellTests {
    @Test("a thread that ends leaves its cells, and what they counted, to another one")
    func handedOn() async throws {
        let (number, base) = CellRegistry.takeNumber()
        for _ in 0..<200 { try await onOwnThread { for _ in 0..<10 { _ = ThreadCells.add(number) } } }
        #expect(CellRegistry.sums(of: [number]) == [base + 2000])
        CellRegistry.retire(number)
    }

    @Test("numbers far beyond the cells of a thread are counted, while others add up")
    func growing() async throws {
        let numbers = (0..<3000).map { _ in CellRegistry.takeNumber() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    try await onOwnThread {
                        // Cells are moved while this thread and the readers look at them.
                        for (index, taken) in numbers.enumerated() where index % 8 <= thread {
                            _ = ThreadCells.add(taken.number)
                        }
                    }
                }
            }
            group.addTask {
                try await onOwnThread {
                    for _ in 0..<50 { _ = CellRegistry.sums(of: numbers.map(\.number)) }
                }
            }
            try await group.waitForAll()
        }
        let sums = zip(CellRegistry.sums(of: numbers.map(\.number)), numbers).map { $0 - $1.count }
        #expect(sums.enumerated().allSatisfy { $1 == UInt64(8 - $0 % 8) })
        for taken in numbers { CellRegistry.retire(taken.number) }
    }
}
