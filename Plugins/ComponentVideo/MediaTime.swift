/// An exact time span: `value` units, with `timescale` units in a second.
package struct MediaTime: Hashable, Sendable {
    /// The number of units.
    package var value: UInt64
    /// Units in a second, at least 1.
    package var timescale: UInt32

    /// A span of `value` units.
    package init(value: UInt64, timescale: UInt32) {
        self.value = value
        self.timescale = timescale
    }

    /// The span in seconds, rounded to the nearest `Double`.
    package var seconds: Double { Double(value) / Double(timescale) }

    /// Whether this span is the longer one, compared without rounding.
    func isLonger(than other: MediaTime) -> Bool {
        let left = value.multipliedFullWidth(by: UInt64(other.timescale))
        let right = other.value.multipliedFullWidth(by: UInt64(timescale))
        return (left.high, left.low) > (right.high, right.low)
    }
}

/// A fraction in lowest terms, as in 30000/1001 frames a second.
package struct Ratio: Hashable, Sendable {
    /// The number above the line.
    package var numerator: UInt64
    /// The number below the line, at least 1.
    package var denominator: UInt64

    /// The fraction `numerator / denominator`, which must not be 0 below the line, in lowest terms.
    package init?(_ numerator: UInt64, _ denominator: UInt64) {
        self.init(numerator, times: 1, over: denominator)
    }

    /// The fraction `factor * other / denominator` in lowest terms; nil when the denominator is 0 or a term does not
    /// fit into 64 bits.
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
    package var value: Double { Double(numerator) / Double(denominator) }

    /// Euclid's algorithm. At least 1, since `right` is.
    private static func greatestCommonDivisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
        var (a, b) = (left, right)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}

extension Ratio: CustomStringConvertible {
    package var description: String { "\(numerator)/\(denominator)" }
}
