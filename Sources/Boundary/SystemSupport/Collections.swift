extension RandomAccessCollection {
    /// Returns the index of the first element that satisfies a condition, which all elements after it satisfy too; the
    /// end if there is none. Halves the range until it is found.
    package func partitioningIndex(where isBehind: (Element) -> Bool) -> Index {
        var (low, count) = (startIndex, count)
        while count > 0 {
            let middle = index(low, offsetBy: count / 2)
            if isBehind(self[middle]) {
                count /= 2
            } else {
                low = index(after: middle)
                count -= count / 2 + 1
            }
        }
        return low
    }
}

extension Dictionary {
    /// Creates a dictionary from pairs; of those with the same key, it has the first.
    package init(firstOf pairs: some Sequence<(Key, Value)>) {
        self.init(pairs, uniquingKeysWith: { first, _ in first })
    }
}
