import CDeclarations

// Plans how a function tells that it has failed: by its result, or by what it leaves in the place of an argument.
extension FunctionPlanner {
    /// Plans the rule for the result; nil if there is none.
    func errorRule() throws(CObstacle) -> BoundErrorRule? {
        guard let rule = tree["return"].own?.errorRule else { return nil }
        guard let form = scope.wordForm(type.result) else {
            throw CObstacle(
                "\"error\" needs an integer or a pointer, not \(type.result)", path: ["return"])
        }
        return try CObstacle.within("return") { () throws(CObstacle) in try bind(rule, as: form, of: type.result) }
    }

    /// Plans a parameter in whose place the function leaves an error.
    func failure(
        _ rule: ErrorRule, _ type: CType, tree: AnnotationTree, annotation: Annotation
    ) throws(CObstacle) -> BoundErrorRule {
        guard let place = type.pointee, let target = place.pointee, !place.isConst else {
            throw CObstacle("\"error\" needs a pointer to a pointer, as in GError **, or \"return\"; not \(type)")
        }
        guard annotation.shape == nil, annotation.direction ?? .out == .out, annotation.bond == nil,
            !annotation.isNullable, tree.names.isEmpty
        else {
            throw CObstacle("an error can only have \"free\" in addition")
        }
        if case .function = target.kind { throw CObstacle("a function cannot be an error") }
        return try bind(rule, as: .pointer, of: place)
    }

    private func bind(_ rule: ErrorRule, as form: IntegerForm, of type: CType) throws(CObstacle) -> BoundErrorRule {
        var tests: [(comparison: ErrorRule.Comparison, value: Int128)] = []
        for test in rule.tests {
            guard let number = try binder.bind(test.value).constant else {
                throw CObstacle("\"error\" compares with numbers only")
            }
            guard let value = form.converted(number) else {
                throw CObstacle("\(number) does not fit \(type), so it cannot have this value")
            }
            tests.append((test.comparison, value))
        }
        // Bound first: a name that is wrong has a reason of its own.
        let message = try rule.message.map { formula throws(CObstacle) in try binder.bind(formula) }
        guard rule.message.map(isText) ?? true else {
            throw CObstacle("\"message\" needs a string: a pointer to char, or a function that returns one")
        }
        return BoundErrorRule(
            isUnless: rule.isUnless, tests: tests,
            number: try rule.number.map { formula throws(CObstacle) in try binder.bind(formula) }, message: message,
            form: form)
    }

    /// Whether a formula is a pointer to text, as far as types tell.
    private func isText(_ formula: Formula) -> Bool {
        switch formula {
        case .text: return true
        case .number, .sizeOf, .operation: return false
        case .name("return"): return type.result.pointee?.isByteSized == true
        case .name(let name):
            if let index = binder.parameters.firstIndex(where: { $0.name == name }) {
                return binder.targets.indices.contains(index) && binder.targets[index]?.isByteSized == true
            }
            if case .text? = scope.namedValue(name) { return true }
            return false
        case .member(let name, let field):
            guard let index = binder.parameters.firstIndex(where: { $0.name == name }),
                binder.targets.indices.contains(index), case .record(let record)? = binder.targets[index]?.kind
            else { return false }
            let found = scope.declarations.definition(of: record)?.namedFields.first { $0.name == field }
            if case .array(let element, _)? = found?.type.kind { return element.isByteSized }
            return found?.type.pointee?.isByteSized == true
        case .call(let name, _):
            return scope.declarations.function(named: name)?.type.result.pointee?.isByteSized == true
        }
    }
}
