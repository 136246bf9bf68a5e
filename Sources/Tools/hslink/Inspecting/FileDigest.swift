import ComponentHost
import Crypto
import Glibc
import SystemSupport

/// Computes the SHA-256 digest of a file (FIPS 180-4).
enum FileDigest {
    /// Returns the digest as 64 hexadecimal digits.
    ///
    /// - Throws: a `ComponentFileError` with code `notReadable` and the system's error message, or with code
    ///   `changed` if the file was modified during the read.
    static func sha256(of file: borrowing OpenFile) throws(ComponentFileError) -> String {
        var hash = SHA256()
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        var position: off_t = 0
        while position < file.identity.size {
            let descriptor = file.descriptor
            let count = unsafe piece.withUnsafeMutableBytes { bytes in
                unsafe pread(descriptor, bytes.baseAddress, bytes.count, position)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw ComponentFileError(.notReadable, "the system could not read it: \(systemMessage(errno))")
            }
            if count == 0 { break }
            unsafe piece.withUnsafeBytes { bytes in
                unsafe hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
            position += off_t(count)
        }
        guard file.isUnchanged else {
            throw ComponentFileError(.changed, "the file was changed while it was read; try again")
        }
        return hash.finalize().map(\.hexadecimalDigits).joined()
    }
}
