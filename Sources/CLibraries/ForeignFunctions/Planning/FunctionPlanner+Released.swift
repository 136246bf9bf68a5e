import CDeclarations

// Refuses what would use a handle after the function has released it.
extension FunctionPlanner {
    /// Refuses what lives as long as a handle that the function releases.
    func checkLifetimes(_ arguments: [ArgumentPlan]) throws(CObstacle) {
        for argument in arguments {
            let lifetime = if case .callback(_, let life) = argument.mode { life } else { argument.lifetime }
            guard case .argument(let keeper) = lifetime, case .consumed = arguments[keeper].mode else { continue }
            throw CObstacle(
                "\"\(arguments[keeper].name)\" is released by the function and keeps nothing: say \"copied\", \"kept\" for the "
                    + "rest of the process, or \"kept by\" another handle", path: [argument.name])
        }
    }

    /// Refuses formulas that are computed after the call with a handle that the function releases.
    func checkFormulas(
        _ arguments: [ArgumentPlan], _ result: ResultPlan, failure rule: BoundErrorRule?
    ) throws(CObstacle) {
        var formulas: [(key: String, formula: BoundFormula?)] = [
            ("return", rule?.number), ("return", rule?.message), ("return", result.length),
        ]
        for argument in arguments {
            switch argument.mode {
            case .buffer(let buffer) where buffer.direction != .in:
                formulas.append((argument.name, buffer.used ?? buffer.size))
            case .left(let plan): formulas.append((argument.name, plan.length))
            case .failure(let rule): formulas += [(argument.name, rule.number), (argument.name, rule.message)]
            default: break
            }
            guard let field = argument.field, case .consumed = arguments[field.parent].mode else { continue }
            switch argument.mode {
            case .buffer, .text: break
            default: guard field.comesOut else { continue }
            }
            throw CObstacle(
                "the function releases \"\(arguments[field.parent].name)\", so that its fields are not there after the call",
                path: [argument.name])
        }
        for (key, formula) in formulas {
            for index in formula?.arguments.sorted() ?? [] {
                guard case .consumed = arguments[index].mode else { continue }
                throw CObstacle(
                    "a formula uses \"\(arguments[index].name)\", which the function releases before it is computed: remove "
                        + "the formula", path: [key])
            }
        }
    }
}
