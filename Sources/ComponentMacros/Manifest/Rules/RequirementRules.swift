extension ManifestChecker {
    /// What the component demands: a component (maybe with a range of versions) or a link class of the host.
    mutating func checkRequirements(in component: JSONObject) {
        for object in objects("requires", in: component) {
            checkKeys(of: object, known: .requirement)
            boolean("optional", in: object)
            for key in ["component", "class", "summary"] { _ = text(key, in: object) }
            checkVersionRange(in: object)
            if (object["component"] == nil) == (object["class"] == nil) {
                report("a requirement names exactly one: either \"component\" or \"class\"", at: object.start)
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
