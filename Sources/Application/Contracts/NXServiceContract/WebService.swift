public import ComponentKit
public import Foundation

/// The service of NXService: documents from the web, and from what is kept when the web cannot be reached.
@LinkService("org.hslink.web/1")
public protocol WebService: Sendable {
    /// Fetches a document with GET.
    ///
    /// Up to five redirects are followed, never from https to http. The whole exchange must end within the configured
    /// time, and the document must not be larger than the configured size. If the server cannot be reached in time, or
    /// answers with a status of 500 or above, the answer is the document that was kept from an earlier request.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL without a user and a password.
    ///   - maximumBytes: The largest document in bytes; nil for the configured size, which is also the largest possible.
    func get(url: String, maximumBytes: Int?) async throws -> WebDocument
}

/// A document from the web.
@Model public struct WebDocument: Hashable, Sendable {
    /// The URL that answered, after redirects.
    public var url: String
    /// The type that the server declared, as in "image/png"; nil if it declared none.
    public var mediaType: String?
    /// The document.
    public var body: Data
    /// When the server sent it.
    public var fetchedAt: Date
    /// Why the document is a kept one: the server's name and the failure. Nil if it has just been fetched.
    public var staleReason: String?
    /// A file name for copies of the document: 64 hexadecimal digits, made of the URL that was requested.
    public var fileName: String
}

/// Why a document could not be had. The contents of no document are in the error.
@Model public enum WebError: Error, Hashable, Sendable {
    /// The URL cannot be fetched.
    case invalidURL(url: String, reason: String)
    /// The server could not be reached, or the exchange failed, and no document was kept.
    case unreachable(host: String, reason: String)
    /// The exchange took too long, and no document was kept.
    case timedOut(host: String, seconds: Double)
    /// The server answered with a status other than 200.
    case status(code: Int, url: String)
    /// The document is too large.
    case tooLarge(url: String, maximumBytes: Int)
    /// The server redirected to a place that must not be followed, or too often.
    case redirect(url: String, reason: String)
}

extension WebError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .invalidURL(let url, let reason): "\(url) cannot be fetched: \(reason)"
        case .unreachable(let host, let reason): "\(host) cannot be reached, and no copy of it is kept: \(reason)"
        case .timedOut(let host, let seconds): "\(host) did not answer within \(seconds) s, and no copy of it is kept"
        case .status(let code, let url): "\(url) was answered with status \(code)"
        case .tooLarge(let url, let maximumBytes): "the document of \(url) is larger than \(maximumBytes) bytes"
        case .redirect(let url, let reason): "\(url) redirects \(reason)"
        }
    }
}
