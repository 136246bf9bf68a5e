import SwiftSyntax
import SwiftSyntaxBuilder

/// A function that callers call by name, as read from its syntax.
struct FunctionShape {
    let declaration: FunctionDeclSyntax
    /// The selector's name.
    var selector: String
    let parameters: [ParameterShape]
    /// The result type; nil for `Void`.
    let result: ValueShape?
    let isStatic: Bool
    /// Whether callers call it on the class: it is static, or its service says so.
    var isClassMethod: Bool
    let isMainActor: Bool
    /// Whether it is marked `nonisolated`.
    let isNonisolated: Bool
    /// Whether it is declared in an actor.
    var isOnActor = false
    /// Whether it never blocks, so asynchronous callers may run it on their own thread.
    var isQuick = false
    /// The trait that says so.
    var quickSyntax: Syntax?
    /// Whether it refuses keys that are no parameters.
    var isStrict = false
    /// The routes: opening a URL that matches one of them calls the function.
    var routes: [RouteShape] = []
    /// Whether and when the function is asked before a route is opened.
    var interception: InterceptionShape?
    /// Which event the function handles; nil if it handles none.
    var handler: HandlerShape?
    /// Which page module the function is; nil if it is not one.
    var pageModule: PageModuleShape?
    private let effects: FunctionEffectSpecifiersSyntax?

    init(_ declaration: FunctionDeclSyntax) throws(MacroDiagnostic) {
        self.declaration = declaration
        selector = declaration.name.text.withoutBackticks
        if let generic = declaration.genericParameterClause {
            throw MacroDiagnostic(
                "a generic function can't be called by name: replace the generic parameters with concrete types",
                at: generic)
        }
        guard case .identifier = declaration.name.tokenKind else {
            throw MacroDiagnostic("an operator can't be a selector: use a named function", at: declaration.name)
        }
        var parameters: [ParameterShape] = []
        for parameter in declaration.signature.parameterClause.parameters {
            let shape = try ParameterShape(parameter)
            if parameters.contains(where: { $0.key == shape.key }) {
                throw MacroDiagnostic(
                    "two parameters have the key \"\(shape.key)\": change the label of one of them", at: parameter)
            }
            parameters.append(shape)
        }
        self.parameters = parameters
        let type = declaration.signature.returnClause?.type
        // A page module returns `some View`, which travels as the node that every view has.
        let isPageModule = declaration.attributes.named("PageModule") != nil
        // A view has an opaque type. That of a condition is a value like others.
        let isView = isPageModule && type.map { !PageModuleShape.isCondition($0) } ?? true
        result = if let type, !type.isVoid, !isView { try ValueShape(result: type) } else { nil }
        isStatic = declaration.modifiers.contains {
            $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
        }
        isClassMethod = isStatic
        isMainActor = declaration.attributes.named("MainActor") != nil
        isNonisolated = declaration.modifiers.contains { $0.name.tokenKind == .keyword(.nonisolated) }
        effects = declaration.signature.effectSpecifiers
    }

    /// Whether a call must hop to the actor, which requires `await`.
    var hops: Bool { isOnActor && !isStatic && !isNonisolated && !isMainActor }
    var isAsync: Bool { effects?.asyncSpecifier != nil }
    var canThrow: Bool { effects?.throwsClause != nil }
    /// The type of `throws(E)`.
    var thrownType: TypeSyntax? { effects?.throwsClause?.type }

    /// Rejects a selector that the author hides from other files, because every component can call selectors.
    func checkVisible() throws(MacroDiagnostic) {
        for modifier in declaration.modifiers
        where [.keyword(.private), .keyword(.fileprivate)].contains(modifier.name.tokenKind) {
            throw MacroDiagnostic(
                "a \(modifier.name.text) function can't be a selector, because every component can call selectors: "
                    + "remove \(modifier.name.text), or the attribute that makes it one",
                at: modifier)
        }
    }

    /// Rejects an asynchronous quick method: hosts run quick methods on the thread of the caller, which can't suspend.
    func checkQuick() throws(MacroDiagnostic) {
        guard isQuick, let quickSyntax else { return }
        let reason =
            isAsync ? "is async" : isMainActor ? "runs on the main thread" : hops ? "waits for its actor" : nil
        guard let reason else { return }
        let advice = !isAsync && hops ? "remove .quick, or mark the function nonisolated" : "remove .quick"
        throw MacroDiagnostic(
            "a quick method runs on the thread of the caller, and \(declaration.name.text) \(reason): \(advice)",
            at: quickSyntax)
    }

    /// The type of the result where the author wrote it, or the function's name if it has none.
    var resultSyntax: Syntax { declaration.signature.returnClause.map { Syntax($0.type) } ?? Syntax(declaration.name) }

    /// Returns a statement with the line of the result, unless its type can travel for certain.
    func marked(_ statement: String, _ lines: AuthorLines) -> String {
        result?.isPlain == false ? lines.at(resultSyntax, statement) : statement
    }

    /// The function's entry in the manifest.
    var note: NoteValue {
        var members = NoteMembers()
        members.add("name", selector)
        if isClassMethod { members.add("kind", "class") }
        members.add("parameters", members: parameters.map(\.note))
        members.add("result", pageModule?.result ?? result?.written)
        members.add("async", flag: isAsync || isMainActor || hops)
        members.add("quick", flag: isQuick)
        members.add("mainActor", flag: isMainActor)
        members.add("summary", declaration.documentationSummary)
        members.add("routes", items: routes.flatMap(\.notes))
        if let interception { members.add("intercepts", interception.note) }
        if let handler { members.add("on", handler.note) }
        if let pageModule { members.add("pageModule", pageModule.note) }
        return members.value
    }
}

extension ValueShape {
    /// Creates the type of a result, which can't be a closure.
    init(result type: TypeSyntax) throws(MacroDiagnostic) {
        let opaque = type.as(SomeOrAnyTypeSyntax.self)
        guard opaque?.someOrAnySpecifier.tokenKind != .keyword(.some) else {
            throw MacroDiagnostic(
                "callers can't see the type behind `some`: write the type, such as AsyncThrowingStream<Int, any Error>",
                at: type)
        }
        if let opaque, opaque.constraint.as(IdentifierTypeSyntax.self)?.name.text == "AsyncSequence" {
            throw MacroDiagnostic(
                "a stream is created and read on different threads: add & Sendable to the result type",
                at: type,
                fixIts: [.replace("add & Sendable", type, with: TypeSyntax("\(type.trimmed) & Sendable"))])
        }
        try self.init(type)
        guard kind != .closure, kind != .optionalClosure else {
            throw MacroDiagnostic(
                "a closure can't be returned: return a stream, or take a closure as a parameter", at: type)
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
