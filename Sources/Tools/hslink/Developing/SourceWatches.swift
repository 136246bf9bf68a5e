import ComponentHost
import Glibc
import SystemSupport

/// inotify watches on a folder of sources and all folders below it.
///
/// Hidden files and folders, such as `.build`, do not count as sources, nor do files that compilers and editors write
/// next to sources.
struct SourceWatches: ~Copyable {
    /// The inotify descriptor, which becomes readable when there are events.
    let descriptor: Int32
    private let root: String
    /// The paths that do not count, and are not watched.
    private let others: Set<ExactText>
    private var rootWatch: Int32 = -1
    private var folders: [Int32: String] = [:]
    /// The paths of new sources whose writers have not closed them yet.
    private var unfinished: Set<ExactText> = []
    /// The path of the last source that has changed.
    private(set) var lastChange = ""

    /// Whether a new source may still be being written; see `Settling.isHeldUp`.
    var isWriting: Bool { !unfinished.isEmpty }

    private static let mask = UInt32(
        IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)

    /// Watches a folder and all folders below it.
    ///
    /// - Parameters:
    ///   - root: The absolute path of the folder.
    ///   - others: The absolute paths of files and folders that are no sources, such as the folder of the copies.
    /// - Throws: a ``DevError`` if a folder cannot be watched.
    init(_ root: String, besides others: [String] = []) throws(DevError) {
        self.root = root
        self.others = Set(others.map { ExactText($0) })
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw SourceWatches.error(root, errno) }
        try watch(root)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns whether a file or folder with this name is a source. SwiftPM writes Package.resolved during a build.
    private static func isSource(_ name: String) -> Bool {
        guard !name.hasExactPrefix("."), !name.hasExactSuffix("~"), name != "Package.resolved" else { return false }
        return ![".a", ".d", ".o", ".part", ".so", ".swp", ".tmp"].contains { name.hasSuffix($0) }
    }

    /// Reads all available events.
    ///
    /// - Returns: Whether a source has changed.
    /// - Throws: a ``DevError`` if the folder is gone, or a new folder below it cannot be watched.
    mutating func readEvents() throws(DevError) -> Bool {
        var counts = false
        for event in WatchEvent.all(from: descriptor) where try take(event) { counts = true }
        return counts
    }

    /// Takes all sources as written, since they are about to be read.
    mutating func takeAsWritten() { unfinished = [] }

    private mutating func take(_ event: WatchEvent) throws(DevError) -> Bool {
        if event.has(IN_Q_OVERFLOW) {
            try watch(root)
            lastChange = root
            return true
        }
        if event.has(Int32(IN_IGNORED)) {
            folders[event.watch] = nil
            return false
        }
        if event.name.isEmpty {
            guard event.watch == rootWatch else { return false }
            throw DevError("\(root): the folder is gone".escaped)
        }
        guard let folder = folders[event.watch], SourceWatches.isSource(event.name) else { return false }
        let path = "\(folder)/\(event.name)"
        guard !others.contains(ExactText(path)) else { return false }
        lastChange = path
        unfinished.remove(ExactText(path))
        guard event.has(IN_CREATE) || event.has(IN_MOVED_TO) else { return true }
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return true }
        if status.st_mode & S_IFMT == S_IFDIR {
            try watch(path)
            return true
        }
        // The writer of a new file will close it, which is another event, unless the file had no name when it was
        // closed. Links are complete at once.
        if event.has(IN_MOVED_TO) || status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1 { return true }
        if status.st_mode & S_IFMT == S_IFREG { unfinished.insert(ExactText(path)) }
        return false
    }

    /// Watches a folder and those below it, without following links. Each folder is watched before its entries are
    /// read.
    private mutating func watch(_ folder: String) throws(DevError) {
        let flags = UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW)
        let number = unsafe inotify_add_watch(descriptor, folder, SourceWatches.mask | flags)
        guard number >= 0 else {
            // A subfolder that is already gone does not matter.
            if folder != root && (errno == ENOENT || errno == ENOTDIR) { return }
            throw SourceWatches.error(folder, errno)
        }
        folders[number] = folder
        if folder == root { rootWatch = number }
        guard let entries = try? DirectoryEntries(folder) else { return }
        for entry in entries where entry.isText && (entry.kind == .directory || entry.kind == .unknown) {
            let name = entry.name
            var status = stat()
            guard SourceWatches.isSource(name), !others.contains(ExactText("\(folder)/\(name)")),
                unsafe lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR
            else { continue }
            try watch("\(folder)/\(name)")
        }
    }

    private static func error(_ folder: String, _ number: Int32) -> DevError {
        let message = systemMessage(number)
        let advice = number == ENOSPC ? "; raise fs.inotify.max_user_watches with sysctl" : ""
        return DevError("\(folder) cannot be watched: \(message)\(advice)".escaped)
    }
}
