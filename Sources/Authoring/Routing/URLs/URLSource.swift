/// The beginning of URLs for which patterns without a scheme are valid; see ``RoutingOptions/sources``.
public struct URLSource: Hashable, Sendable, CustomStringConvertible {
    /// The scheme in lower case.
    public let scheme: String
    /// The host in lower case; nil for any host, which is then the first component of the path.
    public let host: String?

    /// - Parameter prefix: such as `studio://`, or `https://example.com`.
    /// - Returns: Nil if it has no scheme, or a path or query.
    public init?(_ prefix: String) {
        let span = prefix.utf8Span.span
        let split = SplitURL(span)
        guard let scheme = split.scheme, split.query.isEmpty, split.fragment == nil,
            split.path.isEmpty || split.path.count == 1 && span[split.path.lowerBound] == UInt8(ascii: "/")
        else { return nil }
        self.scheme = span.text(scheme).lowercased()
        host = split.host.isEmpty ? nil : span.text(split.host).lowercased()
    }

    /// The source as it is written.
    public var description: String { "\(scheme)://\(host ?? "")" }
}
