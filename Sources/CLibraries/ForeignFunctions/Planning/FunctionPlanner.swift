import CDeclarations

/// Plans the calls to one function.
struct FunctionPlanner {
    let scope: PlanningScope
    private let function: CFunction
    let type: CFunctionType
    let tree: AnnotationTree
    let names: [String]
    let binder: FormulaBinder
    /// Fields of structs behind handles, which are passed as if they were arguments.
    private let fields: [FieldParameter]
    /// The types for "...", as the parameters of a function, if an annotation lists them.
    let variadicType: CFunctionType?

    /// The maximum number of parameters, far above that of any real function.
    private static let maximumArguments = 512

    init(scope: PlanningScope, _ function: CFunction, _ tree: AnnotationTree, variadicType: CFunctionType?) {
        self.scope = scope
        self.function = function
        type = function.type
        self.tree = tree
        self.variadicType = variadicType
        names = type.parameterNames
        fields = zip(names, type.parameters).enumerated().flatMap { index, parameter in
            FieldParameter.all(
                of: parameter.1, named: parameter.0, at: index, tree: tree[parameter.0], in: scope)
        }
        let plain = zip(names, type.parameters).map { ($0, scope.argumentWord($1.type, tree[$0])?.form) }
        var binder = FormulaBinder(
            scope: scope, parameters: plain + fields.map { ($0.name, scope.wordForm($0.type)) },
            hasResult: scope.wordForm(function.type.result) != nil)
        binder.targets = zip(names, type.parameters).map { scope.argumentTarget($1.type, tree[$0]) }
        self.binder = binder
    }

    /// - Parameter selector: The selector by which callers know the function.
    /// - Throws: `CObstacle` with the reason if the function cannot be called.
    func plan(selector: String) throws(CObstacle) -> FunctionPlan {
        if let obstacle = function.obstacle ?? type.obstacle { throw obstacle }
        guard type.hasPrototype else { throw CObstacle("its parameters are not declared; write (void) for none") }
        try checkNames()
        if let question = questions.first { throw question.obstacle }
        var arguments: [ArgumentPlan] = []
        var types: [InterfaceType] = []
        var offset = 0
        for (index, parameter) in type.parameters.enumerated() {
            let interfaceType = try CObstacle.within(names[index]) { () throws(CObstacle) in
                try scope.types.type(of: parameter.type)
            }
            types.append(interfaceType)
            let argument = try CObstacle.within(names[index]) { () throws(CObstacle) in
                try self.argument(index, parameter, offset: offset)
            }
            arguments.append(argument)
            offset += (max(interfaceType.size, 8) + 15) & ~15
        }
        for field in fields {
            arguments.append(try argument(of: field, offset: offset))
            offset += 16
        }
        guard arguments.count <= FunctionPlanner.maximumArguments else {
            throw CObstacle("it has more than \(FunctionPlanner.maximumArguments) parameters")
        }
        let lengths = try tiedLengths(arguments)
        for (index, buffers) in lengths {
            guard case .plain(.integer(let form)) = arguments[index].mode else { continue }
            arguments[index] = arguments[index].with(mode: .length(form, of: buffers))
        }
        let result = try ResultPlanner(
            scope: scope, binder: binder, type: type.result, tree: tree["return"], names: names
        ).plan()
        for keeper in arguments.compactMap(\.keeps) + result.keepers {
            guard case .handle = arguments[keeper].mode else {
                throw CObstacle("only a handle that goes in can be kept by another", path: [names[keeper]])
            }
        }
        try checkLifetimes(arguments)
        let errorRule = try errorRule()
        try checkFormulas(arguments, result, failure: errorRule)
        let resultType = try scope.types.type(of: type.result)
        guard let interface = scope.interfaces.interface(result: resultType, arguments: types) else {
            throw CObstacle("libffi does not support the type of the function")
        }
        guard resultType.isSupportedResult else {
            throw CObstacle("\(type.result) has a long double, which libffi does not return correctly")
        }
        let signature = InterfaceSignature(result: resultType, arguments: types)
        guard !signature.isSpoiled else {
            throw CObstacle(
                "a struct of an integer and a floating-point number is passed by value in the last register for integers, "
                    + "which libffi does incorrectly")
        }
        let whole = tree["()"].own
        return FunctionPlan(
            selector: selector, symbol: function.symbol, interface: interface,
            signature: signature, variadic: try CObstacle.within("...") { () throws(CObstacle) in try variadic() },
            arguments: arguments, order: try ArgumentOrder(arguments).order(),
            result: result,
            errorRule: errorRule, isQuick: whole?.isQuick ?? false, wantsErrno: whole?.wantsErrno ?? false,
            frameSize: offset, resultForm: scope.wordForm(type.result))
    }

