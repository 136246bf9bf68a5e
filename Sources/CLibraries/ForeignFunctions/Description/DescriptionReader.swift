import CDeclarations
import ComponentKit
import ManifestRules
import SystemSupport

/// Plans the functions of a description.
struct DescriptionReader {
    let text: DescriptionText
    /// Whether all that is wrong is to be found.
    private let isChecking: Bool
    /// The annotations of each function or variable.
    private var annotations: [ExactText: DeclaredAnnotations]
    let declarations: CDeclarations
    private let scope: PlanningScope
    let constants: [String: Int128]
    private let variableNames: Set<ExactText>
    /// Functions that release memory or handles, and functions that formulas call.
    private let helpers: Set<String>
    /// The symbols of the functions that release memory or handles, by their names.
    let releases: [String: String]
    /// The first place in the description that names each of these functions.
    private let releasePaths: [String: [PayloadError.PathElement]]
    /// Those of them that cannot release anything.
    private var unfit: Set<String> = []
    /// The functions that free memory, and release no handles.
    private let frees: Set<String>
    /// The routes by function.
    private let declaredRoutes: [ExactText: Payload]
    private(set) var functions: [FunctionPlan] = []
    private(set) var variables: [VariablePlan] = []
    /// The selectors of the functions and variables.
    private var taken: Set<ExactText> = []
    /// What is refused, each function and each variable once.
    private(set) var refusals: [LibraryDescription.Refusal] = []
    /// What is found besides when all that is wrong is to be found.
    private(set) var hidden: [LibraryDescription.Refusal] = []
    /// The routes by selector.
    private(set) var routes: [ExactText: Payload] = [:]

    /// More annotations of one function that are wrong than anybody corrects at once.
    private static let maximumFaults = 1000

