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
    var isCalled: Bool { function != nil }

    /// The names that rooms and constants mention, with the parameters whose annotations do.
    private let connected: [String: Set<Int>]
    /// What takes a handle in a call, and what brings one.
    private(set) var handles: (goingIn: [String], comingOut: [String]) = ([], [])

    init(_ scope: PlanningScope, _ type: CFunctionType, tree: AnnotationTree, function: String?) {
        self.scope = scope
        self.type = type
        self.tree = tree
        self.function = function
        names = type.parameterNames
        connected = (names + ["return"]).enumerated().reduce(into: [:]) { connected, item in
            for formula in tree[item.element].own?.shapeFormulas ?? [] {
                for name in formula.names { connected[name, default: []].insert(item.offset) }
            }
        }
        if isCalled { handles = handlesOfCall }
    }

    /// The questions, in the order of the parameters.
    var questions: [AnnotationQuestion] {
        var questions: [AnnotationQuestion] = []
        for index in names.indices {
            if case .function(let callback)? = type.parameters[index].type.pointee?.kind, isCalled,
                tree[names[index]].own?.shape == nil
            {
                if let question = questionAboutClosure(index) { questions.append(question) }
                questions += QuestionFinder(scope, callback, tree: tree[names[index]], function: nil).questions
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
        guard let pointee = parameter.type.pointee else { return questionAboutHandles(inside: index) }
        if let question = question(aboutOwnerOfOutput: index) ?? question(aboutEnd: index) { return question }
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
            if let question = question(about: index, releasing: kind) ?? question(aboutFateOf: index)
                ?? question(aboutPartsOf: index, kind)
            {
                return question
            }
        case .function: break
        case .text, .value:
            guard let length else { break }
            let proposals = PointerProposals(pointee, length: length, isCalled: isCalled).annotations
            let settling = PointerProposals.settling(plain)
            kinds = (
                proposals, because(parameter.type, length: length, annotations: proposals, settling: settling)
            )
        case .unknown:
            if let length {
                var proposals = PointerProposals(pointee, length: length, isCalled: isCalled).annotations
                if mayBeContext(index) { proposals.insert("context", at: 0) }
                if pointee.isConst, pointee.isRecord { proposals.append("handle") }
                if isObject(pointee) { proposals = ["handle"] + proposals.filter { $0 != "handle" } }
                kinds = (proposals, because(parameter.type, length: length, annotations: proposals, settling: nil))
            } else {
                kinds = unknown(index)
            }
        }
        if let found = kinds { kinds = withFates(found, of: index) }
        let isRecord = (annotation?.shape == nil || annotation?.isValue == true) && holdsPointers(index)
        let isData =
            isRecord
            ? annotation?.direction != .out
            : isSettled ? annotation?.isData ?? false : length != nil && !plain.isObject || plain.isText
        let keepers =
            isData && annotation?.bond == nil ? self.keepers(includesInputs: isCalled && holdsHandles(index)) : []
        guard kinds != nil || !keepers.isEmpty else { return nil }
        let said = annotation?.text ?? ""
        var annotations = (kinds?.annotations ?? [""]).map { said.isEmpty ? $0 : $0.isEmpty ? said : "\(said) \($0)" }
        var reason = kinds?.reason
        if !keepers.isEmpty {
            annotations = annotations.flatMap { kind in
                QuestionFinder.isData(kind) || isRecord && ["in", "inout"].contains(kind)
                    ? keepers.map { kind.isEmpty ? $0 : "\(kind) \($0)" } : [kind]
            }
            let choice = keepers.filter { $0 != "copied" }.map { "\"\($0)\"" }.joined(separator: ", ")
            let keeping = "because the library may use it after the call: \(choice), or \"copied\" if it does not"
            reason =
                reason.map { "\($0); and another one, \(keeping)" }
                ?? "\(parameter.type) needs an annotation, \(keeping)"
        }
        return AnnotationQuestion(parameter: name, reason: reason ?? "", annotations: annotations)
    }

    /// Whether a struct with text or other data goes in.
    private func holdsPointers(_ index: Int) -> Bool {
        guard case .record(let record)? = type.parameters[index].type.pointee?.kind, scope.isDefined(record),
            let form = try? scope.recordForm(record, tree[names[index]])
        else { return false }
        return ValueForm.record(form).holdsPointers
    }

    /// Whether handles go in within an array or a struct.
    private func holdsHandles(_ index: Int) -> Bool {
        let type = type.parameters[index].type
        let form = try? scope.itemForm(of: type.pointee ?? type, tree[names[index]])
        switch tree[names[index]].own?.shape {
        case .items: return form?.holdsHandles == true
        case nil, .value: if case .record = (type.pointee ?? type).kind { return form?.holdsHandles == true }
        default: break
        }
        return false
    }

    /// Returns the question how long C uses the handles in a struct that is passed by value.
    private func questionAboutHandles(inside index: Int) -> AnnotationQuestion? {
        guard isCalled, tree[names[index]].own?.bond == nil, holdsHandles(index) else { return nil }
        let keepers = keepers(includesInputs: true)
        guard !keepers.isEmpty else { return nil }
        return AnnotationQuestion(
            parameter: names[index],
            reason: "\(type.parameters[index].type) needs an annotation, because the library may use its handles after "
                + "the call: \(AnnotationQuestion.choice(keepers))", annotations: keepers)
    }

    /// Returns the annotations of a pointer, where those that make it a handle also say what becomes of it.
    private func withFates(
        _ found: (annotations: [String], reason: String), of index: Int
    ) -> (annotations: [String], reason: String) {
        let others = handles(beside: index)
        guard !others.isEmpty else { return found }
        var (annotations, reason) = found
        let inner = type.parameters[index].type.pointee?.pointee
        if let place = annotations.firstIndex(of: "out"), case .record(let record)? = inner?.kind,
            !scope.isDefined(record)
        {
            annotations.replaceSubrange(place...place, with: ownerships(others).map { "out \($0)" })
            reason += "; a handle may belong to another, as in \"out of \(others[0])\" or \"out keeps \(others[0])\""
        }
        // As of handles, the first is the one that may take over the others.
        let pointee = type.parameters[index].type.pointee
        let isFirst = pointee.map(isObject) == true && handles(beside: nil).first == names[index]
        if !isFirst, let place = annotations.firstIndex(of: "handle") {
            let fates = fates(of: index, others).map { $0 == "handle" ? $0 : "handle \($0)" }
            annotations.replaceSubrange(place...place, with: fates)
            reason +=
                "; of a handle that C takes over or refers to after the call: "
                + AnnotationQuestion.choice(fates.filter { $0 != "handle" })
        }
        return (annotations, reason)
    }

    /// Returns the question whether a pointer leads to the end of what the one before it leads to, as in
    /// `f(const char *first, const char *last)`.
    private func question(aboutEnd index: Int) -> AnnotationQuestion? {
        guard isCalled, index > 0, LengthName.isEnd(names[index]), tree[names[index]].own?.shape == nil,
            tree[names[index]].own?.direction == nil, tree[names[index]].own?.errorRule == nil,
            let pointee = type.parameters[index].type.pointee,
            let other = type.parameters[index - 1].type.pointee, pointee.kind == other.kind
        else { return nil }
        switch scope.plainPointer(to: pointee, isInput: true) {
        case .handle, .function: return nil
        case .text, .value, .unknown: break
        }
        let settling = pointee.isByteSized ? "string" : "in"
        return AnnotationQuestion(
            parameter: names[index],
            reason:
                "\(type.parameters[index].type) needs an annotation, because it may be the end of "
                + "\"\(names[index - 1])\": \"= \(names[index - 1]) + n\" with the number n of bytes, \"null\", or "
                + "\"\(settling)\" if it is something else",
            annotations: ["null", settling])
    }

    private func because(_ type: CType, length: String, annotations: [String], settling: String?) -> String {
        "\(type) needs an annotation, because \"\(length)\" may be its length: \(AnnotationQuestion.choice(annotations))"
            + (settling.map { " (\($0), and \"\(length)\" is something else)" } ?? "")
    }

    /// Returns what a pointer without a meaning and without a length beside it can be.
    private func unknown(_ index: Int) -> (annotations: [String], reason: String) {
        let parameter = type.parameters[index]
        let proposals = PointerProposals(parameter, mayBeContext: mayBeContext(index), isCalled: isCalled)
        // A length behind a pointer goes in and comes out if it is the room of a buffer.
        let isRoom = isPointerToLength(index) && type.parameters.indices.contains { $0 != index && isBuffer($0) }
        var annotations = isRoom ? ["inout", "out", "in"] : proposals.annotations
        if let function, let pointee = parameter.type.pointee, isObject(pointee) {
            annotations = ["handle"] + annotations.filter { $0 != "handle" }
            let count = type.parameters.count
            if count == 1, FunctionName.mayRelease(function, parameters: count) {
                annotations.insert("handle released", at: 0)
            }
        }
        return (annotations, "\(parameter.type) needs an annotation: \(proposals.words)")
    }

    /// Whether a pointer, through which the function may write, leads to an object of the library.
    private func isObject(_ pointee: CType) -> Bool {
        guard isCalled, !pointee.isConst, case .record(let record) = pointee.kind else { return false }
        return scope.isDefined(record) && scope.isObject(record)
    }

    private func isPointerToLength(_ index: Int) -> Bool {
        guard let pointee = type.parameters[index].type.pointee, !pointee.isConst else { return false }
        return isWholeNumber(pointee) && LengthName.isOne(names[index])
            || index > 0 && type.parameters[index].name == nil && isUnnamedLength(index)
                && type.parameters[index - 1].type.pointee?.isByteSized == true
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
            isFree(name) && isLength(name, directions: [.out, .inout], isPointer: true)
        }
        let owners = handles(beside: nil)
        switch plain {
        case .handle: return questionAboutOwnerOfResult
        case .function: return nil
        case .value where !pointee.isConst && length == nil:
            let choices =
                owners.isEmpty ? ["handle"] : ownerships(owners).map { $0 == "handle" ? $0 : "handle \($0)" }
            return result(
                isObject(pointee) ? choices + ["value"] : ["value"] + choices,
                "\(type.result) needs an annotation: \"value\" for a copy of the fields, with \"free(function)\" if the "
                    + "caller frees it, or \"handle\""
                    + (owners.isEmpty ? "" : ", which may belong to another, as in \"handle of \(owners[0])\""))
        case .text where !pointee.isConst && length == nil && tree["return"].own?.release == nil:
            return result(
                ["string", "string free"],
                "\(type.result) needs an annotation: \"string\", or \"string free\" or \"string free(function)\" if the "
                    + "caller frees it")
        case .text, .value:
            guard let length else { return nil }
            let settled = plain.isText ? "string" : "value"
            let proposals =
                plain.isText ? ["string[\(length)]", "bytes[\(length)]", settled] : ["items[\(length)]", settled]
            let settling = PointerProposals.settling(plain)
            return result(
                proposals, because(type.result, length: length, annotations: proposals, settling: settling))
        case .unknown:
            return result(
                length.map { PointerProposals(pointee, length: $0, isCalled: false).annotations } ?? [],
                "\(type.result) needs an annotation: \"ignored\", \"string\", \"value\", \"bytes[length]\", "
                    + "\"items[count]\" or \"handle(name)\"")
        }
    }

    func result(_ annotations: [String], _ reason: String) -> AnnotationQuestion {
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
        // The length of one of two pointers of the same type, side by side, may be that of the other as well.
        let twins = [index - 1, index + 1].filter { other in
            names.indices.contains(other) && pointee?.isConst == true
                && type.parameters[other].type.pointee?.kind == pointee?.kind
        }
        var found = names.indices.filter { other in
            guard isFree(other) || !(connected[names[other]] ?? []).isDisjoint(with: twins) else { return false }
            return isLength(names[other], directions: [], isPointer: false)
                || other == index + 1 && pointee?.isRecord == false
                    && ["size_t", "gsize"].contains(type.parameters[other].type.alias)
                || isWholeNumber(other) && LengthName.counts(names[other], names[index])
                || isLength(
                    names[other], directions: [.in, .inout] + (pointee?.isConst == false ? [nil] : []), isPointer: true)
                // Nothing says what an integer without a name is.
                || other == index + 1 && type.parameters[other].name == nil
                    && (isWholeNumber(other) || pointee?.isByteSized == true && isUnnamedLength(other))
        }
        // Prefer `sourceLen` for `source`, then the next one, then the one before.
        // `inlen` is the length of `in`, and not of the `out` before it.
        found.removeAll { other in
            !LengthName.belongs(names[other], to: names[index])
                && names.indices.contains {
                    type.parameters[$0].type.pointee != nil && LengthName.belongs(names[other], to: names[$0])
                }
        }
        let words = Set(LengthName.parts(of: names[index]))
        let named = found.filter { !words.isDisjoint(with: LengthName.parts(of: names[$0])) }
        if !named.isEmpty { found = named }
        return (found.first { $0 > index } ?? found.last).map { names[$0] }
    }

    private func isLength(_ name: String, directions: [Annotation.Direction?], isPointer: Bool) -> Bool {
        guard let index = names.firstIndex(of: name), type.parameters[index].name != nil, LengthName.isOne(name)
        else { return false }
        let target = type.parameters[index].type.pointee
        guard isPointer == (target != nil) else { return false }
        return isWholeNumber(target ?? type.parameters[index].type)
            && (!isPointer || directions.contains(tree[name].own?.direction))
    }

    /// Whether no annotation connects or fixes a parameter.
    private func isFree(_ index: Int) -> Bool { isFree(names[index]) }

    private func isFree(_ name: String) -> Bool { connected[name] == nil && tree[name].own?.shape == nil }

    /// Whether a parameter without a name may point to the length of the one before it.
    private func isUnnamedLength(_ index: Int) -> Bool {
        guard let target = type.parameters[index].type.pointee, !target.isConst, !target.isByteSized else {
            return false
        }
        return isWholeNumber(target)
    }

    private func isWholeNumber(_ index: Int) -> Bool { isWholeNumber(type.parameters[index].type) }

    private func isWholeNumber(_ type: CType) -> Bool {
        if case .scalar(let scalar) = type.kind {
            scalar.isInteger && scalar != .bool && scalar != .char
        } else {
            false
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

extension CType {
    fileprivate var isRecord: Bool { if case .record = kind { true } else { false } }

    fileprivate var isFunctionPointer: Bool {
        if case .function? = pointee?.kind { true } else { false }
    }
}

extension Annotation {
    fileprivate var isValue: Bool { if case .value? = shape { true } else { false } }

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
    fileprivate var names: [String] {
        parts.compactMap { part in
            switch part {
            case .name(let name), .member(let name, _): name
            default: nil
            }
        }
    }
}
