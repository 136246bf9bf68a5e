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

    /// The names of the types around a declaration, outermost first, joined by dots and with a dot behind; "" at
    /// file scope.
    func outerTypeNames() -> String {
        let names = lexicalContext.reversed().compactMap { node -> String? in
            node.asProtocol((any NamedDeclSyntax).self)?.name.text
                ?? node.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
        }
        return names.map { $0 + "." }.joined()
    }

    /// Refuses a type that stands in a function, or in a generic type: what is written into the file has to be
    /// a global constant.
    func requireStaticScope(of declaration: some SyntaxProtocol, macro: String) throws(MacroDiagnostic) {
        for outer in lexicalContext {
            if outer.is(FunctionDeclSyntax.self) || outer.is(ClosureExprSyntax.self)
                || outer.is(AccessorDeclSyntax.self) || outer.is(InitializerDeclSyntax.self)
            {
                throw MacroDiagnostic(
                    "@\(macro) can't describe a type that stands in a function: move it out of the function",
                    at: declaration)
            }
            if let generic = outer.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause {
                _ = generic
                throw MacroDiagnostic(
                    "@\(macro) can't describe a type that stands in a generic one: move it out of the generic type",
                    at: declaration)
            }
        }
    }
}
