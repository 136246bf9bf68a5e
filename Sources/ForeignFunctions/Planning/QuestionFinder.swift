import CDeclarations

/// Finds what a description must still say about the pointers of a function or a callback.
///
/// Nothing may be left to chance where C could read or write beyond the memory that it gets, or use it after it is
/// freed: a pointer beside an integer that is named like a length, and data that goes into a call that returns a handle.
struct QuestionFinder {
    let scope: PlanningScope
    let type: CFunctionType
    let tree: AnnotationTree
    let names: [String]
    /// The function, which programs call; nil for callbacks, which C calls.
    let function: String?
    private var isCalled: Bool { function != nil }

    /// The names that rooms and constants mention.
    private let connected: Set<String>

    init(_ scope: PlanningScope, _ type: CFunctionType, _ tree: AnnotationTree, function: String?) {
        self.scope = scope
        self.type = type
        self.tree = tree
        self.function = function
        names = type.parameterNames
        connected = (names + ["return"]).reduce(into: []) { connected, name in
            for formula in tree[name].own?.rooms ?? [] { connected.formUnion(formula.names) }
        }
    }

    /// The questions, in the order of the parameters.
    var questions: [AnnotationQuestion] {
        var questions: [AnnotationQuestion] = []
        for index in names.indices {
            if case .function(let callback)? = type.parameters[index].type.pointee?.kind, isCalled,
                tree[names[index]].own?.shape == nil
            {
                questions += QuestionFinder(scope, callback, tree[names[index]], function: nil).questions
                    .map { $0.within(names[index]) }
                continue
            }
            if let question = question(about: index) {
                questions.append(question)
            } else if let definition = definition(behind: type.parameters[index].type, tree[names[index]]) {
                let goesIn = isCalled && tree[names[index]].own?.direction != .out
                questions += scope.questions(about: definition, tree[names[index]], goesIn: goesIn)
                    .map { $0.within(names[index]) }
            }
        }
        if let question = questionAboutResult {
            questions.append(question)
        } else if isCalled, let definition = definition(behind: type.result, tree["return"]) {
            questions += scope.questions(about: definition, tree["return"], goesIn: false)
                .map { $0.within("return") }
        }
        return questions
    }

    /// Returns the struct that a parameter or result is or points to, if its fields are passed.
    private func definition(behind type: CType, _ tree: AnnotationTree) -> RecordDefinition? {
        switch tree.own?.shape {
        case nil, .value, .items: break
        default: return nil
        }
        guard case .record(let record) = (type.pointee ?? type).kind else { return nil }
        return scope.declarations.definition(of: record)
    }

    // MARK: - One parameter

    private func question(about index: Int) -> AnnotationQuestion? {
        let (name, parameter) = (names[index], type.parameters[index])
        guard let pointee = parameter.type.pointee else { return nil }
        let annotation = tree[name].own
        let isSettled =
            annotation?.shape != nil || annotation?.direction != nil || annotation?.errorRule != nil
            || annotation?.isReleased == true
        let plain = scope.plainPointer(to: pointee, isInput: isCalled)
        let length = isSettled || isPointerToLength(index) ? nil : length(beside: index)
        var kinds: (annotations: [String], reason: String)?
        switch plain {
        case _ where isSettled: break
        case .handle(let kind):
            if let question = question(about: index, releasing: kind) { return question }
        case .function: break
        case .text, .value:
            guard let length else { break }
            let proposals = PointerProposals(pointee, length: length, isCalled: isCalled).annotations
            kinds = (proposals, because(parameter.type, length, proposals, PointerProposals.settling(plain)))
        case .unknown:
            if let length {
                var proposals = PointerProposals(pointee, length: length, isCalled: isCalled).annotations
                if mayBeContext(index) { proposals.insert("context", at: 0) }
                kinds = (proposals, because(parameter.type, length, proposals, nil))
            } else {
                kinds = unknown(index)
            }
        }
        let isData = isSettled ? annotation?.isData ?? false : length != nil && !plain.isObject || plain.isText
        let keepers = isData && annotation?.bond == nil ? self.keepers : []
        guard kinds != nil || !keepers.isEmpty else { return nil }
        let said = annotation?.text ?? ""
        var annotations = (kinds?.annotations ?? [""]).map { said.isEmpty ? $0 : $0.isEmpty ? said : "\(said) \($0)" }
        var reason = kinds?.reason
        if !keepers.isEmpty {
            annotations = annotations.flatMap { kind in
                QuestionFinder.isData(kind) ? keepers.map { kind.isEmpty ? $0 : "\(kind) \($0)" } : [kind]
            }
            let choice = keepers.filter { $0 != "copied" }.map { "\"\($0)\"" }.joined(separator: ", ")
            let keeping = "because the library may use it after the call: \(choice), or \"copied\" if it does not"
            reason =
                reason.map { "\($0); and another one, \(keeping)" }
                ?? "\(parameter.type) needs an annotation, \(keeping)"
        }
        return AnnotationQuestion(parameter: name, reason: reason ?? "", annotations: annotations)
    }

