import SwiftSyntax
import SwiftSyntaxMacros

/// `#manifest("""{…}""")`: the manifest's note, and a record for the component and each of its link classes.
enum ManifestMacro: DeclarationMacro {
    /// The expansion is laid out already, and laying out thousands of words again takes time.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        context.reporting { () throws(MacroDiagnostic) in
            try context.requireFileScope(of: node)
            let module = try context.moduleName(of: node)
            let text = try LiteralText(argumentOf: node)
            let (json, minified) = try read(text)
            switch ManifestChecker.check(json) {
            case .failure(let problems):
                for problem in problems.list {
                    context.diagnose(MacroDiagnostic(problem.message, at: text.syntax(at: problem.offset)))
                }
                return []
            case .success(let manifest):
                let note = try note(minified, module: module, at: text.literal)
                let component = RecordDeclaration.component(manifest, module: module)
                let classes = manifest.classes.map { RecordDeclaration.linkClass($0, module: module) }
                let records = ([component] + classes).map { record in
                    record.declaration(named: context.makeUniqueName("record")).with(\.leadingTrivia, .newline)
                }
                return [note.declaration(named: context.makeUniqueName("manifest"))] + records
            }
        }
    }

    private static func read(
        _ text: LiteralText
    ) throws(MacroDiagnostic) -> (value: JSONValue, minified: [UInt8]) {
        do throws(JSONError) {
            return try JSONReader.read(text.bytes)
        } catch {
            throw MacroDiagnostic(
                "invalid JSON at \(text.place(of: error.offset)) of the text: \(error.message)",
                at: text.syntax(at: error.offset))
        }
    }

    /// The note: the author's text without its spaces, and the module that the manifest stands in as first key.
    private static func note(
        _ minified: [UInt8], module: String, at literal: StringLiteralExprSyntax
    ) throws(MacroDiagnostic) -> NoteDeclaration {
        let content = Array("{\"module\":\"\(module)\",".utf8) + minified.dropFirst()
        guard content.count <= NoteDeclaration.maximumLength else {
            throw MacroDiagnostic(
                "the manifest takes \(content.count) bytes without its spaces, a note holds \(NoteDeclaration.maximumLength): "
                    + "shorten its summaries, or split the component",
                at: literal)
        }
        return NoteDeclaration(kind: .component, text: content)
    }
}
