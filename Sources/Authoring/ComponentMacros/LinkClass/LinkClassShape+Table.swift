import SwiftSyntax
import SwiftSyntaxBuilder

// The method table that the macro generates for a link class.
extension LinkClassShape {
    /// Returns the table: the selectors of the class, the rows that its author writes, then the selectors of the
    /// services that it provides.
    func table(_ functions: [FunctionShape], hasRows: Bool) -> DeclSyntax {
        var rows = functions.map { MethodRow(function: $0, target: typeName).source }
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
