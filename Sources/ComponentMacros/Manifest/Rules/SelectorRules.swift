extension ManifestChecker {
    /// What a selector is sent to. A class may have one name as both kinds.
    enum SelectorKind: String, CaseIterable {
        case object
        case `class`
    }

    /// A selector's identity within its class.
    private struct SelectorKey: Hashable {
        let name: String
        let kind: SelectorKind
    }

    /// The selectors of a class are read by hosts; here they are only checked.
    mutating func checkSelectors(in linkClass: JSONObject) {
        var seen: Set<SelectorKey> = []
        for object in objects("selectors", in: linkClass) {
            checkKeys(of: object, known: .selector)
            for key in ["quick", "async", "mainActor"] { boolean(key, in: object) }
            for key in ["result", "summary"] { _ = text(key, in: object) }
            checkParameters(in: object)
            let kind = choice("kind", in: object, default: SelectorKind.object)
            let name = checkedName(in: object, of: .selector, example: "probe")
            guard let name, let value = object["name"] else { continue }
            if !seen.insert(SelectorKey(name: name, kind: kind)).inserted {
                report(
                    "two selectors of kind \"\(kind.rawValue)\" have the name \(name.quoted): rename one",
                    at: value.start)
            }
        }
    }

    /// Names and their types, which are words for people.
    private mutating func checkParameters(in selector: JSONObject) {
        guard let value = selector["parameters"], let parameters = object(value, as: "\"parameters\"") else { return }
        for member in parameters.members {
            guard case .string(let type) = member.value.content, !type.isEmpty else {
                let found = if case .string = member.value.content { "an empty one" } else { member.value.kind }
                report(
                    "the type of the parameter \(member.key.quoted) must be a string such as \"Int\", found \(found)",
                    at: member.value.start)
                continue
            }
        }
    }
}
