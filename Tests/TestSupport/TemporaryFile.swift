import Foundation

/// A file for one test, removed when this value ends.
public final class TemporaryFile {
    /// The absolute path.
    public let path: String
    private let handle: FileHandle

    /// Writes the bytes to a file with a new name.
    public init(_ bytes: [UInt8]) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "media-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        path = url.path
        handle = try FileHandle(forUpdating: url)
    }

    deinit {
        try? handle.close()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Truncates the file, or extends it with zeros that occupy no space.
    public func resize(to size: Int) throws {
        try handle.truncate(atOffset: UInt64(size))
    }

    /// Overwrites the bytes at `offset`.
    public func write(_ bytes: [UInt8], at offset: Int) throws {
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: bytes)
    }
}
