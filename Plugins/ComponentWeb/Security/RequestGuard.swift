import HTTPTypes
import Hummingbird

/// Refuses requests that a browser makes on behalf of another site.
///
/// A page of a stranger can make a browser send requests here, also by a name of its own that leads to this address
/// (DNS rebinding). So the name by which the host is reached must be a known one, and what changes something must come
/// from one of the host's own pages. A form also needs the token of its session: see ``PostedForm``.
struct RequestGuard: Sendable {
    private let hosts: Set<String>
    private let scheme: String

    init(_ options: WebOptions) {
        hosts = Set(options.hosts.map { $0.lowercased() } + ["localhost"])
        scheme = options.isSecure ? "https" : "http"
    }

    /// - Throws: ``WebFailure`` if the request is refused whatever it asks for.
    func check(_ request: Request) throws(WebFailure) {
        // The first one is not among the headers. One without a name is as if there were none (RFC 9112, section 3.2).
        guard request.headers[.host] == nil else { throw .malformed("It has more than one Host header.") }
        guard let authority = request.head.authority, let host = HostName(authority) else {
            throw .malformed("It has no Host header, or one that names no host.")
        }
        // A name is what an attacker can point here; an address is not.
        guard host.isAddress || hosts.contains(host.name) else {
            throw WebFailure(
                .misdirectedRequest, "This is another host",
                text: "The name in the address is not one of this host's; its operator adds names with 'hosts'.")
        }
        try checkBody(request.headers)
        if isFromElsewhere(request, authority: authority) {
            throw WebFailure(
                .forbidden, "The request comes from another site", text: "This host answers only its own pages.")
        }
    }

    /// Refuses a body whose end or content cannot be told, and expectations other than the one that there is.
    private func checkBody(_ headers: HTTPFields) throws(WebFailure) {
        if let coding = headers[.transferEncoding], coding.lowercased() != "chunked" {
            throw WebFailure(.notImplemented, "This request cannot be read", text: "Expected no coding but chunked.")
        }
        if headers.announceBody, let coding = headers[.contentEncoding], coding.lowercased() != "identity" {
            throw WebFailure(
                .unsupportedMediaType, "This request cannot be read", text: "Expected a body that is not compressed.",
                headers: [.acceptEncoding: "identity"])
        }
        if let expectation = headers[.expect], expectation.lowercased() != "100-continue" {
            throw WebFailure(
                .expectationFailed, "This request cannot be answered", text: "Expected no Expect but 100-continue.")
        }
    }

    private func isFromElsewhere(_ request: Request, authority: String) -> Bool {
        let isCrossSite = saysCrossSite(request)
        // Pages of others may link here, but not include what is answered.
        if request.method == .get || request.method == .head {
            return isCrossSite && request.headers[.secFetchMode].map { $0 != "navigate" } == true
        }
        // A port that is left out is the usual one of the scheme.
        if let origin = request.headers[.origin], WebOrigin(origin) != WebOrigin("\(scheme)://\(authority)") {
            return true
        }
        return isCrossSite
    }

    /// Whether the browser says that another origin has made the request (Fetch Metadata, W3C).
    private func saysCrossSite(_ request: Request) -> Bool {
        switch request.headers[.secFetchSite] {
        case nil, "same-origin", "none": false
        default: true
        }
    }
}

extension HTTPField.Name {
    static let host = Self(known: "Host")
    static let secFetchSite = Self(known: "Sec-Fetch-Site")
    static let secFetchMode = Self(known: "Sec-Fetch-Mode")
}
