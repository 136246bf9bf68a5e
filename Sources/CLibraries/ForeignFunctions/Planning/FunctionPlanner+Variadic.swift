import CDeclarations

// Plans the arguments for "...".
extension FunctionPlanner {
    /// Refuses text for "..." that the library may keep in a handle.
    private func checkKept(_ forms: [ValueForm]) throws(CObstacle) {
        let bond = tree["..."].own?.bond
        if case .copied? = bond { return }
        guard bond == nil else { throw CObstacle("\"...\" can only be \"copied\"") }
        let hasText = forms.contains { if case .text = $0 { true } else { false } }
        let brings = zip(names, type.parameters).contains { scope.handleUse($1.type, tree[$0]) == .comesOut }
        guard !hasText || !(brings || scope.isHandle(type.result, tree["return"])) else {
            throw CObstacle(
                "\"...\" takes text, which the library may use after the call; only \"copied\" is possible, if it does not"
            )
        }
    }

    func variadic() throws(CObstacle) -> VariadicPlan? {
        guard type.isVariadic else { return nil }
        switch tree["..."].own?.shape {
        case .types(_, let isRepeated):
            var forms: [ValueForm] = []
            var types: [InterfaceType] = []
            guard tree["..."].own?.isNullable == false else { throw CObstacle("\"...\" cannot be \"nullable\"") }
            guard variadicType?.isVariadic != true else {
                throw CObstacle("the types for \"...\" cannot end with \"...\"")
            }
            for type in variadicType?.parameters.map(\.type) ?? [] {
                let form = try scope.form(of: type.unqualified)
                switch form {
                case .integer, .bool, .float, .double, .longDouble, .text, .handle: break
                default: throw CObstacle("\"...\" takes numbers, strings and handles, not \(type)")
                }
                forms.append(form)
                types.append(try scope.types.type(of: type.promoted))
            }
            try checkKept(forms)
            guard isRepeated else { return .fixed(forms, types) }
            guard !forms.isEmpty else { throw CObstacle("\"items[null]\" needs the types of the arguments") }
            return .ended(forms, types)
        case .printf(let name):
            guard let index = names.firstIndex(of: name),
                case .scalar(.char)? = type.parameters[index].type.pointee?.kind
            else { throw CObstacle("\"...\" needs a format, but there is no parameter \"\(name)\" of type char *") }
            guard case nil = tree[name].own?.shape else {
                throw CObstacle("\"...\" needs a format that callers pass: \"\(name)\" has an annotation")
            }
            return .printf(index)
        default:
            throw CObstacle(
                "\"...\" takes a list of types such as \"(int, const char *)\", one with \"items[null]\", or \"printf(format)\""
            )
        }
    }
}

extension CType {
    /// The type after the default argument promotions, as variadic functions receive it.
    fileprivate var promoted: CType {
        switch kind {
        case .scalar(.float): return .scalar(.double)
        case .scalar(let scalar) where scalar.isInteger && scalar.size < 4: return .scalar(.int)
        default: return unqualified
        }
    }
}
