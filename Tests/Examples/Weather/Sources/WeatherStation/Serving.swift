import ComponentHost
import Logging
import ServiceLifecycle

/// Runs a host together with a service that calls its components, until the process gets SIGTERM.
func serve(_ directories: [String], to server: any Service, _ logger: Logger) async throws {
    let host = LinkHost(components: directories)
    // The group stops the last service first, so components answer until the server has ended.
    let group = ServiceGroup(services: [host, server], gracefulShutdownSignals: [.sigterm], logger: logger)
    try await group.run()
}
