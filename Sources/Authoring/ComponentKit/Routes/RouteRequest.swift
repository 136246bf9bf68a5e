/// A route that is about to be opened, as an interceptor sees it.
///
/// A host that opens a URL finds its route, collects the parameters, and asks the interceptors before it makes the
/// call. An interceptor receives one of these as its only argument:
///
///     @Intercepts(priority: 100, tags: ["signed-in"])
///     func requireSignIn(request: RouteRequest) async throws -> RouteDecision {
///         try await accounts.currentUser() == nil ? .openFirst(url: "studio://sign-in") : .pass
///     }
///
/// It travels as a map with the keys `url`, `pattern`, `component`, `class`, `selector`, `kind`, `parameters`, `tags`,
/// `public` and `source`. Empty and false ones may be missing.
public struct RouteRequest: Sendable, Hashable {
    /// The URL, as it was opened.
    public var url: String
    /// The pattern of the route, as its component declares it.
    public var pattern: String
    /// The component that has the route.
    public var component: String
    /// The class that has the route.
    public var className: String
    /// The selector that will be called.
    public var selector: String
    /// Whether the selector is called on an instance or on the class.
    public var kind: SelectorKind
    /// The payload of the call: a map of the placeholders, the query items, and what the caller passed beside the URL.
    public var parameters: Payload
    /// The tags of the route.
    public var tags: [String]
    /// Whether the route can be opened from outside the process.
    public var isPublic: Bool
    /// The name of the outside source that opens the URL, such as "https" or "cli"; nil if it is opened from inside.
    public var source: String?

    /// Creates a request. Hosts do this; so do tests of interceptors.
    ///
    /// - Parameters:
    ///   - url: The URL, as it was opened.
    ///   - pattern: The pattern of the route, as its component declares it.
    ///   - component: The component that has the route.
    ///   - className: The class that has the route.
    ///   - selector: The selector that will be called.
    ///   - kind: Whether the selector is called on an instance or on the class.
    ///   - parameters: The payload of the call, a map.
    ///   - tags: The tags of the route.
    ///   - isPublic: Whether the route can be opened from outside the process.
    ///   - source: The name of the outside source that opens the URL; nil if it is opened from inside.
    public init(
        url: String, pattern: String, component: String, className: String, selector: String,
        kind: SelectorKind = .object, parameters: Payload = [:], tags: [String] = [], isPublic: Bool = false,
        source: String? = nil
    ) {
        self.url = url
        self.pattern = pattern
        self.component = component
        self.className = className
        self.selector = selector
        self.kind = kind
        self.parameters = parameters
        self.tags = tags
        self.isPublic = isPublic
        self.source = source
    }
}

extension RouteRequest: PayloadConvertible {
    /// The request as a map.
    public var payload: Payload {
        [
            "url": .string(url), "pattern": .string(pattern), "component": .string(component),
            "class": .string(className), "selector": .string(selector), "kind": .string(kind.rawValue),
            "parameters": parameters, "tags": .array(tags.map { .string($0) }), "public": Payload(isPublic),
            "source": source.map { .string($0) } ?? .null,
        ]
    }

    /// Reads a request from a map.
    ///
    /// - Throws: ``PayloadError`` if a key is missing or its value does not fit.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let word: String = try payload.valueIfPresent("kind") ?? SelectorKind.object.rawValue
        guard let kind = SelectorKind(rawValue: word) else {
            throw PayloadError(path: ["kind"], expected: #""object" or "class""#, found: "another word")
        }
        self.init(
            url: try payload.value("url"), pattern: try payload.value("pattern"),
            component: try payload.value("component"), className: try payload.value("class"),
            selector: try payload.value("selector"), kind: kind,
            parameters: try payload.valueIfPresent("parameters") ?? [:],
            tags: try payload.valueIfPresent("tags") ?? [], isPublic: try payload.valueIfPresent("public") ?? false,
            source: try payload.value("source"))
    }
}
