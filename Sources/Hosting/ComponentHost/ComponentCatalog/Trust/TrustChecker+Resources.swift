import ComponentKit
import Glibc
import SystemSupport

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
    mutating func openResource(
        _ names: [String], in directory: borrowing OpenDirectory
    ) throws(ComponentFileError) -> OpenResource {
        let found = try openBelow(names, in: directory, isDirectory: false)
        return OpenResource(descriptor: found.descriptor, path: found.path, size: Int(found.status.st_size))
    }

    /// Opens a directory of resources: the one with this name, or a folder in it.
    ///
    /// - Throws: The errors of ``openResource(_:in:)``.
    mutating func openResources(
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
                code: .linkOutside,
                message: "a link leads out of the directory, to \(target); replace it with the file itself")
        }
        let resolved = String(decoding: target.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
            .exactParts(between: "/")
        if let found = try walk(resolved, in: directory, isDirectory: isDirectory) { return found }
        throw ComponentFileError(code: .changed, message: "the way to it was changed while it was opened; try again")
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
        throw ComponentFileError(code: .notAFile, message: "expected a name, found none")
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
            return ComponentFileError(code: .notADirectory, message: "expected a folder, found a file")
        }
        let found = kind == S_IFDIR ? "a directory" : "a special file"
        return ComponentFileError(code: .notAFile, message: "expected a regular file, found \(found)")
    }
}
