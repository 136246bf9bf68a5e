public import ComponentKit
public import Foundation

/// The service of NXService: documents from the web, from what is kept when the web cannot be reached, and requests of
/// any other kind.
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

    /// Sends a request, and returns the answer whatever its status is. Nothing is kept.
    ///
    /// Up to five redirects are followed if the request says so, never from https to http. 303, and 301 and 302 after
    /// POST, go on with GET and without the body; otherwise the method and the body stay (RFC 9110, section 15.4). Another
    /// origin is another scheme, server or port: it gets only the headers `accept`, `accept-encoding`, `accept-language`
    /// and `user-agent`, and a redirect that takes a body there fails.
    ///
    /// May be called from any thread. The request ends with its call, and when the host stops.
    ///
    /// - Throws: ``WebError``: `invalidURL` and `invalidRequest` before anything is sent; `unreachable`, `timedOut`,
    ///   `tooLarge` or `redirect` if there is no answer. The server may still have acted on the request.
    func send(_ request: WebRequest) async throws -> WebAnswer
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
