import CDeclarations
package import ComponentKit
import ManifestRules
import SystemSupport

extension LibraryDescription {
    /// Reads a description.
    ///
    /// - Throws: `PayloadError` with the path, what was expected and what was found. Problems with single functions are
    ///   listed in ``refusals`` instead.
    package init(_ json: Payload) throws(PayloadError) {
        var errors = DescriptionErrors(isCollecting: false)
        let text = try DescriptionText(json, &errors)
        var reader = DescriptionReader(text)
        reader.planFunctions()
        reader.planVariables()
        reader.checkRest()
        self.init(
            name: text.name, version: text.version, libraries: text.libraries, className: text.className,
            functions: reader.functions, variables: reader.variables, constants: reader.constants,
            numbers: reader.numbers, releases: reader.releases, refusals: reader.refusals, manifest: reader.manifest)
    }
}

/// Plans the functions of a description.
private struct DescriptionReader {
    private let text: DescriptionText
    private let trees: [ExactText: Result<AnnotationTree, PayloadError>]
    private let declarations: CDeclarations
    private let scope: PlanningScope
    let constants: [String: Int128]
    /// Functions that release memory or handles, and functions that formulas call.
    private let helpers: Set<String>
    /// The symbols of the functions that release memory or handles, by their names.
    let releases: [String: String]
    /// The functions that free memory, and release no handles.
    private let frees: Set<String>
    private(set) var functions: [FunctionPlan] = []
    private(set) var variables: [VariablePlan] = []
    private(set) var refusals: [LibraryDescription.Refusal] = []
    /// The routes by selector.
    private var routes: [ExactText: Payload] = [:]

    init(_ text: DescriptionText) {
        self.text = text
        trees = Dictionary(
            text.annotations.map { (ExactText($0.function), $0.tree) }, uniquingKeysWith: { first, _ in first })
        let annotations = text.annotations.flatMap { (try? $0.tree.get())?.all ?? [] }
        var sources = text.declarations.enumerated().map { CSource(name: "declarations[\($0)]", text: $1) }
        let sizes = Set(annotations.flatMap(\.sizedTypes)).sorted()
        for (index, type) in sizes.enumerated() {
            sources.append(CSource(name: "sizeof", text: "typedef \(type) hslink_size_\(index);"))
        }
        for (function, tree) in text.annotations {
            guard let list = (try? tree.get())?["..."].own?.variadicTypes else { continue }
            sources.append(
                CSource(
                    name: "annotations.\(function)", text: "void \(PlanningScope.variadicPrefix)\(function)(\(list));"))
        }
        let declarations = CDeclarations(parsing: sources)
        self.declarations = declarations

        var constants: [String: Int128] = [:]
        for constant in declarations.constants { constants[constant.name] = constant.value }
        for (name, value) in text.constants { constants[name] = value }
        self.constants = constants
        var knownSizes: [String: Int] = [:]
        for (index, type) in sizes.enumerated() {
            guard let found = declarations.type(named: "hslink_size_\(index)"),
                let layout = try? declarations.layout(of: found)
            else { continue }
            knownSizes[type] = layout.size
        }
        var releaseOfKind: [String: String] = [:]
        for (kind, release) in text.handles {
            releaseOfKind[DescriptionReader.kindName(kind, in: declarations)] = release
        }
        let released = Set(text.handles.map(\.release) + annotations.compactMap(\.release))
        releases = Dictionary(
            released.map { ($0, declarations.function(named: $0)?.symbol ?? $0) },
            uniquingKeysWith: { first, _ in first })
        frees = Set(annotations.compactMap(\.release)).subtracting(text.handles.map(\.release))
        helpers = released.union(annotations.flatMap(\.formulas).flatMap(\.functions))
        scope = PlanningScope(
            declarations, interfaces: CallInterfaces(), constants: constants, sizes: knownSizes,
            releases: releaseOfKind,
            owner: HandleKind.Owner(
                name: text.shares ?? text.name, libraries: text.libraries, shares: text.shares != nil))
    }

    /// Returns the kind that a name refers to. `sqlite3`, `struct sqlite3` and a `typedef` of a pointer to it are the
    /// same kind.
    private static func kindName(_ name: String, in declarations: CDeclarations) -> String {
        let found = declarations.type(named: name)
        guard let type = found?.pointee ?? found, case .record(let record) = type.kind else { return name }
        return record.tag ?? record.name
    }

