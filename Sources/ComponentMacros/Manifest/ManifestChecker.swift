/// Reads a manifest out of its JSON and collects everything that is wrong with it; the rules stand in `Rules/`.
struct ManifestChecker {
    private(set) var problems: [ManifestProblem] = []

    /// The manifest in `json`, or every problem in the order of the text.
    static func check(_ json: JSONValue) -> Result<Manifest, ManifestProblems> {
        var checker = ManifestChecker()
        let manifest = checker.component(json)
        guard let manifest, checker.problems.isEmpty else {
            return .failure(ManifestProblems(list: checker.problems.sorted { $0.offset < $1.offset }))
        }
        return .success(manifest)
    }

    mutating func report(_ message: String, at offset: Int) {
        problems.append(ManifestProblem(message: message, offset: offset))
    }
}

/// Pieces that several rules need.
extension ManifestChecker {
    /// The object that `value` is; reports anything else. `what` is "an item of \"classes\"" or the like.
    mutating func object(_ value: JSONValue, as what: String) -> JSONObject? {
        guard case .object(let object) = value.content else {
            report("\(what) must be an object {…}, found \(value.kind)", at: value.start)
            return nil
        }
        return object
    }

    /// The objects of the array below `key`; none when there is no such key.
    mutating func objects(_ key: String, in owner: JSONObject) -> [JSONObject] {
        guard let value = owner[key] else { return [] }
        guard case .array(let items) = value.content else {
            report("\"\(key)\" must be an array of objects [{…}, …], found \(value.kind)", at: value.start)
            return []
        }
        return items.compactMap { object($0, as: "an item of \"\(key)\"") }
    }

    /// The text below `key` when it is there; reports other types and empty text.
    mutating func text(_ key: String, in owner: JSONObject) -> String? {
        guard let value = owner[key] else { return nil }
        guard case .string(let text) = value.content else {
            report("\"\(key)\" must be a string, found \(value.kind)", at: value.start)
            return nil
        }
        guard !text.isEmpty else {
            report("\"\(key)\" is empty: write its text, or leave the key out where it may be missing", at: value.start)
            return nil
        }
        return text
    }

    /// Reports a value below `key` that is no array of strings with something in them.
    mutating func texts(_ key: String, in owner: JSONObject) {
        guard let value = owner[key] else { return }
        guard case .array(let items) = value.content else {
            report("\"\(key)\" must be an array of strings […], found \(value.kind)", at: value.start)
            return
        }
        for item in items {
            guard case .string(let text) = item.content else {
                report("an item of \"\(key)\" must be a string, found \(item.kind)", at: item.start)
                continue
            }
            if text.isEmpty { report("an item of \"\(key)\" is empty: write a name", at: item.start) }
        }
    }

    /// The text below `key`; reports a missing key with `example` of what to write.
    mutating func requiredText(_ key: String, in owner: JSONObject, of keys: KnownKeys, example: String) -> String? {
        guard owner[key] != nil else {
            report("\(keys.owner) has no \"\(key)\": add \"\(key)\": \"\(example)\"", at: owner.start)
            return nil
        }
        return text(key, in: owner)
    }

    /// Reports a value below `key` that is neither true nor false.
    mutating func boolean(_ key: String, in owner: JSONObject) {
        guard let value = owner[key] else { return }
        if case .bool = value.content { return }
        report("\"\(key)\" must be true or false, found \(value.kind)", at: value.start)
    }

    /// The case of `Choice` below `key`, `fallback` when the key is missing; reports every other value.
    mutating func choice<Choice>(_ key: String, in owner: JSONObject, default fallback: Choice) -> Choice
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let value = owner[key] else { return fallback }
        guard case .string(let text) = value.content, let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
            var found = value.kind
            if case .string(let text) = value.content { found = text.quoted }
            report("\"\(key)\" must be \(names), found \(found)", at: value.start)
            return fallback
        }
        return choice
    }
}
