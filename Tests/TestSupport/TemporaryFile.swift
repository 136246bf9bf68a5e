import Foundation

/// A file of one test, which goes with the value.
public final class TemporaryFile {
    /// Absolute.
    public let path: String
    private let handle: FileHandle

    /// Writes the bytes to a file of a new name.
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

    /// Cuts the file off, or grows it by zeros that take no room.
    public func resize(to size: Int) throws {
        try handle.truncate(atOffset: UInt64(size))
    }

    /// Overwrites what stands at `offset`.
    public func write(_ bytes: [UInt8], at offset: Int) throws {
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: bytes)
    }
}
