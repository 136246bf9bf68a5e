import SwiftSyntax
import SwiftSyntaxMacros

/// `#toolchain(abi: "1.0")`: generates a note with the ABI and the compiler of a file, which hosts read before they run
/// any of its code.
enum ToolchainMacro: DeclarationMacro {
    /// The expansion is already formatted. Formatting thousands of words again takes time.
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

    /// Returns whether `text` has the form MAJOR.MINOR, as HSLINK_ABI_MAJOR and HSLINK_ABI_MINOR in hslink.h.
    private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                UInt16(part).map { String($0) == part } ?? false
            }
    }
}
