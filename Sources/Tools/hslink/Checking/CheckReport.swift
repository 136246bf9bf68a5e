import ComponentHost
import ComponentKit
import SystemSupport

/// The output of `hslink check`.
struct CheckReport {
    private(set) var files: [CheckedFile] = []

    /// Checks files, and the files in directories.
    ///
    /// - Throws: an `ExitCode` if a file of the configuration cannot be used.
    init(_ paths: [String], _ settings: ConfigurationOptions) throws {
        let disabling = try settings.disabling()
        let loader = LoaderSearch()
        let bundles = ResourceBundles()
        for path in paths {
            if DirectoryCheck.isDirectory(path) {
                files += DirectoryCheck.files(in: path, loader, bundles, settings: settings)
            } else {
                files.append(CheckedFile(path, loader: loader, bundles: bundles))
            }
        }
        for index in files.indices { files[index].disabledBy = files[index].component.flatMap(disabling) }
    }

    /// Loads the components among the files, and adds what their descriptors contradict.
    mutating func load() {
        for index in files.indices { files[index].load() }
    }

    var problemCount: Int { files.reduce(0) { $0 + $1.problems.count } }

    /// One line for each problem, as compilers print it. All text from files is escaped.
    var lines: [String] {
        files.flatMap { file in
            file.problems.map { problem in
                let place = problem.place.map { ":\($0.line):\($0.column)" } ?? ""
                let path = problem.path.map { "\($0): " } ?? ""
                return "\(file.path)\(place): \(path)\(problem.message)".escaped
            }
        }
    }

    /// The number of problems and files in words.
    var summary: String {
        let words = files.count == 1 ? files[0].path.escaped : "\(files.count) files"
        switch problemCount {
        case 0: return "\(words): no problems"
        case 1: return "\(words): 1 problem"
        default: return "\(words): \(problemCount) problems"
        }
    }

    /// Returns the report as one JSON object, described in the help of `hslink check`.
    func json() throws(PayloadError) -> String {
        let objects = files.map { file -> Payload in
            let problems = file.problems.map { problem -> Payload in
                [
                    "line": (problem.place?.line).payload, "column": (problem.place?.column).payload,
                    "path": problem.path.payload, "message": .string(problem.message),
                ]
            }
            let disabled = file.disabledBy.map { [("disabledBy", Payload.string($0))] } ?? []
            return .map([("file", .string(file.path)), ("problems", .array(problems))] + disabled)
        }
        return try Payload.map([("files", .array(objects))]).json()
    }
}

/// The files of a directory, and what is wrong between them.
private enum DirectoryCheck {
    static func isDirectory(_ path: String) -> Bool {
        var checker = TrustChecker(policy: .unchecked)
        return (try? checker.openDirectory(path)) != nil
    }

    /// Checks the files that a host would read in a directory, in the order of their names.
    static func files(
        in directory: String, _ loader: LoaderSearch, _ bundles: ResourceBundles, settings: ConfigurationOptions
    ) -> [CheckedFile] {
        // A host, so that what every host provides meets requirements, too.
        var options = HostOptions()
        settings.apply(to: &options)
        options.trust = .unchecked
        let host = LinkHost(components: [directory], includesBuiltIn: false, options: options)
        settings.warn(of: host)
        let catalog = host.catalog
        let conflicts = Dictionary(grouping: catalog.conflicts, by: \.loser)
        var messages: [ExactText: [String]] = [:]
        for entry in catalog.entries {
            guard let path = (entry.file?.path).map({ ExactText($0) }) else { continue }
            messages[path] = []
            if case .unmet(let unmet) = entry.state { messages[path]?.append(unmet.message) }
            for conflict in conflicts[entry.manifest.name] ?? [] {
                let owner = conflict.winner.map { "the component \($0)" } ?? "the host"
                messages[path]?.append("its class \(conflict.className) is already that of \(owner)")
            }
            let libraries = catalog.libraryProblem(of: entry.manifest.name)
            if !libraries.isEmpty { messages[path]?.append(libraries) }
        }
        // A library that a description names is beside it, and need not be a component.
        let libraries = Set(catalog.entries.flatMap(ownLibraries).map { ExactText($0) })
        for rejection in catalog.rejectedFiles
        where rejection.code != .ignoredName && !libraries.contains(ExactText(rejection.path)) {
            messages[ExactText(rejection.path)] = []
        }
        guard !messages.isEmpty else {
            var none = CheckedFile(nothingAt: directory)
            none.addFromDirectory("there is no component and no description in this directory")
            return [none]
        }
        return messages.keys.sorted().map { path in
            let name = path.text.exactParts(between: "/").last ?? path.text
            var file = CheckedFile(
                "\(directory.hasExactSuffix("/") ? directory : "\(directory)/")\(name)", loader: loader,
                bundles: bundles)
            for message in messages[path] ?? [] { file.addFromDirectory(message) }
            return file
        }
    }

    /// Returns the paths of the libraries that a description names by relative paths.
    private static func ownLibraries(_ entry: Catalog.Entry) -> [String] {
        guard let file = entry.file, file.isDescription else { return [] }
        let folder = file.path.splitPath.directory
        let names = ((try? entry.manifest.extra["library"]?.items()) ?? []).compactMap { try? $0.string() }
        return names.filter { $0.hasExactPrefix("./") }.map { "\(folder)/\($0.without(exactPrefix: "./"))" }
    }
}
