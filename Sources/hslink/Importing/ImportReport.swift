import ComponentKit
import Glibc
import HeaderImport
import SystemSupport

/// The result of an import, and the declarations that were left out.
struct ImportReport {
    let imported: ImportedHeader
    private let text: LibraryDescriptionText
    private let symbolsNote: String?

    /// Imports headers.
    ///
    /// - Throws: an `ImportError` if the library or the headers cannot be read.
    init(
        headers: [String], library argument: String, only: [String], directories: [String], definitions: [String]
    ) throws(ImportError) {
        let library = try SharedLibrary(argument)
        var request = ImportRequest(headers: headers, library: library.name)
        request.patterns = only.map { NamePattern($0) }
        request.directories = directories
        request.definitions = definitions
        request.symbols = library.symbols
        imported = try HeaderImporter.read(request)
        text = LibraryDescriptionText(imported, header: headers[0], argument: argument, library: library)
        symbolsNote = library.reason.map { "\($0); its symbols were not checked" }
    }

    /// Writes the description.
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
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw ImportError("\(path): cannot be written: \(systemMessage(errno))") }
        defer { close(file) }
        var rest = Array((json + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw ImportError("\(path): cannot be written: \(systemMessage(errno))") }
            rest = rest.dropFirst(count)
        }
    }

    /// The lines for standard error: what was left out and why, then a summary.
    var lines: [String] {
        var lines = list("left out", imported.omissions) + list("opaque", imported.opaque)
        if let symbolsNote { lines.append(symbolsNote) }
        let missing = imported.omissions.isEmpty ? "" : "; \(imported.omissions.count) left out"
        lines.append(
            "\(text.name) \(text.version) (\(text.library)): \(count(imported.functions.count, "function")) and "
                + "\(count(imported.constantCount, "constant"))\(missing)")
        return lines
    }

    /// Returns one line per reason, with the first names that it applies to.
    private func list(_ word: String, _ omissions: [ImportedHeader.Omission]) -> [String] {
        var names: [String: [String]] = [:]
        var reasons: [String] = []
        for omission in omissions {
            if names[omission.reason] == nil { reasons.append(omission.reason) }
            names[omission.reason, default: []].append(omission.name)
        }
        return reasons.map { reason in
            let all = names[reason] ?? []
            let more = all.count > 12 ? " and \(count(all.count - 12, "other"))" : ""
            return "\(word): \(all.prefix(12).joined(separator: ", "))\(more): \(reason)"
        }
    }

    private func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
}
