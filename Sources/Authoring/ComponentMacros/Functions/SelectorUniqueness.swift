import SwiftSyntax

/// Rejects selectors with the same name, and selectors whose names differ only in case and are easily confused.
struct SelectorUniqueness {
    private var known: [(name: String, isStatic: Bool)] = []

    /// Adds the selector of a function.
    ///
    /// - Throws: `MacroDiagnostic` if an earlier selector of the same kind has the same name, ignoring case.
    mutating func add(_ function: FunctionShape) throws(MacroDiagnostic) {
        try add(function.selector, isStatic: function.isStatic, at: function.declaration.name)
    }

    /// Adds the selector of a row, with the same checks.
    mutating func add(_ row: RowShape) throws(MacroDiagnostic) {
        try add(row.name, isStatic: row.isStatic, at: row.syntax)
    }

    private mutating func add(
        _ name: String, isStatic: Bool, at syntax: some SyntaxProtocol
    ) throws(MacroDiagnostic) {
        for other in known where other.isStatic == isStatic {
            if other.name == name {
                throw MacroDiagnostic(
                    "duplicate selector \"\(name)\": callers find a selector by its name alone, so it can't be "
                        + "overloaded; rename one of the functions, or change its selector with @Selector(\"…\")",
                    at: syntax)
            }
            if other.name.lowercased() == name.lowercased() {
                throw MacroDiagnostic(
                    "the selectors \"\(other.name)\" and \"\(name)\" differ only in case: rename one of them",
                    at: syntax)
            }
        }
        known.append((name, isStatic))
    }
}
