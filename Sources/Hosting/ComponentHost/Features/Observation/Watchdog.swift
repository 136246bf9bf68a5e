import ComponentKit
import Glibc
import Synchronization
import SystemSupport

/// Reports calls that take longer than a threshold, while they are still running. It looks at the marks of all threads
/// from time to time, so that calls themselves pay almost nothing for it.
final class Watchdog: Sendable {
    /// A call in which a thread was seen.
    private struct Sighting {
        let call: ThreadContext.RunningCall
        let since: ContinuousClock.Instant
        var isReported = false
    }

    private let threshold: Duration
    private let lock = WaitLock()
    private let isOver = Atomic(false)

    /// - Parameter threshold: how long a call may take.
    init(_ threshold: Duration) { self.threshold = max(threshold, .milliseconds(1)) }

    /// Starts the thread, which ends with ``stop()``.
    ///
    /// - Returns: False if the system could not make it.
    func start(_ core: HostCore) -> Bool {
        startThread(named: "hslink-watchdog") { [self, weak core] in
            var seen: [ThreadContext.Place: Sighting] = [:]
            while pause() {
                guard let core else { return }
                look(at: core, &seen)
            }
        }
    }

    /// Ends the thread, without waiting for it.
    func stop() {
        isOver.store(true, ordering: .releasing)
        lock.withLock { lock.wakeAll() }
    }

    /// Waits until the next look is due.
    ///
    /// - Returns: False if there is none.
    private func pause() -> Bool {
        let due = Deadline.after(min(max(threshold / 4, .milliseconds(1)), .seconds(1)))
        lock.withLock {
            while !isOver.load(ordering: .acquiring), !due.hasPassed { lock.wait(until: due.nanoseconds) }
        }
        TestDelays.pause()
        return !isOver.load(ordering: .acquiring)
    }

    private func look(at core: HostCore, _ seen: inout [ThreadContext.Place: Sighting]) {
        let now = ContinuousClock.now
        let units = core.registry.all
        var running: [ThreadContext.Place: Sighting] = [:]
        for (place, call) in ThreadContext.runningCalls() {
            var sighting = seen[place]?.call == call ? seen[place] : nil
            if sighting == nil { sighting = Sighting(call: call, since: now) }
            guard var sighting else { continue }
            if now - sighting.since >= threshold, let (unit, name) = Watchdog.method(of: call, in: units) {
                if !sighting.isReported {
                    sighting.isReported = true
                    core.options.log(
                        .warning,
                        "\(name)\(Watchdog.event(of: name, in: unit)) has been running for "
                            + "\((now - sighting.since).inWords) on the thread \(Watchdog.describe(call.thread))",
                        component: unit.name)
                }
            }
            running[place] = sighting
        }
        seen = running
        // A call that a thread is running is reported with the thread, a moment later than it would be here.
        let onThreads = Set(running.values.compactMap { Watchdog.method(of: $0.call, in: units)?.1 })
        for unit in units {
            for (name, duration) in unit.openCalls.takeOverdue(threshold, now, besides: onThreads) {
                let name = name + Watchdog.event(of: name, in: unit)
                core.options.log(
                    .warning, "\(name) has not answered for \(duration.inWords)", component: unit.name)
            }
        }
    }

    /// Returns the component of this host whose method a thread runs, and the method's name.
    private static func method(
        of call: ThreadContext.RunningCall, in units: [ComponentUnit]
    ) -> (ComponentUnit, String)? {
        for unit in units {
            // Another host's components do not concern this one, and may end at any time.
            guard let component = unit.resident, unsafe component.runState.identity == call.component else { continue }
            for linkClass in component.classes {
                guard let selector = linkClass.selector(at: call.method) else { continue }
                return (unit, "\(linkClass.name).\(selector)")
            }
            return (unit, unit.name)
        }
        return nil
    }

    /// Returns which event a method handles, in words; empty if it handles none.
    private static func event(of name: String, in unit: ComponentUnit) -> String {
        for declared in unit.manifest.classes {
            for selector in declared.selectors where "\(declared.name).\(selector.name)".isExactly(name) {
                if let handles = selector.handles { return ", a handler of \(handles.event)," }
            }
        }
        return ""
    }

    /// The name and the number of a thread.
    private static func describe(_ thread: Int32) -> String {
        var name = ""
        if let file = unsafe fopen("/proc/self/task/\(thread)/comm", "re") {
            var line = [CChar](repeating: 0, count: 64)
            if unsafe fgets(&line, Int32(line.count), file) != nil {
                name = String(decoding: line.prefix { $0 > 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) + " "
            }
            unsafe fclose(file)
        }
        return "\(name.escaped)(\(thread))"
    }
}

extension Duration {
    /// The duration with one digit after the point, as in "1.5 s", or in milliseconds.
    fileprivate var inWords: String {
        let (seconds, attoseconds) = components
        guard seconds > 0 else { return "\(attoseconds / 1_000_000_000_000_000) ms" }
        return "\(seconds).\(attoseconds / 100_000_000_000_000_000) s"
    }
}

extension LoadedClass {
    /// The name of the method whose entry is at this address; nil if it is not one of this class.
    fileprivate func selector(at address: UInt) -> String? {
        let range = methodAddresses
        guard range.contains(address), let entry = unsafe UnsafePointer<MethodEntry>(bitPattern: address) else {
            return nil
        }
        return unsafe entry.pointee.selector
    }
}
