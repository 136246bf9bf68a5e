import Glibc

/// An inotify event (`struct inotify_event`).
package struct WatchEvent {
    /// The number of the watch; -1 when events have been lost.
    package let watch: Int32
    /// The name of the entry in the directory; empty for the directory itself.
    package let name: String
    private let mask: UInt32

    /// Reads the next event.
    ///
    /// - Parameter bytes: Consecutive events. The event that is read is removed.
    /// - Returns: nil at the end.
    package init?(takingFrom bytes: inout UnsafeRawBufferPointer) {
        let headerSize = 16
        guard bytes.count >= headerSize else { return nil }
        watch = unsafe bytes.loadUnaligned(as: Int32.self)
        mask = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        guard bytes.count - headerSize >= length else { return nil }
        let end = headerSize + length
        name = unsafe String(decoding: bytes[headerSize..<end].prefix { $0 != 0 }, as: UTF8.self)
        unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[end...])
    }

    package func has(_ flag: Int32) -> Bool { mask & UInt32(flag) != 0 }
}

/// inotify watches on directories, and on everything on the paths to them. The system calls are used directly, because
/// Dispatch and Foundation do not watch files on Linux.
struct DirectoryWatches: ~Copyable {
    /// A watched directory.
    private struct Watch {
        let path: String
        /// The entries that matter because they lead to a directory of components.
        var names: Set<String> = []
        /// Whether the directory contains components, so every plugin file in it matters.
        var holdsComponents = false
        /// Whether every entry matters.
        var countsAll = false
    }

    /// The events that are watched in a directory on the path to a directory or file of interest.
    private static let wayMask = UInt32(
        IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB)
    /// With those of files that are written to, for directories that contain files of interest.
    private static let endMask = wayMask | UInt32(IN_CLOSE_WRITE)

    /// The inotify descriptor, which becomes readable when there are events; -1 when the system could not create it.
    let descriptor: Int32
    /// The `errno` that kept a directory from being watched; 0 when all are watched.
    private(set) var problem: Int32 = 0
    private let initialProblem: Int32
    private var watches: [Int32: Watch] = [:]
    /// The new files of interest whose writers have not closed them yet, since the watches were armed.
    private var unfinished: Set<String> = []

    /// Whether a file of interest is being written.
    var isWriting: Bool { !unfinished.isEmpty }

    init() {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        initialProblem = descriptor < 0 ? errno : 0
        problem = initialProblem
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches these directories, as far as they exist, and the directories on the paths to them. All other watches are
    /// removed.
    ///
    /// - Parameters:
    ///   - directories: The absolute paths of directories of components.
    ///   - files: The absolute paths of further files, and of directories in which every entry matters.
    mutating func arm(_ directories: [String], files: [String] = []) {
        guard descriptor >= 0 else { return }
        let former = watches.keys
        watches = [:]
        unfinished = []
        problem = 0
        for directory in directories { follow(directory) { $0.holdsComponents = true } }
        for file in files { follow(file) { $0.countsAll = true } }
        for number in former where watches[number] == nil { inotify_rm_watch(descriptor, number) }
    }

    /// Watches each step from the root to the directory, following links. Each directory is watched before the next
    /// step is read.
    ///
    /// - Parameter mark: Changes the watch on the directory at the end of the path.
    private mutating func follow(_ path: String, _ mark: (inout Watch) -> Void) {
        var walk = PathWalk(path)
        while let name = walk.next() {
            watch(walk.location, for: name, DirectoryWatches.wayMask, mark)
            var status = stat()
            guard unsafe lstat(walk.path(of: name), &status) == 0 else {
                // It may be a file once it is there, which counts when it is closed.
                return watch(walk.location, for: name, DirectoryWatches.endMask, mark)
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: walk.enter(name)
            case S_IFLNK: guard walk.follow(name) else { return }
            default: return watch(walk.location, for: name, DirectoryWatches.endMask, mark)
            }
        }
        watch(walk.location, for: nil, DirectoryWatches.endMask, mark)
    }

    /// Watches one directory.
    ///
    /// - Parameters:
    ///   - name: The entry that matters; nil for the directory at the end of a path.
    ///   - mark: Changes the watch on that directory.
    private mutating func watch(_ path: String, for name: String?, _ mask: UInt32, _ mark: (inout Watch) -> Void) {
        let number = unsafe inotify_add_watch(descriptor, path, mask | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD))
        guard number >= 0 else {
            // A directory that does not exist or cannot be read is covered by the watch on its parent.
            if errno != ENOENT && errno != ENOTDIR && errno != EACCES { problem = errno }
            return
        }
        var watch = watches[number] ?? Watch(path: path)
        if let name { watch.names.insert(name) } else { mark(&watch) }
        watches[number] = watch
    }

    /// Reads all available events.
    ///
    /// - Returns: Whether one of them matters.
    mutating func readEvents() -> Bool {
        var counts = false
        unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { buffer in
            while true {
                let length = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                if length < 0 && errno == EINTR { continue }
                guard length > 0 else { return }
                var rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<length])
                while let event = unsafe WatchEvent(takingFrom: &rest) { counts = self.counts(event) || counts }
            }
        }
        return counts
    }

    private mutating func counts(_ event: WatchEvent) -> Bool {
        if event.has(IN_Q_OVERFLOW) { return true }
        guard let watch = watches[event.watch] else { return false }
        guard !event.name.isEmpty else { return true }
        let path = "\(watch.path)/\(event.name)"
        if watch.countsAll || watch.names.contains(event.name) {
            guard event.has(IN_CREATE), DirectoryWatches.isBeingWritten(path) else {
                if !event.has(IN_ATTRIB) { unfinished.remove(path) }
                return true
            }
            unfinished.insert(path)
            return false
        }
        guard watch.holdsComponents, PluginFileName.isPlugin(event.name) else { return false }
        return !event.has(IN_CREATE) || !DirectoryWatches.isBeingWritten(path)
    }

    /// Returns whether a new file is still being written; its writer will close it, which is another event. Links are
    /// complete at once.
    private static func isBeingWritten(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    }
}
