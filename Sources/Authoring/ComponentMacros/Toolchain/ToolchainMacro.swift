import SwiftSyntax
import SwiftSyntaxMacros

/// `#toolchain(abi: "1.0")`: generates a note with a file's ABI version and compiler. Hosts read the note before they
/// run any code from the file.
enum ToolchainMacro: DeclarationMacro {
    /// The expansion is already formatted.
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
                    "expected an ABI version in the form MAJOR.MINOR, such as \"1.0\"",
                    at: argument.map { Syntax($0) } ?? Syntax(node))
            }
            let text = "{\"abi\":\"\(version)\",\"compiler\":\"\(CompilerVersion.current)\"}"
            let note = NoteDeclaration(kind: .toolchain, text: Array(text.utf8))
            return [note.declaration(named: context.makeUniqueName("toolchain"))]
        }
    }

    /// Returns whether `text` has the form MAJOR.MINOR; hslink.h defines both numbers as HSLINK_ABI_MAJOR and
    /// HSLINK_ABI_MINOR.
    private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                UInt16(part).map { String($0) == part } ?? false
            }
    }
}
