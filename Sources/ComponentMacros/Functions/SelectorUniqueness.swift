import SwiftSyntax

/// Finds selectors that callers, or a case-insensitive eye, would mix up.
struct SelectorUniqueness {
    private var known: [(name: String, isStatic: Bool)] = []

    /// - Throws: when a function before has the same name and kind, or one that differs by case.
    mutating func add(_ function: FunctionShape) throws(MacroDiagnostic) {
        try add(function.selector, isStatic: function.isStatic, at: function.declaration.name)
    }

    /// The same for a row.
    mutating func add(_ row: RowShape) throws(MacroDiagnostic) {
        try add(row.name, isStatic: row.isStatic, at: row.syntax)
    }

    private mutating func add(
        _ name: String, isStatic: Bool, at syntax: some SyntaxProtocol
    ) throws(MacroDiagnostic) {
        for other in known where other.isStatic == isStatic {
            if other.name == name {
                throw MacroDiagnostic(
                    "there is a selector \"\(name)\" already: a selector is found by its name alone, so it can't be "
                        + "overloaded; rename one of the functions, or give one another name by @Selector(\"…\")",
                    at: syntax)
            }
            if other.name.lowercased() == name.lowercased() {
                throw MacroDiagnostic(
                    "the selectors \"\(other.name)\" and \"\(name)\" differ by case only: rename one of them",
                    at: syntax)
            }
        }
        known.append((name, isStatic))
    }
}