    /// What the description must still say before the function can be called.
    var questions: [AnnotationQuestion] {
        guard function.obstacle ?? type.obstacle == nil, type.hasPrototype else { return [] }
        var questions = QuestionFinder(scope, type, tree: tree, function: function.name).questions
        if type.isVariadic, tree["..."].isEmpty {
            let format = names.indices.last { index in
                guard case .scalar(.char)? = type.parameters[index].type.pointee?.kind else { return false }
                return ["format", "fmt"].contains { names[index].lowercased().hasSuffix($0) }
            }
            questions.append(
                AnnotationQuestion(
                    parameter: "...",
                    reason:
                        "\"...\" needs an annotation: a list of types such as \"(int, const char *)\", or \"printf(format)\"",
                    annotations: format.map { ["printf(\(names[$0]))"] } ?? []))
        }
        return questions
    }

    private func checkNames() throws(CObstacle) {
        let known = names + ["return", "()"] + (type.isVariadic ? ["..."] : [])
        for name in tree.names where !known.contains(name) {
            throw CObstacle("there is no parameter \"\(name)\"; \(name.instead(of: names))", missing: name)
        }
        if let whole = tree["()"].own, !whole.isForWholeFunction {
            throw CObstacle("\"()\" can only be \"quick\", \"errno\", or both")
        }
        let isReleased = names.count { tree[$0].own?.isReleased ?? false }
        guard tree.all.count(where: \.isReleased) == isReleased else {
            throw CObstacle("\"released\" is for a parameter of the function itself")
        }
        guard tree.all.count(where: \.endsParts) == names.count(where: { tree[$0].own?.endsParts ?? false }) else {
            throw CObstacle("\"ends parts\" is for a parameter of the function itself")
        }
        if tree["()"].own?.wantsErrno == true, names.contains("errno") {
            throw CObstacle("\"errno\" is already the name of a parameter")
        }
        for (index, name) in names.enumerated() where names[..<index].contains(name) {
            throw CObstacle("two parameters are named \"\(name)\"")
        }
    }

    private func argument(
        _ index: Int, _ parameter: CParameter, offset: Int
    ) throws(CObstacle) -> ArgumentPlan {
        let tree = tree[names[index]]
        let annotation = tree.own ?? Annotation()
        guard annotation.fallback == nil, !annotation.isQuick, !annotation.wantsErrno else {
            throw CObstacle("\"else\" belongs to a callback's \"return\", \"quick\" and \"errno\" to \"()\"")
        }
        let mode =
            if let rule = annotation.errorRule {
                ArgumentPlan.Mode.failure(try failure(rule, parameter.type, tree: tree, annotation: annotation))
            } else {
                try mode(of: parameter, named: names[index], tree: tree, annotation: annotation)
            }
        if let field = mode.writtenForm?.sharedField {
            throw CObstacle("\(field) is a pointer that overlaps another field; such a union can only be an output")
        }
        guard annotation.release == nil || mode.canBeFreed else {
            throw CObstacle("\"free\" is for output text and values, for errors and for results")
        }
        if annotation.isReleased {
            guard case .consumed = mode else { throw CObstacle("\"released\" is for handles that a function takes") }
        }
        try mode.checkRooms()
        if let length = parameter.arrayLength { try mode.check(declaredLength: length) }
        var (keeps, isPart): (Int?, Bool) = (nil, false)
        switch annotation.bond {
        case .keeps(let name): keeps = try handleIndex(name)
        case .partOf(let name): (keeps, isPart) = (try handleIndex(name), true)
        case nil, .keptBy, .copied: break
        }
        if keeps != nil, !mode.isHandleOutput {
            throw CObstacle("\"\(isPart ? "of" : "keeps")\" is for handles that come out")
        }
        if isPart, case .new = mode { throw CObstacle("a struct that is \"new\" is a part of nothing") }
        if annotation.endsParts {
            guard case .handle = mode else {
                throw CObstacle("\"ends parts\" is for handles that go in and that the function does not release")
            }
        }
        let lifetime = try lifetime(of: mode, annotation.bond)
        if case .argument(index) = lifetime { throw CObstacle("it cannot be kept by itself") }
        var enumeration: EnumerationCheck?
        if case .enumeration(let found) = parameter.type.kind, case .plain = mode {
            enumeration = scope.check(found)
        }
        return ArgumentPlan(
            name: names[index], key: ConstantText(names[index]), mode: mode,
            isNullable: annotation.isNullable || parameter.type.qualifiers.contains(.nullable), offset: offset,
            word: scope.argumentWord(parameter.type, tree), lifetime: lifetime, keeps: keeps,
            release: annotation.release, field: nil, enumeration: enumeration, isPart: isPart,
            endsParts: annotation.endsParts)
    }

