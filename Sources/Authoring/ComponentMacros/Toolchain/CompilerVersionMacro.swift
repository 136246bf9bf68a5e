import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `#compilerVersion()`: the compiler's version as a string literal.
enum CompilerVersionMacro: ExpressionMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        "\"\(raw: CompilerVersion.current)\""
    }
}
