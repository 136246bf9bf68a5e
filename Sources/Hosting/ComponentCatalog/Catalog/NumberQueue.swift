/// Numbers below a limit, each at most once, of which the smallest comes first. Adding, removing and finding a number
/// take a step for each factor of 64 in the limit.
// The bit set of swift-collections has one level, so it would look through all words for the smallest number each time.
struct NumberQueue {
    /// A bit for each number, then in each further level a bit for each word of the one before that is not zero. The last
    /// level has one word.
    private var levels: [[UInt64]] = []

    /// Creates a queue without numbers.
    init(below limit: Int) {
        var count = limit
        repeat {
            count = max(1, (count + 63) / 64)
            levels.append([UInt64](repeating: 0, count: count))
        } while count > 1
    }

    /// The smallest number; nil if there is none.
    var first: Int? {
        guard levels[levels.count - 1][0] != 0 else { return nil }
        var index = 0
        for level in levels.reversed() { index = index * 64 + level[index].trailingZeroBitCount }
        return index
    }

    /// Adds a number.
    mutating func insert(_ number: Int) {
        var index = number
        for level in levels.indices {
            let word = levels[level][index / 64]
            levels[level][index / 64] = word | 1 << (index % 64)
            guard word == 0 else { return }
            index /= 64
        }
    }

    /// Removes a number, which must be there.
    mutating func remove(_ number: Int) {
        var index = number
        for level in levels.indices {
            levels[level][index / 64] &= ~(1 << (index % 64))
            guard levels[level][index / 64] == 0 else { return }
            index /= 64
        }
    }
}
