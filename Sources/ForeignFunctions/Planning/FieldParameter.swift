import CDeclarations

/// A field of a struct behind a handle that callers give, or get, as if it were an argument.
struct FieldParameter {
    /// As in "strm.next_in".
    let name: String
    /// The argument with the handle.
    let parent: Int
    let offset: Int
    let type: CType
    let tree: AnnotationTree

    /// The fields that annotations name.
    static func all(
        of parameter: CParameter, at index: Int, _ parameterName: String, _ tree: AnnotationTree, _ scope: PlanningScope
    ) -> [FieldParameter] {
        switch tree.own?.shape {
        case .handle, .new: break
        default: return []
        }
        guard case .record(let record)? = parameter.type.pointee?.kind,
            let definition = scope.declarations.definition(of: record)
        else { return [] }
        return tree.names.compactMap { name in
            guard let field = definition.namedFields.first(where: { $0.name == name }) else { return nil }
            return FieldParameter(
                name: "\(parameterName).\(name)", parent: index, offset: field.offset, type: field.type,
                tree: tree[name])
        }
    }
}
