import ManifestRules
import SystemSupport

/// The layers of a package, its dependencies, and those that break a rule.
package struct LayerReport: Sendable {
    /// A dependency between a target and another target, or a product of another package.
    package struct Arrow: Sendable {
        package let from: String
        package let to: SourceTarget.Dependency
        /// The rule that it breaks; nil if it breaks none.
        package fileprivate(set) var fault: LayerFinding.Kind?
        /// Why it is accepted although it breaks a rule.
        package fileprivate(set) var exception: String?
    }

    package let package: SourcePackage
    package let map: LayerMap
    /// The findings, by path and position.
    package private(set) var findings: [LayerFinding] = []
    /// The dependencies of targets that belong to a layer, in the order of the manifest.
    package private(set) var arrows: [Arrow] = []

    private var usedExceptions: Set<LayersStatement.Exception> = []
    /// The indices of the arrows.
    private var arrowIndices: [ArrowEnds: Int] = [:]
    private let manifest: SourceTokens
    private let declared: DeclaredLayers

    package init(_ package: SourcePackage) {
        self.package = package
        map = LayerMap(package)
        manifest = SourceTokens(package.manifest)
        declared = DeclaredLayers(package, map)
        let modules = ModuleTable(package)
        for target in package.targets { check(target, modules) }
        for problem in package.problems { addUnread(problem.path, problem.reason, target: nil) }
        checkStatement()
        findings.sort {
            ($0.path, $0.position.line, $0.position.column) < ($1.path, $1.position.line, $1.position.column)
        }
    }

    private struct ArrowEnds: Hashable {
        let from: String
        let to: SourceTarget.Dependency
    }

    /// The targets that belong to a layer, and what they use of other packages: highest layer first, then by name. Of
    /// third-party packages, the package stands for its products.
    package var members: [Member] {
        var members: Set<Member> = []
        for target in package.targets {
            guard let placement = map.placement(ofTarget: target.name) else { continue }
            members.insert(Member(.target(target.name), name: target.name, placement: placement))
        }
        for arrow in arrows {
            if let member = member(for: arrow.to) { members.insert(member) }
        }
        let order = Dictionary(uniqueKeysWithValues: Layer.allCases.enumerated().map { ($1, $0) })
        return members.sorted {
            (order[$0.placement.layer] ?? 0, $0.name) < (order[$1.placement.layer] ?? 0, $1.name)
        }
    }

    /// Returns the member that a dependency belongs to.
    func member(for dependency: SourceTarget.Dependency) -> Member? {
        guard let placement = map.placement(of: dependency) else { return nil }
        switch dependency {
        case .target(let name): return Member(dependency, name: name, placement: placement)
        case .product(let name, let package, _):
            let reference = map.reference(ofProduct: name, package: package)
            let title = placement.layer == .thirdParty ? reference?.name ?? reference?.identity ?? name : name
            return Member(.product(title, package: nil), name: title, placement: placement)
        }
    }

    /// A member of a layer: a target, a product, or a third-party package.
    package struct Member: Hashable, Sendable {
        package let name: String
        package let placement: Placement
        private let dependency: SourceTarget.Dependency

        fileprivate init(_ dependency: SourceTarget.Dependency, name: String, placement: Placement) {
            self.name = name
            self.placement = placement
            self.dependency = dependency
        }

        package static func == (one: Member, other: Member) -> Bool {
            one.dependency == other.dependency && one.placement.layer == other.placement.layer
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(dependency) }

        /// A name in drawings that no other member has.
        var identifier: String {
            if case .target = dependency { return "target \(name)" }
            return "\(placement.layer.rawValue) \(name)"
        }
    }

    // MARK: Targets

    private mutating func check(_ target: SourceTarget, _ modules: ModuleTable) {
        for problem in target.problems {
            addUnread(problem.path, "\(problem.reason); its imports were not checked", target: target.name)
        }
        var imported: Set<SourceTarget.Dependency> = []
        for file in target.files {
            for statement in file.facts.imports {
                guard let used = modules.provider(of: statement.module, for: target), used != .target(target.name)
                else { continue }
                imported.insert(used)
                let place = SourcePlace(path: file.path, position: statement.position)
                check(
                    target, imports: used, as: statement.module, at: place, isDeclared: modules.declares(target, used))
            }
        }
        for used in target.dependencies where !imported.contains(used) { check(target, declares: used) }
    }

    private mutating func addUnread(_ path: String, _ reason: String, target: String?) {
        findings.append(
            LayerFinding(
                kind: .unread, path: path, position: SourcePosition(line: 1, column: 1), target: target,
                dependency: nil, message: reason))
    }

    private mutating func check(
        _ target: SourceTarget, imports used: SourceTarget.Dependency, as module: String, at place: SourcePlace,
        isDeclared: Bool
    ) {
        if let fault = fault(of: target, using: used) {
            if isAccepted(target, using: used, as: module) { return }
            add(fault, of: target, using: used, at: place, verb: "imports")
        } else {
            guard !isDeclared else { return note(target, using: used, fault: nil) }
            if isAccepted(target, using: used, as: module) { return }
            note(target, using: used, fault: .undeclared)
            findings.append(
                LayerFinding(
                    kind: .undeclared, path: place.path, position: place.position, target: target.name,
                    dependency: used.name,
                    message: "\(target.name.escaped) imports \(module.escaped), but the manifest does not state this "
                        + "dependency; add \(Advice.declaration(of: used)) to the dependencies of "
                        + "\(target.name.escaped)"))
        }
    }

    private mutating func check(_ target: SourceTarget, declares used: SourceTarget.Dependency) {
        guard let fault = fault(of: target, using: used) else { return note(target, using: used, fault: nil) }
        if isAccepted(target, using: used, as: used.name) { return }
        let position = manifest.position(ofDependency: used.name, in: target.name)
        add(
            fault, of: target, using: used, at: SourcePlace(path: package.manifestPath, position: position),
            verb: "depends on")
    }

    /// Returns the rule that a dependency breaks.
    private func fault(of target: SourceTarget, using used: SourceTarget.Dependency) -> LayerFinding.Kind? {
        guard let from = map.placement(ofTarget: target.name)?.layer, let to = map.placement(of: used)?.layer else {
            return nil
        }
        switch (from, to) {
        case (.component, .component), (.contract, .component): return .sideways
        // Wrapping such code in a component instead of a library keeps it, and its state, in the program once.
        case (.component, .thirdParty) where declared.isCommon(target.name): return nil
        case (.component, .thirdParty), (.contract, .thirdParty): return .thirdParty
        case (.component, .contract):
            return declared.higherProvider(of: used.name, for: target.name).map { _ in .upward }
        default: return to.height > from.height ? .upward : nil
        }
    }

    private mutating func add(
        _ fault: LayerFinding.Kind, of target: SourceTarget, using used: SourceTarget.Dependency, at place: SourcePlace,
        verb: String
    ) {
        note(target, using: used, fault: fault)
        guard let from = map.placement(ofTarget: target.name), let to = map.placement(of: used) else { return }
        let advice = Advice(package, map)
        var message: String
        var note = to.place.map { place in
            LayerFinding.note(
                "\(used.name.escaped) belongs to the layer \(to.layer.title), because \(to.reason)", at: place)
        }
        if to.layer == .contract, let provider = declared.higherProvider(of: used.name, for: target.name) {
            message = "\(target.name.escaped) (\(declared.layer(of: target.name) ?? "")) \(verb) "
            message += advice.text(forContract: used.name, of: provider, usedBy: target.name)
            note = LayerFinding.note("\(provider.name.escaped) declares its layer here", at: provider.place)
        } else {
            message = "\(target.name.escaped) (\(from.layer.title)) \(verb) \(used.name.escaped) (\(to.layer.title)): "
            message += advice.text(for: fault, in: target, from: from.layer, using: used, to: to.layer)
        }
        findings.append(
            LayerFinding(
                kind: fault, path: place.path, position: place.position, target: target.name, dependency: used.name,
                message: message, note: note))
    }

    /// Records an arrow. A fault replaces what an earlier import of the same module recorded.
    private mutating func note(
        _ target: SourceTarget, using used: SourceTarget.Dependency, fault: LayerFinding.Kind?, exception: String? = nil
    ) {
        guard map.placement(ofTarget: target.name) != nil, map.placement(of: used) != nil else { return }
        let ends = ArrowEnds(from: target.name, to: used)
        if let index = arrowIndices[ends] {
            if fault != nil { arrows[index].fault = fault }
        } else {
            arrowIndices[ends] = arrows.count
            arrows.append(Arrow(from: target.name, to: used, fault: fault, exception: exception))
        }
    }

    // MARK: Exceptions

    private mutating func isAccepted(
        _ target: SourceTarget, using used: SourceTarget.Dependency, as module: String
    ) -> Bool {
        guard let exception = exception(for: target, used, module) else { return false }
        usedExceptions.insert(exception)
        note(target, using: used, fault: nil, exception: exception.reason)
        return true
    }

    private func exception(
        for target: SourceTarget, _ used: SourceTarget.Dependency, _ module: String
    ) -> LayersStatement.Exception? {
        var names = [used.name, module]
        if case .product(let name, let package, _) = used {
            let reference = map.reference(ofProduct: name, package: package)
            names += [package, reference?.identity, reference?.name].compactMap(\.self)
        }
        return package.statement.exceptions.first { $0.target == target.name && names.contains($0.uses) }
    }

    /// Reports entries of the statement that have no effect. Exceptions for targets that the package does not have are
    /// not reported, because the folder of a component may be removed without other changes.
    private mutating func checkStatement() {
        let statement = package.statement
        for exception in statement.exceptions where !usedExceptions.contains(exception) {
            guard package.targets.contains(where: { $0.name == exception.target }) else { continue }
            findings.append(
                LayerFinding(
                    kind: .needless, path: statement.path, position: statement.position(of: exception),
                    target: exception.target, dependency: exception.uses,
                    message: "\(exception.target.escaped) does not break a rule by using \(exception.uses.escaped); "
                        + "remove the exception"))
        }
        let known = knownNames
        let places = statement.layerPlaces
        for name in statement.layers.keys.sorted() where !known.contains(name) {
            let similar = SimilarName.nearest(to: name, in: known.sorted())
            findings.append(
                LayerFinding(
                    kind: .needless, path: statement.path,
                    position: places[name]?.position ?? SourcePosition(line: 1, column: 1),
                    target: nil,
                    dependency: name,
                    message: "a layer is stated for \(name.quoted()), but the package has no target, product or "
                        + "package with this name\(similar.map { "; did you mean \($0.quoted())?" } ?? "; remove it")"))
        }
    }

    /// The names for which a layer can be stated.
    private var knownNames: Set<String> {
        var names = Set(package.targets.map(\.name))
        for reference in package.dependencies {
            names.formUnion([reference.identity, reference.name].compactMap(\.self))
            names.formUnion(reference.products.keys)
        }
        for target in package.targets {
            for case .product(let name, let package, _) in target.dependencies {
                names.formUnion([name, package].compactMap(\.self))
            }
        }
        return names
    }
}
