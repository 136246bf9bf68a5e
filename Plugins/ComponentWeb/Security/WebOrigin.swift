import PageKit

/// The origin of a page on the web: its scheme, host and port (RFC 6454).
struct WebOrigin: Hashable, Sendable {
    /// The origin as in `https://maps.example:8443`: lower case, without the usual port of the scheme.
    let text: String

    /// An origin as an operator writes it.
    ///
    /// - Returns: nil if the text is anything else, such as a URL with a path.
    init?(_ text: String) { self.init(text, hasPath: false) }

    /// The origin of a URL.
    ///
    /// - Returns: nil for an address for mail, and if the URL has a user, or a host that is neither a name nor an address.
    init?(of url: WebURL) { self.init(url.text, hasPath: true) }

    private init?(_ text: String, hasPath: Bool) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon].lowercased()
        let rest = text[colon...].utf8.dropFirst()
        guard ["http", "https"].contains(scheme), rest.starts(with: "//".utf8) else { return nil }
        let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
        guard hasPath || authority.endIndex == text.utf8.endIndex,
            let host = HostName(String(decoding: authority, as: UTF8.self))
        else { return nil }
        let isVersion6 = host.name.utf8.contains(UInt8(ascii: ":"))
        var origin = "\(scheme)://\(isVersion6 ? "[\(host.name)]" : host.name)"
        if let port = host.port, port != (scheme == "https" ? 443 : 80) { origin += ":\(port)" }
        self.text = origin
    }
}
