/// Makes the keys of sibling views from foreign names, which may be equal, or become so when they are cleaned.
struct SiblingKeys {
    private var used: Set<String> = []

    /// Returns a key that no other one of these siblings has.
    mutating func key(_ name: String) -> String {
        let name = name.oneLine(120)
        var key = name
        var number = 2
        while !used.insert(key).inserted {
            key = "\(name) \(number)"
            number += 1
        }
        return key
    }
}
