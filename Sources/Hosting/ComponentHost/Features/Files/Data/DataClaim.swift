import CHSLink
import ComponentCatalog
import ComponentKit
import Glibc
import SystemSupport

/// What a host keeps for its components in a directory.
enum DataKind: String {
    /// What must outlive the process. The directory belongs to one host at a time.
    case data
    /// What can be made again. Hosts may share the directory.
    case cache
}

/// A directory of data that belongs to this host alone for the lifetime of this object, or of caches, which it may
/// share.
///
/// The claim is a flock(2) on the file `.host.lock` in the directory, which the system releases however the
/// process ends. Children that components fork do not keep it; see ``ForkGuard``. The file names the process that holds
/// it, for other hosts' error messages; after a release, it stays behind empty. Someone may remove the file, and the next
/// host would make another one. So the directory itself is locked, too, if only its owner can open it (else anyone could
/// keep a host from starting) and the file system has locks of directories.
final class DataClaim: Sendable {
    private let directory: OpenDirectory
    /// The lock file, open and locked; -1 for a directory that may be shared.
    private let lock: Int32
    /// The directory, open and locked; -1 for one that is not locked itself.
    private let directoryLock: Int32

    /// The absolute path, without symbolic links.
    var path: String { directory.path }

    /// Creates the directory and its missing parents with mode 0700, and locks it.
    ///
    /// - Throws: `LinkError` in the domain `hslink.data` if the directory cannot be created or opened, is not trusted,
    ///   or is in use by another host.
    init(_ path: String, _ kind: DataKind, policy: TrustPolicy) throws(LinkError) {
        try DataClaim.makeDirectories(path)
        var checker = TrustChecker(policy: policy)
        let directory: OpenDirectory
        do throws(ComponentFileError) {
            directory = try checker.openDirectory(path, as: .data)
        } catch {
            throw LinkError(data: error.dataCode, "the \(kind) directory \(path.quoted(limit: 200)): \(error.message)")
        }
        (lock, directoryLock) = kind == .data ? try DataClaim.lock(directory) : (-1, -1)
        self.directory = directory
    }

    deinit {
        if lock >= 0 {
            ftruncate(lock, 0)
            ForkGuard.close(lock)
        }
        if directoryLock >= 0 { ForkGuard.close(directoryLock) }
    }

    /// Passes `body` the open directory.
    func withDescriptor(_ body: (Int32) -> Void) { body(directory.descriptor) }

    /// Returns the path of a component's directory, which is created if it does not exist.
    ///
    /// - Throws: `LinkError` in the domain `hslink.data` if it cannot be created or is not trusted, or if the
    ///   directory around it is another one by now.
    func directory(of component: String, policy: TrustPolicy) throws(LinkError) -> String {
        let path = directory.path(of: component)
        var found = stat()
        guard unsafe stat(directory.path, &found) == 0, directory.identity.device == FileIdentity(found).device,
            directory.identity.inode == FileIdentity(found).inode
        else {
            throw LinkError(
                data: HSLINK_DATA_SYSTEM,
                "the directory \(directory.path.quoted(limit: 200)) was removed or replaced while the host was running; "
                    + "restart the host")
        }
        let isNew = unsafe mkdirat(directory.descriptor, component, 0o700) == 0
        if !isNew, errno != EEXIST { throw DataClaim.failure("make the directory", at: path, error: errno) }
        let descriptor = unsafe openat(
            directory.descriptor, component, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOTDIR || errno == ELOOP else {
                throw DataClaim.failure("open the directory", at: path, error: errno)
            }
            throw LinkError(
                data: HSLINK_DATA_UNTRUSTED,
                "\(path.quoted(limit: 200)) is a file or a symbolic link, not a directory; "
                    + "replace it with a directory")
        }
        defer { close(descriptor) }
        if isNew {
            fchmod(descriptor, 0o700)
            // Make the entry itself survive a power loss, like the files that will be written into it.
            fsync(directory.descriptor)
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw DataClaim.failure("check the directory", at: path, error: errno)
        }
        var rules = PermissionRules()
        if policy.isChecked, let problem = rules.problem(with: status, at: path, .data) {
            throw LinkError(data: HSLINK_DATA_UNTRUSTED, problem.message)
        }
        return path
    }

