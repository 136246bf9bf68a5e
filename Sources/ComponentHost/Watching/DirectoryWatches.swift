import Glibc

/// An event as the system writes it (`struct inotify_event`).
package struct WatchEvent {
    /// The number of the watch; -1 when events have been lost.
    package let watch: Int32
    /// What it is about in the directory; empty for the directory itself.
    package let name: String
    private let mask: UInt32

    /// - Parameter bytes: events one after the other; what is taken is left out afterwards.
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

/// The system's watches (inotify) over directories, and over all that leads to them. By its own calls: Dispatch and
/// Foundation watch no files on Linux.
struct DirectoryWatches: ~Copyable {
    /// A directory that is watched.
    private struct Watch {
        let path: String
        /// What counts in it, as it leads to a directory of components.
        var names: Set<String> = []
        /// Whether components lie in it, so that everything counts.
        var holdsComponents = false
    }

    /// What happens to a directory, and to what lies in it.
    private static let wayMask = UInt32(
        IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB)
    private static let componentMask = wayMask | UInt32(IN_CLOSE_WRITE)

    /// Becomes readable with events; -1 when the system had none to give.
    let descriptor: Int32
    /// The system's number of what kept a directory from being watched; 0 when all are.
    private(set) var problem: Int32 = 0
    private let initialProblem: Int32
    private var watches: [Int32: Watch] = [:]

    init() {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        initialProblem = descriptor < 0 ? errno : 0
        problem = initialProblem
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches these directories, as far as they are there, and what leads to them. What was watched for others is
    /// let go of.
    ///
    /// - Parameter directories: absolute.
    mutating func arm(_ directories: [String]) {
        guard descriptor >= 0 else { return }
        let former = watches.keys
        watches = [:]
        problem = 0
        for directory in directories { follow(directory) }
        for number in former where watches[number] == nil { inotify_rm_watch(descriptor, number) }
    }

    /// From the root to the directory, over links; each step is watched before the next is looked for.
    private mutating func follow(_ path: String) {
        var walk = PathWalk(path)
        while let name = walk.next() {
            watch(walk.location, for: name)
            var status = stat()
            guard unsafe lstat(walk.path(of: name), &status) == 0 else { return }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: walk.enter(name)
            case S_IFLNK: guard walk.follow(name) else { return }
            default: return
            }
        }
        watch(walk.location, for: nil)
    }

    /// - Parameter name: what is awaited in it; nil when components lie in it.
    private mutating func watch(_ path: String, for name: String?) {
        let mask = name == nil ? DirectoryWatches.componentMask : DirectoryWatches.wayMask
        let number = unsafe inotify_add_watch(descriptor, path, mask | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD))
        guard number >= 0 else {
            // What is not there, or must not be read, is watched from above.
            if errno != ENOENT && errno != ENOTDIR && errno != EACCES { problem = errno }
            return
        }
        var watch = watches[number] ?? Watch(path: path)
        if let name { watch.names.insert(name) } else { watch.holdsComponents = true }
        watches[number] = watch
    }

    /// Takes all events that are there.
    ///
    /// - Returns: whether one of them counts.
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

    private func counts(_ event: WatchEvent) -> Bool {
        if event.has(IN_Q_OVERFLOW) { return true }
        guard let watch = watches[event.watch] else { return false }
        guard !event.name.isEmpty else { return true }
        if watch.names.contains(event.name) { return true }
        guard watch.holdsComponents, PluginFileName.isPlugin(event.name) else { return false }
        return !event.has(IN_CREATE) || !DirectoryWatches.isBeingWritten("\(watch.path)/\(event.name)")
    }

    /// A new file is closed in the end. Links are whole from the beginning.
    private static func isBeingWritten(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    }
}
