import ComponentHost
import HostControl
import Logging
import ServiceLifecycle

/// Answers other programs until the end begins; then calls that have begun have their time.
struct ControlService: Service {
    let server: ControlServer
    let shutdown: Shutdown

    func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await server.run()
        } onCancelOrGracefulShutdown: {
            let (server, shutdown) = (server, shutdown)
            Task { await server.stop(grace: shutdown.begin()) }
        }
        shutdown.add(cancelledCalls: server.cancelledCalls)
    }
}

/// Watches the directories, and writes what comes and goes to the log.
struct WatchService: Service {
    let host: LinkHost
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await change in host.watch() {
                var metadata: Logger.Metadata = ["change": "\(change.kind)"]
                metadata["component"] = change.component.map { "\($0)" }
                if change.component == nil { metadata["path"] = change.path.map { "\($0)" } }
                logger.log(level: change.isProblem ? .warning : .info, "\(change)", metadata: metadata)
            }
        }
    }
}

/// Ends the host when everything else has ended: components in the reverse order of their requirements.
struct HostService: Service {
    let host: LinkHost
    let shutdown: Shutdown

    func run() async throws {
        // Cancelled when another service has failed: the host is stopped all the same.
        try? await gracefulShutdown()
        // Methods whose calls have just been cancelled get a moment to return.
        let report = await host.stop(timeout: max(shutdown.begin(), .milliseconds(500)))
        shutdown.add(cancelledCalls: report.cancelledCalls, stillRunning: report.stillRunning)
    }
}
