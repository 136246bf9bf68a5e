import ComponentKit
import Glibc

extension HostCore {
    /// Stops all components, the last in the order of demands first. Blocks for at most `timeout`, and for
    /// the components' own `destroy`.
    ///
    /// New calls are refused at once. Calls in flight have until the timeout to end by themselves; what has
    /// not is ended as cancelled. A component that some thread is still inside of is not destroyed.
    ///
    /// A second stop waits for the first, and has nothing to report.
    func stop(timeout: Duration) -> StopReport {
        var report = StopReport()
        do throws(LinkError) {
            try gates.pass(stopGate, unless: isStopOver) { () throws(LinkError) in
                beginStop()
                watching.end()
                report = stopComponents(timeout)
                endStop()
            }
        } catch {
            log(.warning, "stopped from inside of a component that is being stopped", component: "host")
        }
        return report
    }

    private func stopComponents(_ timeout: Duration) -> StopReport {
        let deadline = Deadline.after(timeout)
        let loaded = units.withLock { units in
            Array((units.ordered + units.kept).reversed())
        }.map { unit in
            let component = unit.enterStopped()
            component?.refuseCalls()
            return (unit, component)
        }
        var report = StopReport()
        for (unit, component) in loaded {
            guard let component else { continue }
            // Seen outside once is outside for good: who enters from now on is refused and leaves at once.
            var isOutside = false
            wait(until: deadline) {
                if unsafe component.cell.callsInside == 0 { isOutside = true }
                return isOutside && unit.outstanding.count == 0
            }
            report.cancelledCalls += unit.outstanding.endAll(with: LinkError(.cancelled))
            if !isOutside {
                wait(until: .after(.milliseconds(10))) {
                    isOutside = unsafe component.cell.callsInside == 0
                    return isOutside
                }
            }
            guard isOutside else {
                report.stillRunning.append(unit.name)
                log(.warning, "still running past the stop deadline; it is not ended", component: unit.name)
                continue
            }
            component.destroy()
        }
        sharedObjects.removeAll()
        // Whoever is still inside may write yet: then the directory is this process's to its end.
        if report.stillRunning.isEmpty { data.release() }
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
