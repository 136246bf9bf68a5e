import CDeclarations

/// Plans how a function pointer calls a closure from a payload.
struct CallbackPlanner {
    private let scope: PlanningScope
    private let type: CFunctionType
    private let tree: AnnotationTree
    private let names: [String]

    init(scope: PlanningScope, _ type: CFunctionType, _ tree: AnnotationTree) {
        self.scope = scope
        self.type = type
        self.tree = tree
        names = type.parameterNames
    }

    func plan() throws(CObstacle) -> CallbackPlan {
        if let obstacle = type.obstacle { throw obstacle }
        guard !type.isVariadic, type.hasPrototype else {
            throw CObstacle("a callback needs a list of parameters without \"...\"")
        }
        for name in tree.names where name != "return" && !names.contains(name) {
            throw CObstacle(
                "the callback has no parameter \"\(name)\"; \(name.instead(of: names))", missing: name)
        }
        for (index, name) in names.enumerated() where names[..<index].contains(name) {
            throw CObstacle("two parameters of the callback are named \"\(name)\"")
        }
        if let question = QuestionFinder(scope, type, tree: tree, function: nil).questions.first {
            throw question.obstacle
        }
        let binder = FormulaBinder(
            scope: scope, parameters: zip(names, type.parameters).map { ($0, scope.wordForm($1.type)) },
            hasResult: scope.wordForm(type.result) != nil)
        var parameters: [CallbackPlan.Parameter] = []
        var types: [InterfaceType] = []
        for (name, parameter) in zip(names, type.parameters) {
            types.append(try scope.types.type(of: parameter.type))
            let mode = try CObstacle.within(name) { () throws(CObstacle) in
                try self.mode(parameter.type, tree[name], with: binder)
            }
            parameters.append(CallbackPlan.Parameter(name: name, mode: mode, word: scope.wordForm(parameter.type)))
        }
        let resultType = try scope.types.type(of: type.result)
        guard resultType.isSupportedResult,
            let interface = scope.interfaces.interface(result: resultType, arguments: types)
        else { throw CObstacle("libffi does not support callbacks of this type") }
        let (result, constant) = try result(binder)
        var data: CallbackPlan.ReturnedData?
        if let (isText, length, form) = try returnedData() {
            data = CallbackPlan.ReturnedData(isText: isText, length: length)
            parameters[length] = CallbackPlan.Parameter(
                name: names[length], mode: .length(form), word: parameters[length].word)
        }
        var fallback: Int128 = 0
        if let formula = tree["return"].own?.fallback { fallback = try number(formula, binder) }
        if case .text? = result, fallback != 0 { throw ofResult("C can only get null for a text") }
        if case .handle? = result, fallback != 0 { throw ofResult("C can only get null for a handle") }
        // What pointers mean to a function of the library, its type does not say; "function" allows it.
        let functions = type.parameters.contains { $0.type.pointee != nil } ? [:] : scope.functions(of: type)
        return CallbackPlan(
            interface: interface, parameters: parameters, result: result,
            isNullable: tree["return"].own?.isNullable ?? false, data: data,
            owner: tree["return"].own?.release == nil ? .closure : .caller, functions: functions,
            constantResult: constant, fallback: fallback)
    }

    /// Returns an obstacle in what the callback returns.
    private func ofResult(_ clause: String) -> CObstacle { CObstacle(clause, path: ["return"]) }

    private func mode(
        _ type: CType, _ tree: AnnotationTree, with binder: FormulaBinder
    ) throws(CObstacle) -> CallbackPlan.Parameter.Mode {
        let annotation = tree.own ?? Annotation()
        switch annotation.shape {
        case .context, .ignored, .null: return .left
        case .object:
            guard case .void? = type.pointee?.kind else { throw CObstacle("\"object\" needs a void *, not \(type)") }
            return .object
        case .constant, .new, .printf, .types, .union, .function:
            throw CObstacle("this annotation is allowed for parameters of functions, not of callbacks")
        case nil, .value, .string, .bytes, .items, .handle: break
        }
        guard let pointee = type.pointee else {
            guard annotation.shape == nil else { throw CObstacle("\(type) is not a pointer") }
            return .plain(try scope.form(of: type, tree))
        }
        switch annotation.shape {
        case .handle(let name): return .plain(.handle(try scope.handleKind(name, pointee)))
        case .bytes(let room), .string(let room?), .items(let room):
            let planner = PointerPlanner(scope: scope, binder: binder, type: type, pointee: pointee)
            let buffer = try planner.buffer(annotation, room, tree: tree)
            if case .items(let form) = buffer.content { try form.checkHasNoRooms() }
            if case .items(let form) = buffer.content, buffer.direction != .in { try checkHoldsNoPointers(form) }
            return .buffer(buffer)
        case .string(nil): return .plain(.text)
        default: break
        }
        if annotation.direction != nil || annotation.shape != nil {
            let direction = annotation.direction ?? .in
            guard direction == .in || !pointee.isConst else {
                throw CObstacle("a pointer to const cannot return a value: remove \"out\" or \"inout\"")
            }
            let form = try scope.itemForm(of: pointee, tree)
            try form.checkHasNoRooms()
            if direction != .in {
                try checkWritten(form)
                try checkHoldsNoPointers(form)
            }
            return .value(form, direction)
        }
        switch try scope.form(of: type, tree) {
        case .opaque:
            if case .record = pointee.kind { return .value(try scope.itemForm(of: pointee, tree), .in) }
            throw CObstacle("\(type) needs an annotation, such as \"context\"")
        case .callback: throw CObstacle("a callback with a function as a parameter is not supported")
        case let form: return .plain(form)
        }
    }

