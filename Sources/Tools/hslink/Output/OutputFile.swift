import Glibc
import SystemSupport

/// A file that a command writes on request.
struct OutputFile {
    private let path: String
    /// What the file is that is replaced; nil if there is none.
    private let former: stat?

    /// Writes a text to a file. If that fails, a regular file keeps what it had before. Its permissions stay.
    ///
    /// - Parameter path: The path of the file. Devices, pipes and the like are written to.
    /// - Returns: 0, or the value of `errno`.
    static func write(_ text: String, to path: String) -> Int32 {
        // These may be regular files that the shell has opened.
        guard !path.hasExactPrefix("/dev/"), !path.hasExactPrefix("/proc/") else { return overwrite(path, with: text) }
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG, let resolved = AbsolutePath.resolved(path) else {
                return overwrite(path, with: text)
            }
            // A file that others have made read-only is not replaced.
            guard unsafe access(resolved, W_OK) == 0 else { return errno }
            return OutputFile(path: resolved, former: status).replace(with: text)
        }
        // A link to nothing, whose target is created.
        if unsafe lstat(path, &status) == 0 { return overwrite(path, with: text) }
        return OutputFile(path: path, former: nil).replace(with: text)
    }

    private func replace(with text: String) -> Int32 {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let front = slash.map { String(decoding: path.utf8[...$0], as: UTF8.self) } ?? ""
        let draft = "\(front).hslink.\(String(UInt32.random(in: 0...UInt32.max), radix: 36))"
        let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            let error = errno
            // The file may be writable in a directory that is not.
            return former != nil && [EACCES, EPERM, EROFS].contains(error)
                ? OutputFile.overwrite(path, with: text) : error
        }
        var error = writeAll(text, to: file)
        if error == 0, let former {
            // Only root can give a file away.
            _ = fchown(file, former.st_uid, former.st_gid)
            if fchmod(file, former.st_mode & 0o777) != 0 { error = errno }
        }
        // Network file systems report here that a disk is full.
        if close(file) != 0, error == 0 { error = errno }
        if error == 0, unsafe rename(draft, path) != 0 { error = errno }
        if error != 0 { unsafe unlink(draft) }
        // The file may be a mount point of its own.
        return error == EBUSY && former != nil ? OutputFile.overwrite(path, with: text) : error
    }

    private static func overwrite(_ path: String, with text: String) -> Int32 {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { return errno }
        let error = writeAll(text, to: file)
        return close(file) != 0 && error == 0 ? errno : error
    }
}
