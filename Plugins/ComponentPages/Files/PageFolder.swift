import ComponentKit
import Glibc
import NXKit
import PageKit

/// The folder in which operators put page files. Only files whose names end in `.json` count.
struct PageFolder: Sendable {
    /// What tells whether a file has changed since it was read.
    struct Stamp: Hashable, Sendable {
        var name: String
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
        var inode: UInt64
    }

    let path: String

    /// The largest number of files, and the size of each in bytes.
    static let mostFiles = 500
    static let mostBytes: UInt64 = 1 << 20

    init(path: String) { self.path = path }

    /// Creates the folder, so that operators find it. Without it, there are no files.
    init(making path: String) {
        self.path = path
        _ = unsafe mkdir(path, 0o700)
    }

    /// The files, sorted by name; empty if there is no such folder.
    func stamps() -> [Stamp] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var stamps: [Stamp] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard name.hasSuffix(".json"), !name.hasPrefix(".") else { continue }
            var status = stat()
            guard unsafe stat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            stamps.append(
                Stamp(
                    name: name, size: Int64(status.st_size), seconds: status.st_mtim.tv_sec,
                    nanoseconds: status.st_mtim.tv_nsec, inode: UInt64(status.st_ino)))
        }
        return Array(stamps.sorted { $0.name < $1.name }.prefix(PageFolder.mostFiles))
    }

    /// Reads a file.
    ///
    /// - Returns: Its content, or nil if it cannot be read; then why.
    func read(_ name: String) -> (text: String?, problem: String) {
        do throws(FileError) {
            let file = try FileBytes(path: "\(path)/\(name)")
            guard file.size <= PageFolder.mostBytes else {
                return (nil, "the file has \(file.size) bytes, expected at most \(PageFolder.mostBytes)")
            }
            let bytes = try file.read(at: 0, upTo: Int(PageFolder.mostBytes))
            guard let text = String(validating: bytes, as: UTF8.self) else { return (nil, "it is not text in UTF-8") }
            return (text, "")
        } catch {
            return (nil, error.message)
        }
    }
}
