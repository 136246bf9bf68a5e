import CDeclarations
import HeaderImport

extension ImportedHeader {
    /// Whether all that was written is read again, and every function can be called.
    var isReadable: Bool {
        let sources = declarations.enumerated().map { CSource(name: "declarations[\($0)]", text: $1) }
        let read = CDeclarations(parsing: sources)
        return read.diagnostics.isEmpty && read.functions.map(\.name) == functions
            && read.functions.allSatisfy { $0.obstacle == nil }
    }
}
