public import ComponentKit
import SystemSupport

/// A request for a target or an action that no component has; see ``HostOptions/notFound``.
public struct TargetRequest: Sendable {
    /// The target, as the caller named it.
    public let target: String
    /// The action, as the caller named it.
    public let action: String
    /// The payload of the request.
    public let params: Payload
}

/// The class through which the host calls ``HostOptions/notFound``. Being a class like any other, it is answered
/// exactly once, traced, cancelled and stopped as all calls are.
final class NotFoundLink: LinkClass {
    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<NotFoundLink>] = []

    /// Returns the classes of the program with that of the handler in `options`, if there is one. It takes the place of
    /// a class with the same name.
    static func added(to provided: [ProvidedClass], _ options: HostOptions) -> [ProvidedClass] {
        guard let handler = options.notFound else { return provided }
        let className = TargetNames.classes(of: TargetNames.fallback.target)[0]
        let response = LinkMethod<NotFoundLink>.asyncClassMethod(TargetNames.fallback.action) { payload in
            try await handler(
                TargetRequest(
                    target: payload.string("target"), action: payload.string("action"),
                    params: payload["params"] ?? .null))
        }
        return [ProvidedClass(name: className, methods: [response]) { NotFoundLink($0) }]
            + provided.filter { !$0.name.isExactly(className) }
    }
}
