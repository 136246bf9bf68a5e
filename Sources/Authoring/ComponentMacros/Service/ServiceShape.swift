import ManifestRules
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A protocol marked `@LinkService`.
struct ServiceShape {
    let module: String
    /// The identifier of the service, such as "com.example.account/1".
    let identifier: String
    /// The name of the protocol.
    let name: String
    let access: String
    let functions: [FunctionShape]
    /// The type of the arguments that instances are created with; nil if there are none.
    let arguments: TypeSyntax?
    /// Whether callers call the functions on the class.
    let isOfClass: Bool
    private let summary: String?

    init(
        _ node: AttributeSyntax, _ declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws(MacroDiagnostic) {
        guard let declaration = declaration.as(ProtocolDeclSyntax.self) else {
            throw MacroDiagnostic("@LinkService can only be attached to a protocol", at: node)
        }
        try context.requireStaticScope(of: declaration.name, macro: "LinkService")
        module = try context.moduleName(of: node)
        name = declaration.name.text
        access = declaration.modifiers.peerAccessWord
        summary = declaration.documentationSummary
        var given = MacroArguments(node)
        guard let first = given.takeUnlabelled() else {
            throw MacroDiagnostic(
                "a service needs an identifier, as in @LinkService(\"com.example.account/1\")", at: node)
        }
        identifier = try MacroArguments.text(first) ?? ""
        try TextRule.service.check(identifier, of: "service", at: first)
        arguments = try given["arguments"].flatMap { (value) throws(MacroDiagnostic) in
            value.is(NilLiteralExprSyntax.self) ? nil : try MacroArguments.type(value)
        }
        try ServiceShape.checkInheritance(declaration)
        isOfClass = try given.member(labelled: "kind", of: ["object", "class"]) == "class"
        if isOfClass, arguments != nil, let written = given["arguments"] {
            throw MacroDiagnostic(
                "a service of class methods has no instances that could be made with arguments: remove one of both",
                at: written)
        }
        functions = try ServiceShape.functions(of: declaration, areOfClass: isOfClass)
    }

    /// Checks that the protocol inherits from `Sendable` and from nothing else: several threads use the client, and the
    /// macro generates only the functions of this protocol.
    private static func checkInheritance(_ declaration: ProtocolDeclSyntax) throws(MacroDiagnostic) {
        if let generic = declaration.primaryAssociatedTypeClause {
            throw MacroDiagnostic(
                "a service can't have associated types: callers need to know the types of its functions", at: generic)
        }
        let inherited = Array(declaration.inheritanceClause?.inheritedTypes ?? [])
        for type in inherited where !["Sendable", "Swift.Sendable"].contains(type.type.trimmedDescription) {
            throw MacroDiagnostic(
                "a service can inherit only from Sendable: the macro can't see the functions of other protocols",
                at: type)
        }
        guard inherited.isEmpty else { return }
        let corrected = TokenSyntax.identifier("\(declaration.name.text): Sendable")
            .with(\.trailingTrivia, declaration.name.trailingTrivia)
        throw MacroDiagnostic(
            "a service is used from any thread: make the protocol inherit from Sendable", at: declaration.name,
            fixIts: [.replace("inherit from Sendable", declaration.name, with: corrected)])
    }

    private static func functions(
        of declaration: ProtocolDeclSyntax, areOfClass: Bool
    ) throws(MacroDiagnostic) -> [FunctionShape] {
        var names = SelectorUniqueness()
        var routes = RouteUniqueness()
        var functions: [FunctionShape] = []
        for member in declaration.memberBlock.members {
            guard let function = member.decl.as(FunctionDeclSyntax.self) else {
                throw MacroDiagnostic("a service can only have functions: make this a function", at: member.decl)
            }
            var shape = try FunctionShape(marked: function)
            try check(shape)
            shape.isClassMethod = areOfClass
            try names.add(shape)
            try routes.add(shape)
            functions.append(shape)
        }
        return functions
    }

    private static func check(_ function: FunctionShape) throws(MacroDiagnostic) {
        let declaration = function.declaration
        try function.checkQuick()
        for parameter in function.parameters {
            guard let value = parameter.syntax.defaultValue else { continue }
            let name = declaration.name.text
            throw MacroDiagnostic(
                "a protocol can't have default values: remove this one, and write a function without "
                    + "\(parameter.key.quoted) in an extension of the protocol, which calls \(name) with it",
                at: value)
        }
        if function.isStatic {
            throw MacroDiagnostic(
                "a service is called on an instance: remove `static`, or mark the protocol with kind: .class",
                at: declaration.modifiers)
        }
        if let type = function.thrownType, type.trimmedDescription != "any Error" {
            throw MacroDiagnostic(
                "the call itself may fail with LinkError: write `throws`; errors marked @Model keep their type",
                at: type,
                fixIts: [
                    .replace("throw any error", declaration.signature, with: declaration.signature.throwingAnything)
                ])
        }
        for parameter in function.parameters where parameter.type.kind == .closure && !parameter.isEscaping {
            throw MacroDiagnostic(
                "another component may call the closure after the function has returned: write @escaping",
                at: parameter.syntax.type,
                fixIts: [
                    .replace(
                        "add @escaping", parameter.syntax.type,
                        with: TypeSyntax("@escaping \(parameter.syntax.type.trimmed)"))
                ])
        }
        if function.isMainActor, !function.isAsync {
            throw MacroDiagnostic("callers wait for the main thread: make this function `async`", at: declaration.name)
        }
        guard !function.canThrow else { return }
        throw MacroDiagnostic(
            "the provider may be missing or fail: add `throws` after the parameters", at: declaration.name,
            fixIts: [.replace("add `throws`", declaration.signature, with: declaration.signature.throwingAnything)])
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

    private var making: String { "\(name)Making" }

    /// The source of the method table for any class that provides the service.
    func tableSource(_ lines: AuthorLines) -> String {
        let rows = functions.map { MethodRow(function: $0, target: "_Provider", lines: lines).source }
        let make = arguments.map { arguments in
            """
            _rows.append(.__makerMethod { _context, _payload in
                try _Provider(_context, with: _payload.value(as: (\(arguments.trimmedDescription)).self))
            })
            """
        }
        let requirement = arguments == nil ? name : making
        let body =
            ["\(rows.isEmpty && make == nil ? "let" : "var") _rows: [ComponentKit.LinkMethod<_Provider>] = []"]
            + rows + [make].compactMap { $0 } + ["return _rows"]
        return """
            /// The rows of ``\(name)`` in the method table of a class that provides it.
            \(access)enum \(name)Table<_Provider: \(requirement) & ComponentKit.LinkClass> {
                /// One row for each function of the protocol.
                \(access)static var methods: [ComponentKit.LinkMethod<_Provider>] {
            \(body.joined(separator: "\n").indented(by: 8))
                }
            }
            """
    }

    /// The source of the protocol for providers that are created with arguments; nil for a service without arguments.
    var makingSource: String? {
        arguments.map { arguments in
            """
            /// A provider of ``\(name)`` that is created with arguments.
            \(access)protocol \(making): \(name) {
                /// Creates an instance for one consumer.
                init(_ context: ComponentKit.ComponentContext, with arguments: \(arguments.trimmedDescription)) throws
            }
            """
        }
    }
}

extension FunctionSignatureSyntax {
    /// The signature with an untyped `throws`.
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
