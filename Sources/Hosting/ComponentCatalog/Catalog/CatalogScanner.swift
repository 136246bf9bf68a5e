import Glibc
import SystemSupport

/// Scans directories for components without mapping or running any file.
package struct CatalogScanner {
    /// A directory with more entries is not meant for components.
    static let maximumNames = 65_536

    private let formats: [ComponentFormat]
    private var checker: TrustChecker
    private let reader = ComponentFileReader()
    private var finder = LibraryFinder()
    private var candidates: [Catalog.Candidate] = []
    private var rejectedFiles: [Catalog.Rejection] = []
    private var rejectedDirectories: [Catalog.Rejection] = []
    private var searched: Set<[UInt64]> = []
    /// The paths of the libraries that descriptions name.
    private var described: [String] = []

    private init(_ formats: [ComponentFormat], policy: TrustPolicy) {
        self.formats = formats
        checker = TrustChecker(policy: policy)
    }

    /// Scans `directories` in order. A directory that is listed twice, even by different paths, is scanned once.
    ///
    /// - Parameters:
    ///   - directories: Absolute paths, or paths relative to the current directory.
    ///   - formats: The formats of component files besides shared objects.
    ///   - policy: Which files to refuse.
    ///   - builtIn: The manifests of components that are linked into the program.
    ///   - host: The classes and services that the program itself offers.
    /// - Returns: A catalog, which also lists the files and directories that cannot be used. Only regular files and
    ///   links directly in the directories are read. Subdirectories are skipped, because they hold libraries and
    ///   resources.
    package static func scan(
        _ directories: [String], formats: [ComponentFormat], policy: TrustPolicy = .strict, builtIn: [Manifest] = [],
        host: HostDeclaration = HostDeclaration()
    ) -> Catalog {
        survey(directories, formats: formats, policy: policy, builtIn: builtIn).catalog(host: host)
    }

    /// Scans `directories` like ``scan(_:formats:policy:builtIn:host:)``, but does not select active versions or resolve
    /// requirements.
    package static func survey(
        _ directories: [String], formats: [ComponentFormat], policy: TrustPolicy, builtIn: [Manifest]
    ) -> CatalogSurvey {
        var scanner = CatalogScanner(formats, policy: policy)
        scanner.candidates = builtIn.map { Catalog.Candidate(manifest: $0) }
        for directory in directories { scanner.scan(directory) }
        return CatalogSurvey(
            candidates: scanner.candidates, rejectedFiles: scanner.unusedFiles,
            rejectedDirectories: scanner.rejectedDirectories,
            followed: scanner.finder.followed.union(scanner.checker.libraries.followed))
    }

    /// The rejected files without those that are used in another way: a link "libA.so" may lead to "libA.so.1", and that
    /// to "libA.so.1.0"; and a description may name a library, which need not be a component.
    private var unusedFiles: [Catalog.Rejection] {
        let linked = Set(
            candidates.compactMap(\.file?.path).filter {
                !PluginFileName.isPlugin($0.splitPath.name, formats)
            }
            .map { ExactText($0) })
        let libraries = Set(described.compactMap { AbsolutePath.resolved($0) }.map { ExactText($0) })
        guard !linked.isEmpty || !libraries.isEmpty else { return rejectedFiles }
        return rejectedFiles.filter { rejection in
            guard [.ignoredName, .noManifest].contains(rejection.code),
                let file = AbsolutePath.resolved(rejection.path).map({ ExactText($0) })
            else { return true }
            return !libraries.contains(file) && (rejection.code != .ignoredName || !linked.contains(file))
        }
    }

    private mutating func scan(_ path: String) {
        do throws(ComponentFileError) {
            let directory = try checker.openDirectory(path)
            try TrustChecker.refuseLoaderTokens(in: directory.path, isDirectory: true)
            guard searched.insert([directory.identity.device, directory.identity.inode]).inserted else { return }
            for name in try names(in: directory) { look(at: name, in: directory) }
        } catch {
            rejectedDirectories.append(Catalog.Rejection(path: path, error))
        }
    }

    private mutating func look(at name: String, in directory: borrowing OpenDirectory) {
        do throws(ComponentFileError) {
            guard PluginFileName.isPlugin(name, formats) else { throw PluginFileName.refusal(formats) }
            let file = try checker.openFile(name, in: directory)
            if let format = PluginFileName.format(of: name, formats) {
                let (manifest, libraries) = try format.read(file)
                finder.add(libraries: libraries, in: directory.path)
                described += libraries.compactMap { CatalogScanner.path(of: $0, in: directory.path) }
                candidates.append(
                    Catalog.Candidate(
                        manifest: manifest,
                        file: ComponentFile(
                            path: file.path, directory: directory.path, neededLibraries: [], identity: file.identity,
                            format: format), libraries: firstLibrary(of: libraries, in: directory.path)))
                return
            }
            try TrustChecker.refuseLoaderTokens(in: file.path)
            let (manifest, dynamic) = try reader.read(file)
            // What is not trusted is not read either; the checker follows it.
            try checker.checkLibraries(dynamic, of: file.path)
            let libraries = finder.libraries(of: dynamic, at: file.path)
            candidates.append(
                Catalog.Candidate(
                    manifest: manifest,
                    file: ComponentFile(
                        path: file.path, directory: directory.path, neededLibraries: dynamic.needed,
                        identity: file.identity), libraries: libraries))
        } catch {
            rejectedFiles.append(Catalog.Rejection(path: directory.path(of: name), error))
        }
    }

    /// Returns the one of these libraries that is used, and those that it brings; empty if there is none yet, or if only
    /// the dynamic loader knows where it is. As for loading, it is the first one that is there and trusted.
    private mutating func firstLibrary(of libraries: [String], in folder: String) -> [BroughtLibrary] {
        for library in libraries {
            guard let path = CatalogScanner.path(of: library, in: folder) else { continue }
            do throws(ComponentFileError) {
                let file = try checker.openLibrary(path: path)
                let dynamic = try ElfFile(
                    descriptor: file.descriptor, size: file.identity.size, buffers: checker.libraries.buffers
                ).dynamic()
                let own = BroughtLibrary(
                    name: dynamic.soname ?? file.path, soname: dynamic.soname, path: file.path,
                    identity: file.identity, isDescribed: true)
                return [own] + finder.libraries(of: dynamic, at: file.path)
            } catch {
                continue
            }
        }
        return []
    }

    /// Returns the path of a library that a description in a directory names; nil if only the dynamic loader knows it.
    private static func path(of library: String, in folder: String) -> String? {
        if library.hasExactPrefix("./") { return "\(folder)/\(library.without(exactPrefix: "./"))" }
        return library.hasExactPrefix("/") ? library : nil
    }

    /// Returns the names in a directory in ascending order, without subdirectories and links to directories.
    private mutating func names(in directory: borrowing OpenDirectory) throws(ComponentFileError) -> [String] {
        var names: [String] = []
        var refused: [Catalog.Rejection] = []
        var isTooLarge = false
        try directory.forEachEntry { entry in
            switch entry.kind {
            case .directory: return true
            case .file: break
            case .link, .special, .unknown:
                if entry.isText, CatalogScanner.isDirectory(entry.name, in: directory.descriptor) { return true }
            }
            isTooLarge = names.count + refused.count == CatalogScanner.maximumNames
            guard !isTooLarge else { return false }
            if entry.isText {
                names.append(entry.name)
            } else {
                refused.append(
                    Catalog.Rejection(
                        path: directory.path(of: entry.name),
                        ComponentFileError(.notReadable, "its name is not UTF-8; rename the file")))
            }
            return true
        }
        guard !isTooLarge else {
            throw ComponentFileError(
                .notReadable, "it has more than \(CatalogScanner.maximumNames) files; give a directory of components")
        }
        rejectedFiles += refused
        return names.sortedExactly()
    }

    /// Used for links, and on file systems that do not report the type of an entry.
    private static func isDirectory(_ name: String, in descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstatat(descriptor, name, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// The components and rejected files that a scan found, before active versions are selected.
package struct CatalogSurvey: Sendable {
    /// Built-in components first, then files in the order of their directories and names.
    var candidates: [Catalog.Candidate]
    let rejectedFiles: [Catalog.Rejection]
    let rejectedDirectories: [Catalog.Rejection]
    /// The files elsewhere that the result depends on.
    let followed: FollowedFiles

    /// Selects the active versions and resolves their requirements.
    package func catalog(host: HostDeclaration) -> Catalog {
        Catalog(
            candidates, host: host, rejectedFiles: rejectedFiles, rejectedDirectories: rejectedDirectories,
            followed: followed)
    }

    /// Returns this survey with the old identity for every file whose content is unchanged, although its metadata has
    /// changed.
    ///
    /// - Parameter files: The files of known components. Only files that have been loaded can be recognized.
    package func recognizing(_ files: [ComponentFile]) -> CatalogSurvey {
        let known = Dictionary(firstOf: files.map { (ExactText($0.path), $0) })
        var survey = self
        for index in candidates.indices {
            guard let found = candidates[index].file, let file = known[ExactText(found.path)],
                LoadedContents.isSame(file, found)
            else { continue }
            survey.candidates[index].file?.identity = file.identity
        }
        return survey
    }

    /// Returns this survey with the components marked that are disabled.
    ///
    /// - Parameter setting: Returns the setting that disables a component, and its file; nil if it is enabled.
    package func disabling(_ setting: (_ component: String) -> String?) -> CatalogSurvey {
        var survey = self
        for index in candidates.indices {
            survey.candidates[index].disabledBy = setting(candidates[index].manifest.name)
        }
        return survey
    }

    /// Returns this survey with the components that already run marked as such, whatever files are now at their
    /// paths.
    package func keeping(_ running: [Catalog.Candidate]) -> CatalogSurvey {
        var survey = self
        var places: [String: [Int]] = [:]
        for (index, candidate) in candidates.enumerated() { places[candidate.manifest.name, default: []].append(index) }
        /// Those whose files are not there any more, by the place before which they are inserted.
        var inserted: [Int: [Catalog.Candidate]] = [:]
        for var candidate in running {
            candidate.isInMemory = true
            let own = places[candidate.manifest.name] ?? []
            if let same = own.first(where: { candidates[$0].file == candidate.file }) {
                survey.candidates[same].isInMemory = true
            } else {
                inserted[own.first ?? candidates.endIndex, default: []].append(candidate)
            }
        }
        guard !inserted.isEmpty else { return survey }
        survey.candidates = survey.candidates.enumerated().flatMap { (inserted[$0] ?? []) + [$1] }
        survey.candidates += inserted[candidates.endIndex] ?? []
        return survey
    }
}
