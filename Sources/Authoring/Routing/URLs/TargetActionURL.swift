/// A URL of the form `scheme://target/action?name=value`, which names a class and a method instead of a route, as in
/// CTMediator.
///
///     try TargetActionURL("studio://Player/play?id=7")    // target "Player", action "play", id "7"
public struct TargetActionURL: Hashable, Sendable {
    /// The scheme in lower case. Which schemes are allowed is for the caller to check.
    public let scheme: String
    /// The host, decoded, in the case in which it is written.
    public let target: String
    /// The path, decoded, without any of its slashes: `video/play` and `videoplay` are the same action.
    public let action: String
    /// The items of the query, read as the options say.
    public let items: [QueryItem]

    /// Splits a URL.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - options: how the query is read, and how long it may be.
    /// - Returns: Nil if there is no scheme, host or path.
    /// - Throws: `RouteURLError` if the URL is too long, or has too many query items.
    public init?(_ url: String, _ options: RoutingOptions = .ctMediator) throws(RouteURLError) {
        let url = url.withoutSpaceAround
        guard url.utf8.count <= options.lengthLimit else { throw .tooLong(limit: options.lengthLimit) }
        let bytes = url.utf8Span.span
        let split = SplitURL(bytes)
        guard let scheme = split.scheme else { return nil }
        let target = bytes.text(split.host)
        var action = bytes.text(split.path)
        action.unicodeScalars.removeAll { $0 == "/" }
        guard !target.isEmpty, !action.isEmpty else { return nil }
        self.scheme = bytes.text(scheme).lowercased()
        self.target = target
        self.action = action
        items = try bytes.items(split.query, options)
    }

    /// Whether the name of the action begins with `native`. CTMediator refuses such actions in URLs, which come from
    /// outside, and leaves them to calls from within the program.
    public var isNative: Bool { action.hasPrefix("native") }
}
