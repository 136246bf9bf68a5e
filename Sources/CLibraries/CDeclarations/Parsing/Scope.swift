/// The declarations parsed so far.
struct Scope {
    /// The meaning of an ordinary name.
    enum Meaning {
        case typedef(Int)
        case function(Int)
        case variable(Int)
        case constant(Int)
        case value(Int)
    }

    /// The meaning of a tag, the name after `struct`, `union` or `enum`.
    enum Tag {
        case record(Int)
        case enumeration(CEnumeration)
        /// An enum that is named but has no valid definition yet.
        case undefinedEnumeration
    }

    let target: CTarget
    var functions: [CFunction] = []
    var variables: [CVariable] = []
    var typedefs: [CTypedef] = []
    var constants: [CConstant] = []
    var namedValues: [CNamedValue] = []
    /// The length of all named texts in bytes.
    var textSize = 0
    var records: [(record: CRecord, definition: RecordDefinition?)] = []
    var enumerationCount = 0
    var meanings: [String: Meaning] = [:]
    var tags: [String: Tag] = [:]

    /// Returns the type with this name, or nil if the name does not refer to a type.
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

    /// Returns the struct or union with this tag, which is opaque until it is defined.
    ///
    /// - Returns: The record, or nil if the tag belongs to another kind of type.
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

    /// Returns whether the type is complete, so a field can have it.
    func isComplete(_ type: CType) -> Bool {
        switch type.kind {
        case .void, .function, .array(_, length: nil): false
        case .record(let record): definition(of: record) != nil
        case .unsupported(let type): !type.isUndefinedEnumeration
        case .scalar, .enumeration, .pointer, .array: true
        }
    }

    /// Returns the constant with this name.
    func constant(named name: String) -> CConstant? {
        guard case .constant(let index)? = meanings[name] else { return nil }
        return constants[index]
    }

    /// Returns the named text or floating-point number.
    func namedValue(_ name: String) -> CNamedValue.Value? {
        guard case .value(let index)? = meanings[name] else { return nil }
        return namedValues[index].value
    }

    /// Returns a description of a name's existing meaning for messages.
    func word(for meaning: Meaning) -> String {
        switch meaning {
        case .typedef(let index): "the typedef at \(typedefs[index].place)"
        case .function(let index): "the function at \(functions[index].place)"
        case .variable(let index): "the variable at \(variables[index].place)"
        case .constant(let index): "a constant (\(constants[index].value))"
        case .value: "a constant"
        }
    }
}
