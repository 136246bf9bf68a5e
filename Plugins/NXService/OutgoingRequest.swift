import ComponentKit
import Foundation
import NXServiceContract

/// A request that has been checked, as it goes to one address. A redirect makes another one of it.
struct OutgoingRequest: Sendable {
    let method: WebMethod
    let address: WebAddress
    let headers: [WebHeader]
    let body: Data?

    /// Headers that belong to the connection or the length of a message, which the client decides, and those of the body.
    private static let reserved = [
        "connection", "content-length", "content-type", "expect", "host", "http2-settings", "keep-alive",
        "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]
    /// Headers that never contain a secret. Of the others, nothing is known: each service names its keys as it likes.
    private static let harmless = ["accept", "accept-encoding", "accept-language", "user-agent"]

    private init(_ method: WebMethod, _ address: WebAddress, headers: [WebHeader], body: Data?) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
    }

    /// A request for a document.
    init(get address: WebAddress) { self.init(.get, address, headers: [], body: nil) }

    /// Checks a request.
    ///
    /// - Parameter maximumBytes: The largest body.
    /// - Throws: `invalidURL` or `invalidRequest`.
    init(_ request: WebRequest, maximumBytes: Int) throws(WebError) {
        for (index, header) in request.headers.enumerated() { try OutgoingRequest.check(header, at: index) }
        var headers = request.headers
        var body: Data?
        if let content = request.body {
            guard request.method != .get, request.method != .head else {
                throw .invalidRequest(property: "body", reason: "\(request.method.rawValue) takes none")
            }
            let (bytes, mediaType) = try content.encoded()
            guard bytes.count <= maximumBytes else {
                throw .invalidRequest(
                    property: "body", reason: "expected at most \(maximumBytes) bytes, found \(bytes.count)")
            }
            guard mediaType.isHeaderValue else {
                throw .invalidRequest(property: "body", reason: "its media type has a control character")
            }
            headers.append(WebHeader(name: "content-type", value: mediaType))
            body = bytes
        }
        self.init(request.method, try WebAddress(request.url), headers: headers, body: body)
    }

    /// Checks a header. Errors do not show the value, which may be a secret.
    private static func check(_ header: WebHeader, at index: Int) throws(WebError) {
        guard header.name.isToken else {
            throw .invalidRequest(
                property: "headers",
                reason: "the name of number \(index + 1) is not made of letters, digits and !#$%&'*+-.^_`|~")
        }
        guard !reserved.contains(header.name.lowercased()) else {
            throw .invalidRequest(
                property: "headers", reason: "\(header.name.lowercased()) is up to the client; leave it out")
        }
        guard header.value.isHeaderValue else {
            throw .invalidRequest(
                property: "headers", reason: "the value of \(header.name.lowercased()) has a control character")
        }
    }

    /// Returns the request that follows a redirect, as RFC 9110 has it in section 15.4.
    ///
    /// - Throws: `redirect` if it must not be followed.
    func redirected(status: Int, to location: String?) throws(WebError) -> OutgoingRequest {
        let next = try address.redirected(to: location)
        let method = method(after: status)
        let keepsBody = method == self.method
        var headers = headers
        if !keepsBody { headers.removeAll { $0.name.lowercased().hasPrefix("content-") } }
        guard !next.isSameOrigin(as: address) else {
            return OutgoingRequest(method, next, headers: headers, body: keepsBody ? body : nil)
        }
        guard !keepsBody || body == nil else {
            throw .redirect(url: address.text, reason: "to another origin, which does not get the body")
        }
        headers.removeAll { !OutgoingRequest.harmless.contains($0.name.lowercased()) }
        return OutgoingRequest(method, next, headers: headers, body: nil)
    }

    private func method(after status: Int) -> WebMethod {
        switch status {
        case 303: method == .head ? .head : .get
        case 301, 302: method == .post ? .get : method
        default: method
        }
    }
}

extension WebBody {
    /// The bytes that are sent, and their type.
    fileprivate func encoded() throws(WebError) -> (Data, mediaType: String) {
        switch self {
        case .bytes(let content, let mediaType): return (content, mediaType)
        case .text(let content, let mediaType): return (Data(content.utf8), mediaType)
        case .json(let value, let mediaType):
            do throws(PayloadError) {
                return (Data(try value.json().utf8), mediaType)
            } catch {
                throw .invalidRequest(property: "body", reason: "\(error)")
            }
        }
    }
}

extension String {
    /// Whether this is a token (RFC 9110, section 5.6.2), as names of headers are.
    fileprivate var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                let isAlphanumeric =
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                return isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// Whether this has no control characters other than tabs: a line break would begin another header.
    fileprivate var isHeaderValue: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") } }
}
