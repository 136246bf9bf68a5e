import CDeclarations

// Fields of structs that other fields tell about: pointers with lengths, and unions with tags.
extension PlanningScope {
    /// Returns what a description must still say about the fields of a struct: text beside an integer that may be its
    /// length.
    func questions(about definition: RecordDefinition, _ tree: AnnotationTree) -> [AnnotationQuestion] {
        let lengths = definition.namedFields.filter { field in
            guard let name = field.name, case .scalar(let scalar) = field.type.kind else { return false }
            return scalar.isInteger && scalar != .bool && scalar != .char && LengthName.isOne(name)
                && !tree.names.contains { tree[$0].own?.length == name }
        }
        guard !lengths.isEmpty, !definition.record.isUnion else { return [] }
        // Pointers that overlap other fields are neither read nor written.
        let shared = PointerSharing(declarations).fields(of: definition).pointers
        return definition.namedFields.compactMap { field in
            guard let name = field.name, case .scalar(.char)? = field.type.pointee?.kind, tree[name].own?.shape == nil,
                !shared.contains(name)
            else { return nil }
            let words = Set(LengthName.parts(of: name))
            let near = lengths.first { !words.isDisjoint(with: LengthName.parts(of: $0.name ?? "")) }
            let length = (near ?? lengths.first { $0.offset > field.offset } ?? lengths.last)?.name ?? ""
            let annotations = ["string[\(length)]", "bytes[\(length)]", "string"]
            return AnnotationQuestion(
                parameter: name,
                reason:
                    "\(field.type) in \(definition.record.name) needs an annotation, because \"\(length)\" may be its "
                    + "length: \(AnnotationQuestion.choice(annotations)) (a NUL ends the text, and \"\(length)\" is "
                    + "something else)",
                annotations: annotations)
        }
    }

    /// Returns the form of a field whose annotation says where its length is; nil without one.
    func measured(
        _ field: CField, _ annotation: Annotation?, in definition: RecordDefinition
    ) throws(CObstacle) -> ValueForm? {
        let isText: Bool
        switch annotation?.shape {
        case .string(_?): isText = true
        case .bytes: isText = false
        default: return nil
        }
        let name = field.name ?? ""
        guard let pointee = field.type.pointee else { throw CObstacle("\(name): \(field.type) is not a pointer") }
        switch pointee.kind {
        case .void where !isText: break
        case _ where pointee.isByteSized: break
        default: throw CObstacle("\(name): the annotation needs a pointer to bytes, not \(field.type)")
        }
        try checkNoBits(annotation?.length, in: definition, for: name)
        guard let length = annotation?.length,
            let other = definition.namedFields.first(where: { $0.name == length }), !definition.record.isUnion,
            other.type.pointee == nil, let form = wordForm(other.type)
        else {
            let known = definition.namedFields.compactMap(\.name)
            throw CObstacle(
                "\(name): the length must be the name of an integer of \(definition.record.name)"
                    + (annotation?.length ?? "").meant(among: known))
        }
        let direction = annotation?.direction
        guard direction != .inout else { throw CObstacle("\(name): data of a struct goes in or comes out, not both") }
        guard direction != .out || !pointee.isConst else {
            throw CObstacle("\(name): \(field.type) is read-only: remove \"out\"")
        }
        return .measured(
            MeasuredForm(
                isText: isText, direction: direction, lengthOffset: other.offset - field.offset, length: form,
                used: try used(annotation?.used, of: field, in: definition)))
    }

