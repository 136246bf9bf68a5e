extension ManifestChecker {
    /// What the component demands: a component (maybe with a range of versions) or a link class of the host.
    mutating func checkRequirements(in component: JSONObject) {
        for object in objects("requires", in: component) {
            checkKeys(of: object, known: .requirement)
            boolean("optional", in: object)
            for key in ["component", "class", "version", "summary"] { _ = text(key, in: object) }
            if (object["component"] == nil) == (object["class"] == nil) {
                report("a requirement names exactly one: either \"component\" or \"class\"", at: object.start)
            }
        }
    }
}
