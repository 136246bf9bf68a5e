import Foundation

/// A file of one test, which goes with the value.
final class TemporaryFile {
    let path: String
    private let handle: FileHandle

    init(_ bytes: [UInt8]) throws {
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
    func resize(to size: Int) throws {
        try handle.truncate(atOffset: UInt64(size))
    }

    /// Overwrites what stands at `offset`.
    func write(_ bytes: [UInt8], at offset: Int) throws {
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: bytes)
    }
}
