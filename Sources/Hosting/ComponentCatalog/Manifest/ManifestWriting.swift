package import ComponentKit

// Manifests have one canonical form. Defaults that the author omitted are filled in ("module", "instances", "kind"),
// empty values are left out, and keys have a fixed order, with those that this version does not read at the end.

extension Manifest {
    /// The whole manifest without `abi` and `compiler`, in the form of a component's note. Components that declare the
    /// same things have equal forms, however they divide them among notes.
    package var json: Payload {
        var entries = Entries()
        entries.add("name", name)
        entries.add("version", version.description)
        entries.add("module", module)
        entries.add("layer", layer)
        entries.add("summary", summary)
        entries.add("classes", classes.map(\.json), evenNone: true)
        entries.add("services", services.map(\.json))
        entries.add("models", models.map(\.json))
        entries.add("requires", requires.map(\.json))
        entries.add("posts", posts.map { .string($0) })
        if starts != .onDemand { entries.add("starts", starts.rawValue) }
        entries.add("priority", priority)
        entries.add("configuration", configuration)
        return entries.map(extra)
    }
}

extension ClassDeclaration {
    var json: Payload {
        var entries = Entries()
        entries.add("name", name)
        entries.add("instances", instances.rawValue)
        entries.add("provides", provides.map { .string($0) })
        entries.add("summary", summary)
        entries.add("selectors", selectors.map(\.json), evenNone: true)
        return entries.map(extra)
    }
}

extension SelectorDeclaration {
    fileprivate var json: Payload {
        var entries = Entries()
        entries.add("name", name)
        entries.add("kind", kind.rawValue)
        if !parameters.isEmpty { entries.add("parameters", Entries.map(parameters)) }
        entries.add("result", result)
        entries.add("quick", isQuick)
        entries.add("async", isAsync)
        entries.add("mainActor", isMainActor)
        entries.add("summary", summary)
        entries.add("routes", routes.map(\.json))
        entries.add("intercepts", intercepts?.json)
        entries.add("on", handles?.json)
        entries.add("pageModule", pageModule.map { ["name": .string($0.name)] })
        return entries.map(extra)
    }
}

extension RouteDeclaration {
    fileprivate var json: Payload {
        var entries = Entries()
        entries.add("pattern", pattern)
        entries.add("public", isPublic && sources.isEmpty)
        entries.add("public", sources.map { .string($0) })
        entries.add("tags", tags.map { .string($0) })
        entries.add("priority", priority)
        return entries.map()
    }
}

extension InterceptionDeclaration {
    fileprivate var json: Payload {
        var entries = Entries()
        entries.add("priority", priority)
        entries.add("tags", tags.map { .string($0) })
        return entries.map()
    }
}

extension HandlerDeclaration {
    fileprivate var json: Payload {
        var entries = Entries()
        entries.add("event", event)
        entries.add("loads", loads)
        entries.add("concurrent", isConcurrent)
        entries.add("priority", priority)
        return entries.map()
    }
}

extension Requirement {
    fileprivate var json: Payload {
        var entries = Entries()
        switch subject {
        case .component(let name, let range):
            entries.add("component", name)
            if range != .any { entries.add("version", range.description) }
        case .linkClass(let name, let selectors):
            entries.add("class", name)
            entries.add("selectors", selectors.map { .string($0.description) })
        case .service(let name): entries.add("service", name)
        }
        entries.add("optional", isOptional)
        return entries.map(extra)
    }
}

extension ServiceDeclaration {
    var json: Payload {
        var entries = Entries()
        entries.add("name", name)
        entries.add("module", module)
        entries.add("protocol", protocolName)
        entries.add("arguments", arguments)
        entries.add("selectors", selectors.map(\.json), evenNone: true)
        return entries.map(extra)
    }
}

extension ModelDeclaration {
    var json: Payload {
        var entries = Entries()
        entries.add("name", name)
        entries.add("module", module)
        entries.add("error", isError)
        entries.add("event", event)
        switch content {
        case .fields(let fields):
            entries.add("fields", Entries.map(fields))
            entries.add("sparse", isSparse)
        case .cases(let cases, let raw):
            entries.add("raw", raw)
            entries.add(
                "cases",
                Payload.map(cases.map { ($0.name, $0.rawValue.map { .string($0) } ?? Entries.map($0.values)) }))
        }
        return entries.map(extra)
    }
}

/// The entries of a map, in the order in which they are added.
private struct Entries {
    private var entries: [(String, Payload)] = []

    mutating func add(_ key: String, _ text: String?) {
        if let text { entries.append((key, .string(text))) }
    }

    /// Adds a flag, which is left out when it is not set.
    mutating func add(_ key: String, _ mark: Bool) {
        if mark { entries.append((key, true)) }
    }

    /// Adds a number, which is left out when it is zero.
    mutating func add(_ key: String, _ number: Int) {
        if number != 0 { entries.append((key, Payload(number))) }
    }

    mutating func add(_ key: String, _ items: [Payload], evenNone: Bool = false) {
        if evenNone || !items.isEmpty { entries.append((key, .array(items))) }
    }

    mutating func add(_ key: String, _ value: Payload?) {
        if let value { entries.append((key, value)) }
    }

    static func map(_ fields: [SelectorDeclaration.Parameter]) -> Payload {
        .map(fields.map { ($0.name, .string($0.type)) })
    }

    /// Returns all entries, followed by those that this version does not read.
    func map(_ extra: Payload = .null) -> Payload {
        .map(extra.isNull ? entries : entries + ((try? extra.entries()) ?? []).map { ($0.key, $0.value) })
    }
}
