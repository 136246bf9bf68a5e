/// A base class for the methods that one side requires of the other. Host and component each subclass it: the methods
/// that one side requires are the methods that the other side provides.
///
///     // Unchecked: adds no state to its superclass.
///     final class VideoRequirements: HSLinkClass, @unchecked Sendable {
///         func probe(_ path: String, done: @escaping @Sendable (Payload?) -> Void) {
///             hsObjectMethod(className: "VideoLink", performSelectorStr: "probe", param: ["path": .string(path)]) {
///                 returnValue, performSuccess, classIsLoad in done(returnValue)
///             }
///         }
///     }
///     VideoRequirements.shareObject(host.link).probe("clip.mp4") { … }
///
/// This is a thin layer over ``Link``. Callbacks run exactly once. A subclass that provides methods is marked
/// ``LinkClass(_:provides:instances:summary:)`` as well. All methods may be called from any thread.
///
/// ``isAvailable(className:selector:kind:)`` and ``isLoaded(className:)`` tell, before a call, whether the other side is
/// there.
// Unchecked: its own state is constant; a subclass that adds mutable state must guard it.
open class HSLinkClass: @unchecked Sendable {
    /// The link to the other side.
    public let link: Link

    /// Creates an instance that makes its calls through `link`.
    ///
    /// - Parameter link: the link of the host, or of the component that the subclass belongs to.
    public required init(link: Link) { self.link = link }

    /// Creates an instance for a host that requests one, if the subclass is a ``LinkClass``.
    public required convenience init(_ context: ComponentContext) throws { self.init(link: context.link) }

    /// Returns the shared instance of this subclass for `link`.
    public static func shareObject(_ link: Link) -> Self { link.backend.shared(Self.self, link) }

    /// Calls an object method.
    ///
    /// The method runs on this thread, and `block` runs before this function returns. If the method replies later, `block`
    /// runs on the thread that replies.
    ///
    /// - Parameters:
    ///   - className: the link class.
    ///   - selector: the method.
    ///   - param: the payload that the method receives; a dictionary holds several values.
    ///   - block: called exactly once, with the three parts that ``Answer`` describes. May be nil.
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

    /// Returns whether a component or the host declares a class and, if given, a selector, so that a call would be made.
    ///
    /// Only manifests are read and nothing is loaded. A component that is available may still fail to load.
    ///
    /// - Parameters:
    ///   - className: the link class.
    ///   - selector: the method; nil to ask for the class only.
    ///   - kind: whether the method is called with ``hsObjectMethod(className:performSelectorStr:param:block:)`` or with
    ///     ``hsClassMethod(className:performSelectorStr:param:block:)``. Has no meaning without a selector.
    /// - Returns: false if no component has the class, or the class has no such selector of this kind; if the component
    ///   is refused, has failed to load or has been stopped; or if the host has been stopped.
    public func isAvailable(className: String, selector: String? = nil, kind: SelectorKind = .object) -> Bool {
        link.isAvailable(className, selector, kind: kind)
    }

    /// Returns whether the component that has a class is loaded and running. Loads nothing. The program's own classes are
    /// loaded until the host stops.
    ///
    /// The first call to a component loads it, so before that call the answer is false even if the call would succeed;
    /// ``isAvailable(className:selector:kind:)`` is true then.
    ///
    /// - Parameter className: the link class.
    /// - Returns: false if no component has the class, or if its component has not been loaded yet, has failed to load
    ///   or has been stopped.
    public func isLoaded(className: String) -> Bool { link.isLoaded(className) }
}

/// The objects that a link keeps until it is stopped: the shared instances of its ``HSLinkClass`` subclasses, and the
/// streams that are being read.
package final class SharedObjects: Sendable {
    let streams = OpenStreams()
    /// Nil once the link has been stopped. Until then, the objects and the link retain each other.
    private let objects = Lock<[ObjectIdentifier: HSLinkClass]?>([:])

    package init() {}

    /// Releases all shared instances, which breaks their retain cycle with the link, and ends the streams.
    package func removeAll() {
        withExtendedLifetime(objects.withLock { $0.take() }) {}
        streams.endAll()
    }

    func object<Class: HSLinkClass>(_ type: Class.Type, _ link: Link) -> Class {
        if let object = objects.withLock({ $0?[ObjectIdentifier(type)] }) as? Class { return object }
        // The instance is made without holding the lock, since its initialiser may request other shared instances. If
        // two threads make one at the same time, the first to be stored is kept.
        // All callers share it, so what the first of them carries is not for it.
        let made = CallerContext.withNothingCarried { type.init(link: link) }
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
