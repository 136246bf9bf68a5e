extension CDeclarations {
    /// Reads declarations.
    ///
    /// Never fails as a whole: what is wrong stands in ``diagnostics``, and the rest is there.
    ///
    /// - Parameters:
    ///   - sources: read one after the other in one scope.
    ///   - target: the machine that sizes and offsets are for.
    package init(parsing sources: [CSource], target: CTarget = .current) {
        self.target = target
        functions = []
        variables = []
        typedefs = []
        constants = []
        records = []
        diagnostics = []
        functionPlaces = [:]
        typedefPlaces = [:]
        tags = [:]
    }

    /// Reads one text.
    package init(parsing text: String, name: String = "declarations", target: CTarget = .current) {
        self.init(parsing: [CSource(name: name, text: text)], target: target)
    }
}