    /// Returns the formula for the number of bytes that C has written to a field's memory; nil if there is none.
    private func used(
        _ formula: Formula?, of field: CField, in definition: RecordDefinition
    ) throws(CObstacle) -> FieldFormula? {
        guard let formula else { return nil }
        let numbers = definition.namedFields.compactMap { other -> (name: String, field: (Int, IntegerForm))? in
            guard let name = other.name, other.bits == nil, other.type.pointee == nil, let form = wordForm(other.type)
            else { return nil }
            return (name, (other.offset - field.offset, form))
        }
        do throws(CObstacle) {
            guard formula.functions.isEmpty else { throw CObstacle("a formula over fields calls no functions") }
            let binder = FormulaBinder(
                scope: self, parameters: numbers.map { ($0.name, $0.field.1) }, hasResult: false)
            return FieldFormula(formula: try binder.bind(formula), fields: numbers.map(\.field))
        } catch {
            throw CObstacle("\(field.name ?? ""): \(error.reason)")
        }
    }

    private func checkNoBits(
        _ other: String?, in definition: RecordDefinition, for name: String
    ) throws(CObstacle) {
        guard let other, definition.namedFields.contains(where: { $0.name == other && $0.bits != nil }) else { return }
        throw CObstacle("\(name): \"\(other)\" is a bit-field, which can tell nothing about other fields")
    }
}

extension PlanningScope {
    /// Returns the form of a union whose annotation says which field tells its member; nil for other fields.
    func tagged(
        _ field: CField, _ tree: AnnotationTree, in definition: RecordDefinition
    ) throws(CObstacle) -> ValueForm? {
        guard case .union(let tag, let cases)? = tree.own?.shape else { return nil }
        let name = field.name ?? ""
        guard case .record(let record) = field.type.kind, record.isUnion,
            let union = declarations.definition(of: record)
        else { throw CObstacle("\(name): \"union by\" needs a union, not \(field.type)") }
        try checkNoBits(tag, in: definition, for: name)
        guard let teller = definition.namedFields.first(where: { $0.name == tag }), teller.type.pointee == nil,
            let form = wordForm(teller.type)
        else {
            throw CObstacle(
                "\(name): \(definition.record.name) has no integer \"\(tag)\""
                    + tag.meant(among: definition.namedFields.compactMap(\.name).filter { $0 != tag }))
        }
        var members: [Int128: RecordForm.Field] = [:]
        for item in cases {
            guard let value = number(item.value).flatMap({ form.converted($0) }) else {
                throw CObstacle(
                    "\(name): the value for \"\(item.member)\" must be a number or a constant of \(teller.type)")
            }
            guard members[value] == nil else { throw CObstacle("\(name): two members have the value \(value)") }
            guard let member = union.namedFields.first(where: { $0.name == item.member }) else {
                throw CObstacle(
                    "\(name): \(record.name) has no member \"\(item.member)\""
                        + item.member.meant(among: union.namedFields.compactMap(\.name)))
            }
            members[value] = RecordForm.Field(
                name: item.member, offset: member.offset, form: try self.form(of: member.type, tree[item.member]),
                isNullable: true)
        }
        for inner in tree.names where !cases.contains(where: { $0.member == inner }) {
            throw CObstacle("\(name): no value stands for \"\(inner)\"\(inner.meant(among: cases.map(\.member)))")
        }
        return .tagged(
            TaggedForm(
                size: try declarations.layout(of: field.type).size, tagOffset: teller.offset - field.offset, tag: form,
                members: members))
    }

    /// Returns the value of a number or constant.
    private func number(_ formula: Formula) -> Int128? {
        switch formula {
        case .number(let number): number
        case .name(let name): constants[name]
        default: nil
        }
    }
}

extension ValueForm {
    var isTagged: Bool { if case .tagged = self { true } else { false } }
}

extension Annotation {
    /// The name of the field with the length of a text or of bytes.
    fileprivate var length: String? {
        switch shape {
        case .string(let room?), .bytes(let room):
            if case .name(let name) = room.size, room.used == nil || direction == .out { name } else { nil }
        default: nil
        }
    }

    /// The part of data that C has written.
    fileprivate var used: Formula? {
        switch shape {
        case .string(let room?), .bytes(let room): room.used
        default: nil
        }
    }
}
