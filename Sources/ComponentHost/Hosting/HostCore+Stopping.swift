import ComponentKit
import Glibc
import Synchronization

extension HostCore {
    /// Stops all components, the last in the order of demands first. Blocks for at most `timeout`, and for
    /// the components' own `destroy`.
    ///
    /// New calls are refused at once. Calls in flight have until the timeout to end by themselves; what has
    /// not is ended as cancelled. A component that some thread is still inside of is not destroyed.
    func stop(timeout: Duration) -> StopReport {
        guard beginStop() else { return StopReport() }
        let deadline = Deadline.after(timeout)
        let loaded = units.withLock { units in
            units.ordered.reversed().map { unit in (unit, unit.stopTakingCalls()) }
        }
        var report = StopReport()
        for (unit, component) in loaded {
            guard let component else { continue }
            wait(until: deadline) { unsafe unit.outstanding.count == 0 && component.cell.callsInside == 0 }
            report.cancelledCalls += unit.outstanding.endAll(with: LinkError(.cancelled))
            guard unsafe component.cell.callsInside == 0 else {
                report.stillRunning.append(unit.name)
                log(.warning, "still running past the stop deadline; it is not ended", component: unit.name)
                continue
            }
            component.destroy()
        }
        sharedObjects.removeAll()
        pool.end()
        timer.end()
        return report
    }

    private func wait(until deadline: Deadline, _ isOver: () -> Bool) {
        var pause: UInt32 = 100
        while !isOver(), !deadline.hasPassed {
            usleep(pause)
            pause = min(pause * 2, 5000)
        }
    }
}

extension ComponentUnit {
    /// Refuses calls from now on.
    ///
    /// - Returns: the component, if it was in memory.
    fileprivate func stopTakingCalls() -> LoadedComponent? {
        let component = loaded
        component?.refuseCalls()
        setState(.stopped(component))
        return component
    }
}
