import ComponentKit
import HeaderImport
import SystemSupport

/// What an import reads: headers and a library, named on the command line or found in a package.
struct ImportSource {
    let request: ImportRequest
    /// The libraries to choose from: the one that is named, or those of the package.
    private let libraries: [ImportedLibrary]
    /// The names of the component and of its class.
    let names: ImportedNames
    /// The version of the library; "0.0.0" if it is unknown.
    let version: String

    /// What the command line says.
    struct Words {
        var headers: [String]
        var library: String?
        var package: String?
        var name: String?
        var only: [String]
        var directories: [String]
        var definitions: [String]
        /// Whether to write the first proposal for each annotation.
        var guesses: Bool
        /// The path of the description; nil for standard output.
        var output: String?
    }

    /// - Throws: an `ImportError` if the package, its header or the library cannot be found.
    init(_ words: Words) throws(ImportError) {
        let package: DevelopmentPackage?
        if let name = words.package { package = try DevelopmentPackage(name) } else { package = nil }
        var headers = words.headers
        if headers.isEmpty, let package { headers = [try package.header()] }
        let arguments = words.library.map { [$0] } ?? package?.libraries ?? []
        guard let first = arguments.first else {
            throw ImportError("the package \(package?.name ?? "") has no library; name it with --library")
        }
        let directories = package?.libraryDirectories ?? []
        var libraries = [try ImportedLibrary(first, in: directories, for: words.output)]
        // Only the first one has to be there; further ones are often those of other packages.
        libraries += arguments.dropFirst().compactMap {
            try? ImportedLibrary($0, in: directories, for: words.output)
        }
        self.libraries = libraries
        var request = ImportRequest(
            headers: headers,
            libraries: libraries.map { ImportRequest.Library(name: $0.name, symbols: $0.symbols) })
        request.patterns = words.only.map { NamePattern($0) }
        request.directories = words.directories
        request.definitions = words.definitions
        request.options = package?.options ?? []
        self.request = request
        names =
            words.name.map { ImportedNames($0) }
            ?? ImportedNames(derivedFrom: package?.plainName ?? ImportSource.stem(headers[0]))
        version =
            package == nil
            ? PackageVersion.find(ImportSource.packages(of: first, or: names.component)) ?? "0.0.0"
            : package?.version ?? "0.0.0"
    }

    /// The library that functions were imported from.
    func library(of imported: ImportedHeader) -> ImportedLibrary {
        libraries.first { $0.name.isExactly(imported.library) } ?? libraries[0]
    }

    /// Returns the possible names of a library's package.
    private static func packages(of library: String, or name: String) -> [String] {
        let stem = stem(library)
        let base = stem.hasPrefix("lib") ? String(stem.dropFirst(3)) : stem
        return [base, "lib\(base)", name, "lib\(name)"]
    }

    /// Returns the file's name up to the first dot.
    private static func stem(_ path: String) -> String {
        String((path.exactParts(between: "/").last ?? "").prefix { $0 != "." })
    }
}

/// The names of a described component and of its class.
struct ImportedNames {
    let component: String
    let className: String

    /// - Parameter component: the component's name, from which that of the class is derived.
    init(_ component: String) {
        self.component = component
        let words = component.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        className = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// - Parameter text: the name of a header or a package, which may have other signs.
    init(derivedFrom text: String) {
        let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
        self.init(words.first?.isLetter == true ? words : "lib\(words)")
    }
}
