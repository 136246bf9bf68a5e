import ComponentHost
import Glibc
import SystemSupport

extension CheckedFile {
    /// Reads the whole file.
    static func bytes(of path: String) throws(ComponentFileError) -> [UInt8] {
        var checker = TrustChecker(policy: .unchecked)
        let file = try checker.openFile(path: path)
        var bytes = [UInt8](repeating: 0, count: Int(file.identity.size))
        var filled = 0
        while filled < bytes.count {
            let descriptor = file.descriptor
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, off_t(filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw ComponentFileError(
                    code: .notReadable, message: "the system could not read it: \(systemMessage(errno))")
            }
            filled += count
        }
        return bytes
    }
}
