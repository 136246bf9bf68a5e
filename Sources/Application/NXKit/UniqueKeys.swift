extension [String] {
    /// The names of files as keys of views, of which no two are equal. Two names are equal for Swift if they look the same,
    /// such as an é of one character and one of two; the later ones have a number after a slash then, which no name of a
    /// file has.
    public var uniqueKeys: [String] {
        var counts: [String: Int] = [:]
        return map { name in
            let count = counts[name, default: 0] + 1
            counts[name] = count
            return count == 1 ? name : "\(name)/\(count)"
        }
    }
}
