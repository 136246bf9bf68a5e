import ComponentKit
import Glibc
import NXKit

/// Reads and writes whole files.
enum PictureFile {
    /// - Parameter largest: The size in bytes beyond which a file is refused.
    static func read(_ file: borrowing FileBytes, largest: UInt64) throws -> [UInt8] {
        guard file.size <= largest else {
            throw LinkError(.payloadMismatch, message: "path: the file is larger than \(largest >> 20) MB")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(file.size))
        while UInt64(bytes.count) < file.size {
            let piece = try file.read(at: UInt64(bytes.count), upTo: FileBytes.largestRead)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// Writes a file. An existing file is replaced only once everything is written.
    static func write(_ bytes: [UInt8], to path: String) throws(LinkError) {
        guard !path.utf8.contains(0) else {
            throw LinkError(.payloadMismatch, message: "to: expected a path without NULs")
        }
        let part = "\(path).\(getpid()).part"
        let descriptor = unsafe open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        defer { _ = unsafe unlink(part) }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = failure(path)
                close(descriptor)
                throw error
            }
            written += count
        }
        guard close(descriptor) == 0, unsafe rename(part, path) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> LinkError {
        LinkError(.methodFailed, message: FileError(path: path, notBeing: "written", errno: errno).message)
    }
}
