import ComponentHost
import ComponentKit
import Dispatch
import Glibc
import Logging
import Synchronization
import SystemSupport

/// The log of `hslink run` on standard error, one line per event.
struct RunLog: LogHandler {
    /// The format of a line.
    enum Format: String, CaseIterable {
        /// Human-readable, as in `2026-11-21T12:45:34.123Z info ComponentVideo: appeared, version 1.0.0`.
        case text
        /// One JSON object: {"time", "level", "message"} and all metadata as strings.
        case json
    }

    let format: Format
    private let writer: LogWriter
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(_ format: Format, logLevel: Logger.Level, writer: LogWriter) {
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

/// A line of the log.
struct RunLogLine {
    let time: Timestamp
    let level: String
    let message: String
    let metadata: Logger.Metadata

    /// The human-readable form. It is escaped, so it contains no terminal escape sequences and no line breaks.
    var text: String {
        var text = "\(time.text) \(level)"
        let subject = (metadata["component"] ?? metadata["path"]).map { "\($0)" }
        if let subject, subject != "host" { text += " \(subject)" }
        text += ": \(message)"
        // The message already describes the change.
        let rest = metadata.filter { !["component", "path", "change"].contains($0.key) }.sorted { $0.key < $1.key }
        if !rest.isEmpty { text += " (" + rest.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + ")" }
        return text.escaped
    }

    /// The machine-readable form. Metadata with the name of one of the line's own keys is left out.
    var json: String {
        var entries: [(String, Payload)] = [
            ("time", .string(time.text)), ("level", .string(level)), ("message", .string(message)),
        ]
        for (key, value) in metadata.sorted(by: { $0.key < $1.key })
        where !["time", "level", "message"].contains(key) {
            entries.append((key, .string("\(value)")))
        }
        // The only possible failure is a text that is too long.
        return (try? Payload.map(entries).json().escapedInJSON)
            ?? #"{"level":"error","message":"a log line is too long"}"#
    }
}

extension Timestamp {
    /// RFC 3339 in UTC with milliseconds, as in `2026-11-21T12:45:34.123Z`.
    fileprivate var text: String {
        // Cuts the nine digits of the fraction down to milliseconds.
        (rfc3339?.prefix(23)).map { "\($0)Z" } ?? "\(seconds)"
    }
}

/// Writes lines to standard error on a separate queue, so that a blocked reader stalls neither Swift's cooperative
/// thread pool nor a component.
final class LogWriter: Sendable {
    private let queue = DispatchQueue(label: "hslink.log")
    private let waiting = Atomic<Int>(0)
    private let lost = Atomic<Int>(0)

    /// The maximum number of pending lines. Further lines are dropped and counted.
    private static let limit = 10_000

    /// Queues a line. May be called from any thread; returns immediately.
    func write(_ line: String) {
        guard waiting.add(1, ordering: .relaxed).newValue <= LogWriter.limit else {
            waiting.subtract(1, ordering: .relaxed)
            lost.add(1, ordering: .relaxed)
            return
        }
        queue.async { [self] in
            Output.note(line)
            waiting.subtract(1, ordering: .relaxed)
            let count = lost.exchange(0, ordering: .relaxed)
            if count > 0 { Output.note("\(count) log lines were dropped, because they were not read in time") }
        }
    }

    /// Waits until all lines are written, for at most a second, since the reader may be blocked.
    func flush() {
        let isWritten = DispatchSemaphore(value: 0)
        queue.async { isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + .seconds(1))
    }
}
