/// What has been declared so far.
struct Scope {
    /// What a name means that is no tag.
    enum Meaning {
        case typedef(Int)
        case function(Int)
        case variable(Int)
        case constant(Int)
    }

    /// What a name behind `struct`, `union` or `enum` means.
    enum Tag {
        case record(Int)
        case enumeration(CEnumeration)
        /// Named, but not defined (yet), or not well.
        case undefinedEnumeration
    }

    let target: CTarget
    var functions: [CFunction] = []
    var variables: [CVariable] = []
    var typedefs: [CTypedef] = []
    var constants: [CConstant] = []
    var records: [(record: CRecord, definition: RecordDefinition?)] = []
    var enumerationCount = 0
    var meanings: [String: Meaning] = [:]
    var tags: [String: Tag] = [:]

    /// The type that a name stands for, if it is the name of a type.
    mutating func type(named name: String) -> CType? {
        switch meanings[name] {
        case .typedef(let index):
            var type = typedefs[index].type
            type.alias = name
            return type
        case .some: return nil
        case nil: return WellKnownNames.type(named: name, in: &self)
        }
    }

    /// The struct or union of a tag, which is opaque as long as nothing defines it.
    ///
    /// - Returns: nil when the tag is that of something else.
    mutating func record(tag: String, isUnion: Bool) -> CRecord? {
        if let meaning = tags[tag] {
            guard case .record(let index) = meaning, records[index].record.isUnion == isUnion else { return nil }
            return records[index].record
        }
        let record = CRecord(
            index: records.count, isUnion: isUnion, tag: tag, name: (isUnion ? "union " : "struct ") + tag)
        records.append((record, nil))
        tags[tag] = .record(record.index)
        return record
    }

    func definition(of record: CRecord) -> RecordDefinition? { records[record.index].definition }

    func layout(of type: CType) throws(CObstacle) -> CLayout {
        try LayoutRules.layout(of: type) { definition(of: $0) }
    }

    /// Whether all is known about it that there is, so that a field may have it.
    func isComplete(_ type: CType) -> Bool {
        switch type.kind {
        case .void, .function, .array(_, length: nil): false
        case .record(let record): definition(of: record) != nil
        case .unsupported(let type): !type.isUndefinedEnumeration
        case .scalar, .enumeration, .pointer, .array: true
        }
    }

    /// The constant of a name.
    func constant(named name: String) -> CConstant? {
        guard case .constant(let index)? = meanings[name] else { return nil }
        return constants[index]
    }

    /// What the name is already, for messages.
    func word(for meaning: Meaning) -> String {
        switch meaning {
        case .typedef(let index): "the typedef at \(typedefs[index].place)"
        case .function(let index): "the function at \(functions[index].place)"
        case .variable(let index): "the variable at \(variables[index].place)"
        case .constant(let index): "a constant (\(constants[index].value))"
        }
    }
}
