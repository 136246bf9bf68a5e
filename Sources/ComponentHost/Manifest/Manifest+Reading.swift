package import ComponentKit
import ManifestRules

extension Manifest {
    /// Reads a manifest that has been taken apart as JSON.
    ///
    /// - Throws: an error that names the place, what is allowed there and what was there.
    package init(_ json: Payload) throws(PayloadError) {
        name = try json.text("name", .componentName)
        // The rule is that this can be read.
        version = Version(try json.text("version", .version)) ?? Version(0, 0, 0)
        layer = try json.stringIfPresent("layer")
        summary = try json.stringIfPresent("summary")
        let module = try json.stringIfPresent("module") ?? name
        self.module = module
        classes = try json.list("classes") { (item) throws(PayloadError) in try ClassDeclaration(item) }
        try classes.refuseRepetition(of: "class", in: "classes", name: { $0.name }, key: { $0.name })
        services = try json.list("services") { (item) throws(PayloadError) in
            try ServiceDeclaration(item, module: module)
        }
        models = try json.list("models") { (item) throws(PayloadError) in try ModelDeclaration(item, module: module) }
        requires = try json.list("requires") { (item) throws(PayloadError) in try Requirement(item) }
        raw = json
    }
}

extension ClassDeclaration {
    init(_ json: Payload) throws(PayloadError) {
        name = try json.text("name", .name)
        provides = try json.names("provides")
        instances = try json.choice("instances", default: .shared)
        selectors = try json.selectors()
        summary = try json.stringIfPresent("summary")
    }
}

extension SelectorDeclaration {
    init(_ json: Payload) throws(PayloadError) {
        name = try json.text("name", .selector)
        kind = try json.choice("kind", default: .object)
        parameters = try json.fields("parameters")
        result = try json.stringIfPresent("result")
        isQuick = try json.boolIfPresent("quick") ?? false
        isAsync = try json.boolIfPresent("async") ?? false
        isMainActor = try json.boolIfPresent("mainActor") ?? false
        summary = try json.stringIfPresent("summary")
    }
}
