extension CDeclarations {
    /// Returns the reason why a function of this type can't be called or be implemented by a closure; nil if there is
    /// none.
    package func obstacle(to function: CFunctionType) -> CObstacle? {
        PassingChecker { definition(of: $0) }.obstacle(to: function)
    }
}

/// Decides which values can be passed to functions and returned from them.
struct PassingChecker {
    let definition: (CRecord) -> RecordDefinition?
    /// Says of the name of a struct, union or enum that it is not defined.
    var undefined: (String) -> String = { "\($0) is not defined" }

    init(definition: @escaping (CRecord) -> RecordDefinition?) { self.definition = definition }

    /// Returns the reason why a function of this type can't be called; nil if it can.
    func obstacle(to function: CFunctionType) -> CObstacle? {
        if let obstacle = function.obstacle { return obstacle }
        guard function.hasPrototype else {
            return CObstacle("'()' does not declare parameters: write '(void)', or declare them")
        }
        if case .void = function.result.kind {
        } else if let obstacle = obstacle(toValueOf: function.result) {
            return CObstacle("its result can't be passed: \(obstacle.reason)")
        }
        for (index, parameter) in function.parameters.enumerated() {
            guard let obstacle = obstacle(toValueOf: parameter.type) else { continue }
            let name = parameter.name.map { "'\($0)'" } ?? "\(index + 1)"
            return CObstacle("its parameter \(name) can't be passed: \(obstacle.reason)")
        }
        return nil
    }

    /// Returns the reason why values of this type can't be passed; nil if they can.
    func obstacle(toValueOf type: CType) -> CObstacle? {
        switch type.kind {
        case .void: return CObstacle("void is not a value")
        case .function, .array: return CObstacle("'\(type)' cannot be passed by value")
        case .unsupported(let type):
            return type.isUndefinedEnumeration ? CObstacle(undefined(type.name)) : type.obstacle
        case .record(let record):
            guard let found = definition(record) else { return CObstacle(undefined(record.name)) }
            return found.obstacle
        case .scalar, .enumeration, .pointer: return nil
        }
    }
}
