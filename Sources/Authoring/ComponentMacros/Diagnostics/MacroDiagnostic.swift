import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// An error or a warning that a macro reports to the author: what is wrong and how to fix it.
struct MacroDiagnostic: DiagnosticMessage, Error {
    let message: String
    /// The node at whose start the compiler shows the message. The compiler ignores positions inside a node.
    let node: Syntax
    /// The changes that an editor offers.
    var fixIts: [FixIt] = []

    private(set) var severity = DiagnosticSeverity.error
    var diagnosticID: MessageID { MessageID(domain: "HSLink", id: "manifest") }

    init(_ message: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
        self.message = message
        self.node = Syntax(node)
        self.fixIts = fixIts
    }

    /// Returns a warning: what is probably not meant.
    static func warning(_ message: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []) -> MacroDiagnostic {
        var diagnostic = MacroDiagnostic(message, at: node, fixIts: fixIts)
        diagnostic.severity = .warning
        return diagnostic
    }
}

/// The label that an editor shows for a fix-it.
struct FixItText: FixItMessage {
    let message: String
    var fixItID: MessageID { MessageID(domain: "HSLink", id: "fix") }
}

extension FixIt {
    /// Replaces `old`, which must be part of the source that the macro received, with `new`.
    static func replace(_ message: String, _ old: some SyntaxProtocol, with new: some SyntaxProtocol) -> FixIt {
        FixIt(message: FixItText(message: message), changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }
}

extension MacroExpansionContext {
    /// Returns the result of `expand`. If `expand` throws, reports the diagnostic and returns no declarations.
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

    /// Reports `refusal` at its node.
    func diagnose(_ refusal: MacroDiagnostic) {
        diagnose(Diagnostic(node: refusal.node, message: refusal, fixIts: refusal.fixIts))
    }

    /// Rejects `node` inside a type or a function, because the generated constant must be a global.
    func requireFileScope(of node: some FreestandingMacroExpansionSyntax) throws(MacroDiagnostic) {
        guard !lexicalContext.isEmpty else { return }
        throw MacroDiagnostic(
            "#\(node.macroName.text) can only be used at file scope: move it out of all types and functions", at: node)
    }

    /// Returns the module that `node` is compiled into: the part of its `#fileID` before the first slash.
    func moduleName(of node: some SyntaxProtocol) throws(MacroDiagnostic) -> String {
        let fileID = location(of: node, at: .afterLeadingTrivia, filePathMode: .fileID)?.file
        let literal = fileID?.as(StringLiteralExprSyntax.self)
        guard let name = literal?.segments.description.split(separator: "/").first, !name.isEmpty else {
            throw MacroDiagnostic("unknown module: the compiler did not report a #fileID for this file", at: node)
        }
        return String(name)
    }
}
