import Crypto
import Foundation
import NXServiceContract

/// A URL that may be fetched: http or https, with a server, without a user.
struct WebAddress {
    private let url: URL
    /// The URL without its fragment.
    let text: String
    let host: String

    private static let maximumLength = 8192

    /// Checks a URL.
    init(_ text: String) throws(WebError) {
        guard text.utf8.count <= WebAddress.maximumLength else {
            throw WebAddress.refusal(of: text, "it is longer than \(WebAddress.maximumLength) bytes")
        }
        // Foundation would percent-encode these, which hides mistakes; a line break belongs to no URL.
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw WebAddress.refusal(of: text, "percent-encode spaces and letters outside of ASCII")
        }
        guard let url = URL(string: text) else { throw WebAddress.refusal(of: text, "it is not a URL") }
        try self.init(url, text)
    }

    private init(_ url: URL, _ text: String) throws(WebError) {
        guard ["http", "https"].contains(url.scheme?.lowercased()) else {
            throw WebAddress.refusal(of: text, "expected http or https")
        }
        guard url.user == nil, url.password == nil else {
            throw WebAddress.refusal(of: text, "user names and passwords are not sent")
        }
        guard let host = url.host, !host.isEmpty else {
            throw WebAddress.refusal(of: text, "it has no host name")
        }
        // AsyncHTTPClient ends the process on a port that does not exist.
        guard WebAddress.hasPort(text) else {
            throw WebAddress.refusal(of: text, "a port is a number from 1 to 65535")
        }
        self.url = url
        self.host = host
        self.text = String(text.prefix { $0 != "#" })
    }

    /// Returns the error for a string that is not a URL to fetch.
    private static func refusal(of text: String, _ reason: String) -> WebError {
        // The text before an @ may be a password.
        let hasUser = text.utf8.contains(UInt8(ascii: "@"))
        let shown = hasUser ? "the URL" : text.count > 200 ? "\(text.prefix(40))…" : text
        return .invalidURL(url: shown, reason: reason)
    }

    /// Whether the port is one that exists, or none is given. Foundation takes a number beyond `Int` for none.
    private static func hasPort(_ text: String) -> Bool {
        let rest = text.drop { $0 != "/" }.drop { $0 == "/" }
        let server = rest.prefix { !"/?#".contains($0) }
        // The colons in brackets are of an IPv6 address.
        guard
            let port = server.split(separator: "]", omittingEmptySubsequences: false).last?
                .split(separator: ":", omittingEmptySubsequences: false).dropFirst().last, !port.isEmpty
        else { return true }
        return Int(port).map { (1...65535).contains($0) } ?? false
    }

    /// Returns where a redirect leads.
    func redirected(to location: String?) throws(WebError) -> WebAddress {
        guard let location, let next = URL(string: location, relativeTo: url)?.absoluteURL else {
            throw .redirect(url: text, reason: "without saying where to")
        }
        let address: WebAddress
        do throws(WebError) {
            address = try WebAddress(next.absoluteString)
        } catch {
            throw .redirect(url: text, reason: "to a place that cannot be fetched: \(error)")
        }
        guard url.scheme?.lowercased() == "http" || next.scheme?.lowercased() == "https" else {
            throw .redirect(url: text, reason: "from https to http, which others could read")
        }
        return address
    }

    /// Whether both addresses have the same scheme, server and port (RFC 6454), which decides who gets a secret.
    func isSameOrigin(as other: WebAddress) -> Bool { origin == other.origin }

    private var origin: [UInt8] {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port ?? (scheme.utf8.elementsEqual("https".utf8) ? 443 : 80)
        return Array("\(scheme)://\(host.lowercased()):\(port)".utf8)
    }

    /// A file name for copies of the document.
    var fileName: String {
        SHA256.hash(data: Data(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
