public import ComponentKit
public import Foundation

/// A request to a server on the web.
@Model public struct WebRequest: Hashable, Sendable {
    /// The method.
    public var method: WebMethod = .get
    /// An `http` or `https` URL without a user and a password.
    public var url: String
    /// Headers. Those that HTTP itself needs (`host`, `content-length`, `connection` and the like) are refused, and
    /// `content-type` comes with the body.
    public var headers: [WebHeader] = []
    /// What is sent; nil for nothing. GET and HEAD take none.
    public var body: WebBody?
    /// The largest body of the answer in bytes; nil for the configured size, which is also the largest possible.
    public var maximumBytes: Int?
    /// How long the whole exchange may take in seconds, with redirects and retries; nil for the configured time, which
    /// is also the longest possible.
    public var timeout: Double?
    /// Whether redirects are followed. Otherwise, a redirect is an answer like any other.
    public var followsRedirects: Bool = true
    /// How often the request is sent again, from 0 to 5, when no answer came, or one with status 502, 503 or 504.
    ///
    /// The waits between are random, up to a time that doubles from 0.2 s to 10 s. A server that asks for more with
    /// `retry-after` gets it, up to 30 s. When the next wait would exceed either that or the timeout, the last answer or
    /// failure is final. Refused for POST and PATCH, which a server that has received both requests performs twice.
    public var retries: Int = 0
}

/// A method of HTTP.
@Model public enum WebMethod: String, CaseIterable, Hashable, Sendable {
    /// Reads.
    case get = "GET"
    /// Reads the status and the headers only.
    case head = "HEAD"
    /// Lets the server process the body.
    case post = "POST"
    /// Creates or replaces what the URL names.
    case put = "PUT"
    /// Changes parts of what the URL names.
    case patch = "PATCH"
    /// Deletes what the URL names.
    case delete = "DELETE"
}

extension WebMethod {
    /// Whether sending the request twice has the effect of sending it once (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { self != .post && self != .patch }
}

/// A header of a request or an answer.
@Model public struct WebHeader: Hashable, Sendable {
    /// The name. Case does not matter; in answers, it is in lower case.
    public var name: String
    /// The value, without control characters other than tabs.
    public var value: String
}

/// What is sent with a request.
@Model public enum WebBody: Hashable, Sendable {
    /// Bytes of a type such as "image/png".
    case bytes(content: Data, mediaType: String)
    /// Text, sent as UTF-8.
    case text(content: String, mediaType: String = "text/plain; charset=utf-8")
    /// A value, sent as `Payload.json(pretty:)` writes it. It must not contain objects; bytes and dates have forms of
    /// their own, which other servers do not know.
    case json(value: Payload, mediaType: String = "application/json")
}
