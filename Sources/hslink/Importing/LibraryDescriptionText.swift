import ComponentKit
import HeaderImport

/// The text of a description file.
struct LibraryDescriptionText {
    let source: ImportSource
    let declarations: [String]

    /// - Parameters:
    ///   - imported: the imported declarations.
    ///   - source: where they come from.
    init(_ imported: ImportedHeader, _ source: ImportSource) {
        self.source = source
        declarations = imported.declarations
    }

    /// Returns the description as JSON, with one declaration per line.
    func json() throws(PayloadError) -> String {
        let entries: [(String, Payload)] = [
            ("name", .string(source.names.component)), ("version", .string(source.version)),
            ("library", [.string(source.library.name)]), ("class", .string(source.names.className)),
            ("declarations", .array(declarations.map { .string($0) })),
        ]
        return try Payload.map(entries).json(pretty: true)
    }
}
