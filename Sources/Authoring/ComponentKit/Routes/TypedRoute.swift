/// A URL to open, with the type of the answer. Contracts with ``Route(_:public:tags:priority:)`` generate functions that
/// return one:
///
///     let info = try await host.open(VideoServiceRoutes.open(id: 7, autoplay: true))   // a VideoInfo
///     print(VideoServiceRoutes.open(id: 7).url)                                        // studio://video/7
///
/// Placeholders and query items are percent-encoded. What a URL cannot carry, such as a closure, is passed beside it.
public struct TypedRoute<Result>: Sendable {
    /// The URL. If an argument has no place in it, such as an empty string for a path component, this is the pattern
    /// of the route, and opening it fails with the reason.
    public let url: String
    /// Whether the URL is complete by itself, so that it may also be opened as text, from anywhere.
    public var isURLOnly: Bool { parts.isEmpty && problem == nil }

    /// Why there is no URL; nil if there is one.
    private let problem: String?
    /// The values passed beside the URL.
    private let parts: [__RouteBuilder.Part]
    private let read: @Sendable (Payload, Link) throws -> Result

    /// Creates a route from the parts that a generated function collected.
    init(
        _ url: String, _ parts: [__RouteBuilder.Part], problem: String? = nil,
        read: @escaping @Sendable (Payload, Link) throws -> Result
    ) {
        self.url = url
        self.problem = problem
        self.parts = parts
        self.read = read
    }

    /// Returns the values passed beside the URL, as a map; null if there are none.
    ///
    /// - Parameter link: The link of the component or host that opens the URL, and owns the closures.
    /// - Throws: `LinkError` with code ``LinkError/Code/payloadMismatch`` if the arguments make no URL, or the error of a
    ///   value that cannot travel.
    package func payload(for link: Link) throws -> Payload {
        if let problem { throw LinkError(.payloadMismatch, message: "\(url): \(problem)") }
        guard !parts.isEmpty else { return .null }
        return .map(try parts.map { ($0.key, try $0.make(link)) })
    }

    /// Reads the answer.
    ///
    /// - Parameter link: The link of the component or host that opened the URL.
    /// - Throws: `PayloadError` or `LinkError` if the answer does not fit.
    package func result(of reply: Payload, for link: Link) throws -> Result { try read(reply, link) }
}

extension TypedRoute: CustomStringConvertible {
    /// The URL.
    public var description: String { url }
}
