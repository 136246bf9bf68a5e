import ComponentKit
import ManifestRules
import SystemSupport

extension Manifest {
    /// The types in a component that is not written in Swift which nothing describes, each with its place and what to do
    /// about it. Their values reach the component unchecked, as they always did, so a host still uses it.
    ///
    /// The compiler knows the types of components in Swift, and not all of them are described.
    package var typeProblems: [String] {
        guard compiler == nil else { return [] }
        var check = TypeNames(self)
        for declaration in classes {
            for selector in declaration.selectors { check.add(selector, of: declaration.name) }
        }
        for model in models { check.add(model) }
        return check.problems
    }

    /// A one-line summary of ``typeProblems``; nil when there are none.
    package var typeSummary: String? {
        let problems = typeProblems
        return problems.count > 1
            ? "\(problems.count) types in its manifest are unknown; 'hslink check' lists them" : problems.first
    }
}

/// Finds the names of types that a manifest uses and nothing describes.
private struct TypeNames {
    private let pool: ModelPool
    private let module: String
    private let known: Set<ExactText>
    private(set) var problems: [String] = []
    /// The names that have been reported. One line is enough for each.
    private var reported: Set<ExactText> = []

    init(_ manifest: Manifest) {
        pool = ModelPool(manifest.models)
        module = manifest.module
        let services = manifest.services.flatMap { [$0.protocolName, "\($0.module).\($0.protocolName)"] }
        known = Set((Array(WellKnownTypes.names) + WellKnownTypes.others + services).map { ExactText($0) })
    }

    mutating func add(_ selector: SelectorDeclaration, of owner: String) {
        let scope = ModelPool.Scope(module: module, owner: "")
        add(selector.parameters, at: "\(owner).\(selector.name)", in: scope)
        if let result = selector.result { add(result, at: "\(owner).\(selector.name): the result", in: scope) }
    }

    mutating func add(_ model: ModelDeclaration) {
        let scope = ModelPool.Scope(module: model.module, owner: model.name)
        switch model.content {
        case .fields(let fields): add(fields, at: model.name, in: scope)
        case .cases(let cases, _): for item in cases { add(item.values, at: "\(model.name).\(item.name)", in: scope) }
        }
    }

    private mutating func add(_ fields: [ModelDeclaration.Field], at place: String, in scope: ModelPool.Scope) {
        for field in fields { add(field.type, at: "\(place): \(field.name)", in: scope) }
    }

    private mutating func add(_ text: String, at place: String, in scope: ModelPool.Scope) {
        for name in WrittenType(text).type.names {
            let exact = ExactText(name)
            guard pool.find(name, in: scope) == .nothing, !known.contains(exact), reported.insert(exact).inserted else {
                continue
            }
            let names = WellKnownTypes.names.sorted() + pool.models.map(\.name)
            let advice =
                SimilarName.nearest(to: name, in: names).map { "did you mean \($0)?" }
                ?? "write a type such as String, Int or Double, or describe it in \"models\""
            problems.append(
                "\(place): nothing describes the type \(name.quoted()), so its values are not checked; \(advice)")
        }
    }
}

extension TypeExpression {
    /// The names in the type, without those of protocols, and texts that are no type.
    package var names: [String] {
        switch self {
        case .named("&", _), .opaque: []
        case .named(let name, let arguments): [name] + arguments.flatMap(\.names)
        case .optional(let type), .array(let type): type.names
        case .dictionary(let key, let value): key.names + value.names
        case .tuple(let elements): elements.flatMap(\.type.names)
        case .function(let function): (function.parameters + [function.result]).flatMap(\.names)
        case .text(let text): [text]
        }
    }
}
