import CDeclarations

// Questions about handles that go in or come out together: which of them takes over, refers to or is a part of another.
extension QuestionFinder {
    // MARK: Handles that go in

    /// Returns the question what becomes of a handle that goes in with another one.
    ///
    /// One of several handles is the one that may take over or refer to the others, so that nothing is asked about it; see
    /// ``FunctionName/taker(_:of:)``.
    func question(aboutFateOf index: Int) -> AnnotationQuestion? {
        let name = names[index]
        let keepers = keepers(ofHandle: name)
        guard isUndecided(name), !keepers.isEmpty else { return nil }
        let choice = fates(of: index, keepers)
        let says = AnnotationQuestion.choice(choice)
        return AnnotationQuestion(
            parameter: name,
            reason: "\(type.parameters[index].type) needs an annotation, because \(function ?? "") may take it over or "
                + "refer to it after the call: \(says) if it does neither",
            annotations: said(before: choice, name))
    }

    /// Returns what can become of a handle, the most probable first.
    func fates(of index: Int, _ keepers: [String]) -> [String] {
        let released = type.parameters[index].type.pointee?.isConst == true ? [] : ["released"]
        let kept = keepers.map { "kept by \($0)" }
        return (FunctionName.takes(function ?? "") ? released + kept : kept + released) + ["handle"]
    }

    /// The handles that may refer to one that goes in, and those that come out; none if nothing is asked about it.
    private func keepers(ofHandle name: String) -> [String] {
        guard isCalled, handles.goingIn.contains(name) else { return [] }
        let made = names.filter { tree[$0].own?.shape.isNew == true }
        let takers = handles.goingIn.filter { other in
            guard let index = names.firstIndex(of: other) else { return false }
            return type.parameters[index].type.pointee?.isConst == false && tree[other].own?.isReleased != true
                && tree[other].own?.bond == nil
        }
        // A handle that comes out says itself whether it is a part of one that goes in.
        guard made.isEmpty else { return made + takers.filter { $0 != name } }
        guard let taker = FunctionName.taker(takers, of: function ?? ""), taker != name else { return [] }
        return takers.filter { $0 != name } + handles.comingOut
    }

    /// The other parameters that are handles, or may be.
    func handles(beside index: Int?) -> [String] {
        guard isCalled else { return [] }
        return names.indices.filter { other in
            guard other != index else { return false }
            if handles.goingIn.contains(names[other]) { return tree[names[other]].own?.isReleased != true }
            guard let pointee = type.parameters[other].type.pointee, case .record = pointee.kind,
                case .unknown = scope.plainPointer(to: pointee, isInput: true)
            else { return false }
            return tree[names[other]].own?.shape == nil && tree[names[other]].own?.direction == nil
        }.map { names[$0] }
    }

    /// Whether no annotation says what a handle is or what becomes of it.
    private func isUndecided(_ name: String) -> Bool {
        let own = tree[name].own
        return own?.shape == nil && own?.bond == nil && own?.isReleased != true && own?.direction == nil
    }

    // MARK: Parts

    /// Returns the question whether a function frees parts of a handle.
    func question(aboutPartsOf index: Int, _ kind: HandleKind) -> AnnotationQuestion? {
        let name = names[index]
        guard isCalled, let function, isUndecided(name), tree[name].own?.endsParts != true,
            type.parameters[index].type.pointee?.isConst == false, scope.kindsWithParts.contains(kind.name),
            !scope.isRelease(function), !isWholeOfResult(name),
            FunctionName.changes(function) || names.contains(where: { tree[$0].own?.isReleased == true })
        else { return nil }
        return AnnotationQuestion(
            parameter: name,
            reason: "\(type.parameters[index].type) needs an annotation, because other handles are parts of it, which "
                + "\(function) may free: \"ends parts\", or \"handle\" if it does not",
            annotations: said(before: ["ends parts", "handle"], name))
    }

    /// Whether the function only finds a part of a handle.
    private func isWholeOfResult(_ name: String) -> Bool {
        if case .partOf(name)? = tree["return"].own?.bond { true } else { false }
    }

    // MARK: Handles that come out

    /// The handles that one that comes out may be a part of or refer to.
    private var owners: [String] {
        handles.goingIn.filter { tree[$0].own?.isReleased != true && tree[$0].own?.bond == nil }
    }

    /// Returns the question whose handle comes out of a function that takes one.
    var questionAboutOwnerOfResult: AnnotationQuestion? {
        guard tree["return"].own?.bond == nil, isCalled, !owners.isEmpty else { return nil }
        return result(
            ownerships(owners), "\(type.result) needs an annotation, \(because(of: owners))")
    }

    /// Returns the question whose handle a function leaves in the place of a parameter.
    func question(aboutOwnerOfOutput index: Int) -> AnnotationQuestion? {
        let name = names[index]
        guard handles.comingOut.contains(name), tree[name].own?.bond == nil, tree[name].own?.shape == nil,
            !owners.isEmpty
        else { return nil }
        return AnnotationQuestion(
            parameter: name, reason: "\(type.parameters[index].type) needs an annotation, \(because(of: owners))",
            annotations: said(before: ownerships(owners), name))
    }

    /// Returns the annotations that say to which of the handles another one belongs, the most probable first.
    func ownerships(_ owners: [String]) -> [String] {
        let (parts, keeping) = (owners.map { "of \($0)" }, owners.map { "keeps \($0)" })
        return FunctionName.makes(function ?? "") ? keeping + ["handle"] + parts : parts + keeping + ["handle"]
    }

    private func because(of owners: [String]) -> String {
        let names = owners.map { "\"\($0)\"" }.joined(separator: " or ")
        let name = owners.first ?? ""
        return "because it may belong to \(names): \"of \(name)\", \"keeps \(name)\" if it is released separately, but "
            + "before it, or \"handle\" if it is new"
    }

    /// Returns annotations behind what is said already.
    private func said(before annotations: [String], _ name: String) -> [String] {
        guard let said = tree[name].own?.text, !said.isEmpty else { return annotations }
        return annotations.map { "\(said) \($0)" }
    }
}

extension Annotation.Shape? {
    fileprivate var isNew: Bool { if case .new? = self { true } else { false } }
}
