package import ComponentKit
package import ForeignFunctions
import SystemSupport

/// Everything that is wrong in a description. A host stops at the first error of the file, and at the first of each
/// function; here, what is wrong is replaced or left out, and the description is read again by the same rules.
package struct DescriptionCheck: Sendable {
    package private(set) var problems: [DescriptionProblem] = []
    /// The description without what is wrong; nil if too much is.
    package private(set) var description: LibraryDescription?
    /// The JSON of ``description``.
    package private(set) var json: Payload
    /// What was replaced or left out.
    private var repaired: Set<[PayloadError.PathElement]> = []

    /// More problems than anybody corrects at once.
    private static let maximumRounds = 1000

    /// Values for keys that a description must have.
    private static let standIns: [String: Payload] = [
        "name": "a", "version": "0.0.0", "library": ["libc.so.6"], "class": "A", "declarations": [],
    ]

    package init(_ json: Payload) {
        self.json = json
        var rounds = 0
        while rounds < DescriptionCheck.maximumRounds, readAgain() { rounds += 1 }
    }

    /// Whether the names of the library are valid.
    package var hasLibrary: Bool { !repaired.contains(["library"]) }

    /// Reads the description, records what is new, and repairs it.
    ///
    /// - Returns: Whether something was repaired, so that it should be read again.
    private mutating func readAgain() -> Bool {
        do throws(PayloadError) {
            let read = try LibraryDescription(json)
            let manifest = try DescriptionCheck.manifest(of: read)
            description = read
            let new = (read.problems(in: json) + routeProblems(manifest)).filter { !isKnown($0) }
            problems += new
            // An annotation that is wrong hides what else is wrong with the function.
            let annotations = new.filter(\.isAnnotation)
            for problem in annotations { repair(problem.path, with: nil) }
            return !annotations.isEmpty
        } catch {
            let problem = DescriptionProblem(
                path: error.path, message: "expected \(error.expected), found \(error.found)")
            if !problems.contains(problem) { problems.append(problem) }
            return repair(after: error)
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

    /// Returns whether a problem has been recorded, or follows from an annotation that was left out.
    private func isKnown(_ problem: DescriptionProblem) -> Bool {
        if problems.contains(problem) { return true }
        return repaired.contains { path in
            guard path.count == 3, path[0] == .key("annotations"), case .key(let function) = path[1],
                case .key(let key) = path[2]
            else { return false }
            let parameter = key.prefix { $0 != "." }
            return problem.message.hasPrefix("\(function): \(parameter): ")
        }
    }

    // MARK: - Repairs

    private mutating func repair(after error: PayloadError) -> Bool {
        guard case .key(let key)? = error.path.first else { return false }
        let standIn = DescriptionCheck.standIns[key]
        if key == "declarations", error.path.count > 1 { return repair(error.path, with: "") }
        if standIn != nil || error.path.count == 1 { return repair([.key(key)], with: standIn) }
        return repair(Array(error.path.prefix(2)), with: nil)
    }

    /// Replaces or removes a value.
    ///
    /// - Returns: False if that has been done before, so that it does not help.
    @discardableResult
    private mutating func repair(_ path: [PayloadError.PathElement], with value: Payload?) -> Bool {
        guard repaired.insert(path).inserted else { return false }
        json = json.replacing(path[...], with: value)
        return true
    }

    // MARK: - Routes

    private func routeProblems(_ manifest: Manifest) -> [DescriptionProblem] {
        let renamed = (try? json["rename"]?.entries()) ?? []
        return manifest.classes.flatMap(\.selectors).flatMap { selector in
            let function =
                renamed.first { (try? $0.value.string())?.isExactly(selector.name) ?? false }?.key ?? selector.name
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

extension Payload {
    /// Returns the payload with another value at a path, or without it if the value is nil.
    fileprivate func replacing(_ path: ArraySlice<PayloadError.PathElement>, with value: Payload?) -> Payload {
        guard let first = path.first else { return value ?? .null }
        let rest = path.dropFirst()
        switch first {
        case .key(let key):
            guard let entries = try? entries() else { return self }
            var changed: [(String, Payload)] = []
            for (name, old) in entries {
                if !name.isExactly(key) {
                    changed.append((name, old))
                } else if !rest.isEmpty {
                    changed.append((name, old.replacing(rest, with: value)))
                }
            }
            if rest.isEmpty, let value { changed.append((key, value)) }
            return .map(changed)
        case .index(let index):
            guard var items = try? items(), items.indices.contains(index) else { return self }
            if rest.isEmpty, value == nil {
                items.remove(at: index)
            } else {
                items[index] = items[index].replacing(rest, with: value)
            }
            return .array(items)
        }
    }
}