    /// Plans every declared function.
    mutating func planFunctions() {
        for diagnostic in declarations.diagnostics { refuse("\(diagnostic.place)", diagnostic.message) }
        var taken: Set<ExactText> = []
        let declaredRoutes = Dictionary(
            text.routes.map { (ExactText($0.function), $0.list) }, uniquingKeysWith: { first, _ in first })
        let unfit = Set(releases.keys.filter { reason(against: $0) != nil })
        for function in declarations.functions where !function.name.hasPrefix(PlanningScope.variadicPrefix) {
            let found = trees[ExactText(function.name)] ?? .success(.empty)
            if frees.contains(function.name) {
                guard trees[ExactText(function.name)] != nil else { continue }
                refuse(function.name, "it frees what other functions return, so that it cannot be called by itself")
                continue
            }
            let tree: AnnotationTree
            switch found {
            case .success(let good): tree = good
            case .failure(let error):
                refuse(function.name, "its annotations are invalid: \(error)", text.selector(of: function.name))
                continue
            }
            let selector = text.selector(of: function.name)
            let variadicType = declarations.function(named: PlanningScope.variadicPrefix + function.name)?.type
            let planner = FunctionPlanner(
                scope: scope, function, tree, variadicType: variadicType)
            do throws(CObstacle) {
                guard TextRule.selector.allows(selector) else {
                    throw CObstacle(
                        "the selector \(selector.quoted()) is invalid: expected \(TextRule.selector.expected)")
                }
                guard !taken.contains(ExactText(selector)) else {
                    throw CObstacle("another function has the selector \(selector)")
                }
                let plan = try planner.plan(selector: selector)
                if let release = plan.releases.intersection(unfit).min() {
                    throw CObstacle("\(release) cannot release what it returns")
                }
                functions.append(plan)
                taken.insert(ExactText(selector))
                routes[ExactText(selector)] = declaredRoutes[ExactText(function.name)]
            } catch {
                guard !tree.isEmpty || !helpers.contains(function.name) else { continue }
                refuse(function.name, error.reason, selector, planner.questions)
            }
        }
    }

    /// Plans every declared variable.
    mutating func planVariables() {
        for variable in declarations.variables {
            let selector = text.selector(of: variable.name)
            do throws(CObstacle) {
                guard TextRule.selector.allows(selector) else {
                    throw CObstacle(
                        "the selector \(selector.quoted()) is invalid: expected \(TextRule.selector.expected)")
                }
                guard !(functions.map(\.selector) + variables.map(\.selector)).contains(selector) else {
                    throw CObstacle("something else has the selector \(selector)")
                }
                let tree: AnnotationTree
                switch trees[ExactText(variable.name)] ?? .success(.empty) {
                case .success(let good): tree = good
                case .failure(let error): throw CObstacle("its annotations are invalid: \(error)")
                }
                variables.append(try VariablePlan(selector: selector, variable, tree, scope))
            } catch {
                refuse(variable.name, error.reason, selector)
            }
        }
    }

    private func isDeclared(_ name: String) -> Bool {
        declarations.function(named: name) != nil || declarations.variables.contains { $0.name == name }
    }

