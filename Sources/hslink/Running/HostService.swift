import ComponentHost
import ServiceLifecycle

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
