/// A time span, exactly: `value` units of which there are `timescale` in a second.
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
