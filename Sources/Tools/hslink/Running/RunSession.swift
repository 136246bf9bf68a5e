import ArgumentParser
import ComponentHost
import ComponentKit
import Glibc
import HostContract
import HostControl
import Logging
import ServiceLifecycle
import SystemSupport

/// Runs a long-lived host, from the initial table to the closing summary.
struct RunSession {
    let host: LinkHost
    let logger: Logger
    /// Where the logger's lines go.
    let writer: LogWriter
    /// How long calls in flight may continue after the first signal.
    let grace: Duration
    let format: RunLog.Format
    /// Whether the host ends if a component that starts with it cannot be loaded.
    let isStrict: Bool

    /// Extra time after the grace period for destroying components and delivering answers.
    private static let patience = Duration.seconds(10)

    /// Runs until a signal ends it; see the help of `hslink run`.
    func run(control choice: ControlSocketChoice, claimsData: Bool) async throws {
        defer { writer.flush() }
        let shutdown = Shutdown(grace: grace)
        // Installed before the socket exists: a process that sees the socket may signal the host immediately.
        let signals = try orFail { () throws(SignalError) in try TerminationSignals.take() }
        try checkDirectories()
        if claimsData { try claimData() }
        try checkConfiguration()
        let server = try listen(choice)
        let group = ServiceGroup(configuration: configuration(shutdown, server))
        try orFail { () throws(SignalError) in try handle(signals, shutdown: shutdown, group: group) }
        // While components start, the host answers calls to the others and lists the states of all.
        async let services: Void = group.run()
        try await start(until: shutdown)
        if !shutdown.hasBegun {
            if format == .text { showTable() }
            // Sent before the log line: a process that waits for the line may stop the host immediately.
            SystemdNotifier.send("READY=1")
            SystemdNotifier.keepAlive { [weak host] in
                // Takes the locks that every call to a component which is not loaded needs.
                guard let host else { return false }
                _ = host.state(of: "")
                return true
            }
            logStart(server, choice)
        }
        do {
            try await services
        } catch {
            logger.critical("stopping, because a service of the host failed: \(error)")
            throw ExitCode.failure
        }
        logger.info("\(shutdown.summary)")
        showTimes()
        // If a thread is still running in a component, exit handlers would free resources that it uses, or wait for it.
        if !shutdown.stillRunning.isEmpty || shutdown.cancelledCalls > 0 {
            writer.flush()
            _exit(0)
        }
    }

    /// Loads the components that start with the host, until the shutdown begins.
    private func start(until shutdown: Shutdown) async throws {
        shutdown.onBegin { [host] in host.endStart() }
        let report = await host.start(endsAtFailure: isStrict)
        guard isStrict, !report.failures.isEmpty, !shutdown.hasBegun else { return }
        for failure in report.failures {
            Output.error("\(failure.component) cannot start: \(failure.error.message)".escapedMessage)
        }
        let stopped = await host.stop(timeout: grace)
        // As at the end: exit handlers would free what a thread that is still running uses.
        if !stopped.stillRunning.isEmpty {
            writer.flush()
            _exit(ExitCode.failure.rawValue)
        }
        throw ExitCode.failure
    }

    /// Ends the host if a file of the configuration cannot be read, or, in strict mode, if a component cannot start.
    private func checkConfiguration() throws {
        do throws(LinkError) {
            let problems = try host.configurationProblems()
            guard isStrict, !problems.isEmpty else { return }
            for problem in problems { Output.error(problem.escapedMessage) }
        } catch {
            Output.error(error.message.escapedMessage)
        }
        throw ExitCode.failure
    }

    /// Ends the host, in strict mode, if a directory cannot be searched.
    private func checkDirectories() throws {
        let rejections = host.catalog.rejectedDirectories
        guard isStrict, !rejections.isEmpty else { return }
        for rejection in rejections {
            Output.error("\(rejection.path): not searched: \(rejection.reason)".escapedMessage)
        }
        throw ExitCode.failure
    }

    private func showTable() {
        do throws(OutputError) {
            try Output.result(ComponentListing(content: HostContents(host)).text(on: Terminal()))
        } catch {
            // The host can answer calls without the table.
            logger.warning("\(error.message)")
        }
    }

