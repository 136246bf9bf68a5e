import Foundation

/// A directory for one test, removed with its contents when this value ends.
public final class TemporaryDirectory: Sendable {
    /// The absolute path, without links.
    public let path: String

    /// Creates an empty directory in the system's directory for temporary files.
    ///
    /// - Throws: The system's error.
    public init() throws {
        var template = Array("\(NSTemporaryDirectory())/hslink-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil, let resolved = unsafe realpath(template, nil) else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        path = unsafe String(cString: resolved)
        unsafe free(resolved)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a name in the directory, which need not exist.
    public func path(of name: String) -> String { "\(path)/\(name)" }

    /// Writes a file with the permissions 0644 and returns its path.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = path(of: name)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        try setMode(0o644, of: name)
        return file
    }

    /// Writes a text as UTF-8, with the permissions 0644, and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try write(text.utf8, to: name) }

    /// Makes a directory with the permissions 0755 and returns its path.
    @discardableResult
    public func makeDirectory(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path(of: name), withIntermediateDirectories: true)
        try setMode(0o755, of: name)
        return path(of: name)
    }

    /// Sets the permissions of a name in the directory.
    public func setMode(_ mode: UInt32, of name: String) throws {
        guard unsafe chmod(path(of: name), mode) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Makes a symbolic link to `target`, which need not be there.
    public func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(of: name), withDestinationPath: target)
    }
}
