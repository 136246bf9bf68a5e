import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What a macro refuses, in plain words, with what to do about it.
struct MacroDiagnostic: DiagnosticMessage, Error {
    let message: String
    /// Where the compiler shows the message. It takes the start of this node: a place inside a node gets lost.
    let node: Syntax
    /// What an editor offers to change.
    var fixIts: [FixIt] = []

    var severity: DiagnosticSeverity { .error }
    var diagnosticID: MessageID { MessageID(domain: "HSLink", id: "manifest") }

    init(_ message: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
        self.message = message
        self.node = Syntax(node)
        self.fixIts = fixIts
    }
}

/// The words on an editor's button.
struct FixItText: FixItMessage {
    let message: String
    var fixItID: MessageID { MessageID(domain: "HSLink", id: "fix") }
}

extension FixIt {
    /// Puts `new` in the place of `old`, which is part of the source that the macro was given.
    static func replace(_ message: String, _ old: some SyntaxProtocol, with new: some SyntaxProtocol) -> FixIt {
        FixIt(message: FixItText(message: message), changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }
}

extension MacroExpansionContext {
    /// What `expand` makes; where it refuses, the refusal is shown, and there is nothing.
    func reporting<Declaration>(
        _ expand: () throws(MacroDiagnostic) -> [Declaration]
    ) -> [Declaration] {
        do throws(MacroDiagnostic) {
            return try expand()
        } catch {
            diagnose(error)
            return []
        }
    }

    /// Shows `refusal` where it belongs.
    func diagnose(_ refusal: MacroDiagnostic) {
        diagnose(Diagnostic(node: refusal.node, message: refusal, fixIts: refusal.fixIts))
    }

    /// Refuses a use of `node` inside a type or a function: sections hold globals only.
    func requireFileScope(of node: some FreestandingMacroExpansionSyntax) throws(MacroDiagnostic) {
        guard !lexicalContext.isEmpty else { return }
        throw MacroDiagnostic(
            "#\(node.macroName.text) stands inside another declaration: move it to file scope, outside of every type and function",
            at: node)
    }

    /// The module that `node` is compiled into: the part of its `#fileID` before the first slash.
    func moduleName(of node: some SyntaxProtocol) throws(MacroDiagnostic) -> String {
        let fileID = location(of: node, at: .afterLeadingTrivia, filePathMode: .fileID)?.file
        let literal = fileID?.as(StringLiteralExprSyntax.self)
        guard let name = literal?.segments.description.split(separator: "/").first, !name.isEmpty else {
            throw MacroDiagnostic("the compiler does not tell which module this file belongs to", at: node)
        }
        return String(name)
    }
}
