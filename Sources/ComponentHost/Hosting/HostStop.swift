import ComponentKit
import Glibc

/// The result of stopping a host.
public struct StopReport: Sendable, Hashable {
    /// The number of calls that had not ended in time and were cancelled.
    public var cancelledCalls = 0
    /// Components in which a thread was still running, whose own work had not ended, or that were still starting. They
    /// were not destroyed, and their code stays in memory.
    public var stillRunning: [String] = []

    /// Creates a report of a stop in which everything ended in time.
    public init() {}
}

/// Stops a host in two steps.
///
/// First, calls from outside are refused. Calls in flight continue, may call other components, and have until the
/// deadline. Then components are stopped in the reverse order of their requirements. Each refuses further calls, is
/// notified, and is destroyed once no thread runs in it and none of its work is open. A component that is still busy at
/// the deadline is not destroyed and keeps what it owns.
extension HostCore {
    /// Stops the host. Blocks for at most `timeout`, plus a moment for each component with running threads, plus the
    /// time that the components' `destroy` functions take.
    ///
    /// A second stop waits for the first and returns an empty report.
    func stop(timeout: Duration) -> StopReport {
        var report = StopReport()
        do throws(LinkError) {
            try stopGates.pass(stopGate, unless: engine.isOver) { () throws(LinkError) in
                let deadline = Deadline.after(timeout)
                startRuns.end()
                // Handlers have their share of the time only. Without any, they could not even begin.
                if timeout > .zero { deliverAndWait(HostWillStop(), until: deadline) }
                engine.beginClosing()
                watching.end()
                memoryMonitor.withLock { $0.take() }?.stop()
                waitForCalls(until: deadline)
                // Calls that still wait for a component to start fail now.
                engine.gates.end()
                report = stopComponents(deadline)
                engine.endClosing()
                endWatching()
                emitMetrics()
            }
        } catch {
            log(.warning, "stop was called from a component that is being stopped; ignored")
        }
        return report
    }

    /// Closes all components to calls from outside, and waits for calls in flight.
    private func waitForCalls(until deadline: Deadline) {
        let units = registry.all
        func close() -> Set<UInt> {
            var identities: Set<UInt> = []
            for unit in units {
                guard let component = unit.loaded else { continue }
                unsafe component.runState.close()
                unsafe identities.insert(component.runState.identity)
            }
            return identities
        }
        _ = close()
        wait(until: deadline) {
            // Also close components that have meanwhile been loaded for calls in flight.
            let identities = close()
            return units.allSatisfy { !$0.isLoading && $0.openCalls.count == 0 }
                && !ThreadContext.carriesOutCalls(of: identities)
        }
    }

    /// Stops and destroys all components in the reverse order of their requirements.
    private func stopComponents(_ deadline: Deadline) -> StopReport {
        var report = StopReport()
        for unit in registry.all.reversed() {
            let wasLoading = unit.isLoading
            let component = unit.enterStopping()
            component?.stop()
            // Once empty, a component stays empty: a thread that enters from now on is refused and leaves at once.
            var isEmpty = false
            func looksEmpty(_ component: LoadedComponent) -> Bool {
                if !isEmpty { isEmpty = unsafe !component.runState.isOccupied }
                return isEmpty
            }
            if let component {
                wait(until: deadline) { looksEmpty(component) && unit.openCalls.count == 0 }
            }
            // Methods may wait for objects of the program.
            if deadline.hasPassed { report.cancelledCalls += endOwnCalls() }
            report.cancelledCalls += endCalls(unit.openCalls, isFinal: true) { engine.notify($0, of: unit) }
            unit.releaseTables()
            if let component {
                // Methods that were just cancelled, and threads that were just notified, get a moment to return.
                wait(until: .after(.milliseconds(20))) { looksEmpty(component) && unit.openCalls.count == 0 }
                guard !isEmpty || unit.openCalls.count > 0 else {
                    timed(.stop, of: unit.name) { component.destroy() }
                    unit.enterStopped()
                    continue
                }
                report.stillRunning.append(unit.name)
                options.log(.warning, "still running after the stop deadline; not destroyed", component: unit.name)
            } else if wasLoading {
                report.stillRunning.append(unit.name)
                options.log(.warning, "still starting after the stop deadline; not destroyed", component: unit.name)
            }
        }
        report.cancelledCalls += endOwnCalls()
        sharedObjects.removeAll()
        routes.end()
        tellStopped()
        events.end()
        // A component that is still running may still write, so the process keeps the directory until it ends.
        if report.stillRunning.isEmpty {
            data.release()
            cache.release()
        }
        return report
    }

    /// Cancels the calls of the program's own objects.
    private func endOwnCalls() -> Int {
        endCalls(engine.ownOpenCalls, isFinal: false) { engine.notify($0, of: nil) }
    }

    /// Cancels calls without waiting for the code of callers and methods.
    ///
    /// - Returns: The number of calls that it has cancelled.
    private func endCalls(
        _ calls: OpenCalls, isFinal: Bool, notify: (@escaping @Sendable () -> Void) -> Void
    ) -> Int {
        let thread = ThreadContext.current
        let servesAll = unsafe thread.state.pointee.servesAll
        unsafe thread.state.pointee.servesAll = true
        defer { unsafe thread.state.pointee.servesAll = servesAll }
        return calls.endAll(with: LinkError(.cancelled), isFinal: isFinal, notify: notify)
    }

    private func wait(until deadline: Deadline, _ isOver: () -> Bool) {
        var pause: UInt32 = 50
        while !isOver(), !deadline.hasPassed {
            usleep(pause)
            pause = min(pause * 2, 5000)
        }
    }
}
