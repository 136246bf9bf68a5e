extension ManifestChecker {
    /// The link classes of a component; only those that have a name and a type.
    mutating func linkClasses(in component: JSONObject) -> [Manifest.LinkClass] {
        var names: Set<String> = []
        return objects("classes", in: component).compactMap { object in
            checkKeys(of: object, known: .linkClass)
            _ = text("summary", in: object)
            texts("provides", in: object)
            checkSelectors(in: object)
            let instances = choice("instances", in: object, default: Manifest.Instances.shared)
            let name = checkedName(in: object, of: .linkClass, example: "VideoLink")
            let type = object["type"] == nil ? name : typeName(in: object)
            guard let name, let value = object["name"], let type else { return nil }
            if !names.insert(name).inserted {
                report("two classes have the name \(name.quoted): rename one", at: value.start)
            }
            if object["type"] == nil, !Self.isIdentifier(name) {
                report(
                    "the class \(name.quoted) can't be a Swift type of that name: add \"type\" with the type's name",
                    at: value.start)
            }
            return Manifest.LinkClass(name: name, type: type, instances: instances)
        }
    }
}
