import SwiftSyntax

/// Finds selectors that callers, or a case-insensitive eye, would mix up.
struct SelectorUniqueness {
    private var known: [(name: String, isStatic: Bool)] = []

    /// - Throws: when a function before has the same name and kind, or one that differs by case.
    mutating func add(_ function: FunctionShape) throws(MacroDiagnostic) {
        let name = function.selector
        for other in known where other.isStatic == function.isStatic {
            if other.name == name {
                throw MacroDiagnostic(
                    "there is a selector \"\(name)\" already: a selector is found by its name alone, so it can't be "
                        + "overloaded; rename one of the functions, or give one another name by @Selector(\"…\")",
                    at: function.declaration.name)
            }
            if other.name.lowercased() == name.lowercased() {
                throw MacroDiagnostic(
                    "the selectors \"\(other.name)\" and \"\(name)\" differ by case only: rename one of them",
                    at: function.declaration.name)
            }
        }
        known.append((name, function.isStatic))
    }
}
