import CDeclarations
import SystemSupport

/// The shared context for planning the functions of one description. Not thread-safe.
final class PlanningScope {
    let declarations: CDeclarations
    let types: InterfaceTypes
    let interfaces: CallInterfaces
    /// Named integers from the description and its declarations.
    let constants: [String: Int128]
    /// The owner of the kinds of handles.
    private let owner: HandleKind.Owner
    /// The sizes of the types that formulas measure with `sizeof`.
    private let sizes: [String: Int]
    /// The function that releases the handles of each kind.
    private let releases: [String: String]
    /// The annotations of the functions.
    private let trees: [ExactText: AnnotationTree]
    private var kinds: [String: HandleKind] = [:]
    private var records: [CRecord: RecordForm] = [:]
    private var recordDepth = 0

    static let maximumDepth = 64
    /// What the names of declarations begin with that stand for the types of variadic arguments.
    static let variadicPrefix = "hslink_variadic_"

    init(
        _ declarations: CDeclarations, interfaces: CallInterfaces, constants: [String: Int128], sizes: [String: Int],
        releases: [String: String], trees: [ExactText: AnnotationTree], owner: HandleKind.Owner
    ) {
        self.owner = owner
        self.declarations = declarations
        self.interfaces = interfaces
        self.constants = constants
        self.sizes = sizes
        self.releases = releases
        self.trees = trees
        types = InterfaceTypes(declarations)
    }

    /// Returns the named text or floating-point number.
    func namedValue(_ name: String) -> CNamedValue.Value? {
        declarations.namedValues.first { $0.name == name }?.value
    }

    /// Returns the kind with this name.
    func kind(_ name: String) -> HandleKind {
        if let known = kinds[name] { return known }
        let kind = HandleKind(name: name, owner: owner, release: releases[name])
        kinds[name] = kind
        return kind
    }

    /// Returns whether a function releases the handles of a kind.
    func isRelease(_ function: String) -> Bool { releases.values.contains(function) }

    /// The functions that release a handle or take it over: those in "handles", and those with "released".
    private(set) lazy var releasing: Set<String> = {
        let annotated = trees.filter { item in item.value.names.contains { item.value[$0].own?.isReleased == true } }
        return Set(releases.values).union(annotated.keys.map(\.text))
    }()

    /// The kinds of the handles that have parts.
    private(set) lazy var kindsWithParts: Set<String> = {
        var kinds: Set<String> = []
        for function in declarations.functions {
            let tree = tree(of: function.name)
            for name in tree.names {
                guard case .partOf(let whole)? = tree[name].own?.bond,
                    let index = function.type.parameterNames.firstIndex(of: whole),
                    let kind = handleKindName(function.type.parameters[index].type, tree[whole])
                else { continue }
                kinds.insert(kind)
            }
        }
        return kinds
    }()

    /// Returns the annotations of a function.
    func tree(of function: String) -> AnnotationTree { trees[ExactText(function)] ?? .empty }

    /// Returns the name of the kind of handles that a pointer can be; nil if none is known.
    private func handleKindName(_ type: CType, _ tree: AnnotationTree) -> String? {
        if let name = tree.own?.handleName { return name }
        guard case .record(let record)? = type.pointee?.kind else { return nil }
        return record.tag ?? record.name
    }

    /// Returns the kind of handles that point to a struct.
    func kind(_ record: CRecord) -> HandleKind { kind(record.tag ?? record.name) }

    /// The symbols of the declared functions by their names, for each type. A library may have thousands of functions,
    /// and hundreds of parameters that functions can be passed for.
    private lazy var functionsByType: [CFunctionType: [String: String]] = {
        // A caller must not be able to make the library release a handle that is still in use.
        let released = releasing
        var found: [CFunctionType: [String: String]] = [:]
        for function in declarations.functions
        where function.obstacle == nil && !released.contains(function.name)
            && !function.name.hasPrefix(PlanningScope.variadicPrefix)
        {
            found[function.type, default: [:]][function.name] = function.symbol
        }
        return found
    }()

    /// Returns the symbols of the declared functions of a type, by their names. Functions that release handles are left
    /// out.
    func functions(of type: CFunctionType) -> [String: String] { functionsByType[type] ?? [:] }

