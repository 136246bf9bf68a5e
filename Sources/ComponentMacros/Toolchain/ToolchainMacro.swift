import SwiftSyntax
import SwiftSyntaxMacros

/// `#toolchain(abi: "1.0")`: a note that tells hosts what a file was built with, before they run any of it.
enum ToolchainMacro: DeclarationMacro {
    /// The expansion is laid out already, and laying out thousands of words again takes time.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        context.reporting { () throws(MacroDiagnostic) in
            try context.requireFileScope(of: node)
            let argument = node.arguments.first?.expression
            let version =
                try argument.flatMap { (value) throws(MacroDiagnostic) in try MacroArguments.text(value) } ?? ""
            guard isVersion(version) else {
                throw MacroDiagnostic(
                    "expected an ABI version MAJOR.MINOR such as \"1.0\"",
                    at: argument.map { Syntax($0) } ?? Syntax(node))
            }
            let text = "{\"abi\":\"\(version)\",\"compiler\":\"\(CompilerVersion.current)\"}"
            let note = NoteDeclaration(kind: .toolchain, text: Array(text.utf8))
            return [note.declaration(named: context.makeUniqueName("toolchain"))]
        }
    }

    /// Two numbers as hslink.h has them: HSLINK_ABI_MAJOR and HSLINK_ABI_MINOR.
    private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                UInt16(part).map { String($0) == part } ?? false
            }
    }
}
