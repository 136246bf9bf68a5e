import Glibc
import SystemSupport

/// Copies one file, with the permissions that hosts accept.
enum FileCopy {
    /// Copies a file to a path, where nothing is left of what was there.
    ///
    /// - Parameter followsLink: whether `source` may be a link.
    static func copy(
        _ source: String, to target: String, mode: mode_t, followsLink: Bool = false
    ) throws(DevError) {
        // Not blocked by a pipe that has taken the place of the file.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW)
        let input = unsafe open(source, flags)
        guard input >= 0 else { throw DevError("\(source.escaped): cannot be read: \(systemMessage(errno))") }
        defer { close(input) }
        unsafe unlink(target)
        let output = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard output >= 0 else { throw cannotWrite(target) }
        defer { close(output) }
        // Whatever the umask.
        guard fchmod(output, mode) == 0 else { throw cannotWrite(target) }
        while true {
            let count = sendfile(output, input, nil, 1 << 30)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw DevError("\(source.escaped): cannot be copied: \(systemMessage(errno))") }
            if count == 0 { return }
        }
    }

    /// Returns whether a copy has the bytes of a file, and is a file of this user with these permissions. Times are not
    /// compared: files from archives may all have the same.
    static func isCurrent(_ copy: String, of source: String, mode: mode_t) -> Bool {
        let (one, other) = unsafe (
            open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK), open(copy, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        )
        defer { for descriptor in [one, other] where descriptor >= 0 { close(descriptor) } }
        var (status, ofCopy) = (stat(), stat())
        guard one >= 0, other >= 0, unsafe fstat(one, &status) == 0, unsafe fstat(other, &ofCopy) == 0,
            ofCopy.st_mode == S_IFREG | mode, ofCopy.st_uid == geteuid(), status.st_size == ofCopy.st_size
        else { return false }
        var (left, right) = ([UInt8](repeating: 0, count: 1 << 16), [UInt8](repeating: 0, count: 1 << 16))
        var offset = 0
        while true {
            let count = unsafe pread(one, &left, left.count, offset)
            guard count > 0 else { return count == 0 }
            guard unsafe pread(other, &right, right.count, offset) >= count, left[..<count] == right[..<count] else {
                return false
            }
            offset += count
        }
    }

    static func cannotWrite(_ path: String) -> DevError {
        DevError("\(path.escaped): cannot be written: \(systemMessage(errno))")
    }
}
