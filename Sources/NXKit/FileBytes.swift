import Glibc
import SystemSupport

/// A regular file, open for reading at any offset. Its descriptor is closed when the value goes.
///
/// Only regular files are opened: a directory, FIFO, socket or device is refused with that reason and without
/// waiting. The file's bytes are never mapped, so a file that is cut short while it is read ends in an
/// error and not in a signal. Reads have no position of their own (`pread`): the value may be used from several
/// threads at once.
public struct FileBytes: ~Copyable, Sendable {
    /// The most bytes that one read returns: 1 MiB. What a file says about its own lengths never decides how much
    /// memory is taken.
    public static let largestRead = 1 << 20

    /// The path as it was given.
    public let path: String
    /// Bytes in the file when it was opened.
    public let size: UInt64
    private let descriptor: CInt

    /// Opens the file at `path`, following symbolic links.
    ///
    /// - Parameter path: An absolute path, or one relative to the working directory.
    /// - Throws: `notFound`, `notRegularFile`, `permissionDenied` or `inputOutput`.
    public init(path: String) throws(FileError) {
        guard !path.isEmpty else {
            throw FileError(.notFound, path: path, "the path is empty; give the path of a file")
        }
        // The system would stop at the first NUL and open another file than the one that was named.
        guard !path.utf8.contains(0) else {
            throw FileError(.notFound, path: path, "the path holds a NUL character, which no file name can")
        }
        // Looked at before it is opened: opening alone sets some devices in motion.
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw FileError(path: path, notBeing: "opened", errno: errno)
        }
        try Self.requireRegular(status, path: path)
        // Without O_NONBLOCK a FIFO put there in the meantime would wait for a writer.
        let descriptor = Self.retrying { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
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
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Exactly `count` bytes from `offset` on.
    ///
    /// - Parameters:
    ///   - offset: Bytes from the start of the file.
    ///   - count: Bytes to read, 0 to `largestRead`.
    /// - Throws: `truncated` when the file ends earlier, `limitExceeded` when `count` is more than `largestRead`,
    ///   `inputOutput` when the system fails to read.
    public func read(at offset: UInt64, count: Int) throws(FileError) -> [UInt8] {
        let bytes = try read(at: offset, upTo: count)
        guard bytes.count == count else {
            throw error(.truncated, "\(count) bytes were expected at byte \(offset), but it ends at byte \(size)")
        }
        return bytes
    }

    /// The bytes from `offset` on, fewer than `count` where the file ends earlier, none behind its end.
    ///
    /// - Parameters:
    ///   - offset: Bytes from the start of the file.
    ///   - count: The most bytes to read, 0 to `largestRead`.
    /// - Throws: `limitExceeded` when `count` is more than `largestRead` or negative, `inputOutput` when the system
    ///   fails to read.
    public func read(at offset: UInt64, upTo count: Int) throws(FileError) -> [UInt8] {
        guard 0...Self.largestRead ~= count else {
            throw error(.limitExceeded, "\(count) bytes at once were asked for; at most \(Self.largestRead) are read")
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
            // The file was cut short after it was opened.
            guard received > 0 else { break }
            filled += received
        }
        bytes.removeLast(wanted - filled)
        return bytes
    }

    /// A reader over exactly `count` bytes from `offset` on, which knows where they stand in the file.
    ///
    /// - Parameters:
    ///   - offset: Bytes from the start of the file.
    ///   - count: Bytes to read, 0 to `largestRead`.
    ///   - order: The byte order of the integers in them.
    /// - Throws: As `read(at:count:)`.
    public func reader(
        at offset: UInt64, count: Int, order: ByteReader.Order = .bigEndian
    ) throws(FileError) -> ByteReader {
        ByteReader(try read(at: offset, count: count), order: order, path: path, origin: offset)
    }

    /// An error about this file.
    ///
    /// - Parameters:
    ///   - code: What kind of failure it is.
    ///   - reason: The sentence that follows the path.
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
        case S_IFBLK: kind = "a block device"
        default: kind = "neither file nor directory"
        }
        throw FileError(.notRegularFile, path: path, "it is \(kind); give the path of a regular file")
    }

    /// Repeats a system call that a signal has interrupted.
    private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }
}

extension FileError {
    /// The error for a failed system call on `path`, with the system's own message.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - action: What was tried, as in "opened".
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