    /// Returns the question whether a function that is named like a release releases the handle in a parameter.
    private func question(about index: Int, releasing kind: HandleKind) -> AnnotationQuestion? {
        // A number or a text tells which part of the handle's target is meant.
        guard let function, ReleaseName.rank(function) != nil, !scope.isRelease(function),
            type.parameters[index].type.pointee?.isConst == false, type.parameters.allSatisfy(\.isPlainPointer)
        else { return nil }
        let isLast = !type.parameters[(index + 1)...].contains { parameter in
            guard let pointee = parameter.type.pointee, !pointee.isConst else { return false }
            if case .handle = scope.plainPointer(to: pointee, isInput: true) { return true } else { return false }
        }
        let annotations = isLast ? ["released", "handle"] : ["handle", "released"]
        let isOnly = type.parameters.count == 1
        return AnnotationQuestion(
            parameter: names[index],
            reason: "\(type.parameters[index].type) needs an annotation, because \(function) may release it: "
                + "\"released\", or \"handle\" if it can be used after that"
                + (isOnly ? "; or name \(function) in \"handles\"" : ""),
            annotations: annotations, released: isOnly ? kind.name : nil)
    }

    private func because(_ type: CType, _ length: String, _ annotations: [String], _ settling: String?) -> String {
        "\(type) needs an annotation, because \"\(length)\" may be its length: \(AnnotationQuestion.choice(annotations))"
            + (settling.map { " (\($0), and \"\(length)\" is something else)" } ?? "")
    }

    /// Returns what a pointer without a meaning and without a length beside it can be.
    private func unknown(_ index: Int) -> (annotations: [String], reason: String) {
        let parameter = type.parameters[index]
        let proposals = PointerProposals(parameter, mayBeContext: mayBeContext(index), isCalled: isCalled)
        // A length behind a pointer goes in and comes out if it is the room of a buffer.
        let isRoom = isPointerToLength(index) && type.parameters.indices.contains { $0 != index && isBuffer($0) }
        return (
            isRoom ? ["inout", "out", "in"] : proposals.annotations,
            "\(parameter.type) needs an annotation: \(proposals.words)"
        )
    }

    private func isPointerToLength(_ index: Int) -> Bool {
        guard let pointee = type.parameters[index].type.pointee else { return false }
        return isWholeNumber(pointee) && LengthName.isOne(names[index])
    }

    /// Whether C may write an unknown number of bytes or items to a parameter.
    private func isBuffer(_ index: Int) -> Bool {
        guard let pointee = type.parameters[index].type.pointee, !pointee.isConst, !isPointerToLength(index) else {
            return false
        }
        return switch pointee.kind {
        case .void, .scalar: true
        default: false
        }
    }

    /// Whether a parameter may be the pointer that a callback receives back.
    private func mayBeContext(_ index: Int) -> Bool {
        guard case .void? = type.parameters[index].type.pointee?.kind,
            type.parameters[index].type.pointee?.isConst == false
        else { return false }
        return !isCalled || type.parameters.contains(where: \.type.isFunctionPointer)
    }

    private var questionAboutResult: AnnotationQuestion? {
        guard isCalled, let pointee = type.result.pointee, tree["return"].own?.shape == nil else { return nil }
        let plain = scope.plainPointer(to: pointee, isInput: false)
        let length = names.first { name in
            isLength(name, directions: [.out, .inout], isPointer: true)
        }
        switch plain {
        case .handle, .function: return nil
        case .text, .value:
            guard let length else { return nil }
            let settled = plain.isText ? "string" : "value"
            let proposals =
                plain.isText ? ["string[\(length)]", "bytes[\(length)]", settled] : ["items[\(length)]", settled]
            return result(
                proposals, because(type.result, length, proposals, PointerProposals.settling(plain)))
        case .unknown:
            return result(
                length.map { PointerProposals(pointee, length: $0, isCalled: false).annotations } ?? [],
                "\(type.result) needs an annotation: \"ignored\", \"string\", \"value\", \"bytes[length]\", "
                    + "\"items[count]\" or \"handle(name)\"")
        }
    }

    private func result(_ annotations: [String], _ reason: String) -> AnnotationQuestion {
        let said = tree["return"].own?.text ?? ""
        return AnnotationQuestion(
            parameter: "return", reason: reason, annotations: annotations.map { said.isEmpty ? $0 : "\($0) \(said)" })
    }

    /// Whether a proposed annotation is for data that a program passes.
    private static func isData(_ annotation: String) -> Bool {
        !annotation.hasPrefix("out ")
            && (annotation.isEmpty || ["string", "bytes", "items", "nullable"].contains { annotation.contains($0) })
    }

    // MARK: - Lengths

