import CDeclarations

/// A formula whose names have been resolved.
indirect enum BoundFormula: Sendable {
    /// A number. Formulas compute with more bits than C has, so that signed and unsigned numbers keep their values.
    case number(Int128)
    /// A text; its value is its address.
    case text(ConstantText)
    case argument(Int)
    /// A field of the struct that an argument points to; without a form, its address.
    case member(of: Int, offset: Int, IntegerForm?)
    /// The address of a function of the library.
    case function(String)
    case result
    /// The capacity of the buffer whose used part is computed.
    case room
    case operation(FormulaOperator, BoundFormula, BoundFormula)
    case call(AuxiliaryFunction, [BoundFormula])

    /// The argument, if the formula consists only of the name of one.
    var bareArgument: Int? {
        if case .argument(let index) = self { index } else { nil }
    }

    /// The arguments that the formula uses.
    var arguments: Set<Int> {
        switch self {
        case .number, .text, .function, .result, .room: []
        case .argument(let index), .member(let index, _, _): [index]
        case .operation(_, let left, let right): left.arguments.union(right.arguments)
        case .call(_, let arguments): arguments.reduce(into: []) { $0.formUnion($1.arguments) }
        }
    }

    /// Whether the formula can be evaluated only after the function has returned.
    var needsResult: Bool {
        switch self {
        case .number, .text, .function, .argument, .member: false
        case .result, .room: true
        case .operation(_, let left, let right): left.needsResult || right.needsResult
        case .call(_, let arguments): arguments.contains(where: \.needsResult)
        }
    }

    /// Whether the formula consists only of the result.
    var isResult: Bool {
        if case .result = self { true } else { false }
    }

    /// The value of the formula; nil if it may differ between calls.
    var constant: Int128? {
        switch self {
        case .number(let number): number
        case .text, .function, .argument, .member, .result, .room, .call: nil
        case .operation(let sign, let left, let right):
            if let left = left.constant, let right = right.constant { sign.result(left, right) } else { nil }
        }
    }

    /// Evaluates the formula.
    ///
    /// - Parameters:
    ///   - word: Returns the value of an argument, of the result or of the capacity.
    ///   - call: Calls a function of the library.
    /// - Returns: Nil if a number is too large or a function is missing.
    func evaluate(
        _ word: (FormulaWord) -> Int128, _ call: (AuxiliaryFunction, [Int128]) -> Int128?
    ) -> Int128? {
        switch self {
        case .room: return word(.room)
        case .number(let number): return number
        case .text(let text): return unsafe Int128(UInt(bitPattern: text.bytes))
        case .function(let symbol):
            // The address of a function that the library does not have must never reach C.
            let address = word(.function(symbol))
            return address == 0 ? nil : address
        case .argument(let index): return word(.argument(index))
        case .member(let index, let offset, let form):
            // Of a struct that is not there, every field is 0.
            let address = UInt(truncatingIfNeeded: word(.argument(index)))
            guard let target = unsafe UnsafeRawPointer(bitPattern: address) else { return 0 }
            return unsafe form?.number(target + offset) ?? Int128(UInt(bitPattern: target + offset))
        case .result: return word(.result)
        case .operation(let sign, let left, let right):
            guard let left = left.evaluate(word, call), let right = right.evaluate(word, call) else { return nil }
            return sign.result(left, right)
        case .call(let function, let arguments):
            var words: [Int128] = []
            for argument in arguments {
                guard let number = argument.evaluate(word, call) else { return nil }
                words.append(number)
            }
            return call(function, words)
        }
    }
}

/// The meaning of a name in a formula.
enum FormulaWord {
    case argument(Int)
    case function(String)
    case result
    case room
}

/// A function that formulas call. It has only integers and pointers as parameters and result.
struct AuxiliaryFunction: Sendable {
    let symbol: String
    let interface: CallInterface
    /// How the result is widened.
    let result: IntegerForm
    let arguments: [IntegerForm]
}

/// The condition under which a result means that the call failed.
struct BoundErrorRule: Sendable {
    let isUnless: Bool
    /// The comparisons with numbers in the type of the result.
    let tests: [(comparison: ErrorRule.Comparison, value: Int128)]
    let number: BoundFormula?
    let message: BoundFormula?
    /// How the result is read.
    let form: IntegerForm

    func isFailure(_ result: Int128) -> Bool {
        let isMet = tests.contains { test in
            switch test.comparison {
            case .less: result < test.value
            case .lessOrEqual: result <= test.value
            case .greater: result > test.value
            case .greaterOrEqual: result >= test.value
            case .equal: result == test.value
            }
        }
        return isMet != isUnless
    }
}

