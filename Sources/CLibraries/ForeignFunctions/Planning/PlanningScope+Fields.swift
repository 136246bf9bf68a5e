import CDeclarations

// Fields of structs that other fields tell about: pointers with lengths, and unions with tags.
extension PlanningScope {
    /// Returns what a description must still say about the fields of a struct: text beside an integer that may be its
    /// length, and, for structs that go in, pointers that would always be null.
    func questions(
        about definition: RecordDefinition, _ tree: AnnotationTree, goesIn: Bool, depth: Int = 0
    ) -> [AnnotationQuestion] {
        guard !definition.record.isUnion, depth < PlanningScope.maximumDepth else { return [] }
        let lengths = definition.namedFields.filter { field in
            guard let name = field.name, case .scalar(let scalar) = field.type.kind else { return false }
            return scalar.isInteger && scalar != .bool && scalar != .char
                && !tree.names.contains { tree[$0].own?.length == name }
        }
        // Pointers that overlap other fields are neither read nor written.
        let shared = PointerSharing(declarations).fields(of: definition).pointers
        return definition.namedFields.flatMap { field -> [AnnotationQuestion] in
            guard let name = field.name, tree[name].own?.shape == nil, !shared.contains(name) else { return [] }
            if goesIn, let question = question(aboutEndOf: definition, field, named: name, beside: lengths) {
                return [question]
            }
            if goesIn, case .array(let element, nil) = field.type.kind {
                return [
                    AnnotationQuestion(
                        parameter: name,
                        reason:
                            "an array of \(element) without a length, in \(definition.record.name), cannot be passed",
                        annotations: [])
                ]
            }
            if case .record(let record) = field.type.kind, let inner = declarations.definition(of: record) {
                return questions(about: inner, tree[name], goesIn: goesIn, depth: depth + 1).map { $0.within(name) }
            }
            if case .scalar(.char)? = field.type.pointee?.kind {
                return question(aboutText: field, name, in: definition, lengths).map { [$0] } ?? []
            }
            guard goesIn, let form = try? form(of: field.type, tree[name]), form.isNull, !LengthName.isReserved(name)
            else { return [] }
            return [question(aboutPointer: field, name, in: definition, lengths)]
        }
    }

    /// Returns the question whether an array at the end of a struct has more items than its declaration says, as in
    /// `struct { int count; int items[1]; }`.
    private func question(
        aboutEndOf definition: RecordDefinition, _ field: CField, named name: String, beside integers: [CField]
    ) -> AnnotationQuestion? {
        guard case .array(let element, let count?) = field.type.kind, count <= 1,
            field.offset == definition.fields.last?.offset,
            let length = integers.compactMap(\.name).first(where: {
                LengthName.isOne($0) || LengthName.counts($0, name)
            })
        else { return nil }
        return AnnotationQuestion(
            parameter: name,
            reason:
                "\(field.type) at the end of \(definition.record.name) needs an annotation, because \"\(length)\" may be "
                + "the number of \(element) that follow: \"value\" if there is no more than \(count)",
            annotations: ["value"])
    }

    private func question(
        aboutText field: CField, _ name: String, in definition: RecordDefinition, _ integers: [CField]
    ) -> AnnotationQuestion? {
        let lengths = integers.filter { LengthName.isOne($0.name ?? "") || LengthName.counts($0.name ?? "", name) }
        let words = Set(LengthName.parts(of: name))
        let near = lengths.first { !words.isDisjoint(with: LengthName.parts(of: $0.name ?? "")) }
        guard let length = (near ?? lengths.first { $0.offset > field.offset } ?? lengths.last)?.name else {
            return nil
        }
        let annotations = ["string[\(length)]", "bytes[\(length)]", "string"]
        return AnnotationQuestion(
            parameter: name,
            reason:
                "\(field.type) in \(definition.record.name) needs an annotation, because \"\(length)\" may be its "
                + "length: \(AnnotationQuestion.choice(annotations)) (a NUL ends the text, and \"\(length)\" is "
                + "something else)",
            annotations: annotations)
    }

    private func question(
        aboutPointer field: CField, _ name: String, in definition: RecordDefinition, _ integers: [CField]
    ) -> AnnotationQuestion {
        let words = Set(LengthName.parts(of: name))
        let length = integers.first { other in
            let other = other.name ?? ""
            return LengthName.counts(other, name)
                || LengthName.isOne(other) && !words.isDisjoint(with: LengthName.parts(of: other))
        }?.name
        let number = length ?? integers.compactMap(\.name).first { LengthName.isOne($0) } ?? "count"
        let choice: [String] =
            switch field.type.pointee?.kind {
            case .void?: ["bytes[\(number)]", "null"]
            case .function?: ["copied", "kept", "null"]
            case .record?: ["value", "items[\(number)]", "null"]
            case .array?: ["items[\(number)]", "null"]
            case .pointer?: ["items[null]", "items[\(number)]", "null"]
            case nil: ["null"]
            default:
                field.type.pointee?.isByteSized == true
                    ? ["bytes[\(number)]", "string", "null"] : ["value", "items[\(number)]", "null"]
            }
        return AnnotationQuestion(
            parameter: name,
            reason:
                "\(field.type) in \(definition.record.name) needs an annotation: \(AnnotationQuestion.choice(choice))",
            annotations: choice.filter { length != nil ? $0.contains(number) : $0 == "null" })
    }

