import Glibc
import SystemSupport

/// A file without a name, which a child process writes to.
final class UnnamedFile {
    let descriptor: Int32

    /// - Throws: a ``DevError`` with the system's error message.
    init() throws(DevError) {
        var template = Array("/tmp/hslink-dev-XXXXXX".utf8CString)
        descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else {
            throw DevError("/tmp: no file can be created in it: \(systemMessage(errno))")
        }
        _ = unsafe unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns what has been written; empty if it cannot be read.
    func bytes() -> [UInt8] {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(count, 0)))
    }
}
