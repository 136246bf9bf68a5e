package import ComponentKit
import Glibc
import SystemSupport

/// Opens component directories and files, and refuses those that ``TrustPolicy`` does not allow.
///
/// The checks apply to what was actually opened: owner and mode come from descriptors, and the path that is handed on
/// has no links. Results that several files share are cached, so use a checker for one scan of the directories, or for
/// loading one file, from one thread at a time.
package struct TrustChecker {
    package let policy: TrustPolicy
    var rules: PermissionRules
    /// Directories that have passed the checks as ancestors, by their paths without links.
    private var knownAncestors: Set<ExactText> = []
    /// Cached results about the libraries that components need.
    var libraries = LibraryMemory()

    /// - Parameters:
    ///   - policy: Which files and directories to refuse.
    ///   - caller: The user that is accepted as an owner in addition to root.
    package init(policy: TrustPolicy = .strict, caller: UInt32 = geteuid()) {
        self.policy = policy
        rules = PermissionRules(caller: caller)
    }

    /// Opens a directory of components, or of their data.
    ///
    /// - Parameters:
    ///   - path: An absolute path, or one relative to the current directory. Links are followed, and the checks apply
    ///     to the target.
    ///   - subject: The purpose of the directory.
    /// - Returns: The open directory.
    /// - Throws: `notFound`, `notADirectory` or `notReadable` if it cannot be opened; the policy's error if it refuses
    ///   the directory or one above it.
    package mutating func openDirectory(
        _ path: String, as subject: PermissionRules.Subject = .directory
    ) throws(ComponentFileError) -> OpenDirectory {
        let canonical = try TrustChecker.canonicalPath(path)
        let descriptor = unsafe open(canonical, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 {
            let error = errno
            guard error == ENOTDIR else { throw .system(error, while: "open") }
            throw ComponentFileError(.notADirectory, "it is a file; give the directory that contains it")
        }
        var status = stat()
        let failure = unsafe fstat(descriptor, &status) == 0 ? 0 : errno
        let directory = OpenDirectory(descriptor: descriptor, path: canonical, identity: FileIdentity(status))
        if failure != 0 { throw .system(failure, while: "inspect") }
        if policy.isChecked {
            if let problem = rules.problem(with: status, at: canonical, subject) { throw problem }
            try checkDirectories(above: canonical, below: "", .ancestor)
        }
        return directory
    }

    /// Opens a file in a directory.
    ///
    /// - Parameters:
    ///   - name: The name of the file, without a slash.
    ///   - directory: The directory that contains it.
    ///   - subject: What the file is, for the policy.
    /// - Returns: The file, open for reading.
    /// - Throws: `notFound`, `notReadable` or `notAFile` if the file cannot be opened; the policy's error if it refuses
    ///   the file.
    package mutating func openFile(
        _ name: String, in directory: borrowing OpenDirectory, as subject: PermissionRules.Subject = .file
    ) throws(ComponentFileError) -> OpenFile {
        let descriptor = unsafe openat(directory.descriptor, name, TrustChecker.fileFlags)
        if descriptor >= 0 { return try check(descriptor, at: directory.path(of: name), as: subject) }
        let error = errno
        guard error == ELOOP else { throw .system(error, while: "open") }
        return try openLink(directory.path(of: name), in: directory.path)
    }

    /// Opens a file by its path, with the checks of ``openDirectory(_:as:)`` and ``openFile(_:in:as:)``.
    ///
    /// - Parameter subject: What the file is, for the policy.
    package mutating func openFile(
        path: String, as subject: PermissionRules.Subject = .file
    ) throws(ComponentFileError) -> OpenFile {
        let (directory, name) = path.splitPath
        guard !name.isEmpty, name != ".", name != ".." else {
            throw ComponentFileError(.notAFile, "expected a file, but \(path.quoted()) is a directory")
        }
        let parent: PermissionRules.Subject = subject == .configuration ? .configurations : .directory
        return try openFile(name, in: try openDirectory(directory, as: parent), as: subject)
    }

    static let fileFlags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

    /// Opens the target of the link at `path`, which must be inside `directory`.
    private mutating func openLink(
        _ path: String, in directory: String
    ) throws(ComponentFileError) -> OpenFile {
        let target: String
        do throws(ComponentFileError) {
            target = try TrustChecker.canonicalPath(path)
        } catch {
            throw ComponentFileError(error.code, "it is a link that leads nowhere: \(error.message)")
        }
        if policy.isChecked {
            guard target.utf8.starts(with: (directory == "/" ? "/" : directory + "/").utf8) else {
                throw ComponentFileError(
                    .linkOutside, "it is a link to \(target), outside of its directory; replace it with the file itself"
                )
            }
            try checkDirectories(above: target, below: directory, .directory)
        }
        let descriptor = unsafe open(target, TrustChecker.fileFlags)
        if descriptor < 0 { throw .system(errno, while: "open") }
        return try check(descriptor, at: target)
    }

    /// Checks an open file. Takes ownership of `descriptor`, and closes it if the file is refused.
    mutating func check(
        _ descriptor: Int32, at path: String, as subject: PermissionRules.Subject = .file
    ) throws(ComponentFileError) -> OpenFile {
        var status = stat()
        let failure = unsafe fstat(descriptor, &status) == 0 ? 0 : errno
        let file = OpenFile(descriptor: descriptor, path: path, identity: FileIdentity(status))
        if failure != 0 { throw .system(failure, while: "inspect") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unexpected(status.st_mode & S_IFMT, isFile: true)
        }
        if policy.isChecked, let problem = rules.problem(with: status, at: path, subject) { throw problem }
        return file
    }

    /// Checks each directory above the canonical `path`, up to but not including `limit`. With an empty `limit`, the
    /// root is the last one that is checked.
    private mutating func checkDirectories(
        above path: String, below limit: String, _ subject: PermissionRules.Subject
    ) throws(ComponentFileError) {
        var path = path
        while path != "/" {
            path = path.splitPath.directory
            if path.isExactly(limit) { return }
            if subject == .ancestor {
                try checkAncestor(path)
            } else if let problem = rules.problem(with: try status(of: path), at: path, subject) {
                throw problem
            }
        }
    }

    /// Checks a directory as an ancestor, by its path without links.
    mutating func checkAncestor(_ path: String) throws(ComponentFileError) {
        guard !knownAncestors.contains(ExactText(path)) else { return }
        if let problem = rules.problem(with: try status(of: path), at: path, .ancestor) { throw problem }
        knownAncestors.insert(ExactText(path))
    }

    /// Returns the status of `path` itself, without following a link.
    func status(of path: String) throws(ComponentFileError) -> stat {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw .system(errno, while: "inspect \(path) above") }
        return status
    }

    /// Returns the absolute path without links.
    package static func canonicalPath(_ path: String) throws(ComponentFileError) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw .system(errno, while: "find") }
        defer { unsafe free(resolved) }
        guard let canonical = unsafe String(validatingCString: resolved) else {
            throw ComponentFileError(.notReadable, "its path is not UTF-8; rename it")
        }
        return canonical
    }

    /// Opens a component's file again in order to load it, and checks it and its libraries again.
    ///
    /// - Parameters:
    ///   - file: The file in the catalog.
    ///   - manifest: The manifest in the catalog.
    /// - Returns: The same file, open for reading. A file whose permissions, owner, name or links have changed counts
    ///   as the same if it has the same manifest, because everything in the catalog is then still true.
    /// - Throws: `changed` if the file was replaced or written to; the errors of ``openFile(path:as:)`` and
    ///   ``checkLibraries(_:of:)``.
    package mutating func reopen(
        _ file: ComponentFile, _ manifest: Manifest
    ) throws(ComponentFileError) -> OpenFile {
        let opened = try openFile(path: file.path)
        if opened.identity != file.identity {
            guard opened.identity.differsOnlyInChangeTime(from: file.identity),
                try TrustChecker.manifest(of: opened, file).isExactly(manifest)
            else {
                throw ComponentFileError(.changed, "the file has changed since it was listed; rescan the directories")
            }
        }
        if file.format == nil {
            try TrustChecker.refuseLoaderTokens(in: opened.path)
            try checkLibraries(of: opened)
        }
        return opened
    }

    /// Opens a library that will be loaded by its path, without links. It is checked like a component's file, together
    /// with the libraries that it needs.
    ///
    /// - Throws: The errors of ``openFile(path:as:)`` and ``checkLibraries(_:of:)``; unless the policy is
    ///   ``TrustPolicy/unchecked``, also those of ``ElfFile`` if the file is not a shared object. `loaderToken` if the
    ///   loader would not open this path.
    package mutating func openLibrary(path: String) throws(ComponentFileError) -> OpenFile {
        let file = try openFile(path: path)
        try TrustChecker.refuseLoaderTokens(in: file.path)
        try checkLibraries(of: file)
        return file
    }

    private mutating func checkLibraries(of file: borrowing OpenFile) throws(ComponentFileError) {
        guard policy.isChecked else { return }
        let elf = try ElfFile(descriptor: file.descriptor, size: file.identity.size, buffers: libraries.buffers)
        try checkLibraries(try elf.dynamic(), of: file.path)
    }

    private static func manifest(
        of opened: borrowing OpenFile, _ file: ComponentFile
    ) throws(ComponentFileError) -> Manifest {
        if let format = file.format { return try format.read(opened).manifest }
        return try ComponentFileReader().read(opened).0
    }
}

