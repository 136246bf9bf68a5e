public import ComponentKit
public import Foundation

/// The answer to a request.
@Model public struct WebAnswer: Hashable, Sendable {
    /// The URL that answered, after redirects.
    public var url: String
    /// The status, from 100 to 999.
    public var status: Int
    /// The headers in the order in which they came; several may have the same name. If the body came compressed with
    /// gzip or deflate, those that describe the compressed form are left out; without a body, `content-encoding` is.
    public var headers: [WebHeader]
    /// The body, decompressed; empty if there is none.
    public var body: Data
    /// How often the request was sent: 1, and 1 for each retry. Redirects do not count.
    public var attempts: Int
}

extension WebAnswer {
    /// Whether the server did what was requested: the status is from 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }

    /// Returns the value of the first header with a name, in whichever case; nil if there is none.
    public func header(_ name: String) -> String? {
        let wanted = Array(name.lowercased().utf8)
        return headers.first { $0.name.utf8.elementsEqual(wanted) }?.value
    }

    /// Reads the body as JSON, whatever type the server declares.
    ///
    /// The body is foreign text: it is read strictly, as `Payload(json:limits:)` does. A map with the only key `$bytes`,
    /// `$date` or `$double` is read as bytes, a date or a number.
    ///
    /// - Parameter limits: The limits on levels, values and bytes.
    /// - Throws: `notJSON`, with the place in the text.
    public func json(limits: PayloadLimits = .standard) throws(WebError) -> Payload {
        do throws(PayloadError) {
            return try Payload(json: Array(body), limits: limits)
        } catch {
            throw .notJSON(url: url, reason: "\(error)")
        }
    }
}
