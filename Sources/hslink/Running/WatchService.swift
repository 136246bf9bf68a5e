import ComponentHost
import Logging
import ServiceLifecycle

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