    /// Shows how long components have taken, if that was recorded.
    private func showTimes() {
        guard format == .text else {
            for time in host.times {
                logger.info(
                    "\(time.activity) took \(time.total.milliseconds) ms in all",
                    metadata: [
                        "component": "\(time.component)", "count": "\(time.count)",
                        "totalMilliseconds": "\(time.total.milliseconds)",
                        "longestMilliseconds": "\(time.longest.milliseconds)",
                    ])
            }
            return
        }
        var table = ListingTable(["COMPONENT", "ACTIVITY", "COUNT", "TOTAL MS", "LONGEST MS"])
        table.rows = host.times.map { time in
            [
                .init(text: time.component.isEmpty ? "-" : time.component), .init(text: "\(time.activity)"),
                .init(text: "\(time.count)"), .init(text: time.total.milliseconds),
                .init(text: time.longest.milliseconds),
            ]
        }
        guard !table.rows.isEmpty else { return }
        Output.note(table.text(on: Terminal()))
    }

    private func claimData() throws {
        do throws(LinkError) {
            try host.claimDataDirectory()
        } catch {
            Output.error(error.message.escapedMessage)
            throw ExitCode.failure
        }
    }

    private func listen(_ choice: ControlSocketChoice) throws -> ControlServer? {
        guard case .path(let path) = choice else { return nil }
        do throws(ControlError) {
            return try ControlServer(host, socket: path, logger: logger)
        } catch {
            Output.error(error.message.escapedMessage)
            if error.code == .inUse {
                Output.note("'hslink list --host \(path.quotedForShell)' lists its components.".escaped)
            }
            throw ExitCode.failure
        }
    }

    private func configuration(_ shutdown: Shutdown, _ server: ControlServer?) -> ServiceGroupConfiguration {
        // The service group stops these in reverse order.
        let services: [any Service] = [
            HostService(host: host, server: server, shutdown: shutdown), WatchService(host: host, logger: logger),
        ]
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return ServiceGroupConfiguration(services: services, logger: quiet)
    }

    private func handle(_ signals: Int32, shutdown: Shutdown, group: ServiceGroup) throws(SignalError) {
        let (host, logger) = (host, logger)
        try TerminationSignals.handle(signals, patience: grace + RunSession.patience) { number in
            _ = shutdown.begin()
            let name = number == SIGINT ? "SIGINT" : "SIGTERM"
            logger.info("\(name): stopping; a second signal ends the process at once")
            // Before the stop begins, which may end the process; and without waiting for systemd.
            SystemdNotifier.send("STOPPING=1", mayBlock: false)
            Task { await group.triggerGracefulShutdown() }
        } reload: {
            logger.info("SIGHUP: rescanning the directories and reading the configuration")
            // `WatchService` receives the changes and logs them.
            host.rescan()
            do throws(LinkError) {
                let changed = try host.reloadConfiguration()
                guard !changed.isEmpty else { return }
                let message = "the configuration of \(changed.joined(separator: ", ")) has changed"
                host.keepInLog(message, level: .info, component: "host")
                logger.info("\(message)")
            } catch {
                let message = "the previous configuration stays in effect: \(error.message)"
                host.keepInLog(message, level: .error, component: "host")
                logger.error("\(message)")
            }
        }
    }

    private func orFail<Result>(_ body: () throws(SignalError) -> Result) throws -> Result {
        do throws(SignalError) {
            return try body()
        } catch {
            Output.error(error.message)
            throw ExitCode.failure
        }
    }

    private func logStart(_ server: ControlServer?, _ choice: ControlSocketChoice) {
        for rejection in host.catalog.rejectedDirectories {
            let hope = rejection.code == .notFound ? "; the host searches it as soon as it exists" : ""
            logger.warning("not searched: \(rejection.reason)\(hope)", metadata: ["path": "\(rejection.path)"])
        }
        if format == .json {
            for component in host.components {
                let reason = component.reason.isEmpty ? "" : ": \(component.reason)"
                let hasFailed = if case .failed = component.state { true } else { false }
                logger.log(
                    level: hasFailed ? .warning : .info, "\(component.state)\(reason)",
                    metadata: ["component": "\(component.name)", "version": "\(component.manifest.version)"])
            }
        }
        switch choice {
        case .path: logger.info("listening at \(server?.socket ?? "")")
        case .none: logger.info("running without a control socket")
        case .noPlace:
            logger.warning(
                "running without a control socket, because XDG_RUNTIME_DIR is not set; pass --control to set one")
        }
    }
}

extension Duration {
    /// The duration in milliseconds, with three digits after the point.
    fileprivate var milliseconds: String {
        let (seconds, attoseconds) = components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        let rest = "\(1000 + microseconds % 1000)".dropFirst()
        return "\(microseconds / 1000).\(rest)"
    }
}
