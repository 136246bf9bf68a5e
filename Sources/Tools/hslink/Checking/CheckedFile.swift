import ComponentHost
import ComponentKit
import ForeignFunctions
import SystemSupport

/// A file with everything that is wrong with it, found by the rules of hosts and without running its code.
struct CheckedFile {
    /// Something that is wrong.
    struct Problem: Hashable {
        /// Where it is in a description; nil if it concerns the whole file.
        var place: TextPlace?
        /// The path of the value in the description; nil if it concerns the whole file.
        var path: String?
        let message: String
    }

    /// The path as it was given.
    let path: String
    private(set) var problems: [Problem] = []
    /// The name of the component; nil if the file is none.
    private(set) var component: String?
    /// The path of a component that hosts would load; nil for any other file, and for a description.
    private var loadable: String?
    /// The setting with which the configuration disables the component; nil if it does not.
    var disabledBy: String?

    /// - Parameters:
    ///   - path: the path of a component or a description.
    ///   - loader: finds the libraries of descriptions.
    ///   - bundles: the resources beside the files of a report.
    init(_ path: String, loader: LoaderSearch, bundles: ResourceBundles = ResourceBundles()) {
        self.path = path
        let report = FileReport(path, bundles)
        component = report.manifest?.name
        if let distrust = report.distrust { add("hosts refuse the file: \(distrust.message)") }
        if report.path.hasExactSuffix(DescriptionFile.suffix), report.size != nil {
            checkDescription(report, loader)
        } else {
            if let error = report.error { add(error.message) }
            if report.error == nil, report.distrust == nil { loadable = report.path }
            for problem in report.manifest?.routeProblems ?? [] { add(problem) }
            for problem in report.manifest?.typeProblems ?? [] { add(problem) }
            addSharedVariables(report.sharedVariables)
        }
        if let resources = report.resources {
            if let problem = resources.problem { add("its resources are refused: \(problem.message)") }
            for file in resources.files {
                if let problem = file.problem { add("its resource \(file.name) is refused: \(problem.message)") }
            }
        }
    }

    /// Loads the component in another process, and adds what its descriptor contradicts.
    mutating func load() {
        guard let loadable else { return }
        for problem in LoadedCheck.problems(of: loadable) { add(problem) }
    }

    /// A directory without files to check.
    init(nothingAt path: String) { self.path = path }

    private mutating func add(_ message: String) { problems.append(Problem(message: message)) }

    /// Adds a problem that only a look at other files shows.
    mutating func addFromDirectory(_ message: String) { add(message) }

    private mutating func addSharedVariables(_ names: [String]) {
        guard let first = names.first else { return }
        let others = names.count > 1 ? " and \(names.count - 1) more" : ""
        add(
            "it shares variables of C++ with every other component that has them: \(first)\(others); compile it with "
                + "-fvisibility=hidden -fvisibility-inlines-hidden, or with -fno-gnu-unique")
    }

    // MARK: - Descriptions

    private mutating func checkDescription(_ report: FileReport, _ loader: LoaderSearch) {
        // An invalid description is read again, for all that is wrong; any other error ends the check.
        if let error = report.error, !error.isAboutDescription { return add(error.message) }
        let bytes: [UInt8]
        let json: Payload
        do throws(ComponentFileError) {
            var checker = TrustChecker(policy: .unchecked)
            bytes = try checker.openFile(path: report.path).contents()
        } catch {
            return add(error.message)
        }
        let places = JSONPlaces(bytes)
        do throws(JSONError) {
            json = try Payload(placing: bytes)
        } catch {
            let message = "expected \(error.error.expected), found \(error.error.found)"
            problems.append(Problem(place: error.place, message: message))
            return
        }
        let check = DescriptionCheck(json)
        var found = check.problems
        if check.hasLibrary, let description = check.description {
            found +=
                LibraryCheck(description, check.json, folder: report.path.splitPath.directory, loader: loader)
                .problems
        }
        let located = found.map { problem in
            Problem(
                place: problem.place.map { places.place(of: problem.path, character: $0) }
                    ?? places.place(of: problem.path),
                path: problem.path.isEmpty ? nil : CheckedFile.text(problem.path), message: problem.message)
        }
        problems += located.enumerated().sorted { left, right in
            (left.element.place ?? places.place(of: []), left.offset)
                < (right.element.place ?? places.place(of: []), right.offset)
        }.map(\.element)
        // A host says nothing else about a description that it can use.
        if problems.isEmpty, let error = report.error { add(error.message) }
    }

    /// Returns a path as in `annotations.crc32.buf` and `declarations[3]`.
    private static func text(_ path: [PayloadError.PathElement]) -> String {
        var text = ""
        for element in path {
            switch element {
            case .index(let index): text += "[\(index)]"
            case .key(let key):
                let isPlain = !key.isEmpty && key.utf8.count <= 60 && key.escaped.isExactly(key) && !key.contains(" ")
                text += (text.isEmpty ? "" : ".") + (isPlain ? key : key.quoted())
            }
        }
        return text
    }
}
