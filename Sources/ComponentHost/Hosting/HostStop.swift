import ComponentKit
import Glibc

/// What `stop` found.
public struct StopReport: Sendable, Hashable {
    /// How many calls had not ended in time and were ended as cancelled.
    public var cancelledCalls = 0
    /// Components that some thread is still inside of, that have not ended work of their own, or that were still being
    /// started. They were not ended; their code stays in memory.
    public var stillRunning: [String] = []

    /// Everything ended in time.
    public init() {}
}

/// The end of a host, in two steps.
///
/// First nothing new comes in from outside. What is in flight goes on, may call other components, and has until the
/// deadline. Then components end in the reverse order of their requirements: each takes nothing any more, is told, and is
/// destroyed when nobody is inside and no work of it goes on. One that does not come back keeps what it owns.
extension HostCore {
    /// Blocks for at most `timeout`, a moment for each component that has threads inside, and the components' own `destroy`.
    ///
    /// A second stop waits for the first, and has nothing to report.
    func stop(timeout: Duration) -> StopReport {
        var report = StopReport()
        do throws(LinkError) {
            try stopGates.pass(stopGate, unless: engine.isOver) { () throws(LinkError) in
                let deadline = Deadline.after(timeout)
                engine.beginClosing()
                watching.end()
                waitForCalls(until: deadline)
                // Who waits for a start that has not ended by now waits no longer.
                engine.gates.end()
                report = stopComponents(deadline)
                engine.endClosing()
            }
        } catch {
            log(.warning, "stopped from inside of a component that is being stopped")
        }
        return report
    }

    /// The first step.
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
            // Also what came up meanwhile: a call in flight may have needed it.
            let identities = close()
            return units.allSatisfy { !$0.isLoading && $0.openCalls.count == 0 }
                && !ThreadContext.carriesOutCalls(of: identities)
        }
    }

    /// The second step.
    private func stopComponents(_ deadline: Deadline) -> StopReport {
        var report = StopReport()
        for unit in registry.all.reversed() {
            let wasLoading = unit.isLoading
            let component = unit.enterStopped()
            component?.stop()
            // Seen empty once is empty for good: who enters from now on is refused and leaves at once.
            var isEmpty = false
            func looksEmpty(_ component: LoadedComponent) -> Bool {
                if !isEmpty { isEmpty = unsafe !component.runState.isOccupied }
                return isEmpty
            }
            if let component {
                wait(until: deadline) { looksEmpty(component) && unit.openCalls.count == 0 }
            }
            report.cancelledCalls += endCalls(of: unit)
            unit.releaseTables()
            if let component {
                // Methods that were just cancelled, and threads that were just told.
                wait(until: .after(.milliseconds(20))) { looksEmpty(component) && unit.openCalls.count == 0 }
                guard !isEmpty || unit.openCalls.count > 0 else {
                    component.destroy()
                    continue
                }
                report.stillRunning.append(unit.name)
                options.log(.warning, "still running past the stop deadline; it is not ended", component: unit.name)
            } else if wasLoading {
                report.stillRunning.append(unit.name)
                options.log(.warning, "still starting past the stop deadline; it is not ended", component: unit.name)
            }
        }
        sharedObjects.removeAll()
        // Whoever is still inside may write yet: then the directory is this process's to its end.
        if report.stillRunning.isEmpty { data.release() }
        return report
    }

    /// Ends calls as cancelled, without waiting for code of callers and methods.
    private func endCalls(of unit: ComponentUnit) -> Int {
        let thread = ThreadContext.current
        let servesAll = unsafe thread.state.pointee.servesAll
        unsafe thread.state.pointee.servesAll = true
        defer { unsafe thread.state.pointee.servesAll = servesAll }
        return unit.openCalls.endAll(with: LinkError(.cancelled)) { engine.notify($0, of: unit) }
    }

    private func wait(until deadline: Deadline, _ isOver: () -> Bool) {
        var pause: UInt32 = 50
        while !isOver(), !deadline.hasPassed {
            usleep(pause)
            pause = min(pause * 2, 5000)
        }
    }
}
