import CDeclarations
package import ComponentKit

/// Something that is wrong in a description, and where it is.
package struct DescriptionProblem: Sendable, Hashable {
    /// The path of the value or the key.
    package let path: [PayloadError.PathElement]
    /// The position in the declaration at the path; nil if the whole value is meant.
    package var place: TextPlace?
    /// What is wrong, without the path.
    package let message: String

    package init(path: [PayloadError.PathElement], place: TextPlace? = nil, message: String) {
        self.path = path
        self.place = place
        self.message = message
    }

    /// Creates a problem from an error in the description.
    package init(_ error: PayloadError) {
        self.init(path: error.path, message: "expected \(error.expected), found \(error.found)")
    }
}

extension LibraryDescription {
    /// Returns the reasons for refusals with their places.
    ///
    /// - Parameter json: The description that was read.
    package func problems(in json: Payload) -> [DescriptionProblem] {
        let places = DeclarationPlaces(json)
        return refusals.map { places.problem($0) }
    }

    /// Returns the symbols that the library must have, with the places of their declarations.
    ///
    /// - Parameter json: The description that was read.
    package func symbols(
        in json: Payload
    ) -> [(symbol: String, path: [PayloadError.PathElement], place: TextPlace?)] {
        let places = DeclarationPlaces(json)
        let declared = places.symbols
        // "free" is always the process's own.
        let names = Set(functions.map(\.symbol) + variables.map(\.symbol)).union(
            releases.filter { $0.key != "free" }.values)
        return names.sorted().compactMap { symbol in
            declared[symbol].flatMap { places.location(of: $0) }.map { (symbol, $0.path, $0.place) }
        }
    }

    /// The names of the library, the first that can be opened is used.
    package var libraryNames: [String] { libraries }
}

/// The places of the declarations in a description.
private struct DeclarationPlaces {
    private let sources: [CSource]
    private let indexOfSource: [String: Int]
    /// Whether the declarations are one string and not an array.
    private let isSingle: Bool

    init(_ json: Payload) {
        let declarations = json["declarations"] ?? []
        isSingle = declarations.kind == .string
        let texts = isSingle ? [declarations] : (try? declarations.items()) ?? []
        sources = texts.enumerated().map { CSource(declaration: $0, (try? $1.string()) ?? "") }
        indexOfSource = Dictionary(
            sources.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The places of the symbols that are declared.
    var symbols: [String: CPlace] {
        let parsed = CDeclarations(parsing: sources)
        return Dictionary(
            parsed.variables.map { ($0.symbol, $0.place) } + parsed.functions.map { ($0.symbol, $0.place) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns where a place is in the description. Line markers in the text may name other sources, which have no place
    /// there.
    func location(of place: CPlace) -> (path: [PayloadError.PathElement], place: TextPlace)? {
        guard let index = indexOfSource[place.source] else { return nil }
        return (
            isSingle ? ["declarations"] : ["declarations", .index(index)],
            TextPlace(line: place.line, column: place.column)
        )
    }

    func problem(_ refusal: LibraryDescription.Refusal) -> DescriptionProblem {
        let (name, reason) = (refusal.name, refusal.reason)
        switch refusal.fault {
        case .text(let place, _):
            // Declarations that cannot be read have no name, but a place.
            return problem(at: place, reason)
                ?? DescriptionProblem(path: ["declarations"], message: "\(name): \(reason)")
        case .declaration(let place, _, key: nil):
            let message = "\(name): \(reason)"
            return problem(at: place, message) ?? DescriptionProblem(path: ["declarations"], message: message)
        case .declaration(_, let obstacle, let key?):
            return DescriptionProblem(
                path: ["annotations", .key(name), .key(key)], message: obstacle.reason(behind: key))
        case .annotation(let error):
            // What is no map has no keys.
            guard !error.path.isEmpty else {
                return DescriptionProblem(path: ["annotations", .key(name)], message: "\(error)")
            }
            return DescriptionProblem(error.within(.key(name)).within("annotations"))
        case .entry(let section, _): return DescriptionProblem(path: [.key(section), .key(name)], message: reason)
        case .release(let path, _): return DescriptionProblem(path: path, message: "\(name): \(reason)")
        }
    }

    private func problem(at place: CPlace, _ message: String) -> DescriptionProblem? {
        location(of: place).map { DescriptionProblem(path: $0.path, place: $0.place, message: message) }
    }
}

extension CSource {
    /// Creates the source of one of the declarations of a description.
    init(declaration index: Int, _ text: String) { self.init(name: "declarations[\(index)]", text: text) }
}
