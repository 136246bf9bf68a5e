import ComponentKit
import Dispatch
import Glibc
import Logging
import Synchronization
import SystemSupport

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

/// A line of the log.
struct RunLogLine {
    let time: Timestamp
    let level: String
    let message: String
    let metadata: Logger.Metadata

    /// For people: nothing in it may be an order to a terminal, or another line.
    var text: String {
        var text = "\(time.text) \(level)"
        let subject = (metadata["component"] ?? metadata["path"]).map { "\($0)" }
        if let subject, subject != "host" { text += " \(subject)" }
        text += ": \(message)"
        // The message says what has changed.
        let rest = metadata.filter { !["component", "path", "change"].contains($0.key) }.sorted { $0.key < $1.key }
        if !rest.isEmpty { text += " (" + rest.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + ")" }
        return text.escaped
    }

    /// For programs. Metadata of the names of the line's own keys is left out.
    var json: String {
        var entries: [(String, Payload)] = [
            ("time", .string(time.text)), ("level", .string(level)), ("message", .string(message)),
        ]
        for (key, value) in metadata.sorted(by: { $0.key < $1.key })
        where !["time", "level", "message"].contains(key) {
            entries.append((key, .string("\(value)")))
        }
        // Text can only be too long.
        return (try? Payload.map(entries).json().escapedInJSON)
            ?? #"{"level":"error","message":"a line of the log is too long"}"#
    }
}

extension Timestamp {
    /// The time of the system's clock.
    static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
    }

    /// RFC 3339 in UTC with milliseconds, as in `2026-11-21T12:45:34.123Z`.
    fileprivate var text: String {
        // Up to the milliseconds of nine digits.
        (rfc3339?.prefix(23)).map { "\($0)Z" } ?? "\(seconds)"
    }
}

/// Writes lines to standard error on a queue of its own: who reads them may stop reading, and neither Swift's pool nor
/// a component waits for that.
final class LogWriter: Sendable {
    private let queue = DispatchQueue(label: "hslink.log")
    private let waiting = Atomic<Int>(0)
    private let lost = Atomic<Int>(0)

    /// Lines beyond are counted only.
    private static let limit = 10_000

    /// Any thread; returns at once.
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
            if count > 0 { Output.note("\(count) lines of the log were lost, as nobody read it") }
        }
    }

    /// Waits until all lines are written, for at most a second: perhaps nobody reads them.
    func flush() {
        let isWritten = DispatchSemaphore(value: 0)
        queue.async { isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + .seconds(1))
    }
}
