import ComponentKit
import Glibc
import Logging
import SystemSupport

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