    private func result(_ binder: FormulaBinder) throws(CObstacle) -> (ValueForm?, Int128?) {
        if case .void = type.result.kind { return (nil, nil) }
        let annotation = tree["return"].own
        switch annotation?.shape {
        case .null, .ignored: return (nil, 0)
        case .constant(let formula): return (nil, try number(formula, binder))
        case nil, .handle: break
        case .string, .bytes: return (try text(annotation ?? Annotation()), nil)
        default:
            throw ofResult("a callback must return a number, a struct, text, bytes, a handle or \"null\"")
        }
        let form = try scope.form(of: type.result, tree["return"])
        try checkWritten(form)
        switch form {
        case .integer, .bool, .float, .double: return (form, nil)
        case .record:
            try CObstacle.within("return") { () throws(CObstacle) in try checkHoldsNoPointers(form) }
            return (form, nil)
        case .handle: return (form, nil)
        case .opaque, .text, .measured, .pointed, .callback:
            throw ofResult(
                "a returned pointer needs an annotation: \"string free\" if C frees the text with free(), "
                    + "\"string kept\" if it lives as long as the callback, \"handle(name)\", \"null\" or \"= …\"")
        default: throw ofResult("\(type.result) cannot be returned")
        }
    }

    /// Returns the length parameter of data that the closure returns; nil if the result is not such data.
    private func returnedData() throws(CObstacle) -> (isText: Bool, length: Int, form: IntegerForm)? {
        let room: Annotation.Room
        var isText = true
        switch tree["return"].own?.shape {
        case .string(let found?): room = found
        case .bytes(let found): (room, isText) = (found, false)
        default: return nil
        }
        guard case .name(let name) = room.size, room.used == nil, let index = names.firstIndex(of: name),
            tree[name].own?.direction == .out, let target = type.parameters[index].type.pointee,
            target.pointee == nil, let form = scope.wordForm(target)
        else {
            throw ofResult(
                "the length of what a callback returns must be a parameter that is \"out\", a pointer to an integer"
            )
        }
        return (isText, index, form)
    }

    /// Plans text or bytes that a closure returns, whose memory must have an owner.
    private func text(_ annotation: Annotation) throws(CObstacle) -> ValueForm {
        let isVoid = if case .bytes? = annotation.shape, case .void? = type.result.pointee?.kind { true } else { false }
        guard type.result.pointee?.isByteSized == true || isVoid else {
            throw ofResult("the annotation needs a pointer to bytes, not \(type.result)")
        }
        switch (annotation.bond, annotation.release) {
        case (.keptBy(nil)?, nil), (nil, "free"?): return .text
        default:
            throw ofResult(
                "returned data needs \"free\" if C frees it with free(), or \"kept\" if it lives as long as the "
                    + "callback, as in \"string free\"")
        }
    }

    private func checkWritten(_ form: ValueForm) throws(CObstacle) {
        guard let field = form.sharedField else { return }
        throw CObstacle("\(field) is a pointer that overlaps another field: a closure cannot return such a union")
    }

    /// Refuses pointers in outputs: C keeps the value longer than the closure's answer lives.
    private func checkHoldsNoPointers(_ form: ValueForm) throws(CObstacle) {
        guard !form.holdsPointers else { throw CObstacle("the memory behind its pointers would have no owner") }
    }

    private func number(_ formula: Formula, _ binder: FormulaBinder) throws(CObstacle) -> Int128 {
        guard let number = try binder.bind(formula).constant else {
            throw ofResult("the value that a callback returns must not depend on its parameters")
        }
        guard let form = scope.wordForm(type.result) else { return number }
        guard let value = form.converted(number) else {
            throw ofResult("\(number) does not fit \(type.result)")
        }
        return value
    }
}

extension CFunctionType {
    /// The names of the parameters; unnamed ones are `arg1`, `arg2`, ….
    var parameterNames: [String] {
        parameters.enumerated().map { index, parameter in parameter.name ?? "arg\(index + 1)" }
    }
}
