/// A value for each sample of a track, kept as numbers of samples in a row with the same value.
struct SampleRuns<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Samples in a row with the same value.
    struct Run: Hashable, Sendable {
        /// How many there are, at least 1.
        var count: UInt32
        /// What they have.
        var value: Value
    }

    private(set) var runs: [Run] = []
    /// The number of samples that have a value.
    private(set) var count: UInt64 = 0

    /// Adds samples at the end.
    mutating func append(_ count: UInt32, of value: Value) {
        guard count > 0 else { return }
        self.count += UInt64(count)
        if let last = runs.last, last.value == value, last.count <= .max - count {
            runs[runs.count - 1].count += count
        } else {
            runs.append(Run(count: count, value: value))
        }
    }

    /// Adds the values of other samples at the end.
    mutating func append(contentsOf other: SampleRuns) {
        for run in other.runs { append(run.count, of: run.value) }
    }

    /// Gives the samples that have no value yet the same one, up to a number of samples.
    mutating func fill(to total: UInt64, with value: Value) {
        while count < total { append(UInt32(clamping: total - count), of: value) }
    }

    /// Changes the value of the last sample.
    mutating func changeLast(_ change: (Value) -> Value) {
        guard let last = runs.popLast() else { return }
        count -= UInt64(last.count)
        append(last.count - 1, of: last.value)
        append(1, of: change(last.value))
    }

    /// Returns the values of some samples only.
    func part(_ samples: Range<UInt64>) -> SampleRuns {
        var part = SampleRuns()
        var first: UInt64 = 0
        for run in runs {
            let shared = samples.clamped(to: first..<first + UInt64(run.count))
            part.append(UInt32(shared.count), of: run.value)
            first += UInt64(run.count)
        }
        return part
    }
}

/// The sizes of a track's samples in bytes (ISO/IEC 14496-12, section 8.7.3).
enum SampleSizes: Hashable, Sendable {
    /// All samples have the same size, as those of sound that is not compressed.
    case same(UInt32, count: UInt64)
    /// Each sample has its own.
    case each([UInt32])

    /// The number of samples.
    var count: UInt64 {
        switch self {
        case .same(_, let count): count
        case .each(let sizes): UInt64(sizes.count)
        }
    }

    /// The number of bytes of some samples, which must exist. Less than 2^64, as there are at most 2^32 samples.
    func total(_ samples: Range<UInt64>) -> UInt64 {
        switch self {
        case .same(let size, _): UInt64(samples.count) * UInt64(size)
        case .each(let sizes): sizes[Int(samples.lowerBound)..<Int(samples.upperBound)].reduce(0) { $0 + UInt64($1) }
        }
    }

    /// Returns the sizes of some samples only.
    func part(_ samples: Range<UInt64>) -> SampleSizes {
        switch self {
        case .same(let size, _): .same(size, count: UInt64(samples.count))
        case .each(let sizes): .each(Array(sizes[Int(samples.lowerBound)..<Int(samples.upperBound)]))
        }
    }

    /// Adds the sizes of other samples at the end.
    ///
    /// - Parameter most: How many samples may have sizes of their own.
    /// - Returns: False, and nothing is added, if there would be more.
    mutating func append(contentsOf other: SampleSizes, most: Int) -> Bool {
        if case (.same(let size, let count), .same(let otherSize, let more)) = (self, other), size == otherSize {
            self = .same(size, count: count + more)
            return true
        }
        // Sizes that are the same take no memory, and there may be any number of them.
        guard count + other.count <= UInt64(most) else { return false }
        self = .each(list + other.list)
        return true
    }

    private var list: [UInt32] {
        switch self {
        case .same(let size, let count): Array(repeating: size, count: Int(count))
        case .each(let sizes): sizes
        }
    }
}

extension UInt64 {
    /// Returns a time in units of another length, rounded to the nearest; nil if it does not fit into 62 bits, so that
    /// two of them can be added and subtracted.
    ///
    /// - Parameters:
    ///   - timescale: The units per second of this time.
    ///   - other: The units per second of the result.
    func rescaled(from timescale: UInt32, to other: UInt32) -> UInt64? {
        let rounded = (UInt128(self) * UInt128(other) + UInt128(timescale / 2)) / UInt128(timescale)
        return rounded < UInt128(UInt64.longestTime) ? UInt64(rounded) : nil
    }

    /// All times are shorter than this number of units.
    static let longestTime: UInt64 = 1 << 62
}
