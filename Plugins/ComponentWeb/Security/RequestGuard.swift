import HTTPTypes
import Hummingbird

/// Refuses requests that a browser makes on behalf of another site.
///
/// A page of a stranger can make a browser send requests here, also by a name of its own that leads to this address
/// (DNS rebinding). So the name by which the host is reached must be a known one, and what changes something must come
/// from one of the host's own pages. A form also needs the token of its session: see
/// ``SessionKeys/accept(_:in:)``.
struct RequestGuard: Sendable {
    private let hosts: Set<String>
    private let scheme: String

    /// Why a request is refused.
    enum Refusal: Hashable, Sendable {
        /// The Host header is missing or names another host.
        case host
        /// The request comes from a page of another origin.
        case origin
        /// The method is never answered.
        case method
        /// There are several Host headers (RFC 9112, section 3.2).
        case ambiguousHost
    }

    init(_ options: WebOptions) {
        hosts = Set(options.hosts.map { $0.lowercased() } + ["localhost"])
        scheme = options.isSecure ? "https" : "http"
    }

    /// Returns why the request is refused; nil if it is not.
    func refusal(of request: Request) -> Refusal? {
        // The first one is not among the headers.
        guard request.headers[.host] == nil else { return .ambiguousHost }
        // A name is what an attacker can point here; an address is not.
        guard let authority = request.head.authority, let host = HostName(authority),
            host.isAddress || hosts.contains(host.name)
        else { return .host }
        switch request.method {
        case .get, .head:
            // Pages of others may link here, but not include what is answered.
            return isFromElsewhere(request) && request.headers[.secFetchMode].map { $0 != "navigate" } == true
                ? .origin : nil
        case .post:
            if let origin = request.headers[.origin], origin != "\(scheme)://\(authority)" { return .origin }
            return isFromElsewhere(request) ? .origin : nil
        default: return .method
        }
    }

    /// Whether the browser says that another origin has made the request (Fetch Metadata, W3C).
    private func isFromElsewhere(_ request: Request) -> Bool {
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
