import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The functions marked `@On` of a type marked `@Component`. Hosts call them through a link class with the name of the
/// type, which the macro generates.
struct ComponentHandlers {
    private let component: ComponentShape
    private let functions: [FunctionShape]

    private static let className = "__Handlers"

    /// Reads the functions. Reports each invalid one and leaves it out.
    init(of component: ComponentShape, reportingTo context: some MacroExpansionContext) {
        self.component = component
        var names = SelectorUniqueness()
        functions = component.declaration.linkFunctions(marked: ["On"], reportingTo: context) {
            (shape) throws(MacroDiagnostic) in
            guard !shape.isStatic else {
                throw MacroDiagnostic(
                    "an event handler of a component can't be static", at: shape.declaration.modifiers)
            }
            try names.add(shape)
        }
    }

    /// Returns the link class; nothing if there are no handlers.
    func member(
        at node: AttributeSyntax, in context: some MacroExpansionContext
    ) throws(MacroDiagnostic) -> [DeclSyntax] {
        guard !functions.isEmpty else { return [] }
        let name = component.typeName.withoutBackticks
        let type = "\(component.typeName).\(ComponentHandlers.className)"
        var members = NoteMembers()
        members.add("module", component.module)
        members.add("name", name)
        members.add("selectors", items: functions.map(\.note))
        members.add("summary", "The event handlers of the component.")
        let note = try NoteDeclaration.member(.linkClass, members.value, at: node)
        var record = RecordDeclaration(function: "linkClass", isMember: true)
        record.add("module", string: component.module)
        record.add("name", string: name)
        record.add("type", source: "\(type).self")
        let declarations = [
            note.declaration(named: context.makeUniqueName("note")),
            record.declaration(named: context.makeUniqueName("record")),
            UniqueSymbol(ofClass: name, in: component.module)
                .declaration(named: context.makeUniqueName("onlyClassOfItsName")),
        ]
        let lines = AuthorLines(context)
        let rows = functions.map { MethodRow(function: $0, target: type, member: "component", lines: lines).source }
        return [
            """
            /// The event handlers of the component.
            final class \(raw: ComponentHandlers.className): ComponentKit.LinkClass {
                private let component: \(raw: component.typeName)
                init(_ context: ComponentKit.ComponentContext) throws {
                    guard let component = context.component as? \(raw: component.typeName) else {
                        throw ComponentKit.LinkError(.stopped, message: \(literal: "\(component.name) has been stopped"))
                    }
                    self.component = component
                }
            \(raw: declarations.map { $0.description.indented(by: 4) }.joined(separator: "\n"))
                static var methods: [ComponentKit.LinkMethod<\(raw: type)>] {
                    var _rows: [ComponentKit.LinkMethod<\(raw: type)>] = []
            \(raw: rows.joined(separator: "\n").indented(by: 8))
                    return _rows
                }
            }
            """
        ]
    }
}
