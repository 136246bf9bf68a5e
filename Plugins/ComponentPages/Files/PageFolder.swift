import ComponentKit
import Glibc
import NXKit
import PageKit

/// The folder in which operators put page files. Only files whose names end in `.json` count; those that end in `.yaml` are
/// told about. Neither the folder nor a file is read if other users may change it: what a page shows, and what its buttons
/// do, is as trusted as a component.
struct PageFolder: Sendable {
    /// What tells whether a file has changed since it was read.
    struct Stamp: Hashable, Sendable {
        /// The bytes of the file's name: two names that Swift takes as equal may be those of two files.
        var name: [UInt8]
        /// Why it is not read; nil if it is.
        var problem: String?
        var size: Int64 = 0
        var inode: UInt64 = 0
        /// When the content and when anything else has changed, in nanoseconds.
        var times: [Int] = []

        /// The name as text.
        var nameText: String { String(decoding: name, as: UTF8.self) }
    }

    let path: String
    /// Whether an operator has named the folder, so that it must be there.
    private let isNamed: Bool
    /// Whether owners and permissions do not count.
    private let trustsAny: Bool

    /// The largest number of files, and the size of each in bytes.
    static let mostFiles = 500
    static let mostBytes: UInt64 = 1 << 20

    /// - Parameter path: A relative path is below the current directory, which code of others may change later.
    init(path: String, trustsAny: Bool = false) {
        self.path = FilePath.absolute(path)
        isNamed = true
        self.trustsAny = trustsAny
    }

    /// Creates the folder, so that operators find it. Without it, there are no files.
    init(making path: String, trustsAny: Bool = false) {
        self.path = path
        isNamed = false
        self.trustsAny = trustsAny
        _ = unsafe mkdir(path, 0o700)
    }

    /// Why no files are read; nil if they are, or if there is no folder and no operator has named one.
    var problem: String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            let error = errno
            return isNamed || error != ENOENT ? "the folder of page files cannot be read: \(message(error))" : nil
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return "expected a folder of page files, found a file" }
        if let distrust = distrust(of: status, "the folder") { return distrust }
        guard unsafe access(path, R_OK | X_OK) != 0 else { return nil }
        return "the folder of page files cannot be read: \(message(errno))"
    }

    private func message(_ error: Int32) -> String { unsafe String(cString: strerror(error)) }

    /// Returns why a file or the folder is not read: others may change it. These are the rules by which hosts trust
    /// components.
    private func distrust(of status: stat, _ what: String) -> String? {
        guard !trustsAny else { return nil }
        if status.st_mode & S_IWOTH != 0 {
            return "\(what) is writable by everyone, so anyone could change the pages; fix it with chmod o-w"
        }
        if status.st_uid != 0, status.st_uid != geteuid() {
            return "\(what) belongs to another user (uid \(status.st_uid)), who could change the pages; "
                + "fix it with chown"
        }
        if status.st_mode & S_IWGRP != 0, PageFolder.primaryGroup(of: status.st_uid) != status.st_gid {
            return "\(what) is writable by the group \(status.st_gid), which is not its owner's own; "
                + "fix it with chmod g-w"
        }
        return nil
    }

    private static func primaryGroup(of user: uid_t) -> gid_t? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            var entry = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let memory = buffer.baseAddress,
                unsafe getpwuid_r(user, &entry, memory, buffer.count, &found) == 0
            else { return nil }
            return unsafe found?.pointee.pw_gid
        }
    }

    /// The first files by their names, and how many more there are; none if the folder is not read.
    func stamps() -> (files: [Stamp], more: Int) {
        guard problem == nil, let folder = unsafe opendir(path) else { return ([], 0) }
        defer { unsafe closedir(folder) }
        var stamps: [Stamp] = []
        while let entry = unsafe readdir(folder) {
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            let isYAML = bytes.suffix(5).elementsEqual(".yaml".utf8) || bytes.suffix(4).elementsEqual(".yml".utf8)
            guard isYAML || bytes.suffix(5).elementsEqual(".json".utf8), bytes.first != UInt8(ascii: "."),
                let name = String(validating: bytes, as: UTF8.self)
            else { continue }
            guard !isYAML else {
                stamps.append(Stamp(name: bytes, problem: "page files are JSON; write the page as a file NAME.json"))
                continue
            }
            var status = stat()
            guard unsafe stat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                stamps.append(Stamp(name: bytes, problem: "it is not a file that can be read"))
                continue
            }
            stamps.append(
                Stamp(
                    name: bytes, problem: distrust(of: status, "the file"), size: Int64(status.st_size),
                    inode: UInt64(status.st_ino),
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
        if let problem = stamp.problem { return (nil, problem) }
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
