import ComponentKit
import Glibc
import NXKit
import PageKit

/// The folder in which operators put page files. Only files whose names end in `.json` count.
struct PageFolder: Sendable {
    /// What tells whether a file has changed since it was read.
    struct Stamp: Hashable, Sendable {
        /// The bytes of the file's name: two names that Swift takes as equal may be those of two files.
        var name: [UInt8]
        /// Whether it can be read as a file; a directory or a pipe cannot.
        var isFile: Bool
        var size: Int64 = 0
        var inode: UInt64 = 0
        /// When the content and when anything else has changed, in nanoseconds.
        var times: [Int] = []

        /// The name as text.
        var nameText: String { String(decoding: name, as: UTF8.self) }
    }

    let path: String

    /// The largest number of files, and the size of each in bytes.
    static let mostFiles = 500
    static let mostBytes: UInt64 = 1 << 20

    /// - Parameter path: A relative path is below the current directory, which code of others may change later.
    init(path: String) { self.path = FilePath.absolute(path) }

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
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            guard bytes.suffix(5).elementsEqual(".json".utf8), bytes.first != UInt8(ascii: "."),
                let name = String(validating: bytes, as: UTF8.self)
            else { continue }
            var status = stat()
            guard unsafe stat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                stamps.append(Stamp(name: bytes, isFile: false))
                continue
            }
            stamps.append(
                Stamp(
                    name: bytes, isFile: true, size: Int64(status.st_size), inode: UInt64(status.st_ino),
                    times: [status.st_mtim, status.st_ctim].map { $0.tv_sec * 1_000_000_000 + $0.tv_nsec }))
        }
        let first = stamps.sorted { $0.name.lexicographicallyPrecedes($1.name) }.prefix(PageFolder.mostFiles)
        return (Array(first), stamps.count - first.count)
    }

    static func tooLarge(_ size: Int) -> String { "the file has \(size) bytes, expected at most \(mostBytes)" }

    /// Reads a file.
    ///
    /// - Returns: Its content, or nil if it cannot be read; then why.
    func read(_ stamp: Stamp) -> (text: String?, problem: String) {
        guard stamp.isFile else { return (nil, "it is not a file that can be read") }
        do throws(FileError) {
            let file = try FileBytes(path: "\(path)/\(stamp.nameText)")
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
