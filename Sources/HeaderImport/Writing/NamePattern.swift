/// What `--only` takes: a name, with `*` for any characters and `?` for one.
package struct NamePattern: Sendable {
    private let pattern: [UInt8]

    package init(_ text: String) { pattern = Array(text.utf8) }

    /// Whether all of a name is like the pattern.
    package func matches(_ name: String) -> Bool {
        let name = Array(name.utf8)
        var place = 0
        var index = 0
        // Where the last star stands, and how much of the name it has taken.
        var star: (place: Int, index: Int)?
        while index < name.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, index)
                place += 1
            } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") || pattern[place] == name[index] {
                place += 1
                index += 1
            } else if let last = star {
                star = (last.place, last.index + 1)
                place = last.place + 1
                index = last.index + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
