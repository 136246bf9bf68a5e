import Glibc
import SystemSupport

/// A regular file, open for reading at any offset. Its descriptor is closed when the value is destroyed.
///
/// Only regular files are opened: a directory, FIFO, socket or device is refused without waiting, with an error that
/// says so. The file is never mapped into memory, so truncating it while it is read causes an error, not a signal.
/// Reads use no shared position (`pread`), so the value may be used from several threads at once.
public struct FileBytes: ~Copyable, Sendable {
    /// The maximum number of bytes that one read returns: 1 MiB. It keeps lengths that a file claims from deciding how
    /// much memory is allocated.
    public static let largestRead = 1 << 20

    /// The path as it was given.
    public let path: String
    /// The size of the file, in bytes, when it was opened.
    public let size: UInt64
    /// When its content was changed last before it was opened, as the time since the beginning of 1970.
    public let modified: Duration
    private let descriptor: CInt

    /// Opens the file at `path`.
    ///
    /// - Parameters:
    ///   - path: An absolute path, or one relative to the working directory.
    ///   - followingLinks: Whether `path` may be a symbolic link. Links in front of the last name are always followed.
    /// - Throws: `notFound`, `notRegularFile`, `permissionDenied` or `inputOutput`.
    public init(path: String, followingLinks: Bool = true) throws(FileError) {
        guard !path.isEmpty else {
            throw FileError(.notFound, path: path, "the path is empty; give the path of a file")
        }
        // The system would cut the path at the first NUL and open a different file.
        guard !path.utf8.contains(0) else {
            throw FileError(.notFound, path: path, "the path contains a NUL character")
        }
        // Check before opening: just opening some devices has side effects.
        var status = stat()
        guard unsafe (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
            throw FileError(path: path, notBeing: "opened", errno: errno)
        }
        try Self.requireRegular(status, path: path)
        // Without O_NONBLOCK, a FIFO that has since replaced the file would block until it has a writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followingLinks ? 0 : O_NOFOLLOW)
        let descriptor = Self.retrying { unsafe open(path, flags) }
        guard descriptor >= 0 else {
            throw FileError(path: path, notBeing: "opened", errno: errno)
        }
        do throws(FileError) {
            guard unsafe fstat(descriptor, &status) == 0 else {
                throw FileError(path: path, notBeing: "examined", errno: errno)
            }
            try Self.requireRegular(status, path: path)
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.size = UInt64(clamping: status.st_size)
        self.modified = .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Reads exactly `count` bytes starting at `offset`.
    ///
    /// - Parameters:
    ///   - offset: Bytes from the start of the file.
    ///   - count: Bytes to read, 0 to `largestRead`.
    /// - Throws: `truncated` if the file ends earlier; `limitExceeded` if `count` is negative or more than
    ///   `largestRead`; `inputOutput` if the system fails to read.
    public func read(at offset: UInt64, count: Int) throws(FileError) -> [UInt8] {
        let bytes = try read(at: offset, upTo: count)
        guard bytes.count == count else {
            throw error(.truncated, "expected \(count) bytes at byte \(offset), but the file ends at byte \(size)")
        }
        return bytes
    }

    /// Reads up to `count` bytes starting at `offset`: fewer if the file ends earlier, none beyond its end.
    ///
    /// - Parameters:
    ///   - offset: Bytes from the start of the file.
    ///   - count: The maximum number of bytes to read, 0 to `largestRead`.
    /// - Throws: `limitExceeded` if `count` is negative or more than `largestRead`; `inputOutput` if the system fails
    ///   to read.
    public func read(at offset: UInt64, upTo count: Int) throws(FileError) -> [UInt8] {
        guard 0...Self.largestRead ~= count else {
            throw error(.limitExceeded, "\(count) bytes were requested at once; the limit is \(Self.largestRead)")
        }
        guard offset < size, let start = off_t(exactly: offset) else { return [] }
        let wanted = Int(min(UInt64(count), size - offset))
        var bytes = [UInt8](repeating: 0, count: wanted)
        var filled = 0
        while filled < wanted {
            let received = Self.retrying { [descriptor] in
                unsafe bytes.withUnsafeMutableBytes { buffer in
                    unsafe pread(
                        descriptor, buffer.baseAddress.map { unsafe $0 + filled }, wanted - filled,
                        start + off_t(filled))
                }
            }
            guard received >= 0 else {
                throw FileError(path: path, notBeing: "read", errno: errno)
            }
            // The file was truncated after it was opened.
            guard received > 0 else { break }
            filled += received
        }
        bytes.removeLast(wanted - filled)
        return bytes
    }

    /// Returns a reader for exactly `count` bytes starting at `offset`; its errors name positions in the file.
    ///
    /// - Parameters:
    ///   - offset: Bytes from the start of the file.
    ///   - count: Bytes to read, 0 to `largestRead`.
    ///   - order: The byte order of integers in those bytes.
    /// - Throws: The same errors as `read(at:count:)`.
    public func reader(
        at offset: UInt64, count: Int, order: ByteReader.Order = .bigEndian
    ) throws(FileError) -> ByteReader {
        ByteReader(try read(at: offset, count: count), order: order, path: path, origin: offset)
    }

    /// Makes an error about this file.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: The text that follows the path in the message.
    public func error(_ code: FileError.Code, _ reason: String) -> FileError {
        FileError(code, path: path, reason)
    }

    private static func requireRegular(_ status: stat, path: String) throws(FileError) {
        let kind: String
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: kind = "a directory"
        case S_IFIFO: kind = "a FIFO"
        case S_IFSOCK: kind = "a socket"
        case S_IFCHR: kind = "a character device"
        case S_IFLNK: kind = "a symbolic link"
        case S_IFBLK: kind = "a block device"
        default: kind = "neither a file nor a directory"
        }
        throw FileError(.notRegularFile, path: path, "it is \(kind); give the path of a regular file")
    }

    /// Repeats a system call until no signal interrupts it.
    private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }
}

extension FileError {
    /// Makes the error for a failed system call on `path`, with the system's error message.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - action: The participle of the failed action, as in "opened".
    ///   - number: The value of `errno` right after the call.
    public init(path: String, notBeing action: String, errno number: CInt) {
        let code: Code
        let advice: String
        switch number {
        case ENOENT, ENOTDIR: (code, advice) = (.notFound, "check the path")
        case EACCES, EPERM: (code, advice) = (.permissionDenied, "ask its owner for permission")
        default: (code, advice) = (.inputOutput, "see errno \(number)")
        }
        self.init(code, path: path, "it cannot be \(action): \(systemMessage(number)); \(advice)")
    }
}
