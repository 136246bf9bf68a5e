package import ComponentKit
package import ForeignFunctions
import SystemSupport

/// Everything that is wrong in a description. A host stops at the first error of the file, and at the first of each
/// function; here, the errors of all items are collected in one reading, and what is wrong is replaced or left out. Then
/// the description is read by the same rules for as long as more shows: an annotation that is wrong hides what else is
/// wrong with its function.
package struct DescriptionCheck: Sendable {
    package private(set) var problems: [DescriptionProblem] = []
    /// The description without what is wrong; nil if too much is.
    package private(set) var description: LibraryDescription?
    /// The JSON of ``description``.
    package private(set) var json: Payload
    /// What was replaced or left out.
    private var repaired: Set<[PayloadError.PathElement]> = []
    /// All of ``problems``.
    private var known: Set<DescriptionProblem> = []
    /// The beginnings of messages about functions without an annotation that was left out, as in "crc32: buf: ".
    private var consequences: Set<ExactText> = []

    /// More problems of one function than anybody corrects at once.
    private static let maximumRounds = 1000

    package init(_ json: Payload) {
        self.json = json
        collectItems()
        var rounds = 0
        while rounds < DescriptionCheck.maximumRounds, readAgain() { rounds += 1 }
    }

    /// Whether the names of the library are valid.
    package var hasLibrary: Bool { !repaired.contains(["library"]) }

    /// Records the errors of all items, and repairs the description.
    private mutating func collectItems() {
        var repairs: [DescriptionRepair] = []
        for error in LibraryDescription.errors(in: json) {
            // Of the names of the library, which are replaced together, the first one that is wrong counts.
            guard let repair = DescriptionRepair(after: error), repaired.insert(repair.path).inserted else { continue }
            record([DescriptionCheck.problem(error)])
            repairs.append(repair)
        }
        json = json.repaired(by: repairs)
    }

    /// Reads the description, records what is new, and repairs it.
    ///
    /// - Returns: Whether something was repaired, so that it should be read again.
    private mutating func readAgain() -> Bool {
        do throws(PayloadError) {
            let read = try LibraryDescription(json)
            let manifest = try DescriptionCheck.manifest(of: read)
            description = read
            let new = (read.problems(in: json) + routeProblems(manifest)).filter { !isKnown($0) }
            record(new)
            // An annotation that is wrong hides what else is wrong with the function.
            let annotations = new.filter(\.isAnnotation)
            leaveOut(annotations.map(\.path))
            return !annotations.isEmpty
        } catch {
            let problem = DescriptionCheck.problem(error)
            if !known.contains(problem) { record([problem]) }
            guard let repair = DescriptionRepair(after: error), repaired.insert(repair.path).inserted else {
                return false
            }
            json = json.repaired(by: [repair])
            return true
        }
    }

    private static func problem(_ error: PayloadError) -> DescriptionProblem {
        DescriptionProblem(path: error.path, message: "expected \(error.expected), found \(error.found)")
    }

    private mutating func record(_ new: [DescriptionProblem]) {
        problems += new
        known.formUnion(new)
    }

    private static func manifest(of description: LibraryDescription) throws(PayloadError) -> Manifest {
        do throws(PayloadError) {
            return try Manifest(description.manifest)
        } catch {
            // The class of the manifest has its name from the key of the description.
            guard error.path.first == .key("classes") else { throw error }
            throw PayloadError(path: ["class"], expected: error.expected, found: error.found)
        }
    }

    /// Returns whether a problem has been recorded, or follows from an annotation that was left out.
    private func isKnown(_ problem: DescriptionProblem) -> Bool {
        if known.contains(problem) { return true }
        guard !consequences.isEmpty else { return false }
        return problem.message.beginnings.contains { consequences.contains(ExactText($0)) }
    }

    /// Leaves out annotations.
    private mutating func leaveOut(_ annotations: [[PayloadError.PathElement]]) {
        var repairs: [DescriptionRepair] = []
        for path in annotations where repaired.insert(path).inserted {
            repairs.append(DescriptionRepair(without: path))
            guard case .key(let function) = path[1], case .key(let key) = path[2] else { continue }
            consequences.insert(ExactText("\(function): \(key.prefix { $0 != "." }): "))
        }
        json = json.repaired(by: repairs)
    }

    // MARK: - Routes

    private func routeProblems(_ manifest: Manifest) -> [DescriptionProblem] {
        let renamed = ((try? json["rename"]?.entries()) ?? []).compactMap { function, selector in
            (try? selector.string()).map { (ExactText($0), function) }
        }
        let functions = Dictionary(renamed, uniquingKeysWith: { first, _ in first })
        return manifest.classes.flatMap(\.selectors).flatMap { selector in
            let function = functions[ExactText(selector.name)] ?? selector.name
            return selector.routeProblems.map { text in
                var path: [PayloadError.PathElement] = ["routes", .key(function)]
                var message = text
                // As in "routes[2].pattern: expected …".
                if text.hasPrefix("routes["), let end = text.firstIndex(of: "]"), let colon = text.firstIndex(of: ":"),
                    end < colon, let index = Int(text[text.index(text.startIndex, offsetBy: 7)..<end])
                {
                    path.append(.index(index))
                    path += text[text.index(after: end)..<colon].split(separator: ".").map { .key(String($0)) }
                    message = String(text[text.index(after: colon)...].drop { $0 == " " })
                }
                return DescriptionProblem(path: path, message: message)
            }
        }
    }
}

extension String {
    /// The beginnings of the text that end with a colon and a space, the shortest first.
    fileprivate var beginnings: some Sequence<String> {
        let bytes = utf8
        return zip(bytes.indices, bytes.indices.dropFirst()).lazy
            .filter { bytes[$0] == UInt8(ascii: ":") && bytes[$1] == UInt8(ascii: " ") }
            .map { String(decoding: bytes[...$1], as: UTF8.self) }
    }
}
