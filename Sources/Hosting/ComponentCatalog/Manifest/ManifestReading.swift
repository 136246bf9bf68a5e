package import ComponentKit
import ManifestRules
import SystemSupport

extension Manifest {
    /// Reads a manifest from parsed JSON.
    ///
    /// - Throws: `PayloadError` with the path, and what was expected and found.
    package init(_ json: Payload) throws(PayloadError) {
        name = try json.text("name", .componentName)
        // The rule accepts only strings that can be parsed.
        version = Version(try json.text("version", .version)) ?? Version(0, 0, 0)
        layer = try json.stringIfPresent("layer")
        summary = try json.stringIfPresent("summary")
        let module = try json.stringIfPresent("module") ?? name
        self.module = module
        classes = try json.list("classes") { (item) throws(PayloadError) in try ClassDeclaration(item) }
        try classes.refuseRepetition(of: "class", in: "classes", name: { $0.name }, key: { ExactText($0.name) })
        services = try json.list("services") { (item) throws(PayloadError) in
            try ServiceDeclaration(item, module: module)
        }
        models = try json.list("models") { (item) throws(PayloadError) in try ModelDeclaration(item, module: module) }
        requires = try json.list("requires") { (item) throws(PayloadError) in try Requirement(item) }
        posts = try json.names("posts")
        starts = try json.choice("starts", default: .onDemand)
        priority = try json.declaredPriority()
        configuration = try json.stringIfPresent("configuration").map(TypeSpelling.swift)
        extra = json.extra(.component)
    }
}

extension ClassDeclaration {
    init(_ json: Payload) throws(PayloadError) {
        name = try json.text("name", .name)
        provides = try json.names("provides")
        // The module is only validated here. It counts for a class with a note of its own; a class in a component's
        // list belongs to the component's module.
        _ = try json.stringIfPresent("module")
        instances = try json.choice("instances", default: .shared)
        selectors = try json.selectors()
        summary = try json.stringIfPresent("summary")
        extra = json.extra(.linkClass)
    }
}

extension SelectorDeclaration {
    init(_ json: Payload) throws(PayloadError) {
        name = try json.text("name", .selector)
        kind = try json.choice("kind", default: .object)
        parameters = try json.fields("parameters")
        result = try json.stringIfPresent("result").map(TypeSpelling.swift)
        isQuick = try json.boolIfPresent("quick") ?? false
        isAsync = try json.boolIfPresent("async") ?? false
        isMainActor = try json.boolIfPresent("mainActor") ?? false
        summary = try json.stringIfPresent("summary")
        (routes, routeErrors) = RouteDeclaration.routes(of: json, parameters)
        intercepts = try InterceptionDeclaration(of: json)
        handles = try HandlerDeclaration(of: json)
        if handles != nil, parameters.count > 1 || parameters.first?.name == __CurrentDelivery.key {
            throw PayloadError(
                path: ["on"], expected: "a selector with one parameter, the event",
                found: parameters.map { $0.name.quoted() }.joined(separator: ", "))
        }
        pageModule = try PageModuleDeclaration(of: json)
        if pageModule != nil, !(1...2).contains(parameters.count) {
            throw PayloadError(
                path: ["pageModule"], expected: "a selector with one or two parameters: the context, and the data",
                found: "\(parameters.count)")
        }
        if pageModule != nil, handles != nil || intercepts != nil || !routes.isEmpty {
            throw PayloadError(
                path: ["pageModule"],
                expected: "a selector that has no routes, handles no event and is no interceptor", found: "another one")
        }
        extra = json.extra(.selector)
    }
}

extension Requirement {
    /// Reads a requirement. A protocol instead of a service's name is kept as it is; ``ManifestJoin`` replaces it.
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
                path: ["version"], expected: "no version unless \"component\" is given", found: "a range")
        }
        let selectors = try json.names("selectors")
        guard selectors.isEmpty || key == "class" else {
            throw PayloadError(
                path: ["selectors"], expected: "no selectors unless \"class\" is given", found: "some")
        }
        switch key {
        case "component":
            _ = try json.text("component", .componentName)
            let range = rangeText == nil ? nil : try json.text("version", .versionRange)
            subject = .component(name, range.flatMap { VersionRange($0) } ?? .any)
        case "class":
            subject = .linkClass(try json.text(key, .name), selectors: selectors.map { SelectorReference($0) })
        case "service": subject = .service(try json.text(key, .service))
        default: subject = .service(try json.text(key, name.hasASCII("/") ? .service : .name))
        }
        isOptional = try json.boolIfPresent("optional") ?? false
        extra = json.extra(.requirement)
    }
}

extension ServiceDeclaration {
    /// Reads a service from parsed JSON.
    ///
    /// - Parameter standard: The module when the note does not specify one.
    init(_ json: Payload, module standard: String) throws(PayloadError) {
        name = try json.text("name", .service)
        module = try json.stringIfPresent("module") ?? standard
        protocolName = try json.text("protocol", .name)
        selectors = try json.selectors()
        arguments = try json.stringIfPresent("arguments").map(TypeSpelling.swift)
        extra = json.extra(.service)
    }
}