    private func argument(of field: FieldParameter, offset: Int) throws(CObstacle) -> ArgumentPlan {
        try CObstacle.within(field.name) { () throws(CObstacle) in
            let annotation = field.tree.own ?? Annotation()
            guard annotation.bond == nil else {
                throw CObstacle("a field has its data for the duration of a call only")
            }
            let size = try scope.declarations.layout(of: field.type).size
            guard size <= 16 else { throw CObstacle("only numbers and pointers can be passed as fields") }
            let mode: ArgumentPlan.Mode
            var comesOut = false
            if let pointee = field.type.pointee {
                mode = try PointerPlanner(scope: scope, binder: binder, type: field.type, pointee: pointee)
                    .fieldMode(field.tree)
            } else {
                let form = try scope.form(of: field.type)
                comesOut = annotation.direction == .out || annotation.direction == .inout
                switch annotation.shape {
                case nil: mode = annotation.direction == .out ? .field(form) : .plain(form)
                case .constant(let formula) where annotation.direction == nil: mode = try constant(form, formula)
                default: throw CObstacle("\(field.type) is not a pointer: only \"= …\" is allowed")
                }
            }
            return ArgumentPlan(
                name: field.name, key: ConstantText(field.name), mode: mode, isNullable: annotation.isNullable,
                offset: offset,
                word: scope.wordForm(field.type).map { ArgumentPlan.WordPlace(form: $0, isIndirect: false) },
                lifetime: .call, keeps: nil, release: nil,
                field: ArgumentPlan.FieldPlace(
                    parent: field.parent, offset: field.offset, size: size, comesOut: comesOut))
        }
    }

    private func mode(
        of parameter: CParameter, named name: String, tree: AnnotationTree, annotation: Annotation
    ) throws(CObstacle) -> ArgumentPlan.Mode {
        guard let pointee = parameter.type.pointee else {
            let form = try scope.form(of: parameter.type, tree)
            switch annotation.shape {
            case nil: break
            case .constant(let formula): return try constant(form, formula)
            default: throw CObstacle("\(parameter.type) is not a pointer: only \"= …\" is allowed")
            }
            guard annotation.direction ?? .in == .in, !annotation.isNullable, !annotation.isReleased else {
                throw CObstacle("\(parameter.type) is not a pointer: only \"= …\" is allowed")
            }
            return .plain(form)
        }
        let planner = PointerPlanner(scope: scope, binder: binder, type: parameter.type, pointee: pointee)
        let mode = try planner.mode(tree) { bond throws(CObstacle) in try lifetime(bond) }
        for inner in tree.names where !mode.hasInside && !fields.contains(where: { $0.name == "\(name).\(inner)" }) {
            guard !scope.isBitField(inner, of: pointee) else {
                throw CObstacle("a bit-field behind a handle cannot be passed", path: [inner])
            }
            throw CObstacle(
                "\(parameter.type) has no member \"\(inner)\"\(inner.meant(among: scope.fieldNames(of: pointee)))",
                missing: inner)
        }
        if case .handle(let kind) = mode {
            let isRelease = kind.release == function.name
            if isRelease || annotation.isReleased { return .consumed(kind, isTaken: !isRelease) }
        }
        return mode
    }

