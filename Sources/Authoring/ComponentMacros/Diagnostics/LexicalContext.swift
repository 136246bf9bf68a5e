import SwiftSyntax
import SwiftSyntaxMacros

extension MacroExpansionContext {
    /// Returns the names of the enclosing types, outermost first, each followed by a dot; "" at file scope.
    func outerTypeNames() -> String {
        let names = lexicalContext.reversed().compactMap { node -> String? in
            node.asProtocol((any NamedDeclSyntax).self)?.name.text
                ?? node.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
        }
        return names.map { $0 + "." }.joined()
    }

    /// Rejects a type inside a function or a generic type: the note must be a constant with static storage.
    func requireStaticScope(of declaration: some SyntaxProtocol, macro: String) throws(MacroDiagnostic) {
        for outer in lexicalContext {
            if outer.is(FunctionDeclSyntax.self) || outer.is(ClosureExprSyntax.self)
                || outer.is(AccessorDeclSyntax.self) || outer.is(InitializerDeclSyntax.self)
            {
                throw MacroDiagnostic(
                    "@\(macro) can't be used on a type inside a function: move the type out of the function",
                    at: declaration)
            }
            if outer.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil {
                throw MacroDiagnostic(
                    "@\(macro) can't be used on a type inside a generic type: move it out of the generic type",
                    at: declaration)
            }
        }
    }
}

extension MacroExpansionContext {
    /// Rejects a private nested type, because the generated extension could not access it.
    func requireVisible(_ declaration: some DeclGroupSyntax, macro: String) throws(MacroDiagnostic) {
        guard !lexicalContext.isEmpty,
            let modifier = declaration.modifiers.first(where: { $0.name.tokenKind == .keyword(.private) })
        else { return }
        throw MacroDiagnostic(
            "@\(macro) generates an extension, which can't access a private nested type: make the type fileprivate",
            at: modifier,
            fixIts: [
                .replace(
                    "make it fileprivate", modifier.name, with: modifier.name.with(\.tokenKind, .keyword(.fileprivate)))
            ])
    }
}

extension DeclGroupSyntax {
    /// Rejects certain members inside `#if`, because a macro can't tell which branch is active.
    ///
    /// - Parameters:
    ///   - words: Source fragments that identify such members.
    ///   - what: The plural noun for these members in the diagnostic.
    func refuseConditional(_ words: [String], _ what: String) throws(MacroDiagnostic) {
        for member in memberBlock.members {
            guard let condition = member.decl.as(IfConfigDeclSyntax.self),
                words.contains(where: condition.trimmedDescription.contains)
            else { continue }
            throw MacroDiagnostic(
                "\(what) can't be declared inside #if, because the macro can't tell which branch is active: put the "
                    + "#if around the whole type, or inside functions",
                at: condition)
        }
    }
}
