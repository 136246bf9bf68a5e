import Glibc

/// The beginning of a file.
enum FileText {
    /// - Returns: nil when it can't be read.
    static func read(_ path: String, atMost count: Int) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
        return read < 0 ? nil : Array(bytes.prefix(read))
    }
}
