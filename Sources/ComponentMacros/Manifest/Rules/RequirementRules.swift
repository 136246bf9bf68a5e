extension ManifestChecker {
    /// What a requirement may name.
    private static let subjects = ["component", "class", "service", "protocol"]

    /// What the component requirements: a component (maybe with a range of versions), a link class (maybe with selectors),
    /// or a service, by its name or by the protocol.
    mutating func checkRequirements(in component: JSONObject) {
        for object in objects("requires", in: component) {
            checkKeys(of: object, known: .requirement)
            boolean("optional", in: object)
            for key in Self.subjects + ["summary"] { _ = text(key, in: object) }
            checkVersionRange(in: object)
            if Self.subjects.count(where: { object[$0] != nil }) != 1 {
                report(
                    "a requirement names exactly one: either \"component\", \"class\", \"service\" or \"protocol\"",
                    at: object.start)
            }
            texts("selectors", in: object)
            if let selectors = object["selectors"], object["class"] == nil {
                report("\"selectors\" stands beside \"class\" only: remove it", at: selectors.start)
            }
        }
    }

    /// Components have versions, nothing else has.
    private mutating func checkVersionRange(in requirement: JSONObject) {
        guard let range = text("version", in: requirement), let value = requirement["version"] else { return }
        guard requirement["component"] != nil else {
            report("only a component has a version: remove \"version\" here", at: value.start)
            return
        }
        guard VersionRange.isValid(range) else {
            report(
                "\"version\" must be a range such as \">=1.0.0 <2.0.0\" or \"1.2.0\", found \(range.quoted)",
                at: value.start)
            return
        }
    }
}
