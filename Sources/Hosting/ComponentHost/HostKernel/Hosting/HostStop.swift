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
    ///
    /// - Parameter isInHandler: whether a handler of an event makes the call. Its delivery goes on only after the stop, so
    ///   the stop does not wait until features have ended their work.
    func stop(timeout: Duration, isInHandler: Bool = false) -> StopReport {
        var report = StopReport()
        do throws(LinkError) {
            try stopGates.pass(stopGate, unless: engine.isOver) { () throws(LinkError) in
                isStopping.store(true, ordering: .releasing)
                let deadline = Deadline.after(timeout)
                startRuns.end()
                // Handlers have their share of the time only. Without any, they could not even begin.
                if timeout > .zero { announceAndWait(HostWillStop(), until: deadline) }
                engine.beginClosing()
                watching.end()
                for feature in features { feature.closing() }
                waitForCalls(until: deadline, andFeatures: !isInHandler)
                // Calls that still wait for a component to start fail now.
                engine.gates.end()
                report = stopComponents(deadline)
                engine.endClosing()
                for feature in features { feature.over(in: self) }
            }
        } catch {
            log(.warning, "stop was called from a component that is being stopped; ignored")
        }
        return report
    }

    /// Closes all components to calls from outside, and waits for calls in flight, and for features that are at work.
    private func waitForCalls(until deadline: Deadline, andFeatures: Bool) {
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
        var wasQuiet = false
        wait(until: deadline) {
            // Also close components that have meanwhile been loaded for calls in flight.
            let identities = close()
            let isQuiet =
                !(andFeatures && features.contains { $0.isAtWork })
                && units.allSatisfy { !$0.isLoading && $0.openCalls.count == 0 }
                && !ThreadContext.carriesOutCalls(of: identities)
            // What follows a call may be about to make the next one.
            defer { wasQuiet = isQuiet }
            return isQuiet && wasQuiet
        }
    }

    /// Stops and destroys all components in the reverse order of their requirements.
    private func stopComponents(_ deadline: Deadline) -> StopReport {
        var report = StopReport()
        var isTimeOver = false
        for unit in registry.all.reversed() {
            let wasLoading = unit.isLoading
            let component = unit.enterStopping()
            component?.stop()
            var occupation = Occupation()
            if let component {
                wait(until: deadline) { !occupation.remains(in: component) && unit.openCalls.count == 0 }
            }
            if deadline.hasPassed, !isTimeOver {
                isTimeOver = true
                // A component waits for calls to those that it requires, whose turn comes later, and its methods may wait
                // for objects of the program.
                for other in registry.all where other !== unit {
                    report.cancelledCalls += endCalls(other.openCalls, isFinal: false) { engine.notify($0, of: other) }
                }
            }
            if isTimeOver { report.cancelledCalls += endOwnCalls() }
            report.cancelledCalls += endCalls(unit.openCalls, isFinal: true) { engine.notify($0, of: unit) }
            unit.releaseTables()
            if let component {
                // Methods that were just cancelled, and threads that were just notified, get a moment to return.
                wait(until: .after(.milliseconds(20))) {
                    !occupation.remains(in: component) && unit.openCalls.count == 0
                }
                // Handlers of the calls that have just ended may still be queued.
                guard occupation.remains(in: component) || unit.openCalls.count > 0 else {
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
        for feature in features { feature.stopped(report, in: self) }
        return report
    }

    /// What keeps a stopped component from being destroyed.
    private struct Occupation {
        /// Whether a thread was in the component, or work of its own was open, at the last look. Once false, it stays
        /// false: a thread that enters from now on is refused and leaves at once.
        private var isOccupied = true

        /// Whether code of the component may still run, also handlers and callbacks that the host has yet to call.
        mutating func remains(in component: LoadedComponent) -> Bool {
            if isOccupied { isOccupied = unsafe component.runState.isOccupied }
            return unsafe isOccupied || component.runState.isOwedHostWork
        }
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