    /// Returns the symbols of the declared functions that a caller may name for a function pointer.
    ///
    /// - Parameter tree: The annotations of the function pointer's parameters. Only functions whose own annotations are
    ///   the same are possible; without any, those of all functions must agree, because the type of a pointer does not
    ///   say what it leads to.
    func functions(of type: CFunctionType, like tree: AnnotationTree) throws(CObstacle) -> [String: String] {
        let all = functions(of: type)
        let names = type.parameterNames
        if let unknown = tree.names.first(where: { !names.contains($0) }) {
            throw CObstacle(
                "the function has no parameter \"\(unknown)\"; \(unknown.instead(of: names))", missing: unknown)
        }
        let pointers = type.parameters.indices.filter { type.parameters[$0].type.pointee != nil }
        func meanings(_ tree: AnnotationTree, _ names: [String]) -> [String] {
            pointers.map { tree[names[$0]].own?.text ?? "" }
        }
        let found = all.keys.sorted().map { name in
            (name, meanings(self.tree(of: name), declarations.function(named: name)?.type.parameterNames ?? names))
        }
        guard tree.names.isEmpty else {
            let wanted = meanings(tree, names)
            let like = Set(found.filter { $0.1 == wanted }.map(\.0))
            return all.filter { like.contains($0.key) }
        }
        guard let first = found.first, let other = found.first(where: { $0.1 != first.1 }) else { return all }
        throw CObstacle(
            "\(first.0) and \(other.0) have this type, but what their pointers mean differs: say under "
                + "\(AnnotationQuestion.choice(pointers.map { names[$0] })) of this parameter which are meant")
    }

    func size(_ type: String) throws(CObstacle) -> Int {
        guard let size = sizes[type] else {
            throw CObstacle("sizeof(\(type)) has no value: the type is unknown or has no size")
        }
        return size
    }

    /// The structs to which functions return pointers that callers may write through.
    private lazy var made: Set<CRecord> = Set(
        declarations.functions.compactMap { function in
            guard let pointee = function.type.result.pointee, !pointee.isConst, case .record(let record) = pointee.kind
            else { return nil }
            return record
        })

    private var checks: [CEnumeration: EnumerationCheck] = [:]

    /// Returns the check for the values of an enum, which many parameters may share.
    func check(_ enumeration: CEnumeration) -> EnumerationCheck {
        if let known = checks[enumeration] { return known }
        let check = EnumerationCheck(enumeration)
        checks[enumeration] = check
        return check
    }

    /// Returns whether functions return structs of a type by pointer.
    func isMade(_ record: CRecord) -> Bool { made.contains(record) }

    /// The structs that one function returns and another one, by its name, releases.
    private lazy var objects: Set<CRecord> = Set(
        declarations.functions.compactMap { function in
            guard function.type.parameters.count == 1, FunctionName.mayRelease(function.name, parameters: 1),
                let pointee = function.type.parameters[0].type.pointee, !pointee.isConst,
                case .record(let record) = pointee.kind, isMade(record)
            else { return nil }
            return record
        })

    /// Returns whether structs of a type are objects of the library, which makes them and frees them: a copy of their
    /// fields is no such object, and must not be freed or linked into one.
    func isObject(_ record: CRecord) -> Bool { objects.contains(record) }

    func isDefined(_ record: CRecord) -> Bool { declarations.definition(of: record) != nil }

    /// Returns the form of a struct or union.
    func recordForm(_ record: CRecord, _ tree: AnnotationTree = .empty) throws(CObstacle) -> RecordForm {
        if tree.names.isEmpty, let known = records[record] { return known }
        guard let definition = declarations.definition(of: record) else {
            throw CObstacle("\(record.name) is not defined: only pointers to it can be passed around, as handles")
        }
        recordDepth += 1
        defer { recordDepth -= 1 }
        guard recordDepth < PlanningScope.maximumDepth else { throw CObstacle("\(record.name) is nested too deeply") }
        let layout = try definition.layout.get()
        guard layout.alignment <= 16 else {
            throw CObstacle("\(record.name) must be aligned to \(layout.alignment) bytes; at most 16 are supported")
        }
        if let question = questions(about: definition, tree, goesIn: false).first { throw question.obstacle }
        let shared = PointerSharing(declarations).fields(of: definition)
        var fields: [RecordForm.Field] = []
        for field in definition.namedFields {
            guard let name = field.name else { continue }
            if shared.pointers.contains(name) {
                guard tree[name].isEmpty else {
                    throw CObstacle("a pointer that overlaps another field cannot be passed", path: [name])
                }
                continue
            }
            if let tagged = try tagged(field, tree[name], in: definition) {
                fields.append(RecordForm.Field(name: name, offset: field.offset, form: tagged, isNullable: false))
                continue
            }
            if let measured = try described(field, tree[name], in: definition) {
                let isNullable = tree[name].own?.isNullable ?? false
                fields.append(
                    RecordForm.Field(name: name, offset: field.offset, form: measured, isNullable: isNullable))
                continue
            }
            let form: ValueForm
            do throws(CObstacle) {
                form = try self.form(of: field, tree[name])
                try tree[name].own?.check(form)
            } catch {
                // A field without a form is left out and stays zero. This is common in unions.
                guard tree[name].isEmpty else { throw error.within(name) }
                continue
            }
            guard !shared.all.contains(name) || !form.refusesZeros else {
                throw CObstacle("a field that overlaps another cannot be a handle", path: [name])
            }
            guard !fields.contains(where: { $0.name == name }) else {
                throw CObstacle("\(record.name) has two fields \"\(name)\"")
            }
            let isNullable =
                tree[name].own?.isNullable ?? false || field.type.qualifiers.contains(.nullable)
            fields.append(RecordForm.Field(name: name, offset: field.offset, form: form, isNullable: isNullable))
        }
        for name in tree.names where !fields.contains(where: { $0.name == name }) {
            throw CObstacle(
                "\(record.name) has no field \"\(name)\"\(name.meant(among: definition.namedFields.compactMap(\.name)))",
                missing: name)
        }
        for field in fields {
            // The caller says how much room there is for what comes out.
            guard let offset = field.form.writtenLength,
                let index = fields.firstIndex(where: { $0.offset == field.offset + offset })
            else { continue }
            if let other = fields[index].measures {
                throw CObstacle("\(fields[index].name) cannot be the length of both \"\(other)\" and \"\(field.name)\"")
            }
            fields[index].measures = field.name
        }
        let form = RecordForm(
            name: record.name, size: layout.size, alignment: layout.alignment, isUnion: record.isUnion, fields: fields,
            sharedField: shared.first ?? fields.first { $0.form.isTagged }.map { "a member of \($0.name)" }
                ?? fields.lazy.compactMap(\.form.sharedField).first)
        guard form.valueCount <= ValueForm.maximumValues else {
            throw CObstacle("\(record.name) has more than \(ValueForm.maximumValues) values")
        }
        if tree.names.isEmpty { records[record] = form }
        return form
    }

