public import ComponentKit
import Synchronization
import SystemSupport

/// The result of starting a host.
public struct StartReport: Sendable {
    /// A component that should have started with the host.
    public struct Failure: Sendable {
        /// The component.
        public let component: String
        /// Why it was not loaded.
        public let error: LinkError
    }

    /// The components that started with the host, those with a higher priority first.
    public internal(set) var started: [String] = []
    /// Those that should have, in order.
    public internal(set) var failures: [Failure] = []
}

extension HostCore {
    /// Loads the components that start with the host, and tells all that it has started. Has no effect the second time.
    func start() -> StartReport {
        var report = StartReport()
        do throws(LinkError) {
            try stopGates.pass(startGate, unless: isStarted.load(ordering: .acquiring) || engine.isClosing) {
                () throws(LinkError) in
                isStarted.store(true, ordering: .releasing)
                if options.reportsMemoryPressure { watchMemory() }
                logConfiguration()
                let units = registry.contents.withLock { $0.components }
                let starting = units.enumerated().filter { $1.manifest.starts == .withHost }
                    .sorted { ($1.element.manifest.priority, $0.offset) < ($0.element.manifest.priority, $1.offset) }
                for (_, unit) in starting where !isToStop.load(ordering: .acquiring) {
                    do throws(LinkError) {
                        try registry.load(unit, in: self)
                        report.started.append(unit.name)
                    } catch {
                        report.failures.append(StartReport.Failure(component: unit.name, error: error))
                        options.log(.warning, "did not start with the host: \(error.message)", component: unit.name)
                    }
                }
                guard !isToStop.load(ordering: .acquiring) else { return }
                deliverAndWait(HostStarted(), until: nil)
            }
        } catch {
            log(.warning, "start was called from a component that is starting; ignored")
        }
        return report
    }

    /// Lets no further component start with the host.
    func endStart() { isToStop.store(true, ordering: .releasing) }
}

extension LinkHost {
    /// Loads the components that start with the host, marked `@Component(starts: .withHost)`: by priority, and each
    /// after what it requires. Then delivers `HostStarted` and waits for its handlers.
    ///
    /// A component that cannot be loaded is reported, and the others start nevertheless. A host answers calls also
    /// without having been started. Calling this again has no effect; ``run()`` calls it. When the host is stopped
    /// meanwhile, the component under way is the last one that starts, and `HostStarted` is not delivered.
    ///
    /// - Returns: The components that started, and those that could not; empty the second time.
    @discardableResult
    public func start() async -> StartReport {
        await awaitResume { [core] resume in
            let start: @Sendable () -> Void = { resume(core.start()) }
            if !startThread(named: "hslink-start", start) { start() }
        }
    }

    /// Lets no further component start with the host, which is about to be stopped. Does not wait.
    package func endStart() { core.endStart() }
}
