import Glibc

/// An inotify event (`struct inotify_event`).
package struct WatchEvent {
    /// The number of the watch; -1 when events have been lost.
    package let watch: Int32
    /// The name of the entry in the directory; empty for the directory itself.
    package let name: String
    private let mask: UInt32

    /// Reads all available events of an inotify descriptor that does not block.
    package static func all(from descriptor: Int32) -> [WatchEvent] {
        var events: [WatchEvent] = []
        unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { buffer in
            while true {
                let length = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                if length < 0 && errno == EINTR { continue }
                guard length > 0 else { return }
                var rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<length])
                while let event = unsafe WatchEvent(takingFrom: &rest) { events.append(event) }
            }
        }
        return events
    }

    /// Reads the next event.
    ///
    /// - Parameter bytes: Consecutive events. The event that is read is removed.
    /// - Returns: nil at the end.
    init?(takingFrom bytes: inout UnsafeRawBufferPointer) {
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

/// inotify watches on directories, on everything on the paths to them, and on everything that links in them lead
/// through. The system calls are used directly, because Dispatch and Foundation do not watch files on Linux.
struct InotifyWatches: ~Copyable {
    /// A watched directory. Names are bytes, as for the system.
    private struct Watch {
        let path: String
        /// The entries that matter because they lead to a file or directory of interest, or are one.
        var names: Set<[UInt8]> = []
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
    private let formats: [ComponentFormat]
    private var watches: [Int32: Watch] = [:]
    /// The paths of new files of interest whose writers have not closed them yet, since the watches were armed.
    private var unfinished: Set<[UInt8]> = []

    /// Whether a file of interest is being written.
    var isWriting: Bool { !unfinished.isEmpty }

    /// - Parameter formats: the formats of component files besides shared objects.
    init(formats: [ComponentFormat]) {
        self.formats = formats
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        initialProblem = descriptor < 0 ? errno : 0
        problem = initialProblem
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches these directories and files, as far as they exist, the directories on the paths to them, and whatever
    /// links in the directories lead through. All other watches are removed.
    ///
    /// - Parameters:
    ///   - directories: The absolute paths of directories of components.
    ///   - files: The absolute paths of further files, and of directories in which every entry matters.
    ///   - followed: Further files.
    mutating func arm(_ directories: [String], files: [String] = [], followed: FollowedFiles = FollowedFiles()) {
        guard descriptor >= 0 else { return }
        let former = watches.keys
        watches = [:]
        unfinished = []
        problem = 0
        for directory in directories {
            guard let end = follow(PathWalk(directory), { $0.holdsComponents = true }) else { continue }
            followLinks(in: end) { [formats] in PluginFileName.isPlugin($0, formats) }
        }
        for file in files {
            guard let end = follow(PathWalk(file), { $0.countsAll = true }) else { continue }
            followLinks(in: end) { _ in true }
        }
        for (directory, names) in followed.directories {
            let path = String(decoding: directory, as: UTF8.self)
            guard let end = follow(PathWalk(path), { $0.names.formUnion(names) }) else { continue }
            for name in names { followLink(String(decoding: name, as: UTF8.self), in: end) }
        }
        for number in former where watches[number] == nil { inotify_rm_watch(descriptor, number) }
    }

    /// Watches each step to a file or directory, following links. Each directory is watched before the next step is
    /// read.
    ///
    /// - Parameter mark: Changes the watch on the directory at the end of the path; nil if only files matter.
    /// - Returns: The path without links if the path leads to a directory; nil if not.
    @discardableResult
    private mutating func follow(_ start: PathWalk, _ mark: ((inout Watch) -> Void)?) -> String? {
        var walk = start
        while let name = walk.next() {
            watch(walk.location, for: name, InotifyWatches.wayMask)
            var status = stat()
            guard unsafe lstat(walk.path(of: name), &status) == 0 else {
                // It may be a file once it is there, which counts when it is closed.
                watch(walk.location, for: name, InotifyWatches.endMask)
                return nil
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: walk.enter(name)
            case S_IFLNK: guard (try? walk.follow(name)) == true else { return nil }
            default:
                watch(walk.location, for: name, InotifyWatches.endMask)
                return nil
            }
        }
        guard let mark else { return nil }
        let number = watch(walk.location, for: nil, InotifyWatches.endMask)
        if let number { mark(&watches[number, default: Watch(path: walk.location)]) }
        return walk.location
    }

    /// Watches everything that links in a watched directory lead through.
    ///
    /// - Parameter matters: Returns whether the link with this name matters.
    private mutating func followLinks(in directory: String, where matters: (String) -> Bool) {
        guard let stream = unsafe opendir(directory) else { return }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            // Some file systems do not report the type.
            let type = unsafe Int32(entry.pointee.d_type)
            guard type == Int32(DT_LNK) || type == Int32(DT_UNKNOWN) else { continue }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if matters(name) { followLink(name, in: directory) }
        }
    }

    /// Watches everything that a link in a watched directory leads through, if it is one.
    private mutating func followLink(_ name: String, in directory: String) {
        let walk = PathWalk(name, in: directory)
        var status = stat()
        guard unsafe lstat(walk.path(of: name), &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
        follow(walk, nil)
    }

    /// Watches one directory.
    ///
    /// - Parameter name: The entry that matters; nil for the directory at the end of a path.
    /// - Returns: The number of the watch; nil if the directory cannot be watched.
    @discardableResult
    private mutating func watch(_ path: String, for name: String?, _ mask: UInt32) -> Int32? {
        let number = unsafe inotify_add_watch(descriptor, path, mask | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD))
        guard number >= 0 else {
            // A directory that does not exist or cannot be read is covered by the watch on its parent.
            if errno != ENOENT && errno != ENOTDIR && errno != EACCES { problem = errno }
            return nil
        }
        if let name { watches[number, default: Watch(path: path)].names.insert(Array(name.utf8)) }
        return number
    }

    /// Reads all available events.
    ///
    /// - Returns: Whether one of them matters.
    mutating func readEvents() -> Bool {
        var isAnyCounted = false
        for event in WatchEvent.all(from: descriptor) where counts(event) { isAnyCounted = true }
        return isAnyCounted
    }

    private mutating func counts(_ event: WatchEvent) -> Bool {
        if event.has(IN_Q_OVERFLOW) { return true }
        guard let watch = watches[event.watch] else { return false }
        guard !event.name.isEmpty else { return true }
        let path = "\(watch.path)/\(event.name)"
        let isNamed = watch.countsAll || watch.names.contains(Array(event.name.utf8))
        guard isNamed || watch.holdsComponents && PluginFileName.isPlugin(event.name, formats) else { return false }
        guard event.has(IN_CREATE), InotifyWatches.isBeingWritten(path) else {
            if !event.has(IN_ATTRIB) { unfinished.remove(Array(path.utf8)) }
            return true
        }
        unfinished.insert(Array(path.utf8))
        return false
    }

    /// Returns whether a new file may still be being written; its writer will close it, which is another event. Links
    /// are complete at once. A file that had no name before, or whose other name is gone already, looks the same, and
    /// its writer may have closed it; see ``Settling/isHeldUp``.
    private static func isBeingWritten(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    }
}
