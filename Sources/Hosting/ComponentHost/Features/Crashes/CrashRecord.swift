import ComponentKit

/// A crash of a host in a component, as the handler of crashes notes it: a line "SECONDS\tCOMPONENT\tTEXT".
struct CrashRecord: Sendable {
    let time: Timestamp
    let component: String
    /// What happened, as in "crashed in VideoLink.probe with SIGSEGV on the thread hslink-worker (4711)".
    let text: String

    /// - Returns: Nil for a line that is not one, such as one that was cut short.
    init?(line: some Sequence<UInt8>) {
        let parts = Array(line).split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard parts.count == 3, let seconds = Int64(String(decoding: parts[0], as: UTF8.self)), seconds >= 0,
            !parts[1].isEmpty, !parts[2].isEmpty
        else { return nil }
        time = Timestamp(seconds: seconds, nanoseconds: 0)
        component = String(decoding: parts[1], as: UTF8.self)
        text = String(decoding: parts[2], as: UTF8.self)
    }

    /// Reads the lines of a note; those that are none are left out.
    static func all(in bytes: [UInt8]) -> [CrashRecord] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { CrashRecord(line: $0) }
    }

    /// Whether it happened within an hour of a time, before or after: the clock may have been set back since.
    func isWithinHour(of other: Timestamp) -> Bool {
        let (distance, isFar) = time.seconds.subtractingReportingOverflow(other.seconds)
        return !isFar && distance.magnitude <= 3600
    }

    /// What happened and when.
    var sentence: String { time.rfc3339.map { "\(text) at \($0.prefix(19))Z" } ?? text }
}
