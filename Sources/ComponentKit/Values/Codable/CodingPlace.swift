/// Where in a value a coder is, as a list from the inside out: cheap to extend, and made into a coding path
/// only where somebody asks.
final class CodingPlace {
    let parent: CodingPlace?
    let key: any CodingKey

    init(_ parent: CodingPlace?, _ key: any CodingKey) {
        self.parent = parent
        self.key = key
    }
}

extension CodingPlace? {
    /// The keys from the root to here.
    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var place = self
        while let current = place {
            path.append(current.key)
            place = current.parent
        }
        return path.reversed()
    }

    func appending(_ key: any CodingKey) -> CodingPlace { CodingPlace(self, key) }
}

/// A key of a place that no type of the author names: an index of an array, `super`, a key of a dictionary.
struct PlainKey: CodingKey {
    private let name: String
    let intValue: Int?

    init(_ index: Int) {
        name = ""
        intValue = index
    }

    init(stringValue: String) {
        name = stringValue
        intValue = nil
    }

    /// Made where somebody asks: most items of an array are never named.
    var stringValue: String { intValue.map { "Index \($0)" } ?? name }

    init?(intValue: Int) { self.init(intValue) }

    static let `super` = PlainKey(stringValue: "super")
}
