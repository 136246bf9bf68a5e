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
            let abi = try LiteralText(argumentOf: node)
            guard isVersion(abi.bytes) else {
                throw MacroDiagnostic("expected an ABI version MAJOR.MINOR such as \"1.0\"", at: abi.literal)
            }
            let version = String(decoding: abi.bytes, as: UTF8.self)
            let text = "{\"abi\":\"\(version)\",\"compiler\":\"\(CompilerVersion.current)\"}"
            let note = NoteDeclaration(kind: .toolchain, text: Array(text.utf8))
            return [note.declaration(named: context.makeUniqueName("toolchain"))]
        }
    }

    /// Two numbers as hslink.h has them: HSLINK_ABI_MAJOR and HSLINK_ABI_MINOR.
    private static func isVersion(_ bytes: [UInt8]) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                UInt16(String(decoding: part, as: UTF8.self)).map { String($0).utf8.elementsEqual(part) } ?? false
            }
    }
}
