extension ManifestChecker {
    /// The rules for the object as a whole.
    mutating func component(_ json: JSONValue) -> Manifest? {
        guard let object = object(json, as: "the manifest") else { return nil }
        checkKeys(of: object, known: .component)
        let name = componentName(in: object)
        let version = componentVersion(in: object)
        let type = typeName(in: object)
        _ = text("layer", in: object)
        _ = text("summary", in: object)
        let classes = linkClasses(in: object)
        checkRequirements(in: object)
        guard let name, let version else { return nil }
        return Manifest(name: name, version: version, type: type, classes: classes)
    }

    /// A component's name stands in file names, tables and command lines, so its letters are few.
    private mutating func componentName(in object: JSONObject) -> String? {
        let name = checkedName(in: object, of: .component, example: "ComponentVideo")
        guard let name, let value = object["name"] else { return nil }
        guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_.\-]*/) != nil else {
            report(
                "\"name\" must begin with a letter A-Z or a-z, then have letters, digits, \"_\", \".\" or \"-\" only, "
                    + "found \(name.quoted)",
                at: value.start)
            return nil
        }
        return name
    }

    private mutating func componentVersion(in object: JSONObject) -> String? {
        let version = requiredText("version", in: object, of: .component, example: "1.0.0")
        guard let version, let value = object["version"] else { return nil }
        guard SemanticVersion.isValid(version) else {
            report(
                "\"version\" must be MAJOR.MINOR.PATCH such as \"1.0.0\" or \"1.0.0-beta.1\", found \(version.quoted)",
                at: value.start)
            return nil
        }
        return version
    }
}