/// Files and folders below a directory of resources.
///
/// A name is followed step by step with open directories, none of which may be a link. So the checks apply to what is
/// opened, whatever is renamed meanwhile. A name with a link on the way is resolved first, and the result, which has no
/// links and must be inside the directory, is followed in the same way.
extension TrustChecker {
    /// Opens a regular file.
    ///
    /// - Parameters:
    ///   - names: the parts of its path. None is empty, `.` or `..`.
    ///   - directory: the directory that the path begins in.
    /// - Throws: `notFound` or `notADirectory` if there is no such file; `notAFile`, `linkOutside`, `notReadable`; the
    ///   policy's error if it refuses the file or a folder on the way.
    package mutating func openResource(
        _ names: [String], in directory: borrowing OpenDirectory
    ) throws(ComponentFileError) -> OpenResource {
        let found = try openBelow(names, in: directory, isDirectory: false)
        return OpenResource(descriptor: found.descriptor, path: found.path, size: Int(found.status.st_size))
    }

    /// Opens a directory of resources: the one with this name, or a folder in it.
    ///
    /// - Throws: The errors of ``openResource(_:in:)``.
    package mutating func openResources(
        _ names: [String], in directory: borrowing OpenDirectory
    ) throws(ComponentFileError) -> OpenDirectory {
        let found = try openBelow(names, in: directory, isDirectory: true)
        return OpenDirectory(descriptor: found.descriptor, path: found.path, identity: FileIdentity(found.status))
    }