/// Resolves the names in formulas.
struct FormulaBinder {
    let scope: PlanningScope
    /// The parameters, each with the form in which formulas read it.
    let parameters: [(name: String, word: IntegerForm?)]
    /// What the parameters point to when formulas read them, for those that are pointers.
    var targets: [CType?] = []
    /// Whether the result is a number or a pointer.
    let hasResult: Bool

    func bind(_ formula: Formula) throws(CObstacle) -> BoundFormula {
        switch formula {
        case .number(let number): return .number(number)
        case .text(let text): return .text(ConstantText(text))
        case .sizeOf(let type): return .number(Int128(try scope.size(type)))
        case .operation(let sign, let left, let right): return .operation(sign, try bind(left), try bind(right))
        case .name("return"):
            guard hasResult else {
                throw CObstacle("\"return\" has no value: the function returns neither a number nor a pointer")
            }
            return .result
        case .name(let name):
            if let index = parameters.firstIndex(where: { $0.name == name }) {
                guard parameters[index].word != nil else {
                    throw CObstacle("\"\(name)\" is neither an integer nor a pointer")
                }
                return .argument(index)
            }
            guard let number = scope.constants[name] else {
                if name == "room" { return .room }
                if case .text(let text)? = scope.namedValue(name) { return .text(ConstantText(text)) }
                let known = parameters.map(\.name) + scope.constants.keys.sorted()
                throw CObstacle("there is no parameter or constant \"\(name)\"\(name.meant(among: known))")
            }
            return .number(number)
        case .member(let name, let field): return try member(field, of: name)
        case .call(let name, let arguments):
            let function = try auxiliary(name, count: arguments.count)
            var bound: [BoundFormula] = []
            for argument in arguments { bound.append(try bind(argument)) }
            return .call(function, bound)
        }
    }

    private func member(_ field: String, of name: String) throws(CObstacle) -> BoundFormula {
        guard let index = parameters.firstIndex(where: { $0.name == name }) else {
            throw CObstacle("there is no parameter \"\(name)\"\(name.meant(among: parameters.map(\.name)))")
        }
        guard targets.indices.contains(index), case .record(let record)? = targets[index]?.kind,
            let definition = scope.declarations.definition(of: record)
        else { throw CObstacle("\"\(name)\" does not point to a struct whose fields are declared") }
        guard let found = definition.namedFields.first(where: { $0.name == field }) else {
            throw CObstacle(
                "\(record.name) has no field \"\(field)\"\(field.meant(among: scope.fieldNames(of: CType(.record(record)))))"
            )
        }
        // As in C, an array stands for its address.
        if case .array = found.type.kind { return .member(of: index, offset: found.offset, nil) }
        guard found.bits == nil, let form = scope.wordForm(found.type) else {
            throw CObstacle("\"\(name)->\(field)\" is a bit-field, or neither an integer nor a pointer")
        }
        return .member(of: index, offset: found.offset, form)
    }

    private func auxiliary(_ name: String, count: Int) throws(CObstacle) -> AuxiliaryFunction {
        guard let function = scope.declarations.function(named: name) else {
            throw CObstacle(
                "\(name) is not declared\(name.meant(among: scope.declarations.functions.map(\.name)))")
        }
        if let obstacle = function.obstacle ?? function.type.obstacle { throw obstacle }
        guard !scope.releasing.contains(name) else {
            throw CObstacle("\(name) releases a handle, which a formula must not do")
        }
        let parameters = function.type.parameters
        guard parameters.count == count, !function.type.isVariadic else {
            throw CObstacle("\(name) has \(parameters.count) parameters, not \(count)")
        }
        guard let result = scope.wordForm(function.type.result) else {
            throw CObstacle("\(name) returns neither a number nor a pointer")
        }
        var forms: [IntegerForm] = []
        var types: [InterfaceType] = []
        for parameter in parameters {
            guard let form = scope.wordForm(parameter.type) else {
                throw CObstacle("\(name) has a parameter that is neither an integer nor a pointer")
            }
            forms.append(form)
            types.append(try scope.types.type(of: parameter.type))
        }
        guard
            let interface = scope.interfaces.interface(
                result: try scope.types.type(of: function.type.result), arguments: types)
        else { throw CObstacle("libffi does not support the type of \(name)") }
        return AuxiliaryFunction(symbol: function.symbol, interface: interface, result: result, arguments: forms)
    }
}
