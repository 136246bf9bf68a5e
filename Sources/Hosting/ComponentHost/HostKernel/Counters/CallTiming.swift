import ComponentKit
import Glibc

/// When a call began, if it is timed.
///
/// Reading the clock takes longer than the way of a bound call may, so of the calls that a thread makes to a method and
/// that run in place, the first 64 are timed and then one in 64, which counts for 64. They are not chosen by a fixed
/// step, which could meet every other call of a caller that alternates: multiples of the golden ratio, taken modulo 1,
/// are spread evenly whatever part of them is looked at.
struct CallTiming: Sendable {
    /// The time in nanoseconds of CLOCK_MONOTONIC, times two, plus one if the call counts for ``weight``; 0 if the call
    /// is not timed.
    private let value: UInt64

    /// How many calls one timed call represents.
    static let weight: UInt64 = 64

    /// A call that is not timed.
    static let none = CallTiming(value: 0)

    /// A call that began now and counts for itself.
    static var now: CallTiming { CallTiming(value: clock() << 1) }

    private init(value: UInt64) { self.value = value }

    /// Begins to time a call, if it is its turn.
    ///
    /// - Parameters:
    ///   - count: the number of calls to the method that the thread has made before.
    ///   - share: the share of later calls that are timed, as a fraction of 2^64: ``sampled`` or ``all``.
    @inline(__always)
    init(after count: UInt64, share: UInt64) {
        // All ones for the first calls. A single branch: if the way of a call had more of them, the compiler would not
        // put it in one piece.
        let early = UInt64(bitPattern: Int64(bitPattern: count &- CallTiming.weight) >> 63)
        value = count &* 0x9E37_79B9_7F4A_7C15 <= share | early ? CallTiming.begin(after: count, share: share) : 0
    }

    /// One call in 64.
    static let sampled: UInt64 = .max / weight
    /// Every call.
    static let all: UInt64 = .max

    @inline(never)
    private static func begin(after count: UInt64, share: UInt64) -> UInt64 {
        let isSampled = count >= weight && share != all
        return clock() << 1 | (isSampled ? 1 : 0)
    }

    @inline(__always)
    var isTimed: Bool { value != 0 }

    /// Returns how long the call has taken until now, and for how many calls it counts.
    func end() -> (nanoseconds: UInt64, weight: UInt64) {
        let begin = value >> 1
        let now = CallTiming.clock()
        return (now > begin ? now - begin : 0, value & 1 == 0 ? 1 : CallTiming.weight)
    }

    private static func clock() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
