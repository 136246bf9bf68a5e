/// A class whose methods others may call by name. Components provide such classes, and hosts provide them to their
/// components. ``LinkClass(_:provides:instances:summary:)`` generates the conformance; written by hand:
///
///     final class VideoLink: LinkClass {
///         init(_ context: ComponentContext) {}
///
///         static let methods: [LinkMethod<VideoLink>] = [
///             .method("probe") { video, payload in try video.probe(path: payload.string("path")) },
///             .classMethod("formats", quick: true) { payload in ["mp4", "mov"] as Payload },
///             .asyncMethod("fetch") { video, payload in try await video.fetch(payload.string("url")) },
///         ]
///     }
///
/// The host creates the instances: by default one per component value at the first object call, with `.perCall` one
/// per call, and with `.perConsumer` one per caller. Methods may be called from several threads at once.
public protocol LinkClass: AnyObject, Sendable {
    /// Creates an instance. It may call other components through `context.link`.
    ///
    /// - Throws: The reason the instance cannot be created; the call that needed it fails with that error.
    init(_ context: ComponentContext) throws

    /// The methods that callers can use. Two methods with the same name must differ in kind.
    static var methods: [LinkMethod<Self>] { get }

    /// The names of the services that the class provides, as in "com.example.account/1"; empty by default. Hosts read
    /// it only for the application's own classes; components declare the services of their classes in the manifest.
    static var services: [String] { get }
}

extension LinkClass {
    /// No services.
    public static var services: [String] { [] }
}
