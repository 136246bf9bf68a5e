import ComponentKit
import Logging

/// What operators can see of a host besides the states of its components: the log, times, slow calls and counters.
final class ObservationFeature: HostFeature {
    static var place: Int { 5 }
    static let classes = [CountersLink.provided]

    let logger: Logger
    /// The last lines of the log.
    let recentLog = RecentLog()
    /// How long components take; nil if no one wants to know.
    let times: TimeRecorder?
    /// Reports calls that take long; nil if none are to be reported.
    private let watchdog: Watchdog?
    /// Passes what is counted to swift-metrics; nil if the application does not use it.
    private let metrics = MetricsEmission()
    private let metricsInterval: Duration?

    /// - Parameters:
    ///   - recordsTimes: whether it records how long components take.
    ///   - slowCallThreshold: how long a call may take before it is reported; nil to report none.
    ///   - metricsInterval: how often it passes on what is counted; nil to do so only when it is told.
    init(logger: Logger, recordsTimes: Bool, slowCallThreshold: Duration?, metricsInterval: Duration?) {
        self.logger = logger
        times = recordsTimes ? TimeRecorder() : nil
        watchdog = slowCallThreshold.map { Watchdog($0) }
        self.metricsInterval = metricsInterval
    }

    deinit { watchdog?.stop() }

    func ready(in core: HostCore) {
        scheduleMetrics(of: core)
        if watchdog?.start(core) == false {
            core.log(.warning, "slow calls are not reported: no thread could be made")
        }
    }

    func over(in core: HostCore) {
        watchdog?.stop()
        emitMetrics(of: core)
    }

    /// Passes what has been counted to swift-metrics, if the application uses it.
    func emitMetrics(of core: HostCore) { metrics?.tell(core.selectorCounters()) }

    /// Passes on what has been counted in each interval, until the host has stopped.
    private func scheduleMetrics(of core: HostCore) {
        guard metrics != nil, let interval = metricsInterval else { return }
        core.engine.timer.schedule(.after(max(interval, .milliseconds(10)))) { [self, weak core] in
            guard let core, !core.engine.isOver else { return }
            // The timer's thread never runs the code of others.
            core.engine.callers.submit { [self, weak core] in
                guard let core, !core.engine.isOver else { return }
                emitMetrics(of: core)
                scheduleMetrics(of: core)
            }
        }
    }
}
