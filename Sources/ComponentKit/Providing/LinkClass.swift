/// A class whose methods others may call by name: what a component provides, and what a host provides to
/// its components. ``LinkClass(_:provides:instances:summary:)`` writes the conformance; by hand:
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
/// The host makes the instances: one for each component value at the first object call, one for each
/// call where the class says `.perCall`, or one for each caller with `.perConsumer`. Methods are called from any thread,
/// several at once.
public protocol LinkClass: AnyObject, Sendable {
    /// Makes an instance. May call other components through `context.link`.
    ///
    /// - Throws: why it cannot be made; the call that needed it fails with that.
    init(_ context: ComponentContext) throws

    /// What the class answers to. Two methods of one name must differ in kind.
    static var methods: [LinkMethod<Self>] { get }

    /// The names of the services that the class provides, as in "com.example.account/1". None where a class does
    /// not say. Read for classes of the application itself; those of components say it in their manifest.
    static var services: [String] { get }
}

extension LinkClass {
    /// None.
    public static var services: [String] { [] }
}
