import PageKit
import Routing

/// A URL that a page may contain: a place of our own, or an absolute one on the web.
struct WebURL: Hashable, Sendable {
    /// The URL, with nothing but printable ASCII characters.
    let text: String

    private init(encoded text: String) { self.text = text }

    /// A path of our own.
    ///
    /// - Parameters:
    ///   - parts: the components between the slashes; a slash in a part is encoded.
    ///   - version: what makes a browser ask again for a file that has changed.
    ///   - signature: what says that a page has shown the file.
    ///   - query: the values of a page, encoded. A URL has at most one of these three.
    /// - Returns: Nil if there is no part, or if one is empty or means another directory: browsers resolve dots even
    ///   if they are encoded.
    init?(path parts: [String], version: String? = nil, signature: String? = nil, query: String = "") {
        guard !parts.isEmpty, parts.allSatisfy({ !["", ".", ".."].contains($0) }) else { return nil }
        var text = ""
        for part in parts { text += "/" + part.percentEncodedForURL }
        if let version { text += "?v=" + version.percentEncodedForURL }
        if !query.isEmpty { text += "?" + query }
        if let signature { text += "?s=" + signature.percentEncodedForURL }
        self.init(encoded: text)
    }

    /// A place on the web, or an address for mail.
    ///
    /// - Returns: Nil if the URL is not absolute, or has another scheme than `http`, `https` or `mailto`.
    init?(web url: String) {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = url[url.utf8.index(after: colon)...]
        switch url[..<colon].lowercased() {
        case "http", "https":
            // Browsers take fewer or more slashes, and backslashes, for an absolute URL, too.
            guard rest.utf8.starts(with: "//".utf8), let first = rest.utf8.dropFirst(2).first,
                !"/?#\\".utf8.contains(first)
            else {
                return nil
            }
        case "mailto": guard !rest.isEmpty else { return nil }
        default: return nil
        }
        guard !url.utf8.contains(UInt8(ascii: "\\")) else { return nil }
        self.init(encoded: WebURL.encoded(url))
    }

    /// Encodes what no part of a URL may contain. What is encoded already stays as it is.
    fileprivate static func encoded(_ url: String) -> String {
        let kept = Set("-._~:/?#[]@!$&'()*+,;=%".utf8)
        guard !url.utf8.allSatisfy({ $0.isLetterOrDigit || kept.contains($0) }) else { return url }
        return url.unicodeScalars.reduce(into: "") { text, scalar in
            let character = String(scalar)
            text += character.utf8.allSatisfy(kept.contains) ? character : character.percentEncodedForURL
        }
    }
}

/// Where what pages refer to is found on the server, and the look that they have now.
struct WebPlaces: Sendable {
    private let version: @Sendable (_ component: String, _ name: String) -> String?
    private var signature: @Sendable (_ component: String, _ path: String) -> String
    /// The origins of the pages that may be embedded.
    private let embedded: Set<WebOrigin>
    /// Returns the look that another component has described; nil for our own.
    let look: @Sendable () -> WebLook?

    /// - Parameters:
    ///   - version: returns what changes whenever a resource of a component does, such as a hash of its content; nil if
    ///     the component has no such resource. It is asked for each picture of a page, so it should be quick.
    ///   - signature: returns what shows the server that a page has named a file in the data directory of a component.
    ///   - embedded: the origins of the pages on the web that may be embedded.
    ///   - look: returns the look that another component has described; nil for our own.
    init(
        version: @escaping @Sendable (_ component: String, _ name: String) -> String?,
        signature: @escaping @Sendable (_ component: String, _ path: String) -> String,
        embedded: Set<WebOrigin> = [],
        look: @escaping @Sendable () -> WebLook? = { nil }
    ) {
        self.look = look
        self.version = version
        self.signature = signature
        self.embedded = embedded
    }

    /// Returns the same places with other signatures, such as those of one session.
    func signing(_ signature: @escaping @Sendable (_ component: String, _ path: String) -> String) -> WebPlaces {
        var places = self
        places.signature = signature
        return places
    }

    /// A page on the web that may be embedded; nil if its origin is not allowed.
    func embedded(_ url: String) -> WebURL? {
        WebURL(web: url).flatMap { url in WebOrigin(of: url).flatMap { embedded.contains($0) ? url : nil } }
    }

    /// The script, style sheet and pictures of pages themselves.
    static let component = "ComponentWeb"

    /// The name of the style sheet with the look that another component has described.
    static let lookName = "look.css"

    /// The style sheet with the look that another component has described; nil for our own. Its address changes with the
    /// look.
    var lookSheet: WebURL? { look().flatMap { WebURL(path: [WebPlaces.lookName], version: $0.version) } }

    /// A page. Its values are the query of the URL.
    static func page(_ id: String) -> WebURL? {
        PageAddress(id).flatMap { WebURL(path: ["pages", $0.name], query: $0.query) }
    }

    /// What a request asks for: a page with the query of the request as its values, or another path with its query.
    static func place(_ path: WebPath, query: String?) -> WebURL? {
        guard path.parts.count == 2, path.parts[0] == "pages" else {
            return WebURL(path: path.parts, query: WebURL.encoded(query ?? ""))
        }
        return page(pageID(path.parts[1], query: query))
    }

    /// The id of a page that a request names.
    static func pageID(_ name: String, query: String?) -> String {
        guard let query, !query.isEmpty else { return name }
        return "\(name)?\(query)"
    }

    /// What the forms of a page are posted to. The whole id is one part of the path.
    static func perform(_ page: String) -> WebURL? { WebURL(path: ["pages", page, "perform"]) }

    /// The stream of what changes on a page.
    static func events(_ page: String) -> WebURL? { WebURL(path: ["pages", page, "events"]) }

    /// A resource of a component; nil if there is no such resource.
    func resource(_ name: String, of component: String) -> WebURL? {
        guard let version = version(component, name) else { return nil }
        return WebURL(path: ["resources", component] + WebPlaces.parts(of: name), version: version)
    }

    /// A file in the data directory of a component; nil if the path leads elsewhere.
    func media(_ path: String, of component: String) -> WebURL? {
        WebURL(path: ["media", component] + WebPlaces.parts(of: path), signature: signature(component, path))
    }

    private static func parts(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
