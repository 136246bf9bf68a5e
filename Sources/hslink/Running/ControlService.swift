import HostControl
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
