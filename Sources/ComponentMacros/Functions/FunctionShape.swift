import SwiftSyntax
import SwiftSyntaxBuilder

/// A function that is called by name, as a macro sees it.
struct FunctionShape {
    let declaration: FunctionDeclSyntax
    /// The name of the selector.
    var selector: String
    let parameters: [ParameterShape]
    /// The type of what it returns; nil for nothing.
    let result: ValueType?
    let isStatic: Bool
    let isMainActor: Bool
    /// Whether it runs outside of the actor that it belongs to.
    let isNonisolated: Bool
    /// Whether it belongs to an actor.
    var isOnActor = false
    /// It never blocks: asynchronous callers may run it in place.
    var isQuick = false
    private let effects: FunctionEffectSpecifiersSyntax?

    init(_ declaration: FunctionDeclSyntax) throws(MacroDiagnostic) {
        self.declaration = declaration
        selector = declaration.name.text.withoutBackticks
        if let generic = declaration.genericParameterClause {
            throw MacroDiagnostic(
                "a generic function can't be called by name: write it for the types that callers use", at: generic)
        }
        guard case .identifier = declaration.name.tokenKind else {
            throw MacroDiagnostic("an operator can't be called by name: give the function a name", at: declaration.name)
        }
        var parameters: [ParameterShape] = []
        for parameter in declaration.signature.parameterClause.parameters {
            let shape = try ParameterShape(parameter)
            if parameters.contains(where: { $0.key == shape.key }) {
                throw MacroDiagnostic(
                    "two parameters have the key \"\(shape.key)\": give one of them another label", at: parameter)
            }
            parameters.append(shape)
        }
        self.parameters = parameters
        let type = declaration.signature.returnClause?.type
        result = if let type, !type.isVoid { try ValueType(result: type) } else { nil }
        isStatic = declaration.modifiers.contains {
            $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
        }
        isMainActor = declaration.attributes.named("MainActor") != nil
        isNonisolated = declaration.modifiers.contains { $0.name.tokenKind == .keyword(.nonisolated) }
        effects = declaration.signature.effectSpecifiers
    }

    /// Whether a call goes to an actor first, which takes `await`.
    var hops: Bool { isOnActor && !isStatic && !isNonisolated && !isMainActor }
    var isAsync: Bool { effects?.asyncSpecifier != nil }
    var canThrow: Bool { effects?.throwsClause != nil }
    /// The type of `throws(E)`.
    var thrownType: TypeSyntax? { effects?.throwsClause?.type }

    /// What the manifest says about it.
    var note: NoteValue {
        var members = NoteMembers()
        members.add("name", selector)
        if isStatic { members.add("kind", "class") }
        members.add("parameters", members: parameters.map(\.note))
        members.add("result", result?.written)
        members.add("async", flag: isAsync || isMainActor || hops)
        members.add("quick", flag: isQuick)
        members.add("mainActor", flag: isMainActor)
        members.add("summary", declaration.documentationSummary)
        return members.value
    }
}

extension ValueType {
    /// The type of a result, where closures have no place.
    init(result type: TypeSyntax) throws(MacroDiagnostic) {
        let opaque = type.as(SomeOrAnyTypeSyntax.self)
        guard opaque?.someOrAnySpecifier.tokenKind != .keyword(.some) else {
            throw MacroDiagnostic(
                "callers can't know what `some` stands for: write the type, as in AsyncThrowingStream<Int, any Error>",
                at: type)
        }
        if let opaque, opaque.constraint.as(IdentifierTypeSyntax.self)?.name.text == "AsyncSequence" {
            throw MacroDiagnostic(
                "a stream is read on another thread than it is made on: return a type that is Sendable too",
                at: type,
                fixIts: [.replace("add & Sendable", type, with: TypeSyntax("\(type.trimmed) & Sendable"))])
        }
        try self.init(type)
        guard kind != .closure, kind != .optionalClosure else {
            throw MacroDiagnostic("a closure can be passed, not returned: return a stream, or take a closure", at: type)
        }
    }
}

extension TypeSyntax {
    /// Whether it is `Void` or `()`.
    var isVoid: Bool {
        if let tuple = self.as(TupleTypeSyntax.self) { return tuple.elements.isEmpty }
        return ["Void", "Swift.Void"].contains(trimmedDescription)
    }
}