    /// Returns the form of a pointer in a struct whose annotation says what it leads to; nil without one.
    func described(
        _ field: CField, _ tree: AnnotationTree, in definition: RecordDefinition
    ) throws(CObstacle) -> ValueForm? {
        if let measured = try measured(field, tree.own, in: definition) { return measured }
        return try pointed(field, tree, in: definition)
    }

    /// Returns the form of a field whose annotation says where its length is; nil without one.
    private func measured(
        _ field: CField, _ annotation: Annotation?, in definition: RecordDefinition
    ) throws(CObstacle) -> ValueForm? {
        let isText: Bool
        switch annotation?.shape {
        case .string(_?): isText = true
        case .bytes: isText = false
        default: return nil
        }
        let name = field.name ?? ""
        guard let pointee = field.type.pointee else { throw CObstacle("\(field.type) is not a pointer", path: [name]) }
        switch pointee.kind {
        case .void: break
        case _ where pointee.isByteSized: break
        default: throw CObstacle("the annotation needs a pointer to bytes, not \(field.type)", path: [name])
        }
        try checkNoBits(annotation?.length, in: definition, for: name)
        let length = try length(annotation, of: field, in: definition)
        let direction = annotation?.direction
        guard direction != .inout else {
            throw CObstacle("data of a struct goes in or comes out, not both", path: [name])
        }
        guard direction != .out || !pointee.isConst else {
            throw CObstacle("\(field.type) is read-only: remove \"out\"", path: [name])
        }
        return .measured(
            MeasuredForm(
                isText: isText, direction: direction, length: length,
                used: try used(annotation?.used, of: field, in: definition)))
    }

    /// Returns the integer that has the length of a field.
    private func length(
        _ annotation: Annotation?, of field: CField, in definition: RecordDefinition
    ) throws(CObstacle) -> NearbyInteger {
        guard let length = annotation?.length,
            let other = definition.namedFields.first(where: { $0.name == length }), !definition.record.isUnion,
            other.type.pointee == nil, let form = wordForm(other.type)
        else {
            let known = definition.namedFields.compactMap(\.name)
            throw CObstacle(
                "the length must be the name of an integer of \(definition.record.name)"
                    + (annotation?.length ?? "").meant(among: known), path: [field.name ?? ""])
        }
        return NearbyInteger(offset: other.offset - field.offset, form: form)
    }

    /// Returns the form of a field whose annotation says that it leads to other values; nil without one.
    private func pointed(
        _ field: CField, _ tree: AnnotationTree, in definition: RecordDefinition
    ) throws(CObstacle) -> ValueForm? {
        let name = field.name ?? ""
        let count: PointedForm.Count
        let annotation = tree.own
        switch annotation?.shape {
        // An array is all of the struct that there is.
        case .value where field.type.isArray: return nil
        case .value: count = .one
        case .items(let room) where room.endsWithNull: count = .untilNull
        case .items:
            try checkNoBits(annotation?.length, in: definition, for: name)
            count = .field(try length(annotation, of: field, in: definition))
        default: return nil
        }
        return try CObstacle.within(name) { () throws(CObstacle) in
            guard let pointee = field.type.pointee else { throw CObstacle("\(field.type) is not a pointer") }
            guard annotation?.direction ?? .in == .in else {
                throw CObstacle("\"out\" in a struct is for bytes and text only")
            }
            if case .one = count, let obstacle = pointee.obstacleToOneRow { throw obstacle }
            let form = try itemForm(of: pointee, tree)
            try form.checkHasNoRooms()
            switch form {
            case .callback: throw CObstacle("values of the type \(pointee) cannot be passed")
            case .text, .handle: break
            default:
                guard !count.isEnded else {
                    throw CObstacle("\"items[null]\" needs pointers to text or handles, not \(pointee)")
                }
            }
            guard form.size > 0 else { throw CObstacle("\(pointee) has no size") }
            return .pointed(PointedForm(element: form, count: count, isInput: annotation?.direction == .in))
        }
    }

