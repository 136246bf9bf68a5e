import CDeclarations

/// Finds the names of formulas.
struct FormulaBinder {
    let scope: PlanningScope
    /// The parameters, each with how it is read.
    let parameters: [(name: String, word: IntegerForm?)]
    /// Whether the result is a number or a pointer.
    let hasResult: Bool

    func bind(_ formula: Formula) throws(CObstacle) -> BoundFormula {
        switch formula {
        case .number(let number): return .number(number)
        case .text(let text): return .text(ConstantText(text))
        case .sizeOf(let type): return .number(Int64(try scope.size(type)))
        case .sum(let left, let right): return .sum(try bind(left), try bind(right))
        case .difference(let left, let right): return .difference(try bind(left), try bind(right))
        case .product(let left, let right): return .product(try bind(left), try bind(right))
        case .name("return"):
            guard hasResult else { throw CObstacle("\"return\": the function returns no number and no pointer") }
            return .result
        case .name(let name):
            if let index = parameters.firstIndex(where: { $0.name == name }) {
                guard parameters[index].word != nil else { throw CObstacle("\"\(name)\" is no integer and no pointer") }
                return .argument(index)
            }
            guard let number = scope.constants[name] else {
                if name == "room" { return .room }
                throw CObstacle("there is no parameter and no constant \"\(name)\"")
            }
            return .number(number)
        case .call(let name, let arguments):
            let function = try auxiliary(name, count: arguments.count)
            var bound: [BoundFormula] = []
            for argument in arguments { bound.append(try bind(argument)) }
            return .call(function, bound)
        }
    }

    private func auxiliary(_ name: String, count: Int) throws(CObstacle) -> AuxiliaryFunction {
        guard let function = scope.declarations.function(named: name) else {
            throw CObstacle("\(name) is not declared")
        }
        if let obstacle = function.obstacle ?? function.type.obstacle { throw obstacle }
        let parameters = function.type.parameters
        guard parameters.count == count, !function.type.isVariadic else {
            throw CObstacle("\(name) takes \(parameters.count) parameters, not \(count)")
        }
        guard let result = scope.wordForm(function.type.result) else {
            throw CObstacle("\(name) returns no number and no pointer")
        }
        var forms: [IntegerForm] = []
        var types: [InterfaceType] = []
        for parameter in parameters {
            guard let form = scope.wordForm(parameter.type) else {
                throw CObstacle("\(name) takes something else than integers and pointers")
            }
            forms.append(form)
            types.append(try scope.types.type(of: parameter.type))
        }
        guard
            let interface = scope.interfaces.interface(
                result: try scope.types.type(of: function.type.result), arguments: types)
        else { throw CObstacle("libffi does not know how to call \(name)") }
        return AuxiliaryFunction(symbol: function.symbol, interface: interface, result: result, arguments: forms)
    }
}
