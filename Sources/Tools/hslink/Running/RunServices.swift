import ComponentHost
import HostControl
import Logging
import ServiceLifecycle

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

/// Answers other programs, and stops the host after all other services, with components in the reverse order of their
/// requirements.
struct HostService: Service {
    let host: LinkHost
    /// Nil for a host without a control socket.
    let server: ControlServer?
    let shutdown: Shutdown

    /// Runs until the host has stopped; both stop together. If the server stopped first, calls from outside that wait
    /// for a change would keep it from ending, because components learn only from the host that they are to answer.
    func run() async throws {
        try await withThrowingTaskGroup { group in
            if let server { group.addTask { try await serve(server) } }
            group.addTask { await stopHost() }
            try await group.waitForAll()
        }
    }

    private func serve(_ server: ControlServer) async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await server.run()
        } onCancelOrGracefulShutdown: {
            let shutdown = shutdown
            Task { await server.stop(grace: shutdown.begin()) }
        }
        shutdown.add(cancelledCalls: server.cancelledCalls)
    }

    private func stopHost() async {
        // Throws if another service has failed; the host is stopped in that case too.
        try? await gracefulShutdown()
        // The server cancels the calls of other programs first, so that each counts once, and their methods have a moment
        // to return.
        let report = await host.stop(timeout: shutdown.begin() + .milliseconds(500))
        shutdown.add(cancelledCalls: report.cancelledCalls, stillRunning: report.stillRunning)
    }
}
