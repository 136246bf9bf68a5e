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
    private let posts: [(note: NoteValue, type: TypeSyntax, syntax: ExprSyntax)]
    private let starts: String?
    private let priority: Int
    private let configuration: (type: TypeSyntax, syntax: ExprSyntax)?
    let declaration: any DeclGroupSyntax

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
        try declaration.refuseConditional(["init(", "@On"], "initialisers and event handlers")
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
        layer = try arguments.member(labelled: "layer", of: ComponentLayers.names)
        let summary = try arguments.text(labelled: "summary")
        self.summary = summary ?? declaration.documentationSummary
        requirements = try ComponentRequirements.read(arguments["requires"])
        posts = try ComponentShape.posts(arguments["posts"])
        let starts = try arguments.member(labelled: "starts", of: ["onDemand", "withHost"])
        self.starts = starts == "onDemand" ? nil : starts
        configuration = try arguments["configuration"].flatMap { (value) throws(MacroDiagnostic) in
            try ComponentShape.configuration(value)
        }
        priority = try arguments.priority()
        if let written = arguments["priority"], self.starts == nil {
            throw MacroDiagnostic(
                "the priority has no effect on a component that is loaded at the first call: add starts: .withHost",
                at: written)
        }
    }

    var note: NoteValue {
        var members = NoteMembers()
        members.add("module", module)
        members.add("name", name)
        members.add("version", version)
        members.add("layer", layer)
        members.add("summary", summary)
        members.add("requires", items: requirements)
        members.add("posts", items: posts.map(\.note))
        members.add("starts", starts)
        members.add("priority", number: priority)
        members.add("configuration", configuration?.type.trimmedDescription)
        return members.value
    }

    /// Reads `posts: [SignedIn.self, SignedOut.self]`.
    private static func posts(
        _ list: ExprSyntax?
    ) throws(MacroDiagnostic) -> [(note: NoteValue, type: TypeSyntax, syntax: ExprSyntax)] {
        guard let list else { return [] }
        guard let array = list.as(ArrayExprSyntax.self) else {
            throw MacroDiagnostic("expected an array literal such as [SignedIn.self]", at: list)
        }
        var posts: [(note: NoteValue, type: TypeSyntax, syntax: ExprSyntax)] = []
        var known: Set<String> = []
        for element in array.elements {
            let type = try MacroArguments.type(element.expression)
            let name = type.trimmedDescription
            guard known.insert(name).inserted else {
                throw MacroDiagnostic("duplicate event \(name): remove it", at: element.expression)
            }
            posts.append((.string(name), type, element.expression))
        }
        return posts
    }

    /// Reads `configuration: Settings.self`.
    private static func configuration(
        _ value: ExprSyntax
    ) throws(MacroDiagnostic) -> (type: TypeSyntax, syntax: ExprSyntax)? {
        if value.is(NilLiteralExprSyntax.self) { return nil }
        let type = try MacroArguments.type(value)
        guard !ValueShape.isPlain(type) else {
            throw MacroDiagnostic(
                "the configuration can't be \(type.trimmedDescription): declare a struct with a property for each key, "
                    + "and mark it @Model",
                at: value)
        }
        return (type, value)
    }

    /// Returns a function that makes the compiler check the types in the attribute; nothing if it names none.
    ///
    /// - Parameter name: A unique name.
    func checks(named name: TokenSyntax, _ lines: AuthorLines) -> [DeclSyntax] {
        var calls = posts.map { post in
            lines.at(post.syntax, "ComponentKit.__CurrentDelivery.requireEvent((\(post.type.trimmedDescription)).self)")
        }
        if let (type, syntax) = configuration {
            let call = "ComponentKit.__ModelCoding.requireConfiguration((\(type.trimmedDescription)).self)"
            calls.append(lines.at(syntax, call))
        }
        guard !calls.isEmpty else { return [] }
        return [
            """
            nonisolated private static func \(name)() {
            \(raw: calls.joined(separator: "\n").indented(by: 4))
            }
            """
        ]
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
        if let other = declaration.attributes.named("LinkClass") {
            throw MacroDiagnostic(
                "@Component and @LinkClass would both declare how the type is created: move the selectors into a class "
                    + "of their own",
                at: other)
        }
        return ["\(raw: declaration.modifiers.accessWord)init(_ context: ComponentKit.ComponentContext) {}"]
    }
}
