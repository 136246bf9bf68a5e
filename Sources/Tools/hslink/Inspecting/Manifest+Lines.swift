import ComponentHost
import ComponentKit
import SystemSupport

extension Manifest {
    /// The number of constants shown. The rest is only counted: a header may have hundreds.
    private static let shownConstants = 40

    /// Returns a requirement as text, and whether the component satisfies it by itself. Other files are not considered.
    func line(_ requirement: Requirement) -> String {
        var marks: [String] = []
        if requirement.isOptional { marks.append("optional") }
        switch requirement.subject {
        case .component: break
        case .linkClass(let name, let selectors):
            guard let declaration = classDeclaration(name) else { break }
            let missing = selectors.filter { declaration.selector($0.name, $0.kind) == nil }.map(\.description)
            marks.append(
                missing.isEmpty ? "in this file" : "in this file, but without \(missing.joined(separator: ", "))")
        case .service(let name): if providedServices.contains(name) { marks.append("provided by this file") }
        }
        marks += requirement.extra.lines()
        return "\(requirement)" + (marks.isEmpty ? "" : " (\(marks.joined(separator: "; ")))")
    }

    /// The classes with their selectors, each class preceded by an empty line.
    var classLines: [String] {
        classes.flatMap { declaration in
            var lines = ["", "Class \(declaration.name.escaped) (\(declaration.instances.words))"]
            lines += declaration.provides.map { "  provides \($0.escaped)" }
            lines += declaration.summary.map { ["  \($0.escaped)"] } ?? []
            lines += declaration.extra.lines().map { "  \($0.escaped)" }
            return lines + declaration.selectors.flatMap(\.lines)
        }
    }

    /// The constants of a description with their values.
    var constantLines: [String] {
        let constants = (try? extra["constants"]?.entries()) ?? []
        let lines = constants.prefix(Manifest.shownConstants).map { "\($0.key) = \((try? $0.value.json()) ?? "")" }
        let rest = constants.count - Manifest.shownConstants
        return lines + (rest > 0 ? ["and \(rest) more; use --json to see all"] : [])
    }

    /// The services that the file describes, each preceded by an empty line.
    var serviceLines: [String] {
        let provided = Set(providedServices)
        return services.flatMap { service in
            let use = provided.contains(service.name) ? "provided" : "used"
            let head = "Service \(service.name) (\(use); \(service.module).\(service.protocolName))"
            let arguments = service.arguments.map { ["  created with \($0)"] } ?? []
            let selectors = service.selectors.flatMap { selector in
                ["  \(selector.line)"] + (selector.routeLines + selector.extra.lines()).map { "    \($0)" }
            }
            let extra = service.extra.lines().map { "  \($0)" }
            return ["", head.escaped] + (arguments + extra + selectors).map(\.escaped)
        }
    }

    /// The models that the file describes, each preceded by an empty line.
    var modelLines: [String] {
        models.flatMap { model -> [String] in
            let error = (model.isError ? ", an error" : "") + (model.event.map { ", the event \($0)" } ?? "")
            let extra = model.extra.lines().map { "  \($0)" }
            switch model.content {
            case .fields(let fields):
                let lines = fields.map { "  \($0.name): \($0.type)" }
                return ["", "Model \(model.name) (\(model.module)\(error))".escaped] + (extra + lines).map(\.escaped)
            case .cases(let cases, let raw):
                let kind = raw.map { ", an enum of \($0)" } ?? ", an enum"
                let lines = cases.map { item in
                    let values = item.values.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
                    // A raw value equal to the case's name is left out.
                    let raw = item.rawValue.flatMap { $0 == item.name ? nil : " = \($0)" } ?? ""
                    return "  case \(item.name)\(values.isEmpty ? "" : "(\(values))")\(raw)"
                }
                let head = "Model \(model.name) (\(model.module)\(kind)\(error))"
                return ["", head.escaped] + (extra + lines).map(\.escaped)
            }
        }
    }
}

extension SelectorDeclaration {
    /// The declaration, as in "class method open(path: String) -> map [quick]".
    var line: String {
        let parameters = parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
        let marks = [(isQuick, "quick"), (isAsync, "async"), (isMainActor, "main actor")].filter(\.0).map(\.1)
        let result = result.map { " -> \($0)" } ?? ""
        return "\(kind) method \(name)(\(parameters))\(result)"
            + (marks.isEmpty ? "" : " [\(marks.joined(separator: ", "))]")
    }

    /// The routes, as in "route studio://video/:id [public, tag signed-in, priority 5]", and whether the method is an
    /// interceptor, handles an event or is a page module.
    fileprivate var routeLines: [String] {
        routes.map { "route \($0.line)" } + [intercepts?.line, handles?.line, pageModule?.line].compactMap(\.self)
    }

    fileprivate var lines: [String] {
        var lines = ["  \(line.escaped)"]
        lines += summary.map { ["    \($0.escaped)"] } ?? []
        lines += routeLines.map { "    \($0.escaped)" }
        return lines + extra.lines().map { "    \($0.escaped)" }
    }
}

extension ClassDeclaration.Instances {
    fileprivate var words: String {
        switch self {
        case .shared: "one shared instance"
        case .perCall: "an instance per call"
        case .perConsumer: "an instance per consumer"
        }
    }
}

extension Payload {
    /// Returns the entries of a map as `key: value`.
    func lines(besides keys: Set<String> = []) -> [String] {
        ((try? entries()) ?? []).filter { !keys.contains($0.key) }.map { "\($0.key): \($0.value)" }
    }
}
