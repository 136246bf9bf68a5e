/// What a text of C declarations says: functions, types, constants, and what was wrong in it.
///
/// A value that may be kept and read on any thread. It refers to nothing else.
package struct CDeclarations: Sendable {
    /// What sizes and offsets are for.
    package let target: CTarget
    /// In the order of their first declaration.
    package let functions: [CFunction]
    /// Declared with `extern` or without.
    package let variables: [CVariable]
    /// Those of the text; what every text may use (`uint8_t`, `size_t`) is not among them.
    package let typedefs: [CTypedef]
    /// Of all `enum` and `#define`, in order.
    package let constants: [CConstant]
    /// Every struct and union that was named or defined; nil for one that was not defined.
    package let records: [(record: CRecord, definition: RecordDefinition?)]
    /// What was wrong, in order, the first 100. What it stands in is left out of the rest.
    package let diagnostics: [CDiagnostic]

    let functionPlaces: [String: Int]
    let typedefPlaces: [String: Int]
    let tags: [String: CType]

    /// The function of a name.
    package func function(named name: String) -> CFunction? { functionPlaces[name].map { functions[$0] } }

    /// The type of a name as a declaration would write it: `z_stream`, `struct tm`, `union data`, `enum color`.
    package func type(named name: String) -> CType? {
        tags[name] ?? typedefPlaces[name].map { typedefs[$0].type }
    }

    /// What is in a struct or union.
    ///
    /// - Returns: nil for an opaque one.
    package func definition(of record: CRecord) -> RecordDefinition? {
        records.indices.contains(record.index) ? records[record.index].definition : nil
    }
}

extension CDeclarations {
    /// Why a function of a type can't be called, or no closure stand for one; nil when it can.
    package func obstacle(to function: CFunctionType) -> CObstacle? {
        PassingChecker { definition(of: $0) }.obstacle(to: function)
    }

    /// Why no value of a type can be passed; nil when it can.
    package func obstacle(toValueOf type: CType) -> CObstacle? {
        PassingChecker { definition(of: $0) }.obstacle(toValueOf: type)
    }
}
