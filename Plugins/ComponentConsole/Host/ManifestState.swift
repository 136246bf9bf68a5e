import ComponentKit

/// What a manifest declares, as far as the console shows it. Read from the canonical form, which the host has checked.
struct ManifestState: Hashable, Sendable {
    var summary: String
    var module: String
    var classes: [DeclaredClass]
    var services: [DeclaredService]
    var models: [DeclaredModel]
    var requirements: [DeclaredRequirement]
    /// The names of the events that it posts.
    var posts: [String]
    var startsWithHost: Bool

    init(_ manifest: Payload) {
        summary = manifest.text("summary").withoutBackticks
        module = manifest.text("module")
        classes = manifest.list("classes").map { DeclaredClass($0) }
        services = manifest.list("services").map { DeclaredService($0) }
        models = manifest.list("models").map { DeclaredModel($0) }
        requirements = manifest.list("requires").map { DeclaredRequirement($0) }
        posts = manifest.texts("posts")
        startsWithHost = manifest.text("starts") == "withHost"
    }

    /// The models, with those of the component's own module first: the others are of modules that it uses.
    var ownModelsFirst: [DeclaredModel] {
        models.filter { $0.module == module } + models.filter { $0.module != module }
    }

    /// The methods that people may call: handlers, page modules and interceptors are for the host alone. Of those with the
    /// same label, the first.
    var callable: [DeclaredSelector] {
        var labels: Set<String> = []
        return classes.flatMap(\.selectors).filter { $0.role == .callable && labels.insert($0.label).inserted }
    }
}

/// A class in a manifest.
struct DeclaredClass: Hashable, Sendable {
    var name: String
    var summary: String
    /// "shared", "perCall" or "perConsumer".
    var instances: String
    var provides: [String]
    var selectors: [DeclaredSelector]

    init(_ json: Payload) {
        let name = json.text("name")
        self.name = name
        summary = json.text("summary").withoutBackticks
        instances = json.text("instances")
        provides = json.texts("provides")
        selectors = json.list("selectors").map { DeclaredSelector($0, of: name) }
    }
}

/// A method in a manifest.
struct DeclaredSelector: Hashable, Sendable {
    /// Who calls it.
    enum Role: Hashable, Sendable {
        case callable
        case handler(event: String)
        case pageModule(name: String)
        case interceptor
    }

    var className: String
    var name: String
    var kind: SelectorKind
    var parameters: [DeclaredField]
    /// The type of the result; empty for none.
    var result: String
    var summary: String
    var role: Role
    /// The patterns of its routes.
    var routes: [String]

    init(_ json: Payload, of className: String) {
        self.className = className
        name = json.text("name")
        kind = SelectorKind(rawValue: json.text("kind")) ?? .object
        parameters = json.members("parameters").map { DeclaredField($0) }
        result = json.text("result")
        summary = json.text("summary").withoutBackticks
        routes = json.list("routes").map { $0.text("pattern") }
        if let handled = json["on"] {
            role = .handler(event: handled.text("event"))
        } else if let module = json["pageModule"] {
            role = .pageModule(name: module.text("name"))
        } else {
            role = json["intercepts"] == nil ? .callable : .interceptor
        }
    }

    /// The method by its names, as in "VideoLink.probe", with a plus before a class method.
    var label: String { "\(kind == .class ? "+" : "")\(className).\(name)" }

    /// The method with its parameters, as in "probe(path: String) → VideoInfo".
    var signature: String {
        let result = result.isEmpty ? "" : " → \(result.oneLine())"
        return "\(kind == .class ? "+" : "")\(name)(\(parameters.shortText))\(result)"
    }
}

/// A parameter of a method, or a field of a model.
struct DeclaredField: Hashable, Sendable {
    var name: String
    /// The type as it was written, with its default: "Int = 10".
    var type: String

    var text: String { "\(name.oneLine()): \(type.oneLine())" }
}

extension DeclaredField {
    init(_ entry: (key: String, value: Payload)) {
        self.init(name: entry.key, type: (try? entry.value.string()) ?? "")
    }
}

extension [DeclaredField] {
    /// The first of them, as they are written in parentheses.
    fileprivate var shortText: String {
        prefix(40).map(\.text).joined(separator: ", ") + (count > 40 ? ", …" : "")
    }
}

/// A service in a manifest.
struct DeclaredService: Hashable, Sendable {
    var name: String
    var selectors: [DeclaredSelector]

    init(_ json: Payload) {
        let name = json.text("name")
        self.name = name
        selectors = json.list("selectors").map { DeclaredSelector($0, of: name) }
    }
}

/// A model in a manifest.
struct DeclaredModel: Hashable, Sendable {
    /// A case of an enum.
    struct Case: Hashable, Sendable {
        var name: String
        /// The text of its raw value; nil if it has none.
        var raw: String?
        var values: [DeclaredField]
    }

    enum Content: Hashable, Sendable {
        case fields([DeclaredField])
        /// With the type of raw values; nil if there are none.
        case cases([Case], raw: String?)
    }

    var name: String
    var module: String
    var isError: Bool
    /// The event that it is; empty if it is not an event.
    var event: String
    var content: Content

    init(_ json: Payload) {
        name = json.text("name")
        module = json.text("module")
        isError = json.flag("error")
        event = json.text("event")
        guard json["cases"] != nil else {
            content = .fields(json.members("fields").map { DeclaredField($0) })
            return
        }
        let cases = json.members("cases").map { entry in
            Case(
                name: entry.key, raw: try? entry.value.string(),
                values: ((try? entry.value.entries()) ?? []).map { DeclaredField($0) })
        }
        content = .cases(cases, raw: json["raw"].flatMap { try? $0.string() })
    }

    /// What tells it from others.
    var identity: String { "\(module).\(name)" }

    /// The structure in one line.
    var summary: String {
        switch content {
        case .fields(let fields): "{\(fields.shortText)}"
        case .cases(let cases, _):
            "one of "
                + cases.prefix(40).map { item in
                    item.values.isEmpty ? item.name.oneLine() : "\(item.name.oneLine())(\(item.values.shortText))"
                }.joined(separator: ", ") + (cases.count > 40 ? ", …" : "")
        }
    }
}

/// A requirement in a manifest.
struct DeclaredRequirement: Hashable, Sendable {
    /// What is required, as in "service com.example.account/1".
    var subject: String
    var isOptional: Bool

    init(_ json: Payload) {
        let words =
            if json["component"] != nil {
                ["component", json.text("component"), json.text("version")]
            } else if json["class"] != nil {
                ["class", json.text("class"), json.texts("selectors").joined(separator: ", ")]
            } else {
                ["service", json.text("service")]
            }
        subject = words.filter { !$0.isEmpty }.joined(separator: " ")
        isOptional = json.flag("optional")
    }
}
