import ManifestRules
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A type marked `@Component`.
struct ComponentShape {
    let module: String
    let name: String
    let version: String
    /// The name of the Swift type.
    let typeName: String
    private let layer: String?
    private let summary: String?
    private let requirements: [NoteValue]
    private let declaration: any DeclGroupSyntax

    init(
        _ node: AttributeSyntax, _ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
    ) throws(MacroDiagnostic) {
        guard let named = declaration.asProtocol((any NamedDeclSyntax).self),
            declaration.is(StructDeclSyntax.self) || declaration.is(ClassDeclSyntax.self)
                || declaration.is(ActorDeclSyntax.self)
        else {
            throw MacroDiagnostic("@Component can only be attached to a struct, a class or an actor", at: node)
        }
        guard context.lexicalContext.isEmpty else {
            throw MacroDiagnostic(
                "@Component can only be used at file scope: move the type out of the enclosing declaration", at: node)
        }
        if let generic = declaration.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause {
            throw MacroDiagnostic("a component can't be generic: each module has exactly one component", at: generic)
        }
        try declaration.refuseConditional(["init("], "initialisers")
        self.declaration = declaration
        typeName = named.name.text
        module = try context.moduleName(of: node)
        var arguments = MacroArguments(node)
        let given = arguments.takeUnlabelled()
        name =
            try given.flatMap { (value) throws(MacroDiagnostic) in try MacroArguments.text(value) }
            ?? named.name.text.withoutBackticks
        try TextRule.componentName.check(name, of: "component", at: given.map { Syntax($0) } ?? Syntax(named.name))
        version = try arguments.text(labelled: "version") ?? ""
        try TextRule.version.check(version, of: "version", at: arguments["version"].map { Syntax($0) } ?? Syntax(node))
        layer = try arguments.member(
            labelled: "layer", of: ["base", "common", "weakBusiness", "business", "host"])
        let summary = try arguments.text(labelled: "summary")
        self.summary = summary ?? declaration.documentationSummary
        requirements = try ComponentRequirements.read(arguments["requires"])
    }

    var note: NoteValue {
        var members = NoteMembers()
        members.add("module", module)
        members.add("name", name)
        members.add("version", version)
        members.add("layer", layer)
        members.add("summary", summary)
        members.add("requires", items: requirements)
        return members.value
    }

    /// Generates the initialiser that hosts call, if the type declares no initialisers.
    ///
    /// - Throws: `MacroDiagnostic` if the type declares initialisers and hosts can call none of them.
    func initializer() throws(MacroDiagnostic) -> [DeclSyntax] {
        let initializers = declaration.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
        if let first = initializers.first {
            guard initializers.contains(where: \.takesContext) else {
                throw MacroDiagnostic(
                    "hosts create the component with init(_ context: ComponentContext): add this initialiser",
                    at: first.initKeyword)
            }
            return []
        }
        return ["\(raw: declaration.modifiers.accessWord)init(_ context: ComponentKit.ComponentContext) {}"]
    }
}