    /// Returns the formula for the number of bytes that C has written to a field's memory; nil if there is none.
    private func used(
        _ formula: Formula?, of field: CField, in definition: RecordDefinition
    ) throws(CObstacle) -> FieldFormula? {
        guard let formula else { return nil }
        let numbers = definition.namedFields.compactMap { other -> (name: String, field: NearbyInteger)? in
            guard let name = other.name, other.bits == nil, other.type.pointee == nil, let form = wordForm(other.type)
            else { return nil }
            return (name, NearbyInteger(offset: other.offset - field.offset, form: form))
        }
        return try CObstacle.within(field.name ?? "") { () throws(CObstacle) in
            guard formula.functions.isEmpty else { throw CObstacle("a formula over fields calls no functions") }
            let binder = FormulaBinder(
                scope: self, parameters: numbers.map { ($0.name, $0.field.form) }, hasResult: false)
            return FieldFormula(formula: try binder.bind(formula), fields: numbers.map(\.field))
        }
    }

    private func checkNoBits(
        _ other: String?, in definition: RecordDefinition, for name: String
    ) throws(CObstacle) {
        guard let other, definition.namedFields.contains(where: { $0.name == other && $0.bits != nil }) else { return }
        throw CObstacle("\"\(other)\" is a bit-field, which can tell nothing about other fields", path: [name])
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
        else { throw CObstacle("\"union by\" needs a union, not \(field.type)", path: [name]) }
        try checkNoBits(tag, in: definition, for: name)
        guard let teller = definition.namedFields.first(where: { $0.name == tag }), teller.type.pointee == nil,
            let form = wordForm(teller.type)
        else {
            throw CObstacle(
                "\(definition.record.name) has no integer \"\(tag)\""
                    + tag.meant(among: definition.namedFields.compactMap(\.name).filter { $0 != tag }), path: [name])
        }
        var members: [Int128: RecordForm.Field] = [:]
        for item in cases {
            guard let value = number(item.value).flatMap({ form.converted($0) }) else {
                throw CObstacle(
                    "the value for \"\(item.member)\" must be a number or a constant of \(teller.type)", path: [name])
            }
            guard members[value] == nil else { throw CObstacle("two members have the value \(value)", path: [name]) }
            guard let member = union.namedFields.first(where: { $0.name == item.member }) else {
                throw CObstacle(
                    "\(record.name) has no member \"\(item.member)\""
                        + item.member.meant(among: union.namedFields.compactMap(\.name)), path: [name])
            }
            members[value] = RecordForm.Field(
                name: item.member, offset: member.offset, form: try self.form(of: member.type, tree[item.member]),
                isNullable: true)
        }
        for inner in tree.names where !cases.contains(where: { $0.member == inner }) {
            throw CObstacle(
                "no value stands for \"\(inner)\"\(inner.meant(among: cases.map(\.member)))", path: [name])
        }
        return .tagged(
            TaggedForm(
                size: try declarations.layout(of: field.type).size,
                tag: NearbyInteger(offset: teller.offset - field.offset, form: form), members: members))
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
    /// The place of the integer that is set with a field, relative to that of the field; nil if there is none.
    var writtenLength: Int? {
        switch self {
        case .measured(let form) where form.direction != .out: form.length.offset
        case .pointed(let form): if case .field(let place) = form.count { place.offset } else { nil }
        default: nil
        }
    }

    /// Whether C receives nothing but null.
    fileprivate var isNull: Bool {
        switch self {
        case .opaque: true
        case .array(let element, _, _): element.isNull
        default: false
        }
    }

    var isTagged: Bool { if case .tagged = self { true } else { false } }
}

extension Annotation {
    /// The name of the field with the length of a text or of bytes.
    fileprivate var length: String? {
        switch shape {
        case .string(let room?), .bytes(let room), .items(let room):
            if case .name(let name) = room.size, room.used == nil || direction == .out { name } else { nil }
        default: nil
        }
    }

    /// Refuses words that mean nothing for a field.
    func check(_ form: ValueForm) throws(CObstacle) {
        var isFit =
            release == nil && !isReleased && !endsParts && errorRule == nil && fallback == nil && !isQuick
            && !wantsErrno
        switch (form, shape) {
        case (.text, nil), (.text, .string(nil)), (.handle, nil), (.handle, .handle), (.opaque, .null):
            isFit = isFit && direction == nil && bond == nil
        case (.callback, nil): isFit = isFit && direction == nil
        case (.array, .value), (.textInPlace, .value), (.bytesInPlace, .value):
            isFit = isFit && direction == nil && bond == nil
        case (.array(let element, _, _), .null): isFit = isFit && element.isNull && direction == nil && bond == nil
        default: isFit = false
        }
        guard isFit else { throw CObstacle("\"\(text)\" has no meaning for a field of this type") }
    }

    /// The part of data that C has written.
    fileprivate var used: Formula? {
        switch shape {
        case .string(let room?), .bytes(let room): room.used
        default: nil
        }
    }
}

extension CType {
    fileprivate var isArray: Bool { if case .array = kind { true } else { false } }
}
