import ComponentHost
import ComponentKit
import SystemSupport

extension FileReport {
    /// The number of symbols shown. The rest is only counted: a library that is not a component may have thousands.
    private static let shownSymbols = 20
    /// The number of resources shown. The rest is only counted.
    private static let shownFiles = 40

    /// Returns human-readable lines without the last line break. All text from the file is escaped.
    func text() -> String {
        var fields = Fields()
        if let manifest {
            fields.add("Component", "\(manifest.name) \(manifest.version)")
            fields.add("Summary", manifest.summary)
            fields.add("Layer", manifest.layer)
            fields.add("Module", manifest.module)
        }
        fields.add("File", path)
        fields.add("Size", size.map { $0 == 1 ? "1 byte" : "\($0) bytes" })
        fields.add("SHA-256", sha256)
        if size != nil { fields.add("Trust", distrust.map { "refused: \($0.message)" } ?? "trusted") }
        if let manifest {
            fields.add("ABI", manifest.abi?.description ?? "not specified")
            fields.add("Compiler", manifest.compiler.map { "Swift \($0)" } ?? "not specified")
        }
        fields.add("Soname", dynamic?.soname)
        fields.add("Needs", dynamic?.needed ?? [])
        fields.add("Run path", dynamic?.runPath ?? [])
        fields.add("Exports", symbols)
        guard let manifest else { return fields.lines.joined(separator: "\n") }
        fields.add("Library", ((try? manifest.extra["library"]?.items()) ?? []).compactMap { try? $0.string() })
        fields.add("Constants", manifest.constantLines)
        fields.add("Left out", manifest.refusedDeclarations + manifest.routeProblems)
        fields.add("Requires", manifest.requires.map(manifest.line))
        if manifest.starts == .withHost {
            fields.add("Starts", "with its host" + (manifest.priority == 0 ? "" : ", priority \(manifest.priority)"))
        }
        fields.add("Posts", manifest.posts)
        fields.add("Config", manifest.configuration)
        fields.add("Resources", resourceLines)
        fields.add("Other keys", manifest.extra.lines(besides: ["constants", "library", "refused"]))
        return (fields.lines + manifest.classLines + manifest.serviceLines + manifest.modelLines).joined(
            separator: "\n")
    }

    /// The directory of the resources, and the files in it with their sizes.
    private var resourceLines: [String] {
        guard let resources else { return [] }
        var lines = [resources.path]
        if let problem = resources.problem { lines.append("refused: \(problem.message)") }
        for file in resources.files.prefix(FileReport.shownFiles) {
            let size = file.size.map { $0 == 1 ? "1 byte" : "\($0) bytes" }
            lines.append("\(file.name), \(size ?? "refused: \(file.problem?.message ?? "")")")
        }
        let rest = resources.files.count - FileReport.shownFiles
        if rest > 0 { lines.append("and \(rest) more; use --json to see all") }
        if resources.isIncomplete {
            lines.append("and others, which are not listed: there are too many, or they are nested too deeply")
        }
        return lines
    }

    private var symbols: [String] {
        guard let exportedSymbols else { return [] }
        if exportedSymbols.isEmpty { return ["nothing"] }
        let rest = exportedSymbols.count - FileReport.shownSymbols
        return exportedSymbols.prefix(FileReport.shownSymbols)
            + (rest > 0 ? ["and \(rest) more; use --json to see all"] : [])
    }

    /// Labels with their values, one value per line.
    private struct Fields {
        private(set) var lines: [String] = []

        mutating func add(_ label: String, _ value: String?) {
            if let value { add(label, [value]) }
        }

        mutating func add(_ label: String, _ values: [String]) {
            for (index, value) in values.enumerated() {
                let label = index == 0 ? label : ""
                lines.append(label + String(repeating: " ", count: 11 - label.count) + value.escaped)
            }
        }
    }
}

extension Manifest {
    /// The classes with their selectors, each class preceded by an empty line.
    fileprivate var classLines: [String] {
        classes.flatMap { declaration in
            var lines = ["", "Class \(declaration.name.escaped) (\(declaration.instances.words))"]
            lines += declaration.provides.map { "  provides \($0.escaped)" }
            lines += declaration.summary.map { ["  \($0.escaped)"] } ?? []
            lines += declaration.extra.lines().map { "  \($0.escaped)" }
            return lines + declaration.selectors.flatMap(\.lines)
        }
    }
}

extension Manifest {
    /// The number of constants shown. The rest is only counted: a header may have hundreds.
    private static let shownConstants = 40

    /// The constants of a description with their values.
    fileprivate var constantLines: [String] {
        let constants = (try? extra["constants"]?.entries()) ?? []
        let lines = constants.prefix(Manifest.shownConstants).map { "\($0.key) = \((try? $0.value.json()) ?? "")" }
        let rest = constants.count - Manifest.shownConstants
        return lines + (rest > 0 ? ["and \(rest) more; use --json to see all"] : [])
    }
}

extension ClassDeclaration.Instances {
    fileprivate var words: String {
        switch self {
        case .shared: "one shared instance"
        case .perCall: "an instance per call"
        case .perConsumer: "an instance per consumer"
        }
    }
}

extension SelectorDeclaration {
    fileprivate var lines: [String] {
        var lines = ["  \(line.escaped)"]
        lines += summary.map { ["    \($0.escaped)"] } ?? []
        lines += routeLines.map { "    \($0.escaped)" }
        return lines + extra.lines().map { "    \($0.escaped)" }
    }
}

extension Payload {
    /// Returns the entries of a map as `key: value`.
    func lines(besides keys: Set<String> = []) -> [String] {
        ((try? entries()) ?? []).filter { !keys.contains($0.key) }.map { "\($0.key): \($0.value)" }
    }
}
