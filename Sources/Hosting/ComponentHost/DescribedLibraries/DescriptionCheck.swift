import ComponentCatalog
package import ComponentKit
package import ForeignFunctions
import SystemSupport

/// Everything that is wrong in a description. A host stops at the first error of the file, and at the first of each
/// function; here, the errors of all items are collected in one reading, and what is wrong is replaced or left out. Then
/// the description is read by the same rules, once if its manifest is right.
package struct DescriptionCheck: Sendable {
    package private(set) var problems: [DescriptionProblem] = []
    /// The description without its errors; nil if there are too many.
    package private(set) var description: LibraryDescription?
    /// The JSON that ``description`` was read from, which still has the annotations that are wrong.
    package private(set) var json: Payload
    /// What was replaced or left out.
    private var repaired: Set<[PayloadError.PathElement]> = []

    package init(_ json: Payload) {
        self.json = json
        collectItems()
        while readAgain() {}
    }

    /// Whether the names of the library are valid.
    package var hasLibrary: Bool { !repaired.contains(["library"]) }

    /// Records the errors of all items, and repairs the description.
    private mutating func collectItems() {
        var repairs: [DescriptionRepair] = []
        for error in LibraryDescription.errors(in: json) {
            // Of the names of the library, which are replaced together, the first one that is wrong counts.
            guard let repair = DescriptionRepair(after: error), repaired.insert(repair.path).inserted else { continue }
            problems.append(DescriptionProblem(error))
            repairs.append(repair)
        }
        json = json.repaired(by: repairs)
    }

    /// Reads the description, and records what is wrong; repairs it if that keeps it from being read.
    ///
    /// - Returns: Whether something was repaired, so that it should be read again.
    private mutating func readAgain() -> Bool {
        do throws(PayloadError) {
            let read = try LibraryDescription(checking: json)
            let manifest = try DescriptionCheck.manifest(of: read)
            description = read
            problems += read.problems(in: json) + routeProblems(manifest)
            return false
        } catch {
            let problem = DescriptionProblem(error)
            if !problems.contains(problem) { problems.append(problem) }
            guard let repair = DescriptionRepair(after: error), repaired.insert(repair.path).inserted else {
                return false
            }
            json = json.repaired(by: [repair])
            return true
        }
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

    // MARK: - Routes

    private func routeProblems(_ manifest: Manifest) -> [DescriptionProblem] {
        let renamed = ((try? json["rename"]?.entries()) ?? []).compactMap { function, selector in
            (try? selector.string()).map { (ExactText($0), function) }
        }
        let functions = Dictionary(firstOf: renamed)
        return manifest.classes.flatMap(\.selectors).flatMap { selector in
            let function = functions[ExactText(selector.name)] ?? selector.name
            return selector.routeErrors.map { error in
                // In the selector, the routes are under the key "routes"; here, they are under their function.
                let path = error.path.dropFirst()
                let place: [PayloadError.PathElement] = ["routes", .key(function)]
                return path.isEmpty
                    ? DescriptionProblem(path: place, message: error.text(root: nil))
                    : DescriptionProblem(
                        PayloadError(path: place + path, expected: error.expected, found: error.found))
            }
        }
    }
}
