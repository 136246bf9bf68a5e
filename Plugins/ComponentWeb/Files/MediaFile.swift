import Glibc
import Hummingbird
import NIOCore
import NIOPosix

/// A file in the data directory of a component, such as a film, open for reading.
/// Closed when it is released.
final class MediaFile: Sendable {
    private let descriptor: Int32
    /// In bytes.
    let size: Int
    /// Changes when the content does.
    let version: FileVersion

    /// How much is read at a time, in bytes.
    private static let chunk = 128 * 1024

    /// Opens the file. Blocks.
    ///
    /// - Parameters:
    ///   - path: the absolute path.
    ///   - depth: how many of its last parts may not be links: what lies below the component's directory.
    /// - Returns: nil if there is no regular file that can be read.
    init?(path: String, depth: Int) {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        guard path.utf8.first == UInt8(ascii: "/"), depth >= 1, parts.count > depth else { return nil }
        let root = "/" + parts.dropLast(depth).joined(separator: "/")
        var directory = unsafe open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for part in parts.suffix(depth).dropLast() where directory >= 0 {
            let next = unsafe openat(directory, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            close(directory)
            directory = next
        }
        guard directory >= 0, let name = parts.last else { return nil }
        // Without blocking, since it may be a named pipe.
        let descriptor = unsafe openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        close(directory)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        size = Int(status.st_size)
        // The number of the inode is left out: it differs between copies of the same file, and says something of the disk.
        version = FileVersion(
            tag: "\(status.st_size)-\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)",
            modified: Int(status.st_mtim.tv_sec))
    }

    deinit { close(descriptor) }

    /// Sends a part of the file.
    func body(_ range: Range<Int>) -> ResponseBody {
        ResponseBody(contentLength: range.count) { [self] writer in
            var position = range.lowerBound
            while position < range.upperBound {
                let part = try await read(at: position, min(MediaFile.chunk, range.upperBound - position))
                position += part.readableBytes
                try await writer.write(part)
            }
            try await writer.finish(nil)
        }
    }

    /// Reads some bytes on a thread that may wait for the disk.
    private func read(at position: Int, _ count: Int) async throws -> ByteBuffer {
        try await NIOThreadPool.singleton.runIfActive { [self] in
            var buffer = ByteBufferAllocator().buffer(capacity: count)
            let read = unsafe buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
                unsafe max(0, pread(descriptor, bytes.baseAddress, count, position))
            }
            // The file has become shorter: what was announced cannot be sent any more.
            guard read > 0 else { throw ChannelError.eof }
            return buffer
        }
    }
}
