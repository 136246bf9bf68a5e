import ManifestRules
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A protocol marked `@LinkService`.
struct ServiceShape {
    let module: String
    /// As in "com.example.account/1".
    let identifier: String
    /// The name of the protocol.
    let name: String
    let access: String
    let functions: [FunctionShape]
    /// The model that the service is made with; nil for one that is made without arguments.
    let arguments: TypeSyntax?
    private let summary: String?

    init(
        _ node: AttributeSyntax, _ declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws(MacroDiagnostic) {
        guard let declaration = declaration.as(ProtocolDeclSyntax.self) else {
            throw MacroDiagnostic("@LinkService belongs on a protocol: its functions are the service", at: node)
        }
        try context.requireStaticScope(of: declaration.name, macro: "LinkService")
        module = try context.moduleName(of: node)
        name = declaration.name.text
        access = declaration.modifiers.peerAccessWord
        summary = declaration.documentationSummary
        var given = MacroArguments(node)
        guard let first = given.takeUnlabelled() else {
            throw MacroDiagnostic(
                "a service has an identifier, as in @LinkService(\"com.example.account/1\")", at: node)
        }
        identifier = try MacroArguments.text(first) ?? ""
        try TextRule.service.check(identifier, of: "service", at: first)
        arguments = try given["arguments"].flatMap { (value) throws(MacroDiagnostic) in
            value.is(NilLiteralExprSyntax.self) ? nil : try MacroArguments.type(value)
        }
        try ServiceShape.checkInheritance(declaration)
        functions = try ServiceShape.functions(of: declaration)
    }

    /// The client is a value that several threads use, and has the functions of this protocol only.
    private static func checkInheritance(_ declaration: ProtocolDeclSyntax) throws(MacroDiagnostic) {
        if let generic = declaration.primaryAssociatedTypeClause {
            throw MacroDiagnostic(
                "a service has no associated types: callers have to know the types of its functions", at: generic)
        }
        let inherited = Array(declaration.inheritanceClause?.inheritedTypes ?? [])
        for type in inherited where !["Sendable", "Swift.Sendable"].contains(type.type.trimmedDescription) {
            throw MacroDiagnostic(
                "a service inherits from Sendable only: the macro doesn't see the functions of other protocols",
                at: type)
        }
        guard inherited.isEmpty else { return }
        let corrected = TokenSyntax.identifier("\(declaration.name.text): Sendable")
            .with(\.trailingTrivia, declaration.name.trailingTrivia)
        throw MacroDiagnostic(
            "a service is used from any thread: let the protocol inherit from Sendable", at: declaration.name,
            fixIts: [.replace("inherit from Sendable", declaration.name, with: corrected)])
    }

    private static func functions(of declaration: ProtocolDeclSyntax) throws(MacroDiagnostic) -> [FunctionShape] {
        var names = SelectorUniqueness()
        var functions: [FunctionShape] = []
        for member in declaration.memberBlock.members {
            guard let function = member.decl.as(FunctionDeclSyntax.self) else {
                throw MacroDiagnostic("a service has functions only: write this as a function", at: member.decl)
            }
            var shape = try FunctionShape(function)
            if let attribute = function.attributes.named("Selector") {
                shape = try FunctionShape(function, selector: attribute)
            }
            try check(shape)
            try names.add(shape)
            functions.append(shape)
        }
        return functions
    }

    private static func check(_ function: FunctionShape) throws(MacroDiagnostic) {
        let declaration = function.declaration
        if function.isStatic {
            throw MacroDiagnostic(
                "a service is an instance: take `static` away, or offer the function on a class of its own",
                at: declaration.modifiers)
        }
        if let type = function.thrownType, type.trimmedDescription != "any Error" {
            throw MacroDiagnostic(
                "the call itself may fail, with LinkError: write `throws`; errors that are models arrive as themselves",
                at: type,
                fixIts: [
                    .replace("throw any error", declaration.signature, with: declaration.signature.throwingAnything)
                ])
        }
        for parameter in function.parameters where parameter.type.kind == .closure && !parameter.isEscaping {
            throw MacroDiagnostic(
                "a closure is called from another component, also after the call: write @escaping",
                at: parameter.syntax.type,
                fixIts: [
                    .replace(
                        "add @escaping", parameter.syntax.type,
                        with: TypeSyntax("@escaping \(parameter.syntax.type.trimmed)"))
                ])
        }
        if function.isMainActor, !function.isAsync {
            throw MacroDiagnostic("callers wait for the main thread: write `async`", at: declaration.name)
        }
        guard !function.canThrow else { return }
        throw MacroDiagnostic(
            "the provider may be missing or fail: write `throws` after the parameters", at: declaration.name,
            fixIts: [.replace("let it throw", declaration.signature, with: declaration.signature.throwingAnything)])
    }

    var note: NoteValue {
        var members = NoteMembers()
        members.add("module", module)
        members.add("name", identifier)
        members.add("protocol", name)
        members.add("selectors", items: functions.map(\.note))
        members.add("arguments", arguments?.trimmedDescription)
        members.add("summary", summary)
        return members.value
    }
}

extension FunctionSignatureSyntax {
    /// The same signature with a plain `throws`.
    fileprivate var throwingAnything: FunctionSignatureSyntax {
        var signature = self
        var effects = effectSpecifiers ?? FunctionEffectSpecifiersSyntax()
        effects.throwsClause = ThrowsClauseSyntax(
            leadingTrivia: effectSpecifiers == nil && parameterClause.trailingTrivia.isEmpty ? .space : [],
            throwsSpecifier: .keyword(.throws), trailingTrivia: returnClause == nil ? [] : .space)
        if effects.asyncSpecifier != nil { effects.asyncSpecifier?.trailingTrivia = .space }
        signature.effectSpecifiers = effects
        return signature
    }
}