extension ModelDeclaration {
    /// Reads a model from parsed JSON.
    ///
    /// - Parameter standard: The module when the note does not specify one.
    init(_ json: Payload, module standard: String) throws(PayloadError) {
        // Where a type names the model, it is read in the same spelling: a model in C may be called "date".
        name = TypeSpelling.swift(try json.text("name", .name))
        module = try json.stringIfPresent("module") ?? standard
        isError = try json.boolIfPresent("error") ?? false
        isSparse = try json.boolIfPresent("sparse") ?? false
        let raw = try json.stringIfPresent("raw").map(TypeSpelling.swift)
        let cases = json["cases"].flatMap { $0.isNull ? nil : $0 }
        let hasFields = json["fields"].map { !$0.isNull } ?? false
        switch (hasFields, cases) {
        case (true, nil):
            guard raw == nil else {
                throw PayloadError(path: ["raw"], expected: "no raw type in a struct", found: "a type")
            }
            content = .fields(try json.fields("fields"))
        case (false, let cases?):
            let list = try PayloadError.within("cases") { () throws(PayloadError) in
                try ModelDeclaration.cases(cases, isRaw: raw != nil)
            }
            content = .cases(list, raw: raw)
        case (true, _?): throw PayloadError(expected: #"one of "fields" and "cases""#, found: "both")
        case (false, nil): throw PayloadError(expected: #"one of "fields" and "cases""#, found: "neither")
        }
        event = try json.stringIfPresent("event") == nil ? nil : json.text("event", .event)
        extra = json.extra(.model)
    }

    /// Reads the cases of an enum.
    ///
    /// - Parameter isRaw: Whether a case may have a string as its raw value instead of associated values.
    private static func cases(_ json: Payload, isRaw: Bool) throws(PayloadError) -> [Case] {
        var cases: [Case] = []
        for (name, values) in try json.entries() {
            let item = try PayloadError.within(.key(name)) { () throws(PayloadError) in
                isRaw && values.kind == .string
                    ? Case(name: name, rawValue: try values.string())
                    : Case(name: name, values: values.isNull ? [] : try values.fields())
            }
            cases.append(item)
        }
        return cases
    }
}

extension Payload {
    /// Returns the text for `key`, which must satisfy a rule.
    func text(_ key: String, _ rule: TextRule) throws(PayloadError) -> String {
        let text = try string(key)
        guard rule.allows(text) else {
            throw PayloadError(path: [.key(key)], expected: rule.expected, found: text.quoted())
        }
        return text
    }

    /// Returns the case for `key`, or the default when it is missing or null.
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

    /// Returns the names in the array for `key`, which must be unique; empty when it is missing or null.
    func names(_ key: String) throws(PayloadError) -> [String] {
        var seen: Set<ExactText> = []
        return try list(key) { (item) throws(PayloadError) in
            let name = try item.string()
            guard TextRule.name.allows(name) else {
                throw PayloadError(expected: TextRule.name.expected, found: name.quoted())
            }
            guard seen.insert(ExactText(name)).inserted else {
                throw PayloadError(expected: "each name once", found: "\(name.quoted()) again")
            }
            return name
        }
    }

    /// Returns the map for `key` as keys with their types, in order; empty when it is missing or null.
    func fields(_ key: String) throws(PayloadError) -> [SelectorDeclaration.Parameter] {
        guard let map = self[key], !map.isNull else { return [] }
        return try PayloadError.within(.key(key)) { () throws(PayloadError) in try map.fields() }
    }

    /// Returns this map as keys with their types, in Swift's spelling and in order.
    func fields() throws(PayloadError) -> [SelectorDeclaration.Parameter] {
        var fields: [SelectorDeclaration.Parameter] = []
        for (name, type) in try entries() {
            let type = try PayloadError.within(.key(name)) { () throws(PayloadError) in try type.string() }
            fields.append(SelectorDeclaration.Parameter(name: name, type: TypeSpelling.swift(type)))
        }
        return fields
    }

    /// Returns the result of `read` for each item in the array for `key`; empty when it is missing or null.
    func list<Item>(
        _ key: String, _ read: (Payload) throws(PayloadError) -> Item
    ) throws(PayloadError) -> [Item] {
        guard let array = self[key], !array.isNull else { return [] }
        return try PayloadError.within(.key(key)) { () throws(PayloadError) in
            var items: [Item] = []
            items.reserveCapacity(array.count)
            for (index, item) in try array.items().enumerated() {
                items.append(try PayloadError.within(.index(index)) { () throws(PayloadError) in try read(item) })
            }
            return items
        }
    }

    /// Returns the selectors of a class or service, which must be unique.
    func selectors() throws(PayloadError) -> [SelectorDeclaration] {
        let selectors = try list("selectors") { (item) throws(PayloadError) in try SelectorDeclaration(item) }
        try selectors.refuseRepetition(
            of: "selector of this kind", in: "selectors", name: { $0.name }, key: { $0.reference })
        return selectors
    }

    /// Returns the unknown keys with their values, as a map; null when there are none.
    fileprivate func extra(_ known: KnownKeys) -> Payload {
        guard firstKey(where: { !known.isRead($0) }) != nil else { return .null }
        return .map(((try? entries()) ?? []).filter { !known.isRead($0.key) && !$0.value.isNull })
    }
}

extension Array {
    /// Refuses the second of two items with the same key.
    func refuseRepetition<Key: Hashable>(
        of what: String, in list: String, name: (Element) -> String, key: (Element) -> Key
    ) throws(PayloadError) {
        guard count > 1 else { return }
        var seen = Set<Key>(minimumCapacity: count)
        for (index, item) in enumerated() where !seen.insert(key(item)).inserted {
            throw PayloadError(
                path: [.key(list), .index(index), "name"], expected: "a name that no earlier \(what) has",
                found: name(item).quoted())
        }
    }
}
