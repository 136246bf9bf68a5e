import PageKit

/// The values on the vertical axis of a chart: round numbers at equal distances, and whole ones if the values are whole.
struct ChartScale: Hashable {
    /// The marks from the lowest on, in units of ``unit``.
    let ticks: [Double]
    /// The power of ten that is one.
    private let exponent: Int
    private let unit: Double

    /// - Parameters:
    ///   - values: finite values.
    ///   - includesZero: whether zero is on the axis in any case, as bars need it.
    init(_ values: some Sequence<Double>, includesZero: Bool) {
        var (low, high) = (Double.infinity, -Double.infinity)
        // Counts are, and half a call says nothing.
        var areWhole = true
        for value in values where value.isFinite {
            low = min(low, value)
            high = max(high, value)
            if value != value.rounded() { areWhole = false }
        }
        let size = max(low.magnitude, high.magnitude)
        // What is smaller is shown as zero.
        guard low <= high, size > 1e-300 else {
            (ticks, exponent, unit) = (areWhole ? [0, 1] : [0, 0.5, 1], 0, 1)
            return
        }
        // In this unit all values are from -10 to 10, so that no difference is infinite.
        (exponent, unit) = size.powerOfTen
        low /= unit
        high /= unit
        if includesZero || high - low < 1e-6 || (low > 0 && low < high / 2) { low = min(low, 0) }
        if includesZero || high - low < 1e-6 || (high < 0 && high > low / 2) { high = max(high, 0) }
        let step = ((high - low) / 4).roundStep(wholeIn: areWhole ? unit : nil)
        let first = (low / step + 1e-9).rounded(.down)
        let last = max((high / step - 1e-9).rounded(.up), first + 1)
        ticks = (Int(first)...Int(last)).map { Double($0) * step }
    }

    /// Returns where a value is: from 0 for the lowest mark to 1 for the highest.
    func share(of value: Double) -> Double {
        let (low, high) = (ticks[0], ticks[ticks.count - 1])
        let share = (value / unit - low) / (high - low)
        return share.isFinite ? min(max(share, 0), 1) : 0
    }

    /// Returns the text of a mark.
    func text(of tick: Double) -> String {
        let tick = (tick * 1e6).rounded() / 1e6
        guard tick != 0, exponent < -3 || exponent > 14 else { return (tick * unit).shortText }
        return "\(tick.shortText)e\(exponent)"
    }
}

extension Double {
    /// The largest power of ten that is not above a positive number. It may be less by the errors of so many
    /// multiplications.
    fileprivate var powerOfTen: (exponent: Int, value: Double) {
        var (exponent, value) = (0, 1.0)
        while value * 9.999_999_999_999 <= self {
            value *= 10
            exponent += 1
        }
        while value * 0.999_999_999_999_9 > self {
            value /= 10
            exponent -= 1
        }
        return (exponent, value)
    }

    /// Returns the next number of the form 1, 2, 2.5 or 5 times a power of ten.
    ///
    /// - Parameter unit: What the number times this is whole, too; nil if it need not be.
    fileprivate func roundStep(wholeIn unit: Double?) -> Double {
        let least = unit.map { Swift.max(self, 1 / $0) } ?? self
        let (_, power) = least.powerOfTen
        let steps = [1, 2, 2.5, 5, 10].lazy.map { $0 * power }.filter { step in
            guard let unit else { return true }
            let size = step * unit
            return (size - size.rounded()).magnitude <= size * 1e-9
        }
        return steps.first { $0 >= least * 0.999_999 } ?? power * 10
    }
}
