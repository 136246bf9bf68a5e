/// The keys of one kind of object in a manifest. Keys that begin with "x-" are free for everyone.
struct KnownKeys {
    /// What the object is called in messages, with its article.
    let owner: String
    let keys: [String]
    /// Keys that the macro writes from what it knows, so that no author may.
    var written: [String] = []

    static let component = KnownKeys(
        owner: "the manifest",
        keys: [
            "name", "version", "layer", "summary", "type", "classes", "requires", "services", "routes", "events",
            "models",
        ],
        written: ["module", "compiler", "abi"])
    static let linkClass = KnownKeys(
        owner: "a class", keys: ["name", "type", "instances", "provides", "selectors", "summary"])
    static let selector = KnownKeys(
        owner: "a selector",
        keys: ["name", "kind", "parameters", "result", "quick", "async", "mainActor", "summary"])
    static let requirement = KnownKeys(
        owner: "a requirement",
        keys: ["component", "class", "service", "protocol", "selectors", "version", "optional", "summary"])

    func contains(_ key: String) -> Bool {
        key.hasPrefix("x-") || keys.contains(key)
    }

    /// The known key that is the fewest edits away from `key`; the first of several.
    func nearest(to key: String) -> String {
        let distances = keys.map { (key: $0, distance: Self.distance($0, key)) }
        return distances.min { $0.distance < $1.distance }?.key ?? ""
    }

    /// The edit distance of Levenshtein, regardless of case: letters put in, taken out or replaced.
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right.lowercased())
        var row = Array(0...right.count)
        for (line, letter) in left.lowercased().enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for column in right.indices {
                let replaced = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
