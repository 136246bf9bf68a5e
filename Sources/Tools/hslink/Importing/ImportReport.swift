import ComponentKit
import HeaderImport
import SystemSupport

/// The result of an import, and the declarations that were left out.
struct ImportReport {
    let imported: ImportedHeader
    private let source: ImportSource
    private let text: LibraryDescriptionText

    /// Imports headers.
    ///
    /// - Throws: an `ImportError` if the package, the library or the headers cannot be read.
    init(_ words: ImportSource.Words) throws(ImportError) {
        source = try ImportSource(words)
        imported = try HeaderImporter.read(source.request)
        do throws(PayloadError) {
            text = try LibraryDescriptionText(imported, source, guesses: words.guesses)
        } catch {
            throw ImportError("the description would be invalid: \(error.text(root: nil))")
        }
    }

    /// Writes the description. A file that was there stays as it was until the new one is complete: people work on it.
    ///
    /// - Parameter path: the file to write; nil for standard output.
    /// - Throws: an `ImportError` or ``OutputError`` if it cannot be written.
    func write(to path: String?) throws {
        let json: String
        do throws(PayloadError) {
            json = try text.json()
        } catch {
            throw ImportError("the description cannot be written as JSON: \(error)")
        }
        guard let path else { return try Output.result(json) }
        let error = OutputFile.write(json + "\n", to: path)
        guard error == 0 else { throw ImportError("\(path): cannot be written: \(systemMessage(error))") }
    }

    /// The lines for standard error: what was left out and why, then a summary.
    var lines: [String] {
        var lines = imported.omissions.map { "left out: \($0.name): \($0.reason)" }
        lines += imported.opaque.map { "opaque: \($0.name): \($0.reason)" }
        if let note = source.library(of: imported).note { lines.append(note) }
        if text.proposals.guessed > 0 {
            lines.append(
                "annotations were guessed for \(count(text.proposals.guessed, "function")): read them before use")
        }
        if text.proposals.openCount > 0 {
            lines.append(
                "\(count(text.proposals.openCount, "function")) cannot be called before annotations say more; "
                    + "\"proposals\" in the description lists the choices")
        }
        if text.proposals.refusedCount > 0 {
            lines.append(
                "\(count(text.proposals.refusedCount, "function")) cannot be called for other reasons; 'hslink check' "
                    + "lists them")
        }
        let kinds = ImportedHeader.Omission.Kind.allCases.compactMap { kind in
            let number = imported.omissions.count { $0.kind == kind }
            return number == 0 ? nil : count(number, kind.rawValue)
        }
        let missing = kinds.isEmpty ? "" : "; left out: \(kinds.joined(separator: ", "))"
        let waitingCount = text.proposals.openCount + text.proposals.refusedCount
        let waiting = waitingCount == 0 ? "" : " (\(waitingCount) cannot be called yet)"
        let opaque = imported.opaque.isEmpty ? "" : "; opaque: \(count(imported.opaque.count, "type"))"
        lines.append(
            "\(source.names.component) \(source.version) (\(imported.library)): "
                + "\(count(imported.functions.count, "function"))\(waiting), \(count(imported.constantCount, "constant"))"
                + missing + opaque)
        return lines
    }

    private func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
}
