import ManifestRules
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A class or an actor marked `@LinkClass`.
struct LinkClassShape {
    let declaration: any DeclGroupSyntax
    let module: String
    /// Under which callers find it.
    let name: String
    /// Its name in Swift.
    let typeName: String
    let isActor: Bool
    let instances: String
    /// The protocols of the services it provides, as written.
    let provides: [TypeSyntax]
    let access: String
    private let summary: String?

    init(
        _ node: AttributeSyntax, _ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
    ) throws(MacroDiagnostic) {
        guard declaration.is(ClassDeclSyntax.self) || declaration.is(ActorDeclSyntax.self),
            let named = declaration.asProtocol((any NamedDeclSyntax).self)
        else {
            throw MacroDiagnostic(
                "@LinkClass belongs on a final class or an actor: instances are passed by reference", at: node)
        }
        self.declaration = declaration
        isActor = declaration.is(ActorDeclSyntax.self)
        typeName = named.name.text
        module = try context.moduleName(of: node)
        try LinkClassShape.check(declaration, named, in: context)
        var arguments = MacroArguments(node)
        name = try arguments.name(else: named.name.text.withoutBackticks, .name, of: "class")
        instances = try arguments.member(labelled: "instances", of: ["shared", "perCall", "perConsumer"]) ?? "shared"
        provides = try arguments.types(labelled: "provides")
        access = declaration.modifiers.accessWord
        let summary = try arguments.text(labelled: "summary")
        self.summary = summary ?? declaration.documentationSummary
    }

    private static func check(
        _ declaration: some DeclGroupSyntax, _ named: any NamedDeclSyntax, in context: some MacroExpansionContext
    ) throws(MacroDiagnostic) {
        if let generic = declaration.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause {
            throw MacroDiagnostic(
                "a generic class can't be called by name: write one class for each type that callers use", at: generic)
        }
        try context.requireStaticScope(of: named.name, macro: "LinkClass")
        try context.requireVisible(declaration, macro: "LinkClass")
        if let mainActor = declaration.attributes.named("MainActor") {
            throw MacroDiagnostic(
                "hosts make instances on the thread of the first call: mark the methods @MainActor, not the class",
                at: mainActor)
        }
        try declaration.refuseConditional(["@Selector", "init("], "selectors and initialisers")
        guard let declaration = declaration.as(ClassDeclSyntax.self),
            !declaration.modifiers.contains(where: { $0.name.tokenKind == .keyword(.final) })
        else { return }
        throw MacroDiagnostic(
            "a link class has to be final: its methods are in a table, which a subclass could not override",
            at: declaration.classKeyword,
            fixIts: [
                .replace(
                    "make it final", declaration.classKeyword,
                    with: TokenSyntax.identifier("final class").with(\.trailingTrivia, .space))
            ])
    }

    /// The functions marked `@Selector` and the rows beside them; what is wrong with one is reported, and it is left out.
    func methods(reportingTo context: some MacroExpansionContext) -> (functions: [FunctionShape], rows: [RowShape]) {
        var names = SelectorUniqueness()
        let functions = declaration.memberBlock.members.compactMap { member -> FunctionShape? in
            guard let function = member.decl.as(FunctionDeclSyntax.self),
                let attribute = function.attributes.named("Selector")
            else { return nil }
            do throws(MacroDiagnostic) {
                var shape = try FunctionShape(function, selector: attribute)
                shape.isOnActor = isActor
                try names.add(shape)
                return shape
            } catch {
                context.diagnose(error)
                return nil
            }
        }
        do throws(MacroDiagnostic) {
            let rows = try RowShape.rows(of: declaration)
            for row in rows { try names.add(row) }
            return (functions, rows)
        } catch {
            context.diagnose(error)
            return (functions, [])
        }
    }

    func note(_ functions: [FunctionShape], _ rows: [RowShape]) -> NoteValue {
        var members = NoteMembers()
        members.add("module", module)
        members.add("name", name)
        if instances != "shared" { members.add("instances", instances) }
        members.add("provides", items: provides.map { .string($0.trimmedDescription) })
        members.add("selectors", items: functions.map(\.note) + rows.map(\.note))
        members.add("summary", summary)
        return members.value
    }

    /// The initialiser that hosts call, where the class does not have it.
    ///
    /// - Throws: when it cannot be written from those that there are.
    func initializer() throws(MacroDiagnostic) -> [DeclSyntax] {
        let initializers = declaration.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
        let taking = initializers.filter(\.takesContext)
        guard !taking.contains(where: { $0.signature.parameterClause.parameters.count == 1 }) else { return [] }
        // A parameter with a default is none that the protocol asks for: the defaults are written out.
        if let wider = taking.first {
            let defaults = wider.signature.parameterClause.parameters.dropFirst().map { parameter in
                let label = parameter.firstName.tokenKind == .wildcard ? "" : "\(parameter.firstName.trimmed): "
                return ", \(label)\(parameter.defaultValue?.value.trimmedDescription ?? "")"
            }
            return [making("\(wider.tryWord)self.init(context\(defaults.joined()))")]
        }
        let plain = initializers.first { initializer in
            initializer.signature.parameterClause.parameters.allSatisfy { $0.defaultValue != nil }
                && initializer.signature.effectSpecifiers?.asyncSpecifier == nil && initializer.optionalMark == nil
        }
        if let plain { return [making("\(plain.tryWord)self.init()")] }
        if let other = initializers.first {
            throw MacroDiagnostic(
                "hosts make instances with init(_ context: ComponentContext): add one, or a default for each parameter here",
                at: other.initKeyword)
        }
        // A subclass of HSLinkClass has its.
        let superclass = declaration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
        guard superclass?.split(separator: ".").last != "HSLinkClass" else { return [] }
        return ["\(raw: access)init(_ context: ComponentKit.ComponentContext) {}"]
    }

    /// The initialiser that hosts call, which leaves the work to another one.
    private func making(_ body: String) -> DeclSyntax {
        """
        \(raw: access)\(raw: isActor ? "" : "convenience ")init(_ context: ComponentKit.ComponentContext) throws {
            \(raw: body)
        }
        """
    }
}

extension InitializerDeclSyntax {
    /// Whether hosts could call it: a context comes first, and nothing else is needed.
    var takesContext: Bool {
        let parameters = signature.parameterClause.parameters
        return parameters.first?.type.trimmedDescription.hasSuffix("ComponentContext") == true
            && parameters.first?.firstName.tokenKind == .wildcard
            && parameters.dropFirst().allSatisfy { $0.defaultValue != nil }
            && signature.effectSpecifiers?.asyncSpecifier == nil && optionalMark == nil
    }

    fileprivate var tryWord: String { signature.effectSpecifiers?.throwsClause == nil ? "" : "try " }
}

extension DeclModifierListSyntax {
    /// "public " or "package ", where a declaration has one of these; "" else, and for what is narrower.
    var accessWord: String {
        for modifier in self {
            switch modifier.name.tokenKind {
            case .keyword(.public), .keyword(.open): return "public "
            case .keyword(.package): return "package "
            default: continue
            }
        }
        return ""
    }

    /// The word for a declaration beside one of these, which must not be wider.
    var peerAccessWord: String {
        let isPrivate = contains { [.keyword(.private), .keyword(.fileprivate)].contains($0.name.tokenKind) }
        return isPrivate ? "fileprivate " : accessWord
    }
}
