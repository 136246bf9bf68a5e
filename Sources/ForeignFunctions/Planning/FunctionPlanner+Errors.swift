import CDeclarations

// Plans how a function tells that it has failed: by its result, or by what it leaves in the place of an argument.
extension FunctionPlanner {
    func errorRule() throws(CObstacle) -> BoundErrorRule? {
        guard let rule = tree["return"].own?.errorRule else { return nil }
        guard let form = scope.wordForm(type.result) else {
            throw CObstacle("return: \"error\" needs an integer or a pointer, not \(type.result)")
        }
        do throws(CObstacle) {
            return try bind(rule, form, type.result)
        } catch {
            throw CObstacle("return: \(error.reason)")
        }
    }

    /// Plans a parameter in whose place the function leaves an error.
    func failure(
        _ rule: ErrorRule, _ type: CType, _ annotation: Annotation
    ) throws(CObstacle) -> BoundErrorRule {
        guard let place = type.pointee, let target = place.pointee, !place.isConst else {
            throw CObstacle("\"error\" needs a pointer to a pointer, as in GError **, or \"return\"; not \(type)")
        }
        guard annotation.shape == nil, annotation.direction ?? .out == .out, annotation.bond == nil else {
            throw CObstacle("an error can only have \"free\" besides")
        }
        // Who has made it is known, but not what is in it.
        if case .function = target.kind { throw CObstacle("a function is no error") }
        return try bind(rule, .pointer, place)
    }

    private func bind(_ rule: ErrorRule, _ form: IntegerForm, _ type: CType) throws(CObstacle) -> BoundErrorRule {
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
        return BoundErrorRule(
            isUnless: rule.isUnless, tests: tests,
            number: try rule.number.map { formula throws(CObstacle) in try binder.bind(formula) },
            message: try rule.message.map { formula throws(CObstacle) in try binder.bind(formula) }, form: form)
    }
}
