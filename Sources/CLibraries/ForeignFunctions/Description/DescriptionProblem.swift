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

    /// Whether the problem is an annotation. Without it, further problems of the function may show.
    package var isAnnotation: Bool { path.first == .key("annotations") && path.count == 3 }
}

extension LibraryDescription {
    /// Returns the reasons for refusals with their places.
    ///
    /// - Parameter json: The description that was read.
    package func problems(in json: Payload) -> [DescriptionProblem] {
        let places = DescriptionPlaces(json)
        return refusals.map { places.problem($0) }
    }

    /// Returns the symbols that the library must have, with the places of their declarations.
    ///
    /// - Parameter json: The description that was read.
    package func symbols(
        in json: Payload
    ) -> [(symbol: String, path: [PayloadError.PathElement], place: TextPlace?)] {
        let places = DescriptionPlaces(json)
        // "free" is always the process's own.
        let names = Set(functions.map(\.symbol) + variables.map(\.symbol)).union(
            releases.filter { $0.key != "free" }.values)
        return names.sorted().compactMap { symbol in
            places.declaration(ofSymbol: symbol).map { (symbol, $0.path, $0.place) }
        }
    }

    /// The names of the library, the first that can be opened is used.
    package var libraryNames: [String] { libraries }
}

/// The places of functions and annotations in a description.
private struct DescriptionPlaces {
    private let json: Payload
    private let functions: [String: CPlace]
    private let symbols: [String: CPlace]
    /// Whether the declarations are one string and not an array.
    private let isSingle: Bool

    init(_ json: Payload) {
        self.json = json
        let texts = json["declarations"] ?? []
        isSingle = texts.kind == .string
        let items = isSingle ? [texts] : (try? texts.items()) ?? []
        let sources = items.enumerated().map { CSource(name: "declarations[\($0)]", text: (try? $1.string()) ?? "") }
        let parsed = CDeclarations(parsing: sources)
        let declared = parsed.functions
        functions = Dictionary(declared.map { ($0.name, $0.place) }, uniquingKeysWith: { first, _ in first })
        let variables = parsed.variables.map { ($0.symbol, $0.place) }
        symbols = Dictionary(
            variables + declared.map { ($0.symbol, $0.place) }, uniquingKeysWith: { first, _ in first })
    }

    func declaration(ofSymbol symbol: String) -> DescriptionProblem? { symbols[symbol].flatMap { problem(at: $0, "") } }

    func problem(_ refusal: LibraryDescription.Refusal) -> DescriptionProblem {
        let (name, reason) = (refusal.name, refusal.reason)
        // Declarations that cannot be read have no name, but a place.
        if let found = problem(at: name, reason) { return found }
        for (start, key) in [
            ("it has annotations,", "annotations"), ("it is renamed,", "rename"), ("it has routes,", "routes"),
            ("\"handles\" says", "handles"), ("\"constants\" has", "constants"),
        ] where reason.hasPrefix(start) {
            return DescriptionProblem(path: [.key(key), .key(name)], message: reason)
        }
        if reason.hasPrefix("it is used to release"), let path = releasePath(name) {
            return DescriptionProblem(path: path, message: "\(name): \(reason)")
        }
        if reason.contains("the selector "), json["rename"]?[name] != nil {
            return DescriptionProblem(path: ["rename", .key(name)], message: reason)
        }
        if let found = annotationProblem(name, reason) { return found }
        let message = "\(name): \(reason)"
        return functions[name].flatMap { problem(at: $0, message) }
            ?? DescriptionProblem(path: ["declarations"], message: message)
    }

    // MARK: - Declarations

    /// Returns a problem at a place such as "declarations[2]:1:5".
    private func problem(at name: String, _ message: String) -> DescriptionProblem? {
        let parts = name.split(separator: ":")
        guard parts.count == 3, let line = Int(parts[1]), let column = Int(parts[2]) else { return nil }
        return problem(at: CPlace(source: String(parts[0]), line: line, column: column), message)
    }

    /// Line markers in the text may name other sources, which have no place in the description.
    private func problem(at place: CPlace, _ message: String) -> DescriptionProblem? {
        guard place.source.hasPrefix("declarations["), let index = Int(place.source.dropFirst(13).dropLast()) else {
            return nil
        }
        return DescriptionProblem(
            path: isSingle ? ["declarations"] : ["declarations", .index(index)],
            place: TextPlace(line: place.line, column: place.column), message: message)
    }

    // MARK: - Annotations

    private func keys(_ section: Payload?) -> [String] { ((try? section?.entries()) ?? []).map(\.key) }

    /// Returns a problem at an annotation of a function; nil if none of them is at fault.
    private func annotationProblem(_ function: String, _ reason: String) -> DescriptionProblem? {
        guard let section = json["annotations"]?[function] else { return nil }
        let path: [PayloadError.PathElement] = ["annotations", .key(function)]
        let invalid = "its annotations are invalid: "
        let isInvalid = reason.hasPrefix(invalid)
        let text = isInvalid ? String(reason.dropFirst(invalid.count)) : reason
        // Reasons begin with the names of the parameter and of what is inside it.
        let starts = keys(section).map { key in
            let names = key == "..." ? ["\"...\""] : key.split(separator: ".").map(String.init)
            return (
                key: key, start: isInvalid ? "\(key): " : names.joined(separator: ": ") + ": ", last: names.last ?? ""
            )
        }
        for (key, start, last) in starts {
            let outside = start.dropLast(last.count + 2)
            let isUnknown = ["there is no parameter", "has no parameter", "has no member", "has no field"].contains {
                text.contains("\($0) \"\(last)\"")
            }
            if isUnknown, text.hasPrefix(outside) {
                return DescriptionProblem(path: path + [.key(key)], message: String(text.dropFirst(outside.count)))
            }
        }
        let found = starts.filter { text.hasPrefix($0.start) }.max { $0.start.utf8.count < $1.start.utf8.count }
        if let found {
            return DescriptionProblem(
                path: path + [.key(found.key)], message: String(text.dropFirst(found.start.count)))
        }
        if text.hasPrefix("\"...\""), keys(section).contains("...") {
            return DescriptionProblem(path: path + ["..."], message: text)
        }
        return isInvalid ? DescriptionProblem(path: path, message: text) : nil
    }

    /// Returns the path of the entry that says that a function releases something.
    private func releasePath(_ function: String) -> [PayloadError.PathElement]? {
        for (kind, release) in (try? json["handles"]?.entries()) ?? [] where (try? release.string()) == function {
            return ["handles", .key(kind)]
        }
        for (name, section) in (try? json["annotations"]?.entries()) ?? [] {
            for (key, annotation) in (try? section.entries()) ?? []
            where (try? annotation.string())?.contains("free(\(function))") == true {
                return ["annotations", .key(name), .key(key)]
            }
        }
        return nil
    }
}
