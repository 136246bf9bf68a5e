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
            _ = text("summary", in: object)
            if let parameters = object["parameters"] { _ = self.object(parameters, as: "\"parameters\"") }
            let kind = choice("kind", in: object, default: SelectorKind.object)
            let name = requiredText("name", in: object, of: .selector, example: "probe")
            guard let name, let value = object["name"] else { continue }
            if !seen.insert(SelectorKey(name: name, kind: kind)).inserted {
                report(
                    "two selectors of kind \"\(kind.rawValue)\" have the name \(name.quoted): rename one",
                    at: value.start)
            }
        }
    }
}
