import ComponentKit
import Glibc
import HeaderImport
import SystemSupport

/// What was imported, and what was not.
struct ImportReport {
    let imported: ImportedHeader
    private let text: LibraryDescriptionText
    private let symbolsNote: String?

    /// Imports headers.
    ///
    /// - Throws: why there is no result at all.
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
        symbolsNote = library.reason.map { "\($0): its symbols were not looked at" }
    }

    /// Writes the description.
    ///
    /// - Parameter path: nil for standard output.
    func write(to path: String?) throws {
        let json: String
        do throws(PayloadError) {
            json = try text.json()
        } catch {
            throw ImportError("the description can't be written as JSON: \(error)")
        }
        guard let path else { return try Output.result(json) }
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw ImportError("\(path) can't be written: \(systemMessage(errno))") }
        defer { close(file) }
        var rest = Array((json + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw ImportError("\(path) can't be written: \(systemMessage(errno))") }
            rest = rest.dropFirst(count)
        }
    }

    /// What is to be said besides: a line for each that is missing, and what there is in all.
    var lines: [String] {
        var lines = list("left out", imported.omissions) + list("opaque", imported.opaque)
        if let symbolsNote { lines.append(symbolsNote) }
        let missing = imported.omissions.isEmpty ? "" : "; \(imported.omissions.count) left out"
        lines.append(
            "\(text.name) \(text.version) (\(text.library)): \(count(imported.functions.count, "function")) and "
                + "\(count(imported.constantCount, "constant"))\(missing)")
        return lines
    }

    /// One line for each reason, with the names that it is the reason of.
    private func list(_ word: String, _ omissions: [ImportedHeader.Omission]) -> [String] {
        var names: [String: [String]] = [:]
        var reasons: [String] = []
        for omission in omissions {
            if names[omission.reason] == nil { reasons.append(omission.reason) }
            names[omission.reason, default: []].append(omission.name)
        }
        return reasons.map { reason in
            let all = names[reason] ?? []
            let more = all.count > 12 ? " and \(all.count - 12) others" : ""
            return "\(word): \(all.prefix(12).joined(separator: ", "))\(more): \(reason)"
        }
    }

    private func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
}
