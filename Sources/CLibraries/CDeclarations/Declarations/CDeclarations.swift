/// The functions, variables, types and constants of a text of C declarations, and the errors found in the text.
///
/// The value is self-contained: keep it as long as you like and read it on any thread.
package struct CDeclarations: Sendable {
    /// The machine for which sizes and offsets are computed.
    package let target: CTarget
    /// The declared functions, in the order of their first declarations.
    package let functions: [CFunction]
    /// The declared variables, with or without `extern`.
    package let variables: [CVariable]
    /// The typedefs in the text. Predeclared names such as `uint8_t` and `size_t` are not included.
    package let typedefs: [CTypedef]
    /// The constants of all `enum` declarations, `#define` directives and `static const` integers, in order.
    package let constants: [CConstant]
    /// The texts and floating-point numbers of `#define` directives, in order.
    package let namedValues: [CNamedValue]
    /// Every struct and union that the text names or defines. The definition is nil if the text only names it.
    package let records: [(record: CRecord, definition: RecordDefinition?)]
    /// The first 100 errors, in order. Declarations with errors are left out.
    package let diagnostics: [CDiagnostic]

    private let functionPlaces: [String: Int]
    private let typedefPlaces: [String: Int]
    private let tags: [String: CType]

    /// Returns the function with this name.
    package func function(named name: String) -> CFunction? { functionPlaces[name].map { functions[$0] } }

    /// Returns the type with a name as written in a declaration: `z_stream`, `struct tm`, `union data`, `enum color`.
    package func type(named name: String) -> CType? {
        tags[name] ?? typedefPlaces[name].map { typedefs[$0].type }
    }

    /// Returns the definition of a struct or union, or nil if it is opaque.
    package func definition(of record: CRecord) -> RecordDefinition? {
        records.indices.contains(record.index) ? records[record.index].definition : nil
    }

    /// Returns the size and alignment of a value of a type.
    ///
    /// - Throws: `CObstacle` with the reason if the type has no known layout: `void`, a function, an opaque struct, an
    ///   array without a length, or a struct with bit-fields.
    package func layout(of type: CType) throws(CObstacle) -> CLayout {
        try LayoutRules.layout(of: type) { definition(of: $0) }
    }
}

extension CDeclarations {
    /// Parses declarations.
    ///
    /// Parsing never fails as a whole: ``diagnostics`` contains the errors, and all other declarations are usable.
    ///
    /// - Parameters:
    ///   - sources: The texts, which are parsed in order and share one scope. A declaration can't continue in the next
    ///     text.
    ///   - target: The machine for which sizes and offsets are computed.
    ///   - undefined: Says why a type that the sources only name can't be passed; nil for "struct tm is not defined".
    package init(
        parsing sources: [CSource], target: CTarget = .current, undefined: ((_ name: String) -> String)? = nil
    ) {
        var parser = Parser(target: target)
        for source in sources { parser.parse(source) }
        self.init(parser, undefined)
    }

    /// Parses a single text.
    package init(parsing text: String, name: String = "declarations", target: CTarget = .current) {
        self.init(parsing: [CSource(name: name, text: text)], target: target)
    }

    private init(_ parser: Parser, _ undefined: ((String) -> String)?) {
        let scope = parser.scope
        target = scope.target
        variables = scope.variables
        typedefs = scope.typedefs
        constants = scope.constants
        namedValues = scope.namedValues
        records = scope.records
        diagnostics = parser.diagnostics
        // A struct may be defined after a function that uses it, so functions are checked last.
        var checker = PassingChecker { scope.definition(of: $0) }
        if let undefined { checker.undefined = undefined }
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
    /// Returns the type of a predeclared name such as `uint8_t`, `size_t` or `FILE`, or nil for any other name.
    package static func wellKnownType(named name: String, target: CTarget = .current) -> CType? {
        var scope = Scope(target: target)
        return WellKnownNames.type(named: name, in: &scope)
    }

    /// Returns whether a word is a keyword, and so can't be used as a name.
    package static func isKeyword(_ word: String) -> Bool { Keyword.spellings[word] != nil }
}

/// A text of C declarations.
package struct CSource: Sendable {
    /// The name of the text in messages, such as "declarations[2]".
    package let name: String
    /// The text in UTF-8. Invalid bytes are reported as errors at their positions.
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