    private static func makeDirectories(_ path: String) throws(LinkError) {
        if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let error = errno
        let parent = path.withoutTrailingSlashes.splitPath.directory
        guard error == ENOENT, !parent.isExactly(path), parent != "." else {
            throw failure("make the directory", at: path, error: error)
        }
        try makeDirectories(parent)
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw failure("make the directory", at: path, error: errno)
        }
    }

    private static func lock(
        _ directory: borrowing OpenDirectory
    ) throws(LinkError) -> (file: Int32, directory: Int32) {
        let path = directory.path(of: ".host.lock")
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = ForkGuard.open { unsafe openat(directory.descriptor, ".host.lock", flags, 0o600) }
        guard descriptor >= 0 else { throw failure("open the lock file", at: path, error: errno) }
        var status = stat()
        let isPrivate = unsafe fstat(directory.descriptor, &status) == 0 && status.st_mode & 0o077 == 0
        let whole =
            isPrivate
            ? ForkGuard.open { unsafe openat(directory.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) } : -1
        func closeAll() {
            ForkGuard.close(descriptor)
            if whole >= 0 { ForkGuard.close(whole) }
        }
        // Network file systems lock files only, and refuse directories.
        let isWholeTaken = { whole >= 0 && lock(whole) == EWOULDBLOCK }
        if let error = lock(descriptor) ?? (isWholeTaken() ? EWOULDBLOCK : nil) {
            let note = read(descriptor)
            closeAll()
            guard error == EWOULDBLOCK else { throw failure("lock the file", at: path, error: error) }
            throw LinkError(
                data: HSLINK_DATA_IN_USE,
                "the data directory \(directory.path.quoted(limit: 200)) is \(holder(of: path, note: note)), or use "
                    + "another directory")
        }
        let holder = Array("process \(getpid()) (\(programName))\n".utf8)
        let isWritten = unsafe ftruncate(descriptor, 0) == 0 && pwrite(descriptor, holder, holder.count, 0) >= 0
        if !isWritten, errno != ENOSPC {
            let error = errno
            closeAll()
            throw failure("write to the lock file", at: path, error: error)
        }
        return (descriptor, whole)
    }

    /// Returns the error of the system; nil if the lock was taken.
    private static func lock(_ descriptor: Int32) -> Int32? {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? nil : errno
    }

    /// Says who holds a lock, and how to end that, as in "in use by process 17 (hslink); stop it".
    ///
    /// - Parameter note: What the host that locked the file wrote into it.
    private static func holder(of path: String, note: String) -> String {
        let process = note.split(separator: " ").dropFirst().first.flatMap { Int32($0) }.map(SystemProcess.init)
        let isNoted = !note.isEmpty
        if isNoted, process?.isRunning ?? true { return "in use by \(note); stop it" }
        let shown = 3
        let holders = SystemProcess.holding(path)
        let names = holders.prefix(shown).map(\.summary).joined(separator: ", ") + (holders.count > shown ? ", …" : "")
        // Without holders, the process is one of another container, or of a user whose processes are hidden.
        switch (isNoted, holders.isEmpty) {
        case (false, true): return "in use by another host; stop it"
        case (true, true): return "in use by \(note); stop it"
        case (false, false): return "in use by \(names); stop it"
        case (true, false):
            return "locked by \(names), which inherited the lock from \(note), a host that has ended; end "
                + (holders.count == 1 ? "that process" : "these processes")
        }
    }

    /// Returns what the holder wrote: one line that is safe to show on a terminal.
    private static func read(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        let line = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self).escaped
    }

    /// The file name of the running program.
    private static var programName: String {
        String((RunningProgram.path ?? "").splitPath.name.prefix(100))
    }

    private static func failure(_ action: String, at path: String, error: Int32) -> LinkError {
        LinkError(
            data: HSLINK_DATA_SYSTEM,
            "the system could not \(action) \(path.quoted(limit: 200)): \(systemMessage(error))")
    }
}

extension String {
    /// The path without trailing slashes.
    fileprivate var withoutTrailingSlashes: String {
        var path = utf8[...]
        while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
        return String(Substring(path))
    }
}

extension ComponentFileError {
    /// The code in the domain `hslink.data` for a directory that could not be opened.
    fileprivate var dataCode: Int {
        switch code {
        case .notFound, .notADirectory, .notReadable: HSLINK_DATA_SYSTEM
        default: HSLINK_DATA_UNTRUSTED
        }
    }
}
