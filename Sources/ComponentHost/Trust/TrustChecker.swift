import Glibc
import SystemSupport

/// Opens directories and files of components and refuses those that ``TrustPolicy`` does not allow.
///
/// What is checked is what was opened: owner and mode come from descriptors, and the path handed on is
/// the one without links. What is fine for several files is looked at once, so a checker is for one look at the
/// directories, or for one file that is loaded. One thread at a time.
package struct TrustChecker {
    package let policy: TrustPolicy
    var rules: OwnershipRules
    /// Directories above something, without links, that are fine: they are looked at once.
    private var knownAncestors: Set<String> = []
    /// What has been found out about libraries that components need.
    var libraries = LibraryMemory()

    /// - Parameters:
    ///   - policy: what to refuse.
    ///   - caller: who counts as the caller beside root.
    package init(policy: TrustPolicy = .strict, caller: UInt32 = geteuid()) {
        self.policy = policy
        rules = OwnershipRules(caller: caller)
    }

    /// Opens a directory of components; see ``openDirectory(_:as:)``.
    package mutating func openDirectory(_ path: String) throws(ComponentFileError) -> OpenDirectory {
        try openDirectory(path, as: .directory)
    }

    /// Opens a directory of components, or of their data.
    ///
    /// - Parameters:
    ///   - path: absolute or relative to the current directory; links in it are followed, and everything is
    ///     checked at the place they lead to.
    ///   - subject: what the directory is for.
    /// - Returns: the directory, open.
    /// - Throws: `notFound`, `notADirectory`, `notReadable`, or what the policy refuses, also of a
    ///   directory above.
    mutating func openDirectory(
        _ path: String, as subject: OwnershipRules.Subject
    ) throws(ComponentFileError) -> OpenDirectory {
        let canonical = try TrustChecker.canonicalPath(path)
        let descriptor = unsafe open(canonical, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 {
            let error = errno
            guard error == ENOTDIR else { throw .system(error, while: "open") }
            throw ComponentFileError(
                code: .notADirectory, message: "it is a file; give the directory it lies in")
        }
        var status = stat()
        let failure = unsafe fstat(descriptor, &status) == 0 ? 0 : errno
        let directory = OpenDirectory(descriptor: descriptor, path: canonical, identity: FileIdentity(status))
        if failure != 0 { throw .system(failure, while: "look at") }
        if policy.isChecked {
            if let problem = rules.problem(with: status, at: canonical, subject) { throw problem }
            try checkDirectories(above: canonical, below: "", .ancestor)
        }
        return directory
    }

    /// Opens a file of a directory.
    ///
    /// - Parameters:
    ///   - name: without a slash.
    ///   - directory: where it lies.
    /// - Returns: the file, open for reading.
    /// - Throws: `notFound`, `notReadable`, `notAFile`, or what the policy refuses.
    package mutating func openFile(
        _ name: String, in directory: borrowing OpenDirectory
    ) throws(ComponentFileError) -> OpenFile {
        let descriptor = unsafe openat(directory.descriptor, name, TrustChecker.fileFlags)
        if descriptor >= 0 { return try check(descriptor, at: directory.path(of: name)) }
        let error = errno
        guard error == ELOOP else { throw .system(error, while: "open") }
        return try openLink(directory.path(of: name), in: directory.path)
    }

    /// Opens a file by its path, as ``openDirectory(_:)`` and ``openFile(_:in:)`` one after the other.
    package mutating func openFile(path: String) throws(ComponentFileError) -> OpenFile {
        let (directory, name) = TrustChecker.split(path)
        guard !name.isEmpty, name != ".", name != ".." else {
            throw ComponentFileError(code: .notAFile, message: "a file was expected, \(path.quoted()) is a directory")
        }
        return try openFile(name, in: try openDirectory(directory))
    }

    static let fileFlags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

    /// Opens what the link at `path` leads to; it has to lie in `directory` or below.
    private mutating func openLink(
        _ path: String, in directory: String
    ) throws(ComponentFileError) -> OpenFile {
        let target: String
        do throws(ComponentFileError) {
            target = try TrustChecker.canonicalPath(path)
        } catch {
            throw ComponentFileError(code: error.code, message: "it is a link that leads nowhere: \(error.message)")
        }
        if policy.isChecked {
            guard target.hasPrefix(directory == "/" ? "/" : directory + "/") else {
                throw ComponentFileError(
                    code: .linkOutside,
                    message: "it is a link to \(target), outside of its directory; put the file itself here")
            }
            try checkDirectories(above: target, below: directory, .directory)
        }
        let descriptor = unsafe open(target, TrustChecker.fileFlags)
        if descriptor < 0 { throw .system(errno, while: "open") }
        return try check(descriptor, at: target)
    }

    /// Takes over `descriptor`, closing it where it refuses.
    mutating func check(_ descriptor: Int32, at path: String) throws(ComponentFileError) -> OpenFile {
        var status = stat()
        let failure = unsafe fstat(descriptor, &status) == 0 ? 0 : errno
        let file = OpenFile(descriptor: descriptor, path: path, identity: FileIdentity(status))
        if failure != 0 { throw .system(failure, while: "look at") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let found = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "no regular file"
            throw ComponentFileError(code: .notAFile, message: "a regular file was expected, this is \(found)")
        }
        if policy.isChecked, let problem = rules.problem(with: status, at: path, .file) { throw problem }
        return file
    }

    /// Checks each directory on the way up from the canonical `path` (itself left out) to `limit` (left
    /// out, too; empty: to the root and with it).
    private mutating func checkDirectories(
        above path: String, below limit: String, _ subject: OwnershipRules.Subject
    ) throws(ComponentFileError) {
        var path = path
        while path != "/" {
            path = TrustChecker.split(path).directory
            if path == limit { return }
            if subject == .ancestor {
                try checkAncestor(path)
            } else if let problem = rules.problem(with: try status(of: path), at: path, subject) {
                throw problem
            }
        }
    }

    /// Checks a directory above something, by its path without links.
    mutating func checkAncestor(_ path: String) throws(ComponentFileError) {
        guard !knownAncestors.contains(path) else { return }
        if let problem = rules.problem(with: try status(of: path), at: path, .ancestor) { throw problem }
        knownAncestors.insert(path)
    }

    /// Of something itself, not of what it leads to.
    func status(of path: String) throws(ComponentFileError) -> stat {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw .system(errno, while: "look at \(path) above") }
        return status
    }

    /// The absolute path without links.
    private static func canonicalPath(_ path: String) throws(ComponentFileError) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw .system(errno, while: "find") }
        defer { unsafe free(resolved) }
        guard let canonical = unsafe String(validatingCString: resolved) else {
            throw ComponentFileError(code: .notReadable, message: "its path is not UTF-8; rename it")
        }
        return canonical
    }

    /// The directory ("." and "/" where there is nothing before the name) and the last part of a path.
    static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }
}