    /// An open descriptor, which the receiver closes.
    private struct Found {
        let descriptor: Int32
        let path: String
        let status: stat
    }

    private mutating func openBelow(
        _ names: [String], in directory: borrowing OpenDirectory, isDirectory: Bool
    ) throws(ComponentFileError) -> Found {
        if let found = try walk(names, in: directory, isDirectory: isDirectory) { return found }
        let target = try TrustChecker.canonicalPath(directory.path(of: names.joined(separator: "/")))
        if target.isExactly(directory.path) {
            guard isDirectory else { throw .unexpected(S_IFDIR, isFile: true) }
            return try TrustChecker.openAgain(directory)
        }
        let prefix = directory.path(of: "")
        guard target.utf8.starts(with: prefix.utf8), target.utf8.count > prefix.utf8.count else {
            throw ComponentFileError(
                .linkOutside, "a link leads out of the directory, to \(target); replace it with the file itself")
        }
        let resolved = String(decoding: target.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
            .exactParts(between: "/")
        if let found = try walk(resolved, in: directory, isDirectory: isDirectory) { return found }
        throw ComponentFileError(.changed, "the way to it was changed while it was opened; try again")
    }

    /// Follows a path.
    ///
    /// - Returns: nil if there is a link on the way.
    private mutating func walk(
        _ names: [String], in directory: borrowing OpenDirectory, isDirectory: Bool
    ) throws(ComponentFileError) -> Found? {
        var folder: Int32 = -1
        defer { if folder >= 0 { close(folder) } }
        var path = directory.path
        for (index, name) in names.enumerated() {
            let isFile = !isDirectory && index == names.count - 1
            let parent = folder >= 0 ? folder : directory.descriptor
            path = path == "/" ? "/\(name)" : "\(path)/\(name)"
            guard let kind = try TrustChecker.kind(of: name, in: parent) else { return nil }
            // Opening a special file could have an effect, such as rewinding a tape.
            guard kind == (isFile ? S_IFREG : S_IFDIR) else { throw .unexpected(kind, isFile: isFile) }
            let next = unsafe openat(parent, name, isFile ? TrustChecker.fileFlags : TrustChecker.folderFlags)
            guard next >= 0 else { throw .system(errno, while: "open") }
            if folder >= 0 { close(folder) }
            folder = next
            var status = stat()
            guard unsafe fstat(next, &status) == 0 else { throw .system(errno, while: "inspect") }
            // Another file may have taken its place.
            guard status.st_mode & S_IFMT == kind else { throw .unexpected(status.st_mode & S_IFMT, isFile: isFile) }
            if policy.isChecked, let problem = rules.problem(with: status, at: path, isFile ? .resource : .resources) {
                throw problem
            }
            if index == names.count - 1 {
                folder = -1
                return Found(descriptor: next, path: path, status: status)
            }
        }
        throw ComponentFileError(.notAFile, "expected a name, found none")
    }

    /// Opens a directory that a link in it leads to. It has been checked.
    private static func openAgain(_ directory: borrowing OpenDirectory) throws(ComponentFileError) -> Found {
        let descriptor = unsafe openat(directory.descriptor, ".", folderFlags)
        guard descriptor >= 0 else { throw .system(errno, while: "open") }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let error = errno
            close(descriptor)
            throw .system(error, while: "inspect")
        }
        return Found(descriptor: descriptor, path: directory.path, status: status)
    }

    private static let folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Returns the type of an entry; nil for a link.
    private static func kind(of name: String, in directory: Int32) throws(ComponentFileError) -> mode_t? {
        var status = stat()
        guard unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw .system(errno, while: "find")
        }
        let kind = status.st_mode & S_IFMT
        return kind == S_IFLNK ? nil : kind
    }
}

extension ComponentFileError {
    /// The error for an entry that is neither the expected file nor the expected folder.
    fileprivate static func unexpected(_ kind: mode_t, isFile: Bool) -> ComponentFileError {
        guard isFile else {
            return ComponentFileError(.notADirectory, "expected a folder, found a file")
        }
        let found = kind == S_IFDIR ? "a directory" : "a special file"
        return ComponentFileError(.notAFile, "expected a regular file, found \(found)")
    }
}
