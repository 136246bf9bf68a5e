import Glibc
import SystemSupport

/// Reads files that the user names on the command line.
enum InputFile {
    /// The directory in which the command was started. Relative paths are below it, even after a component has changed
    /// the current directory.
    static let startDirectory = AbsolutePath.currentDirectory()

    /// Reads a file to its end.
    ///
    /// - Parameters:
    ///   - path: the file; "-" for standard input.
    ///   - limit: the maximum size in bytes.
    /// - Throws: an ``InputError`` if the file cannot be read or is larger than the limit.
    static func read(_ path: String, limit: Int) throws(InputError) -> [UInt8] {
        let descriptor =
            path == "-"
            ? STDIN_FILENO : unsafe open(AbsolutePath.of(path, below: startDirectory), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InputError(code: errno) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw InputError(code: errno) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else {
                throw InputError(message: "expected at most \(limit) bytes, found more")
            }
            bytes += piece[..<count]
        }
    }
}

/// Why a file could not be read.
struct InputError: Error {
    let message: String

    init(message: String) { self.message = message }

    /// - Parameter code: a value of `errno`.
    init(code: Int32) { message = systemMessage(code) }
}
