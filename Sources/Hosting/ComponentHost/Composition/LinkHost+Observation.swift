package import Logging

extension LinkHost {
    /// What the host has counted of the calls to each method since it was made, those with the most calls first.
    /// Methods that have not been called are missing.
    ///
    ///     for row in host.counters {
    ///         let p99 = row.counters.durations.quantile(0.99)
    ///         print(row.component, row.className, row.selector, row.counters.calls, row.counters.failed, p99 ?? "-")
    ///     }
    ///     let lost = host.counters.first?.counters.failures[.deadlineExceeded] ?? 0
    ///
    /// Every call by name, bound call, call of an object or a closure, opened route and delivered event counts, of
    /// components and of the host's own code; calls that a component makes of objects directly, without its host, do not.
    /// A call of an object is in flight while it waits for its answer or a thread of the host carries it out, not while
    /// it runs on its caller's thread. The counters of a component go on when a rescan replaces it.
    /// Counting adds about 2 ns to a call; reading takes a moment for each thread, and waits for no call. May be called
    /// from any thread.
    public var counters: [SelectorCounters] { core.sortedCounters() }

    /// What the host has counted of the calls to all methods of a component together.
    ///
    ///     let video = host.counters(of: "ComponentVideo")
    ///     print(video.calls, video.failed, video.inFlight, video.stuck, video.lateReplies)
    ///
    /// - Parameter component: the name of a component. If none has it, or none of its methods has been called, all
    ///   numbers are 0.
    public func counters(of component: String) -> CallCounters { counters.totals[component] ?? CallCounters() }
}

extension LinkHost {
    /// Passes what the host has counted since the last time to swift-metrics, if the application bootstrapped it before
    /// it made the host. The host does this by itself every ``HostOptions/metricsInterval``, and when it has stopped.
    ///
    /// | label | kind | dimensions besides component, class, selector and kind |
    /// |---|---|---|
    /// | `hslink_calls_total` | `Counter` | |
    /// | `hslink_call_failures_total` | `Counter` | `code`, such as "deadlineExceeded" |
    /// | `hslink_call_duration_seconds` | `Timer` | |
    /// | `hslink_calls_in_flight` | `Meter` | |
    /// | `hslink_calls_stuck` | `Meter` | |
    /// | `hslink_late_replies_total` | `Counter` | |
    ///
    /// These are the names of ``PrometheusText``, in the form that Prometheus asks for, so that an application that
    /// exports to Prometheus through swift-metrics has the same series as one that serves the text. A timer is told at
    /// most 128 durations of a method each time, spread as those of all calls and exact to the bounds of
    /// ``DurationHistogram``; its quantiles hold, but the number of calls is that of the counter. May be called from any
    /// thread; the backend runs on this one.
    public func emitMetrics() { features.observation.emitMetrics(of: core) }
}

extension LinkHost {
    /// How long components took to start, to handle events and to stop, those with the longest total first. Empty
    /// unless ``HostOptions/recordsTimes`` is set.
    ///
    /// The time of a handler that answers later includes the time until it has answered.
    public var times: [ComponentTime] { features.observation.times?.all ?? [] }
}

extension LinkHost {
    /// Keeps a line among the last ones of the log that the program writes to its log about the host, as it does about
    /// changes that it finds. A line below the level of the host's logger is not kept.
    package func keepInLog(_ message: String, level: Logger.Level, component: String) {
        guard level >= features.observation.logger.logLevel else { return }
        features.observation.recentLog.add(level.rawValue, message, component: component)
    }
}
