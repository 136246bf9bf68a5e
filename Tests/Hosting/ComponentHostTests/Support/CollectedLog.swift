import ComponentHost
import Logging

/// A log that keeps its lines.
struct CollectedLog: LogHandler {
    let lines = Collected<String>()
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]

    /// The default options, with this log.
    var options: HostOptions {
        var options = HostOptions()
        options.logger = Logger(label: "test") { _ in self }
        return options
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.add(event.message.description) }
}
