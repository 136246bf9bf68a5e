/// An interceptor's decision about a ``RouteRequest``.
///
/// It travels as a model does: `"pass"`, or a map such as `{"refuse": {"reason": "…"}}`.
public enum RouteDecision: Sendable, Hashable {
    /// The route may be opened, as far as this interceptor is concerned. The next one is asked.
    case pass
    /// The route may be opened with these parameters, a map that replaces the parameters of the request. The next
    /// interceptor is asked about the changed request.
    case change(parameters: Payload)
    /// Another URL is opened instead. The caller gets its answer.
    ///
    /// `parameters` are passed beside the URL.
    case redirect(url: String, parameters: Payload = .null)
    /// Another URL is opened first, such as the one of a sign-in. After it has succeeded, the original is opened; the
    /// interceptors continue after this one. If it fails, the original fails with the same error.
    ///
    /// `parameters` are passed beside the URL.
    case openFirst(url: String, parameters: Payload = .null)
    /// The route is not opened: the caller gets ``LinkError/Code/routeRefused`` with this reason.
    case refuse(reason: String)
}

extension RouteDecision: PayloadConvertible {
    private static let names = ["pass", "change", "redirect", "openFirst", "refuse"]

    /// The name of the case, or a map from it to the associated values.
    public var payload: Payload {
        switch self {
        case .pass: "pass"
        case .change(let parameters): ["change": ["parameters": parameters]]
        case .redirect(let url, let parameters): ["redirect": ["url": .string(url), "parameters": parameters]]
        case .openFirst(let url, let parameters): ["openFirst": ["url": .string(url), "parameters": parameters]]
        case .refuse(let reason): ["refuse": ["reason": .string(reason)]]
        }
    }

    /// Reads a decision by the name of its case. Missing parameters are null.
    ///
    /// - Throws: ``PayloadError`` if there is no such decision, or it lacks its URL or its reason.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let name = try __ModelCoding.caseName(payload)
        if name == "pass" {
            self = .pass
            return
        }
        guard RouteDecision.names.contains(name) else { throw __ModelCoding.unknownCase(name, RouteDecision.names) }
        self = try payload.withValue(name) {
            (values: borrowing PayloadView) throws(PayloadError) -> RouteDecision in
            switch name {
            case "change": return .change(parameters: try values.value("parameters"))
            case "redirect":
                return .redirect(
                    url: try values.value("url"), parameters: try values.valueIfPresent("parameters") ?? .null)
            case "openFirst":
                return .openFirst(
                    url: try values.value("url"), parameters: try values.valueIfPresent("parameters") ?? .null)
            default: return .refuse(reason: try values.value("reason"))
            }
        }
    }
}

/// Thrown by a method with a route to decline a URL that matches the pattern but not its intentions. The host then
/// tries the route that fits next best.
///
///     @Route("studio://video/:name") func open(name: String) throws -> VideoInfo {
///         guard let video = videos[name] else { throw RouteDeclined("no video \(name)") }
///         …
///     }
///
/// The caller gets ``LinkError/Code/routeDeclined`` if no other route is left, or if it called the method directly.
public struct RouteDeclined: Error, Hashable, Sendable {
    /// Why the method declined; may be empty.
    public let reason: String

    /// - Parameter reason: Why the method declined, for the message of the error.
    public init(_ reason: String = "") { self.reason = reason }
}
