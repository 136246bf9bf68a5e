import ComponentKit
import ManifestRules

extension Payload {
    /// The text of `key`, which keeps to a rule.
    func text(_ key: String, _ rule: TextRule) throws(PayloadError) -> String {
        let text = try string(key)
        guard rule.allows(text) else {
            throw PayloadError(path: [.key(key)], expected: rule.expected, found: text.quoted())
        }
        return text
    }

    /// The case of `key`, or the default where it is missing or null.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, default standard: Choice
    ) throws(PayloadError) -> Choice {
        do throws(PayloadError) {
            guard let text = try stringIfPresent(key) else { return standard }
            guard let choice = Choice(rawValue: text) else {
                throw PayloadError(path: [.key(key)], expected: "", found: text.quoted())
            }
            return choice
        } catch {
            let names = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
            throw PayloadError(path: error.path, expected: names, found: error.found)
        }
    }

    /// The names in the array of `key`, each once; none where that is missing or null.
    func names(_ key: String) throws(PayloadError) -> [String] {
        var seen: Set<String> = []
        return try list(key) { (item) throws(PayloadError) in
            let name = try item.string()
            guard TextRule.name.allows(name) else {
                throw PayloadError(expected: TextRule.name.expected, found: name.quoted())
            }
            guard seen.insert(name).inserted else {
                throw PayloadError(expected: "each name once", found: "\(name.quoted()) again")
            }
            return name
        }
    }

    /// Keys with their types: the map of `key`, in its order; nothing where that is missing or null.
    func fields(_ key: String) throws(PayloadError) -> [SelectorDeclaration.Parameter] {
        guard let map = self[key], !map.isNull else { return [] }
        do throws(PayloadError) {
            return try map.fields()
        } catch {
            throw error.within(.key(key))
        }
    }

    /// The same of a map.
    func fields() throws(PayloadError) -> [SelectorDeclaration.Parameter] {
        var fields: [SelectorDeclaration.Parameter] = []
        for (name, type) in try entries() {
            do throws(PayloadError) {
                fields.append(SelectorDeclaration.Parameter(name: name, type: try type.string()))
            } catch {
                throw error.within(.key(name))
            }
        }
        return fields
    }

    /// What `read` makes of each item of the array of `key`; nothing where that is missing or null.
    func list<Item>(
        _ key: String, _ read: (Payload) throws(PayloadError) -> Item
    ) throws(PayloadError) -> [Item] {
        guard let array = self[key], !array.isNull else { return [] }
        do throws(PayloadError) {
            var items: [Item] = []
            items.reserveCapacity(array.count)
            for (index, item) in try array.items().enumerated() {
                do throws(PayloadError) {
                    items.append(try read(item))
                } catch {
                    throw error.within(.index(index))
                }
            }
            return items
        } catch {
            throw error.within(.key(key))
        }
    }
}

extension Array {
    /// Refuses the second of two items with one name.
    func refuseRepetition<Key: Hashable>(
        of what: String, in list: String, name: (Element) -> String, key: (Element) -> Key
    ) throws(PayloadError) {
        guard count > 1 else { return }
        var seen = Set<Key>(minimumCapacity: count)
        for (index, item) in enumerated() where !seen.insert(key(item)).inserted {
            throw PayloadError(
                path: [.key(list), .index(index), "name"], expected: "a name that no \(what) before it has",
                found: name(item).quoted())
        }
    }
}