    private func form(of field: CField, _ tree: AnnotationTree) throws(CObstacle) -> ValueForm {
        guard let place = field.bits else { return try form(of: field.type, tree) }
        guard let declared = wordForm(field.type) else { throw CObstacle("\(field.type) cannot be a bit-field") }
        return .bits(BitsForm(place: place, declared: declared, isBool: field.type.kind == .scalar(.bool)))
    }

    /// Returns the form of what a pointer with an annotation of its own points to.
    ///
    /// - Parameter tree: The annotations of the pointer and, if it points to structs, of their fields.
    func itemForm(of type: CType, _ tree: AnnotationTree) throws(CObstacle) -> ValueForm {
        if case .record(let record) = type.kind, isDefined(record) { return .record(try recordForm(record, tree)) }
        // An array of pointers to bytes can only be one of texts: nothing says how long they are.
        if let pointee = type.pointee, pointee.isByteSized { return .text }
        let form = try form(of: type)
        if case .opaque = form { throw CObstacle("values of the type \(type) cannot be passed") }
        return form
    }

    /// Returns the names of the fields of a struct or union; none for other types.
    func fieldNames(of type: CType) -> [String] {
        guard case .record(let record) = type.kind else { return [] }
        return declarations.definition(of: record)?.namedFields.compactMap(\.name) ?? []
    }

    /// Returns whether a struct has a bit-field with this name.
    func isBitField(_ name: String, of type: CType) -> Bool {
        guard case .record(let record) = type.kind else { return false }
        return declarations.definition(of: record)?.namedFields.contains { $0.name == name && $0.bits != nil } ?? false
    }

    /// Returns the form of a value in memory: a field, an element, or an argument that is not a pointer.
    func form(of type: CType, _ tree: AnnotationTree = .empty) throws(CObstacle) -> ValueForm {
        switch type.kind {
        case .scalar(let scalar): return form(of: scalar)
        case .enumeration(let enumeration): return form(of: enumeration.underlying)
        case .record(let record): return .record(try recordForm(record, tree))
        case .unsupported(let unsupported): throw unsupported.obstacle
        case .void, .function: throw CObstacle("\(type) cannot be passed by value")
        case .array(let element, let length):
            guard let length else { throw CObstacle("an array without a length has no size") }
            if case .scalar(.char) = element.kind { return .textInPlace(length) }
            if case .scalar(.unsignedChar) = element.kind { return .bytesInPlace(length) }
            let form = ValueForm.array(
                try form(of: element), count: length, stride: try declarations.layout(of: element).size)
            guard form.valueCount <= ValueForm.maximumValues else {
                throw CObstacle("\(type) has more than \(ValueForm.maximumValues) values")
            }
            return form
        case .pointer(let pointee): return try pointerForm(pointee, tree)
        }
    }

