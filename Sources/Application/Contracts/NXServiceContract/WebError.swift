public import ComponentKit

/// Why there is no document or answer. No header is in the error, and of a document only the place that is not JSON.
@Model public enum WebError: Error, Hashable, Sendable {
    /// The URL cannot be fetched.
    case invalidURL(url: String, reason: String)
    /// The server could not be reached, or the exchange failed; for `get`, no document was kept either.
    case unreachable(host: String, reason: String)
    /// The exchange took too long; for `get`, no document was kept either.
    case timedOut(host: String, seconds: Double)
    /// The server answered `get` with a status other than 200.
    case status(code: Int, url: String)
    /// The document or the body of the answer is too large.
    case tooLarge(url: String, maximumBytes: Int)
    /// The server redirected to a place that must not be followed, or too often.
    case redirect(url: String, reason: String)
    /// A property of the request, such as "headers" or "retries", has a value that cannot be sent.
    case invalidRequest(property: String, reason: String)
    /// The body of the answer is not JSON, or exceeds the limits for JSON.
    case notJSON(url: String, reason: String)
}

extension WebError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .invalidURL(let url, let reason): "\(url) cannot be fetched: \(reason)"
        case .unreachable(let host, let reason): "\(host) cannot be reached: \(reason)"
        case .timedOut(let host, let seconds): "\(host) did not answer within \(seconds) s"
        case .status(let code, let url): "\(url) was answered with status \(code)"
        case .tooLarge(let url, let maximumBytes): "what \(url) sends is larger than \(maximumBytes) bytes"
        case .redirect(let url, let reason): "\(url) redirects \(reason)"
        case .invalidRequest(let property, let reason): "\(property): \(reason)"
        case .notJSON(let url, let reason): "\(url) did not send JSON: \(reason)"
        }
    }
}