    private func constant(_ form: ValueForm, _ formula: Formula) throws(CObstacle) -> ArgumentPlan.Mode {
        switch form {
        case .integer(let integer):
            let bound = try binder.bind(formula)
            if case .text = bound { throw CObstacle("a string cannot be passed for a number") }
            if let number = bound.constant, integer.converted(number) == nil {
                throw CObstacle("\(number) does not fit: expected \(integer.rangeWords)")
            }
            return .constant(integer, bound)
        case .bool: return .constant(IntegerForm(size: 1, isSigned: false), try binder.bind(formula))
        case .float, .double, .longDouble:
            if case .name(let name) = formula, case .number(let number)? = scope.namedValue(name) {
                return .constantDouble(form, number)
            }
            guard let number = try binder.bind(formula).constant else {
                throw CObstacle("\"=\" needs a constant number")
            }
            return .constantDouble(form, Double(number))
        default: throw CObstacle("a struct cannot be constant")
        }
    }

    /// Returns how long C uses the memory behind an argument.
    private func lifetime(
        of mode: ArgumentPlan.Mode, _ bond: Annotation.Bond?
    ) throws(CObstacle) -> Lifetime {
        switch (bond, mode) {
        case (nil, _), (.keeps, _), (.partOf, _): return .call
        case (_, .callback): return .call
        case (.keptBy, .handle): return try lifetime(bond)
        case (.copied, .handle), (.copied, .consumed):
            throw CObstacle("\"copied\" is for data; a handle that C does not use after the call is \"handle\"")
        case _ where mode.isData: return try lifetime(bond)
        default:
            throw CObstacle(
                "\"kept\" and \"copied\" are for callbacks, handles, and text, bytes, items and values that C reads")
        }
    }

    private func lifetime(_ bond: Annotation.Bond?) throws(CObstacle) -> Lifetime {
        switch bond {
        case nil, .copied: return .call
        case .keptBy(nil): return .process
        case .keptBy("return"):
            guard scope.isHandle(type.result, tree["return"]) else {
                throw CObstacle("\"kept by return\" needs a handle as the result")
            }
            return .result
        case .keptBy(let name?):
            let index = try handleIndex(name)
            switch scope.handleUse(type.parameters[index].type, tree[name]) {
            case .goesIn: return .argument(index)
            case .comesOut: return .output(index)
            case nil: throw CObstacle("\"kept by \(name)\" needs a handle, but \"\(name)\" is not one")
            }
        case .keeps, .partOf: throw CObstacle("a callback can only be \"kept\", or \"kept by\" a handle")
        }
    }

    private func handleIndex(_ name: String) throws(CObstacle) -> Int {
        guard let index = names.firstIndex(of: name), type.parameters[index].type.pointee != nil else {
            throw CObstacle("there is no handle \"\(name)\"\(name.meant(among: names))")
        }
        return index
    }

    /// Returns the length parameters that are filled in, each with the arguments whose data they measure.
    private func tiedLengths(_ arguments: [ArgumentPlan]) throws(CObstacle) -> [Int: [Int]] {
        var lengths: [Int: [Int]] = [:]
        for (index, argument) in arguments.enumerated() {
            guard case .buffer(let buffer) = argument.mode, let length = buffer.size.bareArgument else { continue }
            if buffer.direction != .out { lengths[length, default: []].append(index) }
        }
        return lengths
    }

    // MARK: - The arguments for "..."

    /// Refuses text for "..." that the library may keep in a handle.
    private func checkKept(_ forms: [ValueForm]) throws(CObstacle) {
        let bond = tree["..."].own?.bond
        if case .copied? = bond { return }
        guard bond == nil else { throw CObstacle("\"...\" can only be \"copied\"") }
        let hasText = forms.contains { if case .text = $0 { true } else { false } }
        let hasHandles = forms.contains { if case .handle = $0 { true } else { false } }
        let uses = zip(names, type.parameters).compactMap { scope.handleUse($1.type, tree[$0]) }
        let brings = uses.contains(.comesOut) || scope.isHandle(type.result, tree["return"])
        guard !(hasText && brings), !(hasHandles && (brings || !uses.isEmpty)) else {
            throw CObstacle(
                "\"...\" takes \(hasHandles ? "handles" : "text"), which the library may use after the call; only "
                    + "\"copied\" is possible, if it does not")
        }
    }

    private func variadic() throws(CObstacle) -> VariadicPlan? {
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
