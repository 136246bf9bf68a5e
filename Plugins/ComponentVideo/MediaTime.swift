/// An exact time span of `value` units, with `timescale` units per second.
struct MediaTime: Hashable, Sendable {
    /// The number of units.
    var value: UInt64
    /// The number of units per second, at least 1.
    var timescale: UInt32

    /// The span in seconds, rounded to the nearest `Double`.
    var seconds: Double { Double(value) / Double(timescale) }

    /// Returns whether this span is longer, compared without rounding.
    func isLonger(than other: MediaTime) -> Bool {
        let left = value.multipliedFullWidth(by: UInt64(other.timescale))
        let right = other.value.multipliedFullWidth(by: UInt64(timescale))
        return (left.high, left.low) > (right.high, right.low)
    }
}

/// A fraction in lowest terms, as in 30000/1001 frames per second.
struct Ratio: Hashable, Sendable {
    /// The numerator.
    var numerator: UInt64
    /// The denominator, at least 1.
    var denominator: UInt64

    /// Creates the fraction `numerator / denominator` in lowest terms; nil if the denominator is 0.
    init?(_ numerator: UInt64, _ denominator: UInt64) {
        self.init(numerator, times: 1, over: denominator)
    }

    /// Creates the fraction `factor * other / denominator` in lowest terms; nil if the denominator is 0 or a term does
    /// not fit into 64 bits.
    init?(_ factor: UInt64, times other: UInt64, over denominator: UInt64) {
        guard denominator > 0 else { return nil }
        let first = Self.greatestCommonDivisor(factor, denominator)
        let second = Self.greatestCommonDivisor(other, denominator / first)
        let (product, overflow) = (factor / first).multipliedReportingOverflow(by: other / second)
        guard !overflow else { return nil }
        self.numerator = product
        self.denominator = denominator / first / second
    }

    /// The fraction, rounded to the nearest `Double`.
    var value: Double { Double(numerator) / Double(denominator) }

    /// Returns the greatest common divisor by Euclid's algorithm: at least 1, because `right` is.
    private static func greatestCommonDivisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
        var (a, b) = (left, right)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}

extension Ratio: CustomStringConvertible {
    var description: String { "\(numerator)/\(denominator)" }
}
