import ComponentKit
import HeaderImport

/// The text of a description file.
struct LibraryDescriptionText {
    /// Of the component, after the first header.
    let name: String
    let version: String
    let library: String
    let className: String
    let declarations: [String]

    /// - Parameters:
    ///   - header: the first that was named.
    ///   - library: "z", "libz.so.1" or a path.
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

    /// The file's name up to the first point.
    private static func stem(_ path: String) -> String {
        String((path.split(separator: "/").last ?? "").prefix { $0 != "." })
    }

    /// JSON, one declaration a line.
    func json() throws(PayloadError) -> String {
        let entries: [(String, Payload)] = [
            ("name", .string(name)), ("version", .string(version)), ("library", [.string(library)]),
            ("class", .string(className)), ("declarations", .array(declarations.map { .string($0) })),
        ]
        return try Payload.map(entries).json(pretty: true)
    }
}
