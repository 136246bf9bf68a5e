/// The functions, types and constants that a text of C declarations declares, and the errors in it.
///
/// A value of its own: it may be kept, and read on any thread.
package struct CDeclarations: Sendable {
    /// The machine that sizes and offsets are for.
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
    /// The first 100 errors, in order. A declaration with an error is left out.
    package let diagnostics: [CDiagnostic]

    private let functionPlaces: [String: Int]
    private let typedefPlaces: [String: Int]
    private let tags: [String: CType]

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

    /// Size and alignment of a value of a type.
    ///
    /// - Throws: why there is none: `void`, a function, an opaque struct, an array without a length, a struct with
    ///   bit-fields.
    package func layout(of type: CType) throws(CObstacle) -> CLayout {
        try LayoutRules.layout(of: type) { definition(of: $0) }
    }
}

extension CDeclarations {
    /// Reads declarations.
    ///
    /// Never fails as a whole: errors are in ``diagnostics``, and the rest is usable.
    ///
    /// - Parameters:
    ///   - sources: read one after the other in one scope; none begins within what another left open.
    ///   - target: the machine that sizes and offsets are for.
    package init(parsing sources: [CSource], target: CTarget = .current) {
        var parser = Parser(target: target)
        for source in sources { parser.parse(source) }
        self.init(parser)
    }

    /// Reads one text.
    package init(parsing text: String, name: String = "declarations", target: CTarget = .current) {
        self.init(parsing: [CSource(name: name, text: text)], target: target)
    }

    private init(_ parser: Parser) {
        let scope = parser.scope
        target = scope.target
        variables = scope.variables
        typedefs = scope.typedefs
        constants = scope.constants
        records = scope.records
        diagnostics = parser.diagnostics
        // A struct may be defined after the function that takes it.
        let checker = PassingChecker { scope.definition(of: $0) }
        functions = scope.functions.map { function in
            function.obstacle == nil ? function.with(checker.obstacle(to: function.type)) : function
        }
        functionPlaces = Dictionary(
            functions.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
        typedefPlaces = Dictionary(
            typedefs.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
        var tags: [String: CType] = [:]
        for tag in scope.tags.values {
            switch tag {
            case .record(let index):
                let record = scope.records[index].record
                tags[record.name] = CType(.record(record))
            case .enumeration(let enumeration): tags[enumeration.name] = CType(.enumeration(enumeration))
            case .undefinedEnumeration: break
            }
        }
        self.tags = tags
    }
}

extension CDeclarations {
    /// The type of a name that every text may use without declaring it, as `uint8_t`, `size_t` or `FILE`.
    ///
    /// - Returns: nil for any other name.
    package static func wellKnownType(named name: String, target: CTarget = .current) -> CType? {
        var scope = Scope(target: target)
        return WellKnownNames.type(named: name, in: &scope)
    }

    /// Whether a word is a keyword in declarations, and so cannot be a name.
    package static func isKeyword(_ word: String) -> Bool { Keyword.spellings[word] != nil }
}

/// A text with declarations.
package struct CSource: Sendable {
    /// For messages, as in "declarations[2]".
    package let name: String
    /// UTF-8; bytes that are not UTF-8 are an error at their place.
    package let bytes: [UInt8]

    package init(name: String, text: String) {
        self.name = name
        bytes = Array(text.utf8)
    }

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
