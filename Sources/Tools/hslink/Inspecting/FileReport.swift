import ComponentHost
import ComponentKit
import SystemSupport

/// The contents of a file, determined without running any of its code.
struct FileReport {
    /// The absolute path with symbolic links resolved; the given path if there is no such file.
    private(set) var path: String
    /// The size in bytes; nil, like all properties but the path and the error, if the file could not be opened.
    private(set) var size: Int64?
    /// The digest as hexadecimal digits.
    private(set) var sha256: String?
    /// Why a host would not trust the file: other users can modify it or its libraries; nil if a host would trust it.
    private(set) var distrust: ComponentFileError?
    /// The dynamic section; nil if the file is not a shared object.
    private(set) var dynamic: ElfDynamic?
    private(set) var exportedSymbols: [String]?
    /// The variables that the component shares with others.
    private(set) var sharedVariables: [String] = []
    private(set) var manifest: Manifest?
    /// The component's resources; nil if it has none.
    private(set) var resources: ResourceListing?
    /// The setting with which the configuration disables the component; nil if it does not.
    var disabledBy: String?
    /// Why the file is not a component; nil if it is one.
    private(set) var error: ComponentFileError?

    /// Reads the file.
    ///
    /// - Parameter bundles: the resources beside the files of a report.
    init(_ path: String, _ bundles: ResourceBundles = ResourceBundles()) {
        self.path = path
        do throws(ComponentFileError) {
            try read(try open(path))
        } catch {
            self.error = error
        }
        if let manifest { resources = ResourceListing(ResourcePlace(of: manifest, at: path), bundles: bundles) }
    }

    /// Opens the file even if it is not trusted, and records why it is not.
    private mutating func open(_ path: String) throws(ComponentFileError) -> OpenFile {
        var strict = TrustChecker(policy: .strict)
        do throws(ComponentFileError) {
            let file = try strict.openFile(path: path)
            try TrustChecker.refuseLoaderTokens(in: file.path)
            return file
        } catch {
            var any = TrustChecker(policy: .unchecked)
            // Throws if the file cannot be opened at all, which is not a matter of trust.
            let file = try any.openFile(path: path)
            distrust = error
            return file
        }
    }

    private mutating func read(_ file: consuming OpenFile) throws(ComponentFileError) {
        path = file.path
        size = file.identity.size
        sha256 = try FileDigest.sha256(of: file)
        if path.hasExactSuffix(DescriptionFile.suffix) {
            (_, manifest) = try DescriptionFile.read(file)
            return
        }
        do throws(ComponentFileError) {
            let inspection = try ComponentFileReader().inspect(file)
            manifest = inspection.manifest
            dynamic = inspection.dynamic
            exportedSymbols = inspection.exportedSymbols
            sharedVariables = inspection.sharedVariables
        } catch {
            readLibrary(file)
            checkLibraries(file)
            throw error
        }
        checkLibraries(file)
    }

    /// Records whether a host would trust the libraries that the file needs.
    private mutating func checkLibraries(_ file: borrowing OpenFile) {
        guard distrust == nil, let dynamic else { return }
        var strict = TrustChecker(policy: .strict)
        do throws(ComponentFileError) {
            try strict.checkLibraries(dynamic, of: file.path)
        } catch {
            distrust = error
        }
    }

    /// Reads what is readable in a shared object that is not a component.
    private mutating func readLibrary(_ file: borrowing OpenFile) {
        guard let elf = try? ElfFile(descriptor: file.descriptor, size: file.identity.size),
            let dynamic = try? elf.dynamic()
        else { return }
        self.dynamic = dynamic
        exportedSymbols = try? elf.exportedSymbols(dynamic)
    }

    /// Returns the report as one JSON object, described in the help of `hslink inspect`.
    func json() throws(PayloadError) -> String {
        var report = JSONObject()
        try report.set("file", path)
        try report.set("size", size.payload)
        try report.set("sha256", sha256)
        try report.set("trust", size == nil ? .null : trust)
        try report.set("abi", manifest?.abi?.description)
        try report.set("compiler", manifest?.compiler)
        try report.set("soname", dynamic?.soname)
        try report.set("neededLibraries", (dynamic?.needed).payload)
        try report.set("runPath", (dynamic?.runPath).payload)
        try report.set("exportedSymbols", exportedSymbols.payload)
        try report.set("manifest", manifest?.json ?? .null)
        try report.set("resources", resourcesJSON)
        if let disabledBy { try report.set("disabledBy", disabledBy) }
        if let problems = manifest?.routeProblems, !problems.isEmpty {
            try report.set("routeProblems", problems.payload)
        }
        if let error { try report.set("error", json(error)) }
        return report.text
    }

    private func json(_ error: ComponentFileError) -> Payload {
        ["code": .string("\(error.code)"), "message": .string(error.message)]
    }

    private var resourcesJSON: Payload {
        guard let resources else { return .null }
        var entries: [(String, Payload)] = [("path", .string(resources.path))]
        if let problem = resources.problem { entries.append(("error", json(problem))) }
        let files = resources.files.map { file -> Payload in
            let error = file.problem.map { [("error", json($0))] } ?? []
            return .map([("name", .string(file.name)), ("size", file.size.payload)] + error)
        }
        entries += [("files", .array(files)), ("isComplete", .bool(!resources.isIncomplete))]
        return .map(entries)
    }

    private var trust: Payload {
        guard let distrust else { return ["isTrusted": true] }
        return [
            "isTrusted": false, "code": .string("\(distrust.code)"), "reason": .string(distrust.message),
        ]
    }

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
            fields.add("Disabled", disabledBy.map { "by \($0)" })
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
