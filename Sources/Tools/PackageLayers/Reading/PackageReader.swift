import Glibc
import ProgramRunning
import SystemSupport

/// Reads packages from disk.
package enum PackageReader {
    /// Reads a package: its manifest, its `.layers.json` and its sources.
    ///
    /// SwiftPM compiles and runs the manifest, which takes about a second for each package.
    ///
    /// - Parameter folder: The folder with Package.swift.
    /// - Throws: A `LayersError` if SwiftPM is missing or refuses the manifest, or if `.layers.json` is wrong.
    package static func read(_ folder: String) throws(LayersError) -> SourcePackage {
        let root = try root(folder)
        let dump = try dump(root, shown: folder)
        var package = try sources(of: dump, in: root, shown: folder)
        for (index, place) in dump.references.enumerated() {
            guard let folder = place.folder, dump.usesProducts(of: place.reference) else { continue }
            do throws(LayersError) {
                package.dependencies[index].products = try products(ofPackageIn: folder)
            } catch {
                // A finding is one line, so it omits what SwiftPM said.
                let problem = "the products of \(place.reference.identity) count as common: \(error.reason)"
                package.problems.append((package.manifestPath, problem))
            }
        }
        return package
    }

    /// Reads everything but the packages that the package depends on.
    private static func sources(
        of dump: ManifestDump, in root: String, shown folder: String
    ) throws(LayersError) -> SourcePackage {
        let prefix = prefix(folder)
        var package = SourcePackage(name: dump.name, targets: targets(of: dump, in: root, shown: prefix))
        package.dependencies = dump.references.map(\.reference)
        package.manifestPath = "\(prefix)Package.swift"
        package.manifest = (try? FileContents.read("\(root)/Package.swift", atMost: maximumSize)) ?? []
        package.statement = try statement(in: root, shown: prefix)
        return package
    }

    /// Returns the layers of the products of a package on this machine: of each, the highest of its targets.
    private static func products(ofPackageIn folder: String) throws(LayersError) -> [String: Layer] {
        let root = try root(folder)
        let dump = try dump(root, shown: folder)
        let map = LayerMap(try sources(of: dump, in: root, shown: folder))
        var layers: [String: Layer] = [:]
        for product in dump.products {
            let all = product.targets.compactMap { map.placement(ofTarget: $0)?.layer }
            layers[product.name] = all.max { $0.height < $1.height }
        }
        return layers
    }

    /// The largest manifest and .layers.json that are read.
    private static let maximumSize = 4 << 20

    // MARK: The manifest

    private static func root(_ folder: String) throws(LayersError) -> String {
        guard let resolved = unsafe realpath(folder, nil) else {
            throw LayersError("\(folder.escaped): cannot be used: \(systemMessage(errno))")
        }
        defer { unsafe free(resolved) }
        guard let root = unsafe String(validatingCString: resolved) else {
            throw LayersError("\(folder.escaped): its path is not UTF-8; rename it")
        }
        // SwiftPM would search the parents for a manifest.
        guard unsafe access("\(root)/Package.swift", R_OK) == 0 else {
            let reason = errno == ENOENT || errno == ENOTDIR ? "there is none" : systemMessage(errno)
            throw LayersError("\(folder.escaped): expected a folder with a Package.swift: \(reason)")
        }
        return root
    }

    private static func dump(_ root: String, shown folder: String) throws(LayersError) -> ManifestDump {
        guard let swift = ProgramSearch.program("swift") else {
            throw LayersError(
                "swift is needed to read \(prefix(folder).escaped)Package.swift, but it is not in PATH: add the Swift "
                    + "toolchain's usr/bin to PATH")
        }
        // The cache of manifests does not notice folders that a manifest lists. Nothing is built, so a build that is
        // running need not end first.
        let arguments = [
            "package", "--package-path", root, "--manifest-cache", "none", "--ignore-lock", "dump-package",
        ]
        let run: ProgramOutput
        do throws(ProgramError) {
            run = try ProgramOutput.of(swift, arguments, input: "")
        } catch {
            throw LayersError(error.message.escaped)
        }
        guard run.status == 0 else { throw failure(run, folder) }
        do {
            return try ManifestDump(json: run.standardOutput)
        } catch {
            throw LayersError(
                "\(prefix(folder).escaped)Package.swift: 'swift package dump-package' describes it in a form that this "
                    + "version does not know")
        }
    }

    /// Returns an error with what SwiftPM said, without the lines about its own commands, which only their text tells.
    private static func failure(_ run: ProgramOutput, _ folder: String) -> LayersError {
        let lines = run.standardError.split(whereSeparator: \.isNewline).map { String($0).escaped }
        let useful = lines.filter { !$0.contains("Invalid manifest (compiled with:") }
        let shown = (useful.isEmpty ? lines : useful).prefix(40).joined(separator: "\n")
        let signal = run.status & 0x7F
        let end = signal == 0 ? "status \((run.status >> 8) & 0xFF)" : "signal \(signal)"
        return LayersError(
            "\(prefix(folder).escaped)Package.swift: 'swift package dump-package' failed (\(end))", output: shown)
    }

    /// Returns the beginning of the printed paths of files in a folder.
    private static func prefix(_ folder: String) -> String {
        var folder = Substring(folder)
        while folder.hasExactPrefix("./") { folder = folder.dropFirst(2).drop { $0 == "/" } }
        while folder.utf8.count > 1, folder.hasExactSuffix("/") { folder = folder.dropLast() }
        return folder == "." || folder.isEmpty ? "" : folder == "/" ? "/" : "\(folder)/"
    }

    private static func statement(in root: String, shown: String) throws(LayersError) -> LayersStatement {
        let path = "\(shown).layers.json"
        let bytes: [UInt8]
        do throws(SourceError) {
            bytes = try FileContents.read("\(root)/.layers.json", atMost: maximumSize)
        } catch {
            guard error.code == ENOENT else {
                throw LayersError("\(path.escaped): it cannot be read: \(systemMessage(error.code))")
            }
            var statement = LayersStatement()
            statement.path = path
            return statement
        }
        return try LayersFile.statement(bytes, path: path)
    }

    // MARK: Sources

    private static func targets(of dump: ManifestDump, in root: String, shown: String) -> [SourceTarget] {
        let folders = dump.targets.map { folder(of: $0, in: dump, root) }
        return dump.targets.enumerated().map { index, target in
            var result = SourceTarget(target.name, target.kind, dependencies: dump.dependencies(of: target))
            guard ![.system, .binary].contains(target.kind) else { return result }
            guard let folder = folders[index] else {
                let usual = ManifestDump.usualFolders(of: target.kind)[0]
                result.problems = [("\(shown)\(target.path ?? "\(usual)/\(target.name)")", "there is no such folder")]
                return result
            }
            let base = joined(root, folder)
            // A folder of another target inside this one belongs to that target alone.
            var excluded = Set(((target.exclude ?? []) + (target.resources ?? []).map(\.path)).map { joined(base, $0) })
            excluded.formUnion(
                folders.compactMap { $0 }.map { joined(root, $0) }.filter { $0.hasExactPrefix(base + "/") })
            let sources = SourceFolder(
                (target.sources ?? [""]).map { start in
                    let path = joined(base, start)
                    return (path, shown + path.dropFirst(root.count + 1))
                }, excluding: Set(excluded.map { ExactText($0) }))
            result.files = sources.files
            result.problems = sources.problems
            return result
        }
    }

    /// Returns the folder of a target, relative to the package; nil if there is none.
    private static func folder(of target: ManifestDump.Target, in dump: ManifestDump, _ root: String) -> String? {
        if let path = target.path { return isFolder(joined(root, path)) ? path : nil }
        let usual = ManifestDump.usualFolders(of: target.kind)
        if let found = usual.first(where: { isFolder("\(root)/\($0)/\(target.name)") }) {
            return "\(found)/\(target.name)"
        }
        // The sources of the only target of its kind may lie directly in Sources.
        let like = dump.targets.filter { ManifestDump.usualFolders(of: $0.kind) == usual }
        return like.count == 1 ? usual.first { isFolder("\(root)/\($0)") } : nil
    }

    private static func joined(_ folder: String, _ path: String) -> String {
        let parts = path.exactParts(between: "/").filter { $0 != "." }
        return parts.isEmpty ? folder : "\(folder)/\(parts.joined(separator: "/"))"
    }

    private static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return unsafe stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }
}
