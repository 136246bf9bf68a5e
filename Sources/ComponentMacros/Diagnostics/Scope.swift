import SwiftSyntax
import SwiftSyntaxMacros

extension MacroExpansionContext {
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
            if outer.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil {
                throw MacroDiagnostic(
                    "@\(macro) can't describe a type that stands in a generic one: move it out of the generic type",
                    at: declaration)
            }
        }
    }
}

extension MacroExpansionContext {
    /// Refuses a private type inside another: what is generated beside it could not name it.
    func requireVisible(_ declaration: some DeclGroupSyntax, macro: String) throws(MacroDiagnostic) {
        guard !lexicalContext.isEmpty,
            let modifier = declaration.modifiers.first(where: { $0.name.tokenKind == .keyword(.private) })
        else { return }
        throw MacroDiagnostic(
            "@\(macro) writes an extension, which can't see a private type inside another: make it fileprivate",
            at: modifier,
            fixIts: [
                .replace(
                    "make it fileprivate", modifier.name, with: modifier.name.with(\.tokenKind, .keyword(.fileprivate)))
            ])
    }
}

extension DeclGroupSyntax {
    /// Refuses members of a kind inside `#if`: a macro does not know which branch counts.
    ///
    /// - Parameters:
    ///   - words: the source of such members holds one of these.
    ///   - what: these members, in words.
    func refuseConditional(_ words: [String], _ what: String) throws(MacroDiagnostic) {
        for member in memberBlock.members {
            guard let condition = member.decl.as(IfConfigDeclSyntax.self),
                words.contains(where: condition.trimmedDescription.contains)
            else { continue }
            throw MacroDiagnostic(
                "\(what) can't stand inside #if, since the macro does not know which branch counts: put the #if around "
                    + "the whole type, or inside of functions",
                at: condition)
        }
    }
}
