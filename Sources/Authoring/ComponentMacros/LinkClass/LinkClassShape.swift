import ManifestRules
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A class or an actor marked `@LinkClass`.
struct LinkClassShape {
    let declaration: any DeclGroupSyntax
    let module: String
    /// The name by which callers find the class.
    let name: String
    /// The name of the Swift type.
    let typeName: String
    let isActor: Bool
    let instances: String
    /// The protocols of the services that the class provides, as the author wrote them.
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
                "@LinkClass can only be attached to a final class or an actor: instances are passed by reference",
                at: node)
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
                "a generic class can't be called by name: write a class for each type that callers use", at: generic)
        }
        try context.requireStaticScope(of: named.name, macro: "LinkClass")
        try context.requireVisible(declaration, macro: "LinkClass")
        if let mainActor = declaration.attributes.named("MainActor") {
            throw MacroDiagnostic(
                "hosts create instances on the thread of the first call: mark the methods @MainActor, not the class",
                at: mainActor)
        }
        try declaration.refuseConditional(
            ["@Selector", "@Route", "@Intercepts", "@On", "@PageModule", "init("], "selectors and initialisers")
        guard let declaration = declaration.as(ClassDeclSyntax.self),
            !declaration.modifiers.contains(where: { $0.name.tokenKind == .keyword(.final) })
        else { return }
        throw MacroDiagnostic(
            "a link class must be final: callers use its method table, which a subclass could not override",
            at: declaration.classKeyword,
            fixIts: [
                .replace(
                    "make it final", declaration.classKeyword,
                    with: TokenSyntax.identifier("final class").with(\.trailingTrivia, .space))
            ])
    }

    /// Returns the functions marked `@Selector`, `@Route`, `@Intercepts`, `@On` or `@PageModule`, and the rows that the
    /// author writes.
    ///
    /// Reports the first invalid row and then leaves out all rows.
    func methods(reportingTo context: some MacroExpansionContext) -> (functions: [FunctionShape], rows: [RowShape]) {
        var names = SelectorUniqueness()
        var routes = RouteUniqueness()
        let functions = declaration.linkFunctions(marked: FunctionShape.marks, reportingTo: context) {
            (shape) throws(MacroDiagnostic) in
            try names.add(shape)
            try routes.add(shape)
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

    /// Generates the initialiser that hosts call, unless the class already has it.
    ///
    /// - Throws: `MacroDiagnostic` if the class has initialisers and the generated one can call none of them.
    func initializer() throws(MacroDiagnostic) -> [DeclSyntax] {
        let initializers = declaration.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
        let taking = initializers.filter(\.takesContext)
        guard !taking.contains(where: { $0.signature.parameterClause.parameters.count == 1 }) else { return [] }
        // A subclass of HSLinkClass inherits the initialiser, since it has to have init(link:).
        let superclass = declaration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
        guard superclass?.split(separator: ".").last != "HSLinkClass" else { return [] }
        // An initialiser with extra defaulted parameters does not satisfy the protocol, so generate one that supplies
        // the defaults.
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
                "hosts create instances with init(_ context: ComponentContext): add this initialiser, or give each "
                    + "parameter here a default value",
                at: other.initKeyword)
        }
        return ["\(raw: access)init(_ context: ComponentKit.ComponentContext) {}"]
    }

    /// Returns the initialiser that hosts call, with a body that delegates to another initialiser.
    private func making(_ body: String) -> DeclSyntax {
        """
        \(raw: access)\(raw: isActor ? "" : "convenience ")init(_ context: ComponentKit.ComponentContext) throws {
            \(raw: body)
        }
        """
    }

    /// Returns the method table: the selectors of the class, the rows that its author writes, then the selectors of the
    /// services that it provides.
    func table(_ functions: [FunctionShape], hasRows: Bool, lines: AuthorLines) -> DeclSyntax {
        var rows = functions.map { MethodRow(function: $0, target: typeName, lines: lines).source }
        if hasRows { rows.append("_rows += rows") }
        let services = provides.map { "_rows.__add(\($0.trimmedDescription)Table<\(typeName)>.methods)" }
        let isConstant = rows.isEmpty && services.isEmpty
        let first = "\(isConstant ? "let" : "var") _rows: [ComponentKit.LinkMethod<\(typeName)>] = []"
        let body = [first] + rows + services
        return """
            \(raw: access)static var methods: [ComponentKit.LinkMethod<\(raw: typeName)>] {
            \(raw: (body + ["return _rows"]).joined(separator: "\n").indented(by: 4))
            }
            """
    }

    /// The member with the names of the services that the class provides; empty if it provides none.
    var servicesMember: [DeclSyntax] {
        guard !provides.isEmpty else { return [] }
        let names = provides.map { "\($0.trimmedDescription)Client.__service.name" }.joined(separator: ", ")
        return ["\(raw: access)static var services: [String] { [\(raw: names)] }"]
    }
}

extension DeclGroupSyntax {
    /// Returns the functions that callers call by name. Reports each invalid one and leaves it out.
    ///
    /// - Parameters:
    ///   - marks: The attributes that mark such a function.
    ///   - check: Throws what else is wrong with a function.
    func linkFunctions(
        marked marks: [String], reportingTo context: some MacroExpansionContext,
        check: (FunctionShape) throws(MacroDiagnostic) -> Void
    ) -> [FunctionShape] {
        memberBlock.members.compactMap { member in
            guard let function = member.decl.as(FunctionDeclSyntax.self),
                marks.contains(where: { function.attributes.named($0) != nil })
            else { return nil }
            do throws(MacroDiagnostic) {
                var shape = try FunctionShape(marked: function)
                shape.isOnActor = self.is(ActorDeclSyntax.self)
                try shape.checkVisible()
                try shape.checkQuick()
                try check(shape)
                return shape
            } catch {
                context.diagnose(error)
                return nil
            }
        }
    }
}

extension InitializerDeclSyntax {
    /// Whether hosts can call the initialiser: its first parameter is the context, and all others have defaults.
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
    /// Whether only the author's file can use the declaration, and not only set it.
    var hidesMember: Bool {
        contains { [.keyword(.private), .keyword(.fileprivate)].contains($0.name.tokenKind) && $0.detail == nil }
    }

    /// The access modifier "public " or "package " for generated members; "" for any other access level.
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

    /// The access modifier for a generated peer, which must not be more visible than the declaration itself.
    var peerAccessWord: String {
        let isPrivate = contains { [.keyword(.private), .keyword(.fileprivate)].contains($0.name.tokenKind) }
        return isPrivate ? "fileprivate " : accessWord
    }
}
