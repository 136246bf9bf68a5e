import CDeclarations

/// A field of a struct behind a handle that callers pass or receive as if it were an argument.
struct FieldParameter {
    /// The name, such as "strm.next_in".
    let name: String
    /// The argument with the handle.
    let parent: Int
    let offset: Int
    let type: CType
    let tree: AnnotationTree

    /// Returns the fields of a parameter that annotations name.
    static func all(
        of parameter: CParameter, named parameterName: String, at index: Int, tree: AnnotationTree,
        in scope: PlanningScope
    ) -> [FieldParameter] {
        switch tree.own?.shape {
        case .handle, .new: break
        default: return []
        }
        guard case .record(let record)? = parameter.type.pointee?.kind,
            let definition = scope.declarations.definition(of: record)
        else { return [] }
        return tree.names.compactMap { name in
            guard let field = definition.namedFields.first(where: { $0.name == name }), field.bits == nil else {
                return nil
            }
            return FieldParameter(
                name: "\(parameterName).\(name)", parent: index, offset: field.offset, type: field.type,
                tree: tree[name])
        }
    }
}

extension PlanningScope {
    /// Returns the form in which formulas read an argument. A pointer to one number or pointer is read as that value.
    func argumentWord(_ type: CType, _ tree: AnnotationTree) -> ArgumentPlan.WordPlace? {
        let annotation = tree.own
        let isValue: Bool
        switch annotation?.shape {
        case nil where annotation?.errorRule != nil: isValue = true
        case nil, .value: isValue = annotation?.direction != nil || annotation?.shape != nil
        case .handle, .string(nil): isValue = annotation?.direction == .out
        default: isValue = false
        }
        if isValue, let pointee = type.pointee, let form = wordForm(pointee) {
            return ArgumentPlan.WordPlace(form: form, isIndirect: true)
        }
        return wordForm(type).map { ArgumentPlan.WordPlace(form: $0, isIndirect: false) }
    }

    /// Returns what an argument points to as formulas read it; nil if that is not a pointer.
    func argumentTarget(_ type: CType, _ tree: AnnotationTree) -> CType? {
        argumentWord(type, tree)?.isIndirect == true ? type.pointee?.pointee : type.pointee
    }
}
