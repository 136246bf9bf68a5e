import ComponentKit
import Glibc
import NXKit
import PageKit

/// The folder in which operators put page files. Only files whose names end in `.json` count.
struct PageFolder: Sendable {
    /// What tells whether a file has changed since it was read.
    struct Stamp: Hashable, Sendable {
        var name: FileName
        /// Whether it can be read as a file; a directory or a pipe cannot.
        var isFile: Bool
        var size: Int64 = 0
        var inode: UInt64 = 0
        /// When the content and when anything else has changed, in nanoseconds.
        var times: [Int] = []
    }

    /// The name of a file. Two names are equal only if all bytes are, as for the system.
    struct FileName: Hashable, Comparable, Sendable {
        let text: String

        static func == (left: FileName, right: FileName) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }
        static func < (left: FileName, right: FileName) -> Bool {
            left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
        }
        func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
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

    /// The first files by their names, and how many more there are; none if there is no such folder.
    func stamps() -> (files: [Stamp], more: Int) {
        guard let folder = unsafe opendir(path) else { return ([], 0) }
        defer { unsafe closedir(folder) }
        var stamps: [Stamp] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard name.hasSuffix(".json"), !name.hasPrefix(".") else { continue }
            var status = stat()
            guard unsafe stat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                stamps.append(Stamp(name: FileName(text: name), isFile: false))
                continue
            }
            stamps.append(
                Stamp(
                    name: FileName(text: name), isFile: true, size: Int64(status.st_size), inode: UInt64(status.st_ino),
                    times: [status.st_mtim, status.st_ctim].map { $0.tv_sec * 1_000_000_000 + $0.tv_nsec }))
        }
        let first = stamps.sorted { $0.name < $1.name }.prefix(PageFolder.mostFiles)
        return (Array(first), stamps.count - first.count)
    }

    static func tooLarge(_ size: Int) -> String { "the file has \(size) bytes, expected at most \(mostBytes)" }

    /// Reads a file.
    ///
    /// - Returns: Its content, or nil if it cannot be read; then why.
    func read(_ stamp: Stamp) -> (text: String?, problem: String) {
        guard stamp.isFile else { return (nil, "it is not a file that can be read") }
        do throws(FileError) {
            let file = try FileBytes(path: "\(path)/\(stamp.name.text)")
            guard file.size <= PageFolder.mostBytes else {
                return (nil, PageFolder.tooLarge(Int(file.size)))
            }
            let bytes = try file.read(at: 0, upTo: Int(PageFolder.mostBytes))
            guard let text = String(validating: bytes, as: UTF8.self) else { return (nil, "it is not text in UTF-8") }
            return (text, "")
        } catch {
            return (nil, error.message)
        }
    }
}
