extension CDeclarations {
    /// Reads declarations.
    ///
    /// Never fails as a whole: what is wrong stands in ``diagnostics``, and the rest is there.
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
