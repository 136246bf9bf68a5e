import CGlibc
import ComponentKit
import Glibc
import SystemSupport

/// Tells when tasks wait for memory, on a thread of its own: the pressure stall information of the kernel
/// (https://docs.kernel.org/accounting/psi.html), for the control group of the process or, if it has none, for the
/// system.
///
/// The kernel tells at most once per window and level, so nothing is polled.
final class MemoryPressureMonitor: Sendable {
    /// A descriptor that has `POLLPRI` when tasks have waited.
    struct Trigger: Sendable {
        let descriptor: Int32
        let level: MemoryPressure.Level
    }

    /// What is written to the kernel: the level, how long tasks must wait, and the window in which they do, in
    /// microseconds. Windows of other lengths than multiples of 2 s need privileges.
    private static let thresholds: [(level: MemoryPressure.Level, text: String)] = [
        (.some, "some 200000 2000000"), (.full, "full 100000 2000000"),
    ]

    private let triggers: [Trigger]
    private let report: @Sendable (MemoryPressure.Level) -> Void
    /// A descriptor that becomes readable when the thread must end.
    private let wakeDescriptor: Int32

    /// - Parameters:
    ///   - triggers: what to wait for; closed with this object.
    ///   - report: is called with the highest level that was reached.
    init(_ triggers: [Trigger], report: @escaping @Sendable (MemoryPressure.Level) -> Void) {
        self.triggers = triggers
        self.report = report
        wakeDescriptor = eventfd(0, Int32(HSLINK_EVENTFD_FLAGS))
    }

    deinit {
        for trigger in triggers { close(trigger.descriptor) }
        if wakeDescriptor >= 0 { close(wakeDescriptor) }
    }

    /// Opens the first of these files that supports triggers; empty if none does.
    static func open(_ paths: [String] = MemoryPressureMonitor.paths) -> [Trigger] {
        for path in paths {
            var triggers: [Trigger] = []
            for (level, text) in thresholds {
                let descriptor = unsafe Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
                guard descriptor >= 0 else { break }
                // With the NUL at the end, as the kernel expects.
                let bytes = text.utf8CString
                guard unsafe bytes.withUnsafeBytes({ unsafe write(descriptor, $0.baseAddress, $0.count) }) > 0 else {
                    close(descriptor)
                    continue
                }
                triggers.append(Trigger(descriptor: descriptor, level: level))
            }
            if !triggers.isEmpty { return triggers }
        }
        return []
    }

    /// The files of the control group and of the system.
    static var paths: [String] {
        var paths = ["/proc/pressure/memory"]
        if let groups = unsafe fopen("/proc/self/cgroup", "re") {
            defer { unsafe fclose(groups) }
            var line = [CChar](repeating: 0, count: 4096)
            while unsafe fgets(&line, Int32(line.count), groups) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                // The unified hierarchy. In a container, the root is the group of the container.
                guard text.hasPrefix("0::/") else { continue }
                let group = text.dropFirst(4).prefix { $0 != "\n" }
                paths.insert("/sys/fs/cgroup/\(group.isEmpty ? "" : group + "/")memory.pressure", at: 0)
            }
        }
        return paths
    }

    /// Starts the thread.
    ///
    /// - Returns: False if there is nothing to wait for, or the system could not make the thread.
    func start() -> Bool {
        guard !triggers.isEmpty, wakeDescriptor >= 0 else { return false }
        return startThread(named: "hslink-memory") { [self] in run() }
    }

    /// Ends the thread, without waiting for it.
    func stop() {
        var one: UInt64 = 1
        _ = unsafe write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
    }

    private func run() {
        var waiting = triggers
        while !waiting.isEmpty {
            var descriptors = [pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)]
            for trigger in waiting {
                descriptors.append(pollfd(fd: trigger.descriptor, events: Int16(POLLPRI), revents: 0))
            }
            let count = unsafe poll(&descriptors, nfds_t(descriptors.count), -1)
            if count < 0 && errno == EINTR { continue }
            TestDelays.pause()
            guard count > 0, descriptors[0].revents == 0 else { return }
            let states = Array(zip(waiting, descriptors.dropFirst()))
            let reached = states.filter { $1.revents & Int16(POLLPRI) != 0 }.map(\.0.level)
            if let level = reached.contains(.full) ? .full : reached.first { report(level) }
            // The control group is gone, or the descriptor does not support this.
            waiting = states.filter { $1.revents & Int16(POLLERR | POLLHUP | POLLNVAL) == 0 }.map(\.0)
        }
    }
}
