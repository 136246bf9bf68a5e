/// The base class of what one side requires of the other. Host and component each subclass it; the requiring methods of
/// one side are the providing methods of the other.
///
///     final class VideoRequirements: HSLinkClass {
///         func probe(_ path: String, done: @escaping @Sendable (Payload?) -> Void) {
///             hsObjectMethod(className: "VideoLink", performSelectorStr: "probe", param: ["path": .string(path)]) {
///                 returnValue, performSuccess, classIsLoad in done(returnValue)
///             }
///         }
///     }
///     VideoRequirements.shareObject(host.link).probe("clip.mp4") { … }
///
/// A thin layer over ``Link``. The callback runs exactly once.
/// A subclass that provides methods conforms to ``LinkClass`` as well. Any thread.
// Unchecked: its own state is constant; a subclass that adds mutable state guards it itself.
open class HSLinkClass: @unchecked Sendable {
    /// The way to the other side.
    public let link: Link

    /// - Parameter link: of the host, or of the component that the subclass belongs to.
    public required init(link: Link) { self.link = link }

    /// Makes the instance that a host asks for, where the subclass is a ``LinkClass``.
    public required convenience init(_ context: ComponentContext) throws { self.init(link: context.link) }

    /// The one instance of this subclass that goes with `link`.
    public static func shareObject(_ link: Link) -> Self { link.backend.shared(Self.self, link) }

    /// Calls an object method.
    ///
    /// - Parameters:
    ///   - className: the link class.
    ///   - selector: the method.
    ///   - param: what the method is given; several values go into one dictionary.
    ///   - block: called exactly once; see ``Answer`` for its parts. May be nil.
    public func hsObjectMethod(
        className: String, performSelectorStr selector: String, param: Payload = .null,
        block: (@Sendable (_ returnValue: Payload?, _ performSuccess: Bool, _ classIsLoad: Bool) -> Void)?
    ) {
        link.call(className, selector, param, kind: .object, callback: block ?? { _, _, _ in })
    }

    /// Calls a class method; otherwise like ``hsObjectMethod(className:performSelectorStr:param:block:)``.
    public func hsClassMethod(
        className: String, performSelectorStr selector: String, param: Payload = .null,
        block: (@Sendable (_ returnValue: Payload?, _ performSuccess: Bool, _ classIsLoad: Bool) -> Void)?
    ) {
        link.call(className, selector, param, kind: .class, callback: block ?? { _, _, _ in })
    }
}

/// What one link keeps until it is stopped: the shared instances of its ``HSLinkClass`` subclasses, and the
/// streams that are being read.
package final class SharedObjects: Sendable {
    let streams = OpenStreams()
    /// nil once it has been stopped: they hold the link that holds them.
    private let objects = Lock<[ObjectIdentifier: HSLinkClass]?>([:])

    package init() {}

    /// Releases all of them; they hold the link that holds them. Streams end.
    package func removeAll() {
        let all = objects.withLock { objects in
            defer { objects = nil }
            return objects
        }
        withExtendedLifetime(all) {}
        streams.endAll()
    }

    func object<Class: HSLinkClass>(_ type: Class.Type, _ link: Link) -> Class {
        if let object = objects.withLock({ $0?[ObjectIdentifier(type)] }) as? Class { return object }
        // Made without the lock, since it may ask for others. Of two made at once the first is kept.
        let made = type.init(link: link)
        let kept = objects.withLock { objects in
            let kept = objects?[ObjectIdentifier(type)] ?? made
            objects?[ObjectIdentifier(type)] = kept
            return kept
        }
        return kept as? Class ?? made
    }
}

extension LinkBackend {
    func shared<Class: HSLinkClass>(_ type: Class.Type, _ link: Link) -> Class { sharedObjects.object(type, link) }
}
