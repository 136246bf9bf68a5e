/// Finds the name that was probably meant.
package enum SimilarName {
    /// Returns the name with the fewest typing errors relative to `text`, or the first of several such names; failing
    /// that, the first name that begins with `text`; nil if none is close. Case is ignored.
    package static func nearest(to text: String, in names: [String]) -> String? {
        let wanted = Array(text.lowercased().unicodeScalars)
        // Allow one typing error per three characters.
        var limit = min(wanted.count / 3, 4)
        var nearest: String?
        for name in names {
            let distance = distance(wanted, Array(name.lowercased().unicodeScalars), limit: limit)
            guard let distance, nearest == nil || distance < limit else { continue }
            nearest = name
            limit = distance
        }
        guard nearest == nil, wanted.count >= 3 else { return nearest }
        return names.first { $0.lowercased().hasPrefix(text.lowercased()) }
    }

    /// Returns the number of characters to insert, delete, replace or swap with the next one (optimal string
    /// alignment); nil if it exceeds `limit`.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
                var least = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            guard current.contains(where: { $0 <= limit }) else { return nil }
            (beforeLast, last) = (last, current)
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}
