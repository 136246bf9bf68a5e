import ArgumentParser
import ComponentHost
import ComponentKit
import Glibc
import HostControl
import Logging
import ServiceLifecycle
import SystemSupport

/// The life of a host that stays up, from its table to its summary.
struct RunSession {
    let host: LinkHost
    let logger: Logger
    /// Where the logger's lines go.
    let writer: LogWriter
    /// How long calls may take after the first signal.
    let grace: Duration
    let format: RunLog.Format

    /// How long the end may take beyond the grace: destroying components, and answers that are on their way.
    private static let patience = Duration.seconds(10)

    /// Runs until a signal ends it; see the help of `hslink run`.
    func run(control choice: ControlSocketChoice, claimsData: Bool) async throws {
        defer { writer.flush() }
        let shutdown = Shutdown(grace: grace)
        // Before the socket is there: who sees it may end the host at once.
        let signals = try orFail { () throws(SignalError) in try TerminationSignals.take() }
        if claimsData { try claimData() }
        let server = try listen(choice)
        let group = ServiceGroup(configuration: configuration(shutdown, server))
        try orFail { () throws(SignalError) in try handle(signals, shutdown, group) }

        if format == .text { try Output.result(ComponentListing(HostListing(host)).text(on: Terminal())) }
        // Before the log says so: who waits for that line may end the host at once.
        SystemdNotifier.send("READY=1")
        logStart(server, choice)
        do {
            try await group.run()
        } catch {
            logger.critical("the host ends, since a part of it has failed: \(error)")
            throw ExitCode.failure
        }
        logger.info("\(shutdown.summary)")
        // With a thread still inside of a component, what runs at an orderly exit would pull the ground from under it,
        // or wait for it.
        if !shutdown.stillRunning.isEmpty || shutdown.cancelledCalls > 0 {
            writer.flush()
            _exit(0)
        }
    }

    private func claimData() throws {
        do throws(LinkError) {
            try host.claimDataDirectory()
        } catch {
            Output.error(error.message.escaped)
            throw ExitCode.failure
        }
    }

    private func listen(_ choice: ControlSocketChoice) throws -> ControlServer? {
        guard case .path(let path) = choice else { return nil }
        do throws(ControlError) {
            return try ControlServer(host, socket: path, logger: logger)
        } catch {
            Output.error(error.message.escaped)
            if error.code == .inUse { Output.note("'hslink list --host \(path.escaped)' asks it what it has.") }
            throw ExitCode.failure
        }
    }

    private func configuration(_ shutdown: Shutdown, _ server: ControlServer?) -> ServiceGroupConfiguration {
        // Ended in the reverse order.
        var services: [any Service] = [
            HostService(host: host, shutdown: shutdown), WatchService(host: host, logger: logger),
        ]
        if let server { services.append(ControlService(server: server, shutdown: shutdown)) }
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return ServiceGroupConfiguration(services: services, logger: quiet)
    }

    private func handle(_ signals: Int32, _ shutdown: Shutdown, _ group: ServiceGroup) throws(SignalError) {
        let (host, logger) = (host, logger)
        try TerminationSignals.handle(signals, patience: grace + RunSession.patience) { number in
            _ = shutdown.begin()
            let name = number == SIGINT ? "SIGINT" : "SIGTERM"
            logger.info("\(name): the host stops; a second signal ends it at once")
            // Before systemd is told, which may take its time.
            Task { await group.triggerGracefulShutdown() }
            SystemdNotifier.send("STOPPING=1")
        } reload: {
            logger.info("SIGHUP: the directories are looked through")
            // What has changed is told to the watching service.
            host.rescan()
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
            logger.warning("not searched: \(rejection.reason)", metadata: ["path": "\(rejection.path)"])
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
                "running without a control socket, as XDG_RUNTIME_DIR is not set; give --control to have one")
        }
    }
}
