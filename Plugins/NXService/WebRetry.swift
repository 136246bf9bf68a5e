import Foundation

/// How long to wait before a request is sent again.
enum WebRetry {
    /// The most retries that a request may ask for.
    static let maximumCount = 5
    /// The longest wait that a server may ask for, in seconds.
    static let longestAsked = 30

    private static let firstLimit = 0.2
    private static let lastLimit = 10.0

    /// Whether an answer means that another one may be had later.
    static func isWorthwhile(after status: Int) -> Bool { [502, 503, 504].contains(status) }

    /// Returns the wait before a retry: what the server asks for, and a random time on top, so that clients that failed
    /// together do not come back together.
    ///
    /// - Parameters:
    ///   - attempt: How often the request has been sent.
    ///   - retryAfter: The server's header, in seconds or as a date (RFC 9110, section 10.2.3); ignored if it is neither.
    ///   - now: The time.
    ///   - fraction: From 0 to 1, which part of the random time's limit to take.
    /// - Returns: nil if the server asks for too long a wait.
    static func delay(
        after attempt: Int, retryAfter: String?, now: Date = .now, fraction: Double = .random(in: 0...1)
    ) -> Duration? {
        let asked = retryAfter.flatMap { seconds(in: $0, now: now) } ?? 0
        guard asked <= Double(longestAsked) else { return nil }
        let limit = min(lastLimit, firstLimit * pow(2, Double(attempt - 1)))
        return .seconds(asked + limit * fraction)
    }

    private static func seconds(in text: String, now: Date) -> Double? {
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return Double(text)
        }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = formatter.date(from: text) else { return nil }
        return max(0, date.timeIntervalSince(now))
    }
}
