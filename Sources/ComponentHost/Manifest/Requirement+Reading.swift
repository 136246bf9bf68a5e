import ComponentKit
import ManifestRules

extension Requirement {
    /// A protocol in place of a service's name stays as it is: ``ManifestJoin`` puts the name there.
    init(_ json: Payload) throws(PayloadError) {
        var subjects: [(key: String, name: String)] = []
        for key in ["component", "class", "service", "protocol"] {
            if let name = try json.stringIfPresent(key) { subjects.append((key, name)) }
        }
        guard let (key, name) = subjects.first, subjects.count == 1 else {
            throw PayloadError(
                expected: #"exactly one of "component", "class", "service" and "protocol""#,
                found: subjects.isEmpty ? "none" : subjects.map { "\"\($0.key)\"" }.joined(separator: " and "))
        }
        let rangeText = try json.stringIfPresent("version")
        guard rangeText == nil || key == "component" else {
            throw PayloadError(
                path: ["version"], expected: "nothing: only components have versions here", found: "a range")
        }
        let selectors = try json.names("selectors")
        guard selectors.isEmpty || key == "class" else {
            throw PayloadError(
                path: ["selectors"], expected: "nothing: only classes have selectors here", found: "some")
        }
        switch key {
        case "component":
            _ = try json.text("component", .componentName)
            let range = rangeText == nil ? nil : try json.text("version", .versionRange)
            subject = .component(name, range.flatMap { VersionRange($0) } ?? .any)
        case "class":
            subject = .linkClass(try json.text(key, .name), selectors: selectors.map { SelectorReference($0) })
        case "service": subject = .service(try json.text(key, .service))
        default: subject = .service(try json.text(key, .name))
        }
        isOptional = try json.boolIfPresent("optional") ?? false
    }
}
