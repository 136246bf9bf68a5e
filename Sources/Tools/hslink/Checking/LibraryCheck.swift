import ComponentHost
import ComponentKit
import ForeignFunctions
import SystemSupport

/// What is wrong between a description and its library, which is not loaded.
struct LibraryCheck {
    private(set) var problems: [DescriptionProblem] = []

    /// - Parameters:
    ///   - description: the description.
    ///   - json: the JSON of the description.
    ///   - folder: the directory of the description.
    ///   - loader: finds libraries.
    init(_ description: LibraryDescription, _ json: Payload, folder: String, loader: LoaderSearch) {
        var reasons: [String] = []
        for name in description.libraryNames {
            do throws(ComponentFileError) {
                let path = try LibraryCheck.path(of: name, folder, loader)
                let symbols = try loader.symbols(of: path)
                for (symbol, place, inner) in description.symbols(in: json) where !symbols.contains(ExactText(symbol)) {
                    problems.append(
                        DescriptionProblem(path: place, place: inner, message: "\(name) has no symbol \(symbol)"))
                }
                return
            } catch {
                reasons.append("\(name): \(error.message)")
            }
        }
        problems.append(
            DescriptionProblem(
                path: ["library"], message: "no library can be opened: \(reasons.joined(separator: "; "))"))
    }

    /// Returns the path of a library. Files that the description names by their paths must be trusted.
    private static func path(
        of name: String, _ folder: String, _ loader: LoaderSearch
    ) throws(ComponentFileError) -> String {
        if name.hasASCII("/") {
            let path = name.hasExactPrefix("./") ? "\(folder)/\(name.without(exactPrefix: "./"))" : name
            var checker = TrustChecker(policy: .strict)
            let found = try checker.openFile(path: path).path
            try TrustChecker.refuseLoaderTokens(in: found)
            return found
        }
        guard let path = loader.path(of: name) else {
            throw ComponentFileError(.notFound, "the dynamic loader does not find it")
        }
        return path
    }
}
