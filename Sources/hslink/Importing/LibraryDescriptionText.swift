import ComponentKit
import HeaderImport

/// The text of a description file.
struct LibraryDescriptionText {
    /// The component's name, derived from the first header.
    let name: String
    let version: String
    let library: String
    let className: String
    let declarations: [String]

    /// - Parameters:
    ///   - imported: the imported declarations.
    ///   - header: the first header on the command line.
    ///   - argument: the library on the command line: "z", "libz.so.1" or a path.
    ///   - library: the library that was found for it.
    init(_ imported: ImportedHeader, header: String, argument: String, library: SharedLibrary) {
        let words = LibraryDescriptionText.stem(header).split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        let text = words.joined(separator: "-")
        name = text.first?.isLetter == true ? text : "lib\(text)"
        className =
            name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        self.library = library.name
        declarations = imported.declarations
        let stem = LibraryDescriptionText.stem(argument)
        let base = stem.hasPrefix("lib") ? String(stem.dropFirst(3)) : stem
        version = PackageVersion.find([base, "lib\(base)", name, "lib\(name)"]) ?? "0.0.0"
    }

    /// Returns the file's name up to the first dot.
    private static func stem(_ path: String) -> String {
        String((path.split(separator: "/").last ?? "").prefix { $0 != "." })
    }

    /// Returns the description as JSON, with one declaration per line.
    func json() throws(PayloadError) -> String {
        let entries: [(String, Payload)] = [
            ("name", .string(name)), ("version", .string(version)), ("library", [.string(library)]),
            ("class", .string(className)), ("declarations", .array(declarations.map { .string($0) })),
        ]
        return try Payload.map(entries).json(pretty: true)
    }
}
