import ComponentKit
import HeaderImport

/// The text of a description file.
struct LibraryDescriptionText {
    private let entries: [(String, Payload)]
    let proposals: AnnotationProposals

    /// - Parameters:
    ///   - imported: the imported declarations.
    ///   - source: where they come from.
    ///   - guesses: whether to accept the first proposal for each parameter.
    /// - Throws: a `PayloadError` if a host could not read the description.
    init(_ imported: ImportedHeader, _ source: ImportSource, guesses: Bool) throws(PayloadError) {
        entries = [
            ("name", .string(source.names.component)), ("version", .string(source.version)),
            ("library", [.string(imported.library)]), ("class", .string(source.names.className)),
            ("declarations", .array(imported.declarations.map { .string($0) })),
        ]
        proposals = try AnnotationProposals(for: entries, guesses: guesses)
    }

    /// Returns the description as JSON, with one declaration per line.
    func json() throws(PayloadError) -> String { try Payload.map(entries + proposals.entries).json(pretty: true) }
}
