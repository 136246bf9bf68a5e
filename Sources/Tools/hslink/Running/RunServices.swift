import ComponentHost
import HostControl
import Logging
import ServiceLifecycle

/// Answers other programs until the host begins to stop; then calls in flight have the grace period to finish.
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

/// Watches the directories and logs each change.
struct WatchService: Service {
    let host: LinkHost
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await change in host.watch() {
                var metadata: Logger.Metadata = ["change": "\(change.kind)"]
                metadata["component"] = change.component.map { "\($0)" }
                if change.component == nil { metadata["path"] = change.path.map { "\($0)" } }
                let level: Logger.Level = change.isProblem ? .warning : .info
                host.keepInLog("\(change)", level: level, component: change.component ?? "host")
                logger.log(level: level, "\(change)", metadata: metadata)
            }
        }
    }
}

/// Stops the host after all other services, with components in the reverse order of their requirements.
struct ShutdownService: Service {
    let host: LinkHost
    let shutdown: Shutdown

    func run() async throws {
        // Throws if another service has failed; the host is stopped in that case too.
        try? await gracefulShutdown()
        // The minimum gives methods of calls that were just cancelled a moment to return.
        let report = await host.stop(timeout: max(shutdown.begin(), .milliseconds(500)))
        shutdown.add(cancelledCalls: report.cancelledCalls, stillRunning: report.stillRunning)
    }
}
