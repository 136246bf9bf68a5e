import CGlibc
package import ComponentKit
import Glibc
import SystemSupport

/// Says when something has changed in directories, on a thread of its own.
final class DirectoryWatcher: Sendable {
    /// How often to look where the system does not tell.
    private static let pollingInterval = Duration.seconds(5)

    private let directories: [String]
    private let report: @Sendable (String) -> Void
    private let settled: @Sendable () -> Void
    /// Becomes readable when the thread is to end; -1 when the system had none to give.
    private let wakeDescriptor: Int32

    /// - Parameters:
    ///   - directories: absolute or relative to the current directory, there or not.
    ///   - report: is told what does not work, as a sentence.
    ///   - settled: is called at the beginning, and each time that something has changed and settled.
    init(
        _ directories: [String], report: @escaping @Sendable (String) -> Void, settled: @escaping @Sendable () -> Void
    ) {
        self.directories = directories.map(DirectoryWatcher.absolute)
        self.report = report
        self.settled = settled
        wakeDescriptor = eventfd(0, Int32(HSLINK_EVENTFD_FLAGS))
    }

    deinit { if wakeDescriptor >= 0 { close(wakeDescriptor) } }

    /// - Returns: false when there is no thread to be had, or nothing to stop it with.
    func start() -> Bool { wakeDescriptor >= 0 && startThread(named: "hslink-watch") { [self] in run() } }

    /// Ends the thread. It may be in the middle of `settled`, and is not waited for.
    func stop() {
        var one: UInt64 = 1
        _ = unsafe write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
    }

    private func run() {
        var watches = DirectoryWatches()
        var settling = Settling()
        var polling: Deadline?
        var problem: Int32 = 0
        var isDue = true
        while true {
            if isDue {
                settling.clear()
                // First the watches, then the look: what happens in between is seen.
                watches.arm(directories)
                if watches.problem != problem { reportChange(watches.problem) }
                problem = watches.problem
                settled()
                polling = problem == 0 ? nil : .after(DirectoryWatcher.pollingInterval)
            }
            switch wait(watches.descriptor, until: settling.due ?? polling) {
            case .stop: return
            case .event: if watches.readEvents() { settling.note() }
            case .time: break
            }
            isDue = (settling.due ?? polling)?.hasPassed ?? false
        }
    }

    private func reportChange(_ problem: Int32) {
        guard problem != 0 else { return report("the directories are watched again") }
        let message = ComponentFileError.system(problem, while: "watch all of").message
        let seconds = DirectoryWatcher.pollingInterval.components.seconds
        report("the directories are looked at every \(seconds) seconds, since \(message)")
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
        guard count > 0 else { return .time }
        if descriptors[0].revents != 0 { return .stop }
        return .event
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let current = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(current) }
        return unsafe String(cString: current) + "/" + path
    }
}

/// Waits until events have settled: for a moment without any, but not for ever.
package struct Settling {
    /// How long nothing has to happen.
    static let quiet = Duration.milliseconds(200)
    /// How long something may go on happening.
    static let longest = Duration.seconds(2)

    private var latest: Deadline?
    private var next: Deadline?

    /// Nothing has happened yet.
    package init() {}

    /// When to look; nil while nothing has happened.
    package var due: Deadline? {
        guard let latest, let next else { return nil }
        return min(latest, next)
    }

    /// Something has happened.
    package mutating func note() {
        latest = latest ?? .after(Settling.longest)
        next = .after(Settling.quiet)
    }

    /// It has been looked at.
    package mutating func clear() {
        latest = nil
        next = nil
    }
}