    /// Returns the integer that may be the length of a pointer's target, and that nothing connects to any.
    private func length(beside index: Int) -> String? {
        let pointee = type.parameters[index].type.pointee
        var found = names.indices.filter { other in
            isLength(names[other], directions: [], isPointer: false)
                || isFree(other) && isWholeNumber(other) && LengthName.counts(names[other], names[index])
                || isLength(
                    names[other], directions: [.in, .inout] + (pointee?.isConst == false ? [nil] : []), isPointer: true)
                // Nothing says what an integer without a name is.
                || other == index + 1 && type.parameters[other].name == nil && isFree(other) && isWholeNumber(other)
        }
        // Prefer `sourceLen` for `source`, then the next one, then the one before.
        let words = Set(LengthName.parts(of: names[index]))
        let named = found.filter { !words.isDisjoint(with: LengthName.parts(of: names[$0])) }
        if !named.isEmpty { found = named }
        return (found.first { $0 > index } ?? found.last).map { names[$0] }
    }

    private func isLength(_ name: String, directions: [Annotation.Direction?], isPointer: Bool) -> Bool {
        guard let index = names.firstIndex(of: name), type.parameters[index].name != nil, isFree(index),
            LengthName.isOne(name)
        else { return false }
        let target = type.parameters[index].type.pointee
        guard isPointer == (target != nil) else { return false }
        return isWholeNumber(target ?? type.parameters[index].type)
            && (!isPointer || directions.contains(tree[name].own?.direction))
    }

    /// Whether no annotation connects or fixes a parameter.
    private func isFree(_ index: Int) -> Bool {
        !connected.contains(names[index]) && tree[names[index]].own?.shape == nil
    }

    private func isWholeNumber(_ index: Int) -> Bool { isWholeNumber(type.parameters[index].type) }

    private func isWholeNumber(_ type: CType) -> Bool {
        if case .scalar(let scalar) = type.kind {
            scalar.isInteger && scalar != .bool && scalar != .char
        } else {
            false
        }
    }

    // MARK: - Handles that may keep data

    /// The annotations that say how long C may use data; none if no handle comes out of the call.
    private var keepers: [String] {
        guard isCalled else { return [] }
        var out: [String] = []
        var before: [String] = []
        for (name, parameter) in zip(names, type.parameters) {
            switch scope.handleUse(parameter.type, tree[name]) {
            case .comesOut: out.append(name)
            case .goesIn: before.append(name)
            case nil: break
            }
        }
        if scope.isHandle(type.result, tree["return"]) { out.append("return") }
        guard !out.isEmpty else { return [] }
        return out.map { "kept by \($0)" } + ["copied"] + before.map { "kept by \($0)" }
    }
}

extension PlanningScope {
    enum HandleUse {
        case goesIn, comesOut
    }

    /// Returns whether a parameter takes a handle or brings one; nil if it does neither.
    func handleUse(_ type: CType, _ tree: AnnotationTree) -> HandleUse? {
        guard let pointee = type.pointee else { return nil }
        let annotation = tree.own
        switch annotation?.shape {
        case .new: return .comesOut
        case .handle: return annotation?.direction == .out ? .comesOut : .goesIn
        case nil, .value: break
        default: return nil
        }
        if annotation?.direction == .out, let inner = pointee.pointee {
            if case .handle = plainPointer(to: inner, isInput: false) { return .comesOut }
            return nil
        }
        guard annotation?.direction == nil, annotation?.shape == nil else { return nil }
        if case .handle = plainPointer(to: pointee, isInput: true) { return .goesIn }
        return nil
    }

    /// Returns whether a result is a handle.
    func isHandle(_ type: CType, _ tree: AnnotationTree) -> Bool {
        guard let pointee = type.pointee else { return false }
        switch tree.own?.shape {
        case .handle: return true
        case nil: if case .handle = plainPointer(to: pointee, isInput: false) { return true } else { return false }
        default: return false
        }
    }
}

extension PlainPointer {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }

    /// Whether it leads to no data.
    fileprivate var isObject: Bool {
        switch self {
        case .handle, .function: true
        case .text, .value, .unknown: false
        }
    }
}

extension CParameter {
    /// Whether it is a pointer to something other than text.
    fileprivate var isPlainPointer: Bool {
        guard let pointee = type.pointee else { return false }
        return !pointee.isByteSized
    }
}

extension CType {
    fileprivate var isFunctionPointer: Bool {
        if case .function? = pointee?.kind { true } else { false }
    }
}

extension Annotation {
    /// The formulas of rooms and constants, which connect a number with what it measures.
    fileprivate var rooms: [Formula] {
        switch shape {
        case .string(let room?), .bytes(let room), .items(let room): [room.size] + (room.used.map { [$0] } ?? [])
        case .constant(let formula): [formula]
        default: []
        }
    }

    /// Whether the annotation is for text, bytes or items that a program passes.
    fileprivate var isData: Bool {
        guard direction != .out else { return false }
        return switch shape {
        case .string, .bytes, .items: true
        default: false
        }
    }
}

extension Formula {
    /// The names in the formula.
    fileprivate var names: Set<String> {
        switch self {
        case .number, .text, .sizeOf: []
        case .name(let name), .member(let name, _): [name]
        case .sum(let left, let right), .difference(let left, let right), .product(let left, let right):
            left.names.union(right.names)
        case .call(_, let arguments): arguments.reduce(into: []) { $0.formUnion($1.names) }
        }
    }
}
