import SwiftSyntax
import SwiftSyntaxMacros

/// The lines of the author's file. Errors in generated statements are reported there: a type that can't travel, at the
/// parameter that has it. Without, the compiler reports all of them at the attribute's declaration.
struct AuthorLines {
    private let location: (Syntax) -> AbstractSourceLocation?

    init(_ context: some MacroExpansionContext) {
        location = { context.location(of: $0, at: .afterLeadingTrivia, filePathMode: .filePath) }
    }

    /// Returns `statements`, which must be on lines of their own, with the line of `node` as theirs.
    ///
    /// - Parameter node: Part of the source that the macro received.
    func at(_ node: some SyntaxProtocol, _ statements: String) -> String {
        guard let place = location(Syntax(node)) else { return statements }
        return """
            #sourceLocation(file: \(place.file), line: \(place.line))
            \(statements)
            #sourceLocation()
            """
    }
}
