import Logging
import SystemSupport

/// The host's log on standard error, one line per event, as in `warning ComponentVideo: not loaded: …`.
struct StandardErrorLog: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(logLevel: Logger.Level) { self.logLevel = logLevel }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var text = "\(event.level)"
        if let component = event.metadata?["component"] ?? metadata["component"] { text += " \(component)" }
        Output.note("\(text): \(event.message)".escaped)
    }
}
