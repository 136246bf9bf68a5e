import CDeclarations

// Questions about handles: who releases them, and what C may use as long as they live.
extension QuestionFinder {
    /// Returns the question how long C uses a closure that goes in with a handle, which may keep it.
    func questionAboutClosure(_ index: Int) -> AnnotationQuestion? {
        var keepers = keepers(includesInputs: true)
        if keepers.isEmpty, isCalled, FunctionName.installs(function ?? "") { keepers = ["copied"] }
        guard !keepers.isEmpty, tree[names[index]].own?.bond == nil else { return nil }
        return AnnotationQuestion(
            parameter: names[index],
            reason: "\(type.parameters[index].type) needs an annotation, because the library may call it later: "
                + (keepers.filter { $0 != "copied" } + ["kept"]).map { "\"\($0)\"" }.joined(separator: ", ")
                + ", or \"copied\" if it does not",
            annotations: keepers + ["kept"])
    }

    /// Returns the question whether a function that is named like a release releases the handle in a parameter.
    func question(about index: Int, releasing kind: HandleKind) -> AnnotationQuestion? {
        // A number or a text tells which part of the handle's target is meant.
        guard let function, FunctionName.mayRelease(function, parameters: type.parameters.count),
            !scope.isRelease(function),
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

    /// The annotations that say how long C may use data; none if no handle comes out of the call.
    ///
    /// - Parameter includesInputs: Whether handles that go in count if none comes out.
    func keepers(includesInputs: Bool) -> [String] {
        let (before, out) = (handles.goingIn.map { "kept by \($0)" }, handles.comingOut.map { "kept by \($0)" })
        if out.isEmpty { return includesInputs && !before.isEmpty ? before + ["copied"] : [] }
        return out + ["copied"] + before
    }

    /// The parameters that take a handle, and those that bring one, with the result.
    var handlesOfCall: (goingIn: [String], comingOut: [String]) {
        var (before, out): ([String], [String]) = ([], [])
        for (name, parameter) in zip(names, type.parameters) {
            switch scope.handleUse(parameter.type, tree[name]) {
            case .comesOut: out.append(name)
            case .goesIn: before.append(name)
            case nil: break
            }
        }
        if scope.isHandle(type.result, tree["return"]) { out.append("return") }
        return (before, out)
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

extension CParameter {
    /// Whether it is a pointer to a struct or a function, or to anything.
    fileprivate var isPlainPointer: Bool {
        switch type.pointee?.kind {
        case .record, .function, .void: true
        default: false
        }
    }
}
