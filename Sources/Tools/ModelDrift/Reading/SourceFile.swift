import Glibc
import SystemSupport

/// Reads the text of a file.
enum SourceFile {
    struct Problem: Error {
        let path: String
        let message: String
        var location: SourceLocation?

        var finding: DriftFinding {
            let message = "not read: \(message)"
            return location.map { DriftFinding(.unread, at: $0, message: message) }
                ?? DriftFinding(.unread, file: path, message)
        }
    }

    /// Larger files are not read. People do not write models in them, reading one takes seconds, and the depth of the
    /// syntax tree, which the stack limits, cannot exceed the number of tokens.
    static let maximumSize = 1 << 20

    /// Reads a file of UTF-8. If another program writes to it at the same time, reads it again.
    static func read(_ path: String) -> Result<SourceText, Problem> {
        Result { () throws(Problem) in
            for _ in 0..<3 {
                if let bytes = try contents(path) { return try text(bytes, path) }
            }
            throw Problem(path: path, message: "the file changes while it is being read")
        }
    }

    /// Returns the contents; nil if they changed meanwhile.
    private static func contents(_ path: String) throws(Problem) -> [UInt8]? {
        // Opening a named pipe would wait for its writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Problem(path: path, message: systemMessage(errno)) }
        defer { close(descriptor) }
        let before = try status(descriptor, path)
        guard before.st_mode & S_IFMT == S_IFREG else { throw Problem(path: path, message: "not a regular file") }
        guard before.st_size <= maximumSize else {
            let message = "the file has \(before.st_size) bytes, the limit is \(maximumSize)"
            throw Problem(path: path, message: message)
        }
        // One byte more shows whether the file has grown.
        let capacity = Int(before.st_size) + 1
        var error: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            while count < capacity {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let read = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
                if read < 0, errno == EINTR { continue }
                if read < 0 { error = errno }
                if read <= 0 { break }
                count += read
            }
        }
        guard error == 0 else { throw Problem(path: path, message: systemMessage(error)) }
        let after = try status(descriptor, path)
        let isSame = after.st_mtim.tv_sec == before.st_mtim.tv_sec && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec
        return isSame && bytes.count == Int(before.st_size) ? bytes : nil
    }

    private static func status(_ descriptor: Int32, _ path: String) throws(Problem) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Problem(path: path, message: systemMessage(errno)) }
        return status
    }

    private static func text(_ bytes: [UInt8], _ path: String) throws(Problem) -> SourceText {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let source = SourceText(file: path, bytes: bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes)
        if let offset = source.bytes.firstIndex(of: 0) {
            throw Problem(
                path: path, message: "not a text file, it has a zero byte", location: source.location(of: offset))
        }
        if let offset = source.invalidOffset {
            throw Problem(path: path, message: "not UTF-8", location: source.location(of: offset))
        }
        return source
    }
}

extension SourceText {
    /// The offset of the first byte that is not UTF-8; nil if all are.
    fileprivate var invalidOffset: Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput, .error: return min(offset, bytes.count - 1)
            }
        }
    }
}