    /// Refuses entries in the description for functions that are not declared.
    mutating func checkRest() {
        for (function, _) in text.annotations where !isDeclared(function) {
            refuse(function, "it has annotations, but no valid declaration\(meant(function))")
        }
        for function in text.selectors.keys.sorted().map(\.text) where !isDeclared(function) {
            refuse(function, "it is renamed, but has no valid declaration\(meant(function))")
        }
        for (function, _) in text.routes where declarations.function(named: function) == nil {
            refuse(function, "it has routes, but no valid declaration\(meant(function))")
        }
        let given = Dictionary(text.constants.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        for constant in declarations.constants {
            guard let other = given[constant.name], other != constant.value else { continue }
            refuse(constant.name, "\"constants\" has \(other) for it, but the declarations have \(constant.value)")
        }
        let kinds = kindNames
        for (kind, _) in text.handles where !kinds.contains(DescriptionReader.kindName(kind, in: declarations)) {
            let known =
                refusals.count < DescriptionReader.maximumHints ? kinds.union(declarations.typedefs.map(\.name)) : []
            refuse(
                kind,
                "\"handles\" says how it is released, but it is no kind of handle\(kind.meant(among: known.sorted()))")
        }
        for release in releases.keys.sorted() {
            if let reason = reason(against: release) { refuse(release, "it is used to release something, \(reason)") }
        }
    }

    /// Returns why a function cannot release anything; nil if it can.
    private func reason(against release: String) -> String? {
        guard release != "free" else { return nil }
        guard let function = declarations.function(named: release) else {
            return "but has no valid declaration\(meant(release))"
        }
        if let obstacle = function.obstacle ?? function.type.obstacle { return "but \(obstacle.reason)" }
        guard function.type.parameters.count == 1, !function.type.isVariadic,
            let pointee = function.type.parameters[0].type.pointee
        else { return "so it must take exactly one pointer" }
        switch function.type.result.kind {
        case .void, .enumeration, .pointer: break
        case .scalar(let scalar) where scalar != .longDouble: break
        default: return "so it must return a number, a pointer or nothing"
        }
        for (kind, other) in text.handles where other == release {
            guard case .record(let record) = pointee.kind else { continue }
            let name = DescriptionReader.kindName(kind, in: declarations)
            guard record.tag ?? record.name != name else { continue }
            return "namely \(kind), but takes a pointer to \(record.name)"
        }
        return nil
    }

    /// The kinds that handles can have: the structs of the declarations, and those that annotations name.
    private var kindNames: Set<String> {
        let annotated = trees.values.flatMap { (try? $0.get())?.all ?? [] }.compactMap(\.handleName)
        return Set(declarations.records.map { $0.record.tag ?? $0.record.name } + annotated)
    }

    private mutating func refuse(
        _ name: String, _ reason: String, _ selector: String? = nil, _ questions: [AnnotationQuestion] = []
    ) {
        refusals.append(
            LibraryDescription.Refusal(name: name, reason: reason, selector: selector, questions: questions))
    }

    /// How many refusals have hints at the names that were probably meant: each is compared with all names.
    private static let maximumHints = 64

    /// Returns a hint at the function that was probably meant by a name.
    private func meant(_ name: String) -> String {
        guard refusals.count < DescriptionReader.maximumHints else { return "" }
        return name.meant(among: declarations.functions.map(\.name))
    }

    /// The named floating-point numbers.
    var numbers: [String: Double] {
        var numbers: [String: Double] = [:]
        for case (let name, .number(let number)) in declarations.namedValues.map({ ($0.name, $0.value) }) {
            numbers[name] = number
        }
        return numbers
    }

    /// The named integers, floating-point numbers and texts, for tools.
    private var namedValues: [(String, Payload)] {
        var values: [(String, Payload)] = []
        var seen: Set<String> = []
        for name in declarations.constants.map(\.name) + text.constants.map(\.name) {
            guard let number = constants[name], seen.insert(name).inserted else { continue }
            values.append((name, Int64(exactly: number).map { .int($0) } ?? .uint(UInt64(clamping: number))))
        }
        for value in declarations.namedValues where seen.insert(value.name).inserted {
            switch value.value {
            case .number(let number): values.append((value.name, .double(number)))
            case .text(let text): values.append((value.name, .string(text)))
            }
        }
        return values
    }

    /// The manifest in the form of a component's note.
    var manifest: Payload {
        var entries: [(String, Payload)] = [("name", .string(text.name)), ("version", .string(text.version))]
        if let layer = text.layer { entries.append(("layer", .string(layer))) }
        if let summary = text.summary { entries.append(("summary", .string(summary))) }
        entries.append(
            (
                "classes",
                [
                    [
                        "name": .string(text.className),
                        "selectors": .array(
                            functions.map { $0.manifest(routes[ExactText($0.selector)]) } + variables.map(\.manifest)),
                    ]
                ]
            ))
        entries.append(("library", .array(text.libraries.map { .string($0) })))
        let values = namedValues
        if !values.isEmpty { entries.append(("constants", .map(values))) }
        if !refusals.isEmpty {
            entries.append(
                ("refused", .array(refusals.map(\.manifest)))
            )
        }
        return .map(entries)
    }
}

extension LibraryDescription.Refusal {
    /// The refusal as in a manifest.
    fileprivate var manifest: Payload {
        var entries: [(String, Payload)] = [("name", .string(name)), ("reason", .string(reason))]
        if let selector, selector != name { entries.append(("selector", .string(selector))) }
        if !questions.isEmpty {
            let items = questions.map { question -> Payload in
                [
                    "parameter": .string(question.parameter),
                    "annotations": .array(question.annotations.map { .string($0) }),
                ]
            }
            entries.append(("questions", .array(items)))
        }
        return .map(entries)
    }
}

extension FunctionPlan {
    /// Returns the selector of the function as in a manifest.
    fileprivate func manifest(_ routes: Payload?) -> Payload {
        var parameters: [(String, Payload)] = arguments.filter(\.isInput).map { argument in
            (argument.name, .string(argument.words + (argument.isNullable ? "?" : "")))
        }
        if variadic != nil { parameters.append(("...", "[Payload]")) }
        var entries: [(String, Payload)] = [("name", .string(selector)), ("parameters", .map(parameters))]
        if let words = resultWords { entries.append(("result", .string(words))) }
        if isQuick { entries.append(("quick", true)) }
        if let routes { entries.append(("routes", routes)) }
        return .map(entries)
    }

    private var resultWords: String? { hasOutputs ? "[String: Payload]" : result.words }
}

extension Annotation {
    fileprivate var formulas: [Formula] {
        var formulas: [Formula] = [fallback, errorRule?.number, errorRule?.message].compactMap(\.self)
        formulas += errorRule?.tests.map(\.value) ?? []
        switch shape {
        case .string(let room?), .bytes(let room), .items(let room):
            formulas += [room.size] + (room.used.map { [$0] } ?? [])
        case .constant(let formula): formulas.append(formula)
        default: break
        }
        return formulas
    }

    fileprivate var sizedTypes: [String] { formulas.flatMap(\.sizedTypes) }

    /// The kind of handle that the annotation names.
    fileprivate var handleName: String? {
        if case .handle(let name)? = shape { name } else { nil }
    }
}

extension Formula {
    fileprivate var sizedTypes: [String] {
        switch self {
        case .number, .text, .name, .member: []
        case .sizeOf(let type): [type]
        case .sum(let left, let right), .difference(let left, let right), .product(let left, let right):
            left.sizedTypes + right.sizedTypes
        case .call(_, let arguments): arguments.flatMap(\.sizedTypes)
        }
    }
}