    private func pointerForm(_ pointee: CType, _ tree: AnnotationTree) throws(CObstacle) -> ValueForm {
        switch tree.own?.shape {
        case .handle(let name): return .handle(try handleKind(name, pointee))
        case .string(nil):
            guard pointee.isByteSized else {
                throw CObstacle("\"string\" needs a pointer to char, not to \(pointee)")
            }
            return .text
        case .null: return .opaque
        default: break
        }
        switch pointee.kind {
        case .scalar(.char): return .text
        case .record(let record): return isDefined(record) ? .opaque : .handle(kind(record))
        case .function(let function):
            guard !tree.isEmpty else { return .opaque }
            return .callback(try CallbackPlanner(scope: self, function, tree).plan(), try fieldLife(tree.own))
        default: return .opaque
        }
    }

    /// Returns how long a callback in a struct lives.
    private func fieldLife(_ annotation: Annotation?) throws(CObstacle) -> Lifetime {
        switch annotation?.bond {
        case nil, .copied: .call
        case .keptBy(nil): .process
        case .keptBy("return"): .result
        default: throw CObstacle("a callback in a struct can only be \"kept\" or \"kept by return\"")
        }
    }

    func handleKind(_ name: String?, _ pointee: CType) throws(CObstacle) -> HandleKind {
        if let name { return kind(name) }
        if case .record(let record) = pointee.kind { return kind(record) }
        throw CObstacle("\"handle\" needs a name here, as in \"handle(gzFile)\": \(pointee) has none")
    }

    func form(of scalar: CScalar) -> ValueForm {
        switch scalar {
        case .bool: .bool
        case .float: .float
        case .double: .double
        case .longDouble: .longDouble
        default: .integer(integerForm(scalar))
        }
    }

    private func integerForm(_ scalar: CScalar) -> IntegerForm {
        IntegerForm(size: scalar.size, isSigned: scalar.isSigned(on: declarations.target))
    }

    /// Returns the form in which formulas read a value of this type; nil if they cannot.
    func wordForm(_ type: CType) -> IntegerForm? {
        switch type.kind {
        case .scalar(let scalar) where scalar.isInteger: integerForm(scalar)
        case .enumeration(let enumeration): integerForm(enumeration.underlying)
        case .pointer: .pointer
        default: nil
        }
    }
}

/// Finds the pointers in structs and unions that overlap other members.
struct PointerSharing {
    struct Found {
        /// The fields that overlap others.
        var all: Set<String> = []
        /// The fields that overlap others and are or contain pointers.
        var pointers: Set<String> = []
        /// The first of `pointers`.
        var first: String?
    }

    private let declarations: CDeclarations
    private static let maximumDepth = 32

    init(_ declarations: CDeclarations) { self.declarations = declarations }

    /// Returns the overlapping fields of a record, including those of anonymous members.
    func fields(of definition: RecordDefinition) -> Found {
        let places = definition.namedFields.map { field in
            let size = (try? declarations.layout(of: field.type).size) ?? 0
            let start = field.offset * 8 + (field.bits?.start ?? 0)
            return (field: field, range: start..<(start + (field.bits?.width ?? size * 8)))
        }
        // In order of offsets, a field overlaps an earlier one exactly if the earlier field that ends last extends into
        // it.
        let order = places.indices.sorted { places[$0].range.lowerBound < places[$1].range.lowerBound }
        var isShared = Array(repeating: false, count: places.count)
        var farthest: (end: Int, index: Int)?
        for index in order where !places[index].range.isEmpty {
            if let last = farthest, last.end > places[index].range.lowerBound {
                isShared[index] = true
                isShared[last.index] = true
            }
            if farthest.map({ $0.end < places[index].range.upperBound }) ?? true {
                farthest = (places[index].range.upperBound, index)
            }
        }
        var found = Found()
        var budget = 4096
        for (index, place) in places.enumerated() where isShared[index] {
            guard let name = place.field.name else { continue }
            found.all.insert(name)
            guard holdsPointer(place.field.type, depth: 0, budget: &budget) else { continue }
            found.pointers.insert(name)
            if found.first == nil { found.first = name }
        }
        return found
    }

    /// Returns whether a value contains a pointer that C may dereference. A plain `void *` does not count.
    private func holdsPointer(_ type: CType, depth: Int, budget: inout Int) -> Bool {
        budget -= 1
        // A type that is too large to search counts as a pointer.
        guard depth < PointerSharing.maximumDepth, budget > 0 else { return true }
        switch type.kind {
        case .pointer(let pointee):
            if case .void = pointee.kind { return false }
            return true
        case .array(let element, _): return holdsPointer(element, depth: depth + 1, budget: &budget)
        case .record(let record):
            guard let definition = declarations.definition(of: record) else { return true }
            for field in definition.fields where holdsPointer(field.type, depth: depth + 1, budget: &budget) {
                return true
            }
            return false
        default: return false
        }
    }
}
