import Logging

/// The log of a host that stays up, on standard error: a line an event.
struct RunLog: LogHandler {
    /// What a line looks like.
    enum Format: String, CaseIterable {
        /// As in `2026-11-21T12:45:34.123Z info ComponentVideo: appeared, version 1.0.0`.
        case text
        /// One object: {"time", "level", "message"} and all metadata as texts.
        case json
    }

    let format: Format
    private let writer: LogWriter
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(_ format: Format, _ logLevel: Logger.Level, _ writer: LogWriter) {
        self.format = format
        self.writer = writer
        self.logLevel = logLevel
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let metadataProvider { all.merge(metadataProvider.get()) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        let line = RunLogLine(time: .now, level: "\(event.level)", message: "\(event.message)", metadata: all)
        writer.write(format == .json ? line.json : line.text)
    }
}
