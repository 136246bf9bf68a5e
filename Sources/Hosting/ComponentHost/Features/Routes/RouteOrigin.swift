/// Where a URL that is opened comes from.
///
/// A URL from outside, as from a link on a web page or another program, reaches only routes that are marked public for its
/// source.
/// Whatever else it names, the answer is the same as for a URL that no route matches, so that it does not reveal what
/// exists.
public struct RouteOrigin: Hashable, Sendable {
    /// The program itself, and its components.
    public static let inside = RouteOrigin(source: nil)

    /// A source outside the program.
    ///
    /// - Parameter source: its name, such as "browser"; ``RouteOptions/remoteSources`` has the names that may open URLs.
    public static func remote(_ source: String) -> RouteOrigin { RouteOrigin(source: source) }

    /// The name of the source outside; nil for the inside.
    public let source: String?

    func mayOpen(_ target: RouteTarget) -> Bool { source.map(target.access.includes) ?? true }
}
