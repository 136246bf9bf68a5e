import CGlibc
package import ComponentKit
import Glibc
import SystemSupport

/// Reports changes in directories, on a thread of its own.
package final class DirectoryWatcher: Sendable {
    /// The interval between scans when the system cannot watch all directories.
    private static let pollingInterval = Duration.seconds(5)

    private let directories: [String]
    private let formats: [ComponentFormat]
    private let files: [String]
    private let followed: @Sendable () -> FollowedFiles
    private let report: @Sendable (String) -> Void
    private let settled: @Sendable () -> Void
    /// A descriptor that becomes readable when the thread must end; -1 when the system could not create it.
    private let wakeDescriptor: Int32

    /// - Parameters:
    ///   - directories: The directories of components: absolute paths, or paths relative to the current directory; they
    ///     need not exist.
    ///   - formats: The formats of component files besides shared objects.
    ///   - files: Further files, and directories in which every entry matters.
    ///   - followed: Returns the files that the latest scan has looked for elsewhere.
    ///   - report: Called with a sentence when a problem begins or ends.
    ///   - settled: Called at the start, whenever changes have settled, and after each polling interval.
    package init(
        _ directories: [String], formats: [ComponentFormat], files: [String],
        followed: @escaping @Sendable () -> FollowedFiles, report: @escaping @Sendable (String) -> Void,
        settled: @escaping @Sendable () -> Void
    ) {
        self.directories = directories.map { AbsolutePath.of($0) }
        self.formats = formats
        self.files = files.map { AbsolutePath.of($0) }
        self.followed = followed
        self.report = report
        self.settled = settled
        wakeDescriptor = eventfd(0, Int32(HSLINK_EVENTFD_FLAGS))
    }

    deinit { if wakeDescriptor >= 0 { close(wakeDescriptor) } }

    /// Starts the thread.
    ///
    /// - Returns: false when the system could not create the thread, or the descriptor that stops it.
    package func start() -> Bool { wakeDescriptor >= 0 && startThread(named: "hslink-watch") { [self] in run() } }

    /// Ends the thread, without waiting for it; `settled` may still be running.
    package func stop() {
        var one: UInt64 = 1
        _ = unsafe write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
    }

    private func run() {
        var watches = InotifyWatches(formats: formats)
        var settling = Settling()
        var polling: Deadline?
        var problem: Int32 = 0
        var isDue = true
        while true {
            if isDue {
                settling.clear()
                // Add the watches before the scan, so that no change in between is missed.
                let armed = followed()
                watches.arm(directories, files: files, followed: armed)
                if watches.problem != problem { reportChange(watches.problem) }
                problem = watches.problem
                settled()
                // What this scan has looked for, and the one before has not, is watched from the next one on.
                if followed() != armed { settling.note() }
                polling = problem == 0 ? nil : .after(DirectoryWatcher.pollingInterval)
            }
            switch wait(watches.descriptor, until: settling.due ?? polling) {
            case .stop: return
            case .event:
                if watches.readEvents() { settling.note() }
                settling.isHeldUp = watches.isWriting
            case .time: break
            }
            isDue = (settling.due ?? polling)?.hasPassed ?? false
        }
    }

    private func reportChange(_ problem: Int32) {
        guard problem != 0 else { return report("the directories are watched again") }
        let seconds = DirectoryWatcher.pollingInterval.components.seconds
        // The messages for these two numbers are those of disks and files.
        let reason =
            switch problem {
            case ENOSPC: "the user has no inotify watches left; raise fs.inotify.max_user_watches with sysctl"
            case EMFILE: "the user has no inotify instances left; raise fs.inotify.max_user_instances with sysctl"
            default: systemMessage(problem)
            }
        report("the directories are scanned every \(seconds) seconds, because they cannot be watched: \(reason)")
    }

    private enum Wake { case stop, event, time }

    private func wait(_ descriptor: Int32, until deadline: Deadline?) -> Wake {
        var descriptors = [
            pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        var timeout: Int32 = -1
        if let deadline {
            let (seconds, attoseconds) = deadline.remaining.components
            timeout = Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
        }
        let count = unsafe poll(&descriptors, nfds_t(descriptors.count), timeout)
        TestDelays.pause()
        guard count > 0 else { return .time }
        if descriptors[0].revents != 0 { return .stop }
        return .event
    }
}

/// Decides when events have settled: after a quiet interval, or at the latest after a fixed time.
package struct Settling {
    /// The quiet interval after the last event.
    static let quiet = Duration.milliseconds(200)
    /// The longest time to wait after the first event.
    static let longest = Duration.seconds(2)

    private var latest: Deadline?
    private var next: Deadline?

    /// Whether something has begun that will be another event when it ends. No quiet interval counts until then. It may
    /// never be: a file that was written under another name has been closed already.
    package var isHeldUp = false {
        didSet { if isHeldUp { latest = latest ?? .after(Settling.longest) } }
    }

    /// Creates a value without any event.
    package init() {}

    /// The time of the next scan; nil while there are no events.
    package var due: Deadline? {
        guard let latest, let next, !isHeldUp else { return latest }
        return min(latest, next)
    }

    /// Records an event.
    package mutating func note() {
        latest = latest ?? .after(Settling.longest)
        next = .after(Settling.quiet)
    }

    /// Clears the events when a scan begins.
    package mutating func clear() {
        latest = nil
        next = nil
        isHeldUp = false
    }
}
