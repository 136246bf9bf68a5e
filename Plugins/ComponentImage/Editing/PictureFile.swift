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
        return try read(file)
    }

    /// Reads a file of any size, as far as it can be read.
    static func read(_ file: borrowing FileBytes) throws(FileError) -> [UInt8] {
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
        do throws(FileError) {
            try create(bytes, at: part, called: path)
            defer { _ = unsafe unlink(part) }
            guard unsafe rename(part, path) == 0 else {
                throw FileError(path: path, notBeing: "written", errno: errno)
            }
        } catch {
            throw LinkError(.methodFailed, message: error.message)
        }
    }

    /// Writes a new file, to the disk itself, so that it is whole even if the machine stops right after. A file that cannot be
    /// written whole is removed.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - path: An absolute path under which there is no file.
    ///   - name: The name of the file in errors; nil for the path.
    static func create(_ bytes: [UInt8], at path: String, called name: String? = nil) throws(FileError) {
        func failure() -> FileError { FileError(path: name ?? path, notBeing: "written", errno: errno) }
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure() }
        var error: FileError?
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                error = failure()
                break
            }
            written += count
        }
        if error == nil, fsync(descriptor) != 0 { error = failure() }
        if close(descriptor) != 0, error == nil { error = failure() }
        guard let error else { return }
        _ = unsafe unlink(path)
        throw error
    }
}