    init(_ text: DescriptionText, isChecking: Bool) {
        self.text = text
        self.isChecking = isChecking
        // If one annotation of a function cannot be read, none of them counts, unless the others are to be checked.
        let declared = text.annotations.filter { isChecking || $0.errors.isEmpty }
        annotations = Dictionary(
            text.annotations.map { (ExactText($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        declaredRoutes = Dictionary(
            text.routes.map { (ExactText($0.function), $0.list) }, uniquingKeysWith: { first, _ in first })
        let all = declared.flatMap { $0.all.map(\.annotation) }
        var sources = text.declarations.enumerated().map { CSource(declaration: $0, $1) }
        let sizes = Set(all.flatMap(\.sizedTypes)).sorted()
        for (index, type) in sizes.enumerated() {
            sources.append(CSource(name: "sizeof", text: "typedef \(type) hslink_size_\(index);"))
        }
        for own in declared {
            guard let list = own.tree["..."].own?.variadicTypes else { continue }
            sources.append(
                CSource(
                    name: "annotations.\(own.name)", text: "void \(PlanningScope.variadicPrefix)\(own.name)(\(list));"))
        }
        let declarations = CDeclarations(parsing: sources)
        self.declarations = declarations
        variableNames = Set(declarations.variables.map { ExactText($0.name) })

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
        let released = Set(text.handles.map(\.release) + all.compactMap(\.release))
        releases = Dictionary(
            released.map { ($0, declarations.function(named: $0)?.symbol ?? $0) },
            uniquingKeysWith: { first, _ in first })
        releasePaths = DescriptionReader.releasePaths(text.handles, declared)
        frees = Set(all.compactMap(\.release)).subtracting(text.handles.map(\.release))
        helpers = released.union(all.flatMap(\.formulas).flatMap(\.functions))
        scope = PlanningScope(
            declarations, interfaces: CallInterfaces(), constants: constants, sizes: knownSizes,
            releases: releaseOfKind,
            trees: Dictionary(declared.map { (ExactText($0.name), $0.tree) }, uniquingKeysWith: { first, _ in first }),
            owner: HandleKind.Owner(
                name: text.shares ?? text.name, libraries: text.libraries, shares: text.shares != nil))
    }

    private static func releasePaths(
        _ handles: [(kind: String, release: String)], _ declared: [DeclaredAnnotations]
    ) -> [String: [PayloadError.PathElement]] {
        var paths: [String: [PayloadError.PathElement]] = [:]
        for (kind, release) in handles where paths[release] == nil { paths[release] = ["handles", .key(kind)] }
        for own in declared {
            for (key, annotation) in own.all {
                guard let release = annotation.release, paths[release] == nil else { continue }
                paths[release] = ["annotations", .key(own.name), .key(key)]
            }
        }
        return paths
    }

    /// Returns the kind that a name refers to. `sqlite3`, `struct sqlite3` and a `typedef` of a pointer to it are the
    /// same kind.
    private static func kindName(_ name: String, in declarations: CDeclarations) -> String {
        let found = declarations.type(named: name)
        guard let type = found?.pointee ?? found, case .record(let record) = type.kind else { return name }
        return record.tag ?? record.name
    }

    // MARK: - Functions and variables

    /// Plans every declared function and variable.
    mutating func planAll() {
        for diagnostic in declarations.diagnostics {
            refuse("\(diagnostic.place)", .text(diagnostic.place, diagnostic.message))
        }
        unfit = Set(releases.keys.filter { reason(against: $0) != nil })
        for function in declarations.functions where !function.name.hasPrefix(PlanningScope.variadicPrefix) {
            guard frees.contains(function.name) else {
                plan(.function(function))
                continue
            }
            guard annotations[ExactText(function.name)] != nil else { continue }
            let clause = "it frees what other functions return, so that it cannot be called by itself"
            refuse(function.name, .declaration(function.place, CObstacle(clause), key: nil))
        }
        for variable in declarations.variables { plan(.variable(variable)) }
    }

    /// Plans a function or a variable. When all that is wrong is to be found, it is planned again without each annotation
    /// that is at fault.
    private mutating func plan(_ declared: Declared) {
        let name = declared.name
        let selector = text.selector(of: name)
        var own = annotations[ExactText(name)]
        // What the annotations that are left out are about. That something is missing without them is no news.
        var leftOut: Set<String> = []
        for error in own?.errors ?? [] {
            refuse(name, .annotation(error), selector: selector, isHidden: !leftOut.isEmpty)
            guard isChecking, case .key(let key)? = error.path.first else { return }
            leftOut.formUnion(AnnotationTree.names(in: key).prefix(1))
        }
        if let clause = clause(against: selector, of: declared) {
            guard isCalled(declared, own) else { return }
            let isRenamed = text.selectors[ExactText(name)] != nil
            refuse(
                name,
                isRenamed
                    ? .entry(section: "rename", clause) : .declaration(declared.place, CObstacle(clause), key: nil),
                selector: selector, questions: questions(about: declared, own), isHidden: !leftOut.isEmpty)
            return
        }
        for _ in 0..<DescriptionReader.maximumFaults {
            do throws(CObstacle) {
                return try add(declared, own?.tree ?? .empty, selector: selector)
            } catch {
                guard isCalled(declared, own) else { return }
                let key = own?.key(atFaultFor: error)
                let subject = error.path.first.flatMap { AnnotationTree.names(in: $0).first }
                if key == nil, let subject, leftOut.contains(subject) { return }
                refuse(
                    name, .declaration(declared.place, error, key: key), selector: selector,
                    questions: questions(about: declared, own), isHidden: !leftOut.isEmpty)
                guard isChecking, let key else { return }
                leftOut.formUnion(AnnotationTree.names(in: key).prefix(1))
                own?.remove(key)
                annotations[ExactText(name)] = own
            }
        }
    }

    /// Returns whether something must be planned: functions without annotations may be there only for others.
    private func isCalled(_ declared: Declared, _ own: DeclaredAnnotations?) -> Bool {
        guard case .function(let function) = declared else { return true }
        return own?.tree.isEmpty == false || !helpers.contains(function.name)
    }

    /// Returns why something cannot have its selector; nil if it can.
    private func clause(against selector: String, of declared: Declared) -> String? {
        guard TextRule.selector.allows(selector) else {
            return "the selector \(selector.quoted()) is invalid: expected \(TextRule.selector.expected)"
        }
        guard taken.contains(ExactText(selector)) else { return nil }
        switch declared {
        case .function: return "another function has the selector \(selector)"
        case .variable: return "something else has the selector \(selector)"
        }
    }

    private mutating func add(
        _ declared: Declared, _ tree: AnnotationTree, selector: String
    ) throws(CObstacle) {
        switch declared {
        case .function(let function):
            let plan = try planner(function, tree).plan(selector: selector)
            if let release = plan.releases.intersection(unfit).min() {
                throw CObstacle("\(release) cannot release what it returns")
            }
            functions.append(plan)
            routes[ExactText(selector)] = declaredRoutes[ExactText(function.name)]
        case .variable(let variable):
            variables.append(try VariablePlan(selector: selector, variable, tree: tree, scope: scope))
        }
        taken.insert(ExactText(selector))
    }

    private func questions(about declared: Declared, _ own: DeclaredAnnotations?) -> [AnnotationQuestion] {
        guard case .function(let function) = declared else { return [] }
        return planner(function, own?.tree ?? .empty).questions
    }

    private func planner(_ function: CFunction, _ tree: AnnotationTree) -> FunctionPlanner {
        FunctionPlanner(
            scope: scope, function, tree,
            variadicType: declarations.function(named: PlanningScope.variadicPrefix + function.name)?.type)
    }

    // MARK: - The rest

    private func isDeclared(_ name: String) -> Bool {
        declarations.function(named: name) != nil || variableNames.contains(ExactText(name))
    }

    /// Refuses entries in the description for functions that are not declared.
    mutating func checkRest() {
        for function in text.annotations.map(\.name) where !isDeclared(function) {
            refuse(
                function,
                .entry(section: "annotations", "it has annotations, but no valid declaration\(meant(function))"))
        }
        for function in text.selectors.keys.sorted().map(\.text) where !isDeclared(function) {
            refuse(
                function, .entry(section: "rename", "it is renamed, but has no valid declaration\(meant(function))"))
        }
        for (function, _) in text.routes where declarations.function(named: function) == nil {
            refuse(
                function, .entry(section: "routes", "it has routes, but no valid declaration\(meant(function))"))
        }
        let given = Dictionary(text.constants.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        for constant in declarations.constants {
            guard let other = given[constant.name], other != constant.value else { continue }
            refuse(
                constant.name,
                .entry(
                    section: "constants",
                    "\"constants\" has \(other) for it, but the declarations have \(constant.value)"))
        }
        let kinds = kindNames
        for (kind, _) in text.handles where !kinds.contains(DescriptionReader.kindName(kind, in: declarations)) {
            let known =
                refusals.count < DescriptionReader.maximumHints ? kinds.union(declarations.typedefs.map(\.name)) : []
            let near = kind.meant(among: known.sorted())
            refuse(
                kind,
                .entry(
                    section: "handles", "\"handles\" says how it is released, but it is not a handle kind\(near)"))
        }
        for release in releases.keys.sorted() {
            guard let reason = reason(against: release) else { continue }
            let path = releasePaths[release] ?? []
            refuse(release, .release(path, "it is used to release something, \(reason)"))
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
        let counted = annotations.values.filter { isChecking || $0.errors.isEmpty }
        let annotated = counted.flatMap(\.all).compactMap(\.annotation.handleName)
        return Set(declarations.records.map { $0.record.tag ?? $0.record.name } + annotated)
    }

    private mutating func refuse(
        _ name: String, _ fault: LibraryDescription.Fault, selector: String? = nil,
        questions: [AnnotationQuestion] = [], isHidden: Bool = false
    ) {
        let refusal = LibraryDescription.Refusal(name: name, fault: fault, selector: selector, questions: questions)
        if isHidden { hidden.append(refusal) } else { refusals.append(refusal) }
    }

    /// How many refusals have hints at the names that were probably meant: each is compared with all names.
    private static let maximumHints = 64

    /// Returns a hint at the function that was probably meant by a name.
    private func meant(_ name: String) -> String {
        guard refusals.count < DescriptionReader.maximumHints else { return "" }
        return name.meant(among: declarations.functions.map(\.name))
    }
}

/// What can be planned.
private enum Declared {
    case function(CFunction)
    case variable(CVariable)

    var name: String {
        switch self {
        case .function(let function): function.name
        case .variable(let variable): variable.name
        }
    }

    var place: CPlace {
        switch self {
        case .function(let function): function.place
        case .variable(let variable): variable.place
        }
    }
}
