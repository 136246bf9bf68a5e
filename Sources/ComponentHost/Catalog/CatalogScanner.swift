import Glibc

/// Looks through directories of components. Nothing that lies there is mapped or run.
package struct CatalogScanner {
    /// A directory with more names is no directory of components.
    private static let maximumNames = 65_536

    private var checker: TrustChecker
    private let reader = ComponentFileReader()
    private var candidates: [Catalog.Candidate] = []
    private var rejectedFiles: [Catalog.Rejection] = []
    private var rejectedDirectories: [Catalog.Rejection] = []
    private var searched: Set<[UInt64]> = []

    private init(policy: TrustPolicy) { checker = TrustChecker(policy: policy) }

    /// Looks through `directories`, in that order; one that comes twice, the second time by whatever way,
    /// is searched once.
    ///
    /// - Parameters:
    ///   - directories: absolute or relative to the current directory.
    ///   - policy: which files to refuse.
    ///   - builtIn: the manifests of components that are linked into the program.
    ///   - host: what the program itself offers.
    /// - Returns: a catalogue that also lists what could not be used. Regular files and links in the
    ///   directories are looked at; directories inside them are not: libraries and resources lie there.
    package static func scan(
        _ directories: [String], policy: TrustPolicy = .strict, builtIn: [Manifest] = [],
        host: HostDeclaration = HostDeclaration()
    ) -> Catalog {
        survey(directories, policy: policy, builtIn: builtIn).catalog(host: host)
    }

    /// The same before it is decided what can be had.
    static func survey(_ directories: [String], policy: TrustPolicy, builtIn: [Manifest]) -> CatalogSurvey {
        var scanner = CatalogScanner(policy: policy)
        scanner.candidates = builtIn.map { Catalog.Candidate(manifest: $0) }
        for directory in directories { scanner.scan(directory) }
        return CatalogSurvey(
            candidates: scanner.candidates, rejectedFiles: scanner.rejectedFiles,
            rejectedDirectories: scanner.rejectedDirectories)
    }

    private mutating func scan(_ path: String) {
        do throws(ComponentFileError) {
            let directory = try checker.openDirectory(path)
            guard searched.insert([directory.identity.device, directory.identity.inode]).inserted else { return }
            for name in try names(in: directory) { look(at: name, in: directory) }
        } catch {
            rejectedDirectories.append(Catalog.Rejection(path: path, error))
        }
    }

    private mutating func look(at name: String, in directory: borrowing OpenDirectory) {
        do throws(ComponentFileError) {
            guard PluginFileName.isPlugin(name) else { throw PluginFileName.refusal }
            let file = try checker.openFile(name, in: directory)
            guard !name.hasSuffix(DescriptionFile.suffix) else {
                let (_, manifest) = try DescriptionFile.read(file)
                candidates.append(
                    Catalog.Candidate(
                        manifest: manifest,
                        file: ComponentFile(
                            path: file.path, directory: directory.path, neededLibraries: [], identity: file.identity)))
                return
            }
            let (manifest, dynamic) = try reader.read(file)
            try checker.checkLibraries(dynamic, of: file.path)
            candidates.append(
                Catalog.Candidate(
                    manifest: manifest,
                    file: ComponentFile(
                        path: file.path, directory: directory.path, neededLibraries: dynamic.needed,
                        identity: file.identity)))
        } catch {
            rejectedFiles.append(Catalog.Rejection(path: directory.path(of: name), error))
        }
    }

    /// What lies in a directory, directories and links to them left out, in ascending order.
    private mutating func names(in directory: borrowing OpenDirectory) throws(ComponentFileError) -> [String] {
        let copy = fcntl(directory.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = unsafe fdopendir(copy) else {
            let error = errno
            if copy >= 0 { close(copy) }
            throw .system(error, while: "list")
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let type = unsafe Int(entry.pointee.d_type)
            if type == Int(DT_DIR) { continue }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { unsafe UnsafeRawPointer($0) }
                .assumingMemoryBound(to: CChar.self)
            if type != Int(DT_REG), unsafe CatalogScanner.isDirectory(name, in: directory.descriptor) { continue }
            guard names.count < CatalogScanner.maximumNames else {
                throw ComponentFileError(
                    code: .notReadable,
                    message: "more than \(CatalogScanner.maximumNames) files lie there; give a directory of components")
            }
            if let text = unsafe String(validatingCString: name) {
                names.append(text)
            } else {
                let repaired = unsafe String(cString: name)
                rejectedFiles.append(
                    Catalog.Rejection(
                        path: directory.path(of: repaired),
                        ComponentFileError(code: .notReadable, message: "its name is not UTF-8; rename it")))
            }
        }
        if errno != 0 { throw .system(errno, while: "list") }
        return names.sorted()
    }

    /// For links, and for file systems that do not tell the type of an entry.
    private static func isDirectory(_ name: UnsafePointer<CChar>, in descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstatat(descriptor, name, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// What lies in the directories of components, before it is decided what can be had.
struct CatalogSurvey: Sendable {
    /// Built-in ones first, then in the order of the directories and of the file names.
    var candidates: [Catalog.Candidate]
    let rejectedFiles: [Catalog.Rejection]
    let rejectedDirectories: [Catalog.Rejection]

    /// What can be had of it.
    func catalog(host: HostDeclaration) -> Catalog {
        Catalog(
            candidates, host: host, rejectedFiles: rejectedFiles, rejectedDirectories: rejectedDirectories)
    }

    /// The same with files that are known again although something was done to them that left their content alone.
    ///
    /// - Parameter files: of components; those that are in memory count.
    func recognizing(_ files: [ComponentFile]) -> CatalogSurvey {
        let known = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        var survey = self
        for index in candidates.indices {
            guard let found = candidates[index].file, let file = known[found.path],
                LoadedContents.isSame(file, found)
            else { continue }
            survey.candidates[index].file?.identity = file.identity
        }
        return survey
    }

    /// The same for a host in which some components run already, whatever lies in the place of their files by now.
    func keeping(_ running: [Catalog.Candidate]) -> CatalogSurvey {
        var survey = self
        for var candidate in running {
            candidate.isInMemory = true
            let name = candidate.manifest.name
            let same = survey.candidates.firstIndex { $0.manifest.name == name && $0.file == candidate.file }
            if let same {
                survey.candidates[same].isInMemory = true
            } else {
                let first = survey.candidates.firstIndex { $0.manifest.name == name }
                survey.candidates.insert(candidate, at: first ?? survey.candidates.endIndex)
            }
        }
        return survey
    }
}
