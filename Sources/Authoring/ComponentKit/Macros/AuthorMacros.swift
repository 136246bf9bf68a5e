/// Declares this module as a component.
///
/// Apply it once per module, to a type that represents the component's lifetime:
///
/// ```swift
/// @Component(version: "1.2.0", layer: .weakBusiness, requires: [.component("Store", ">=1.0.0", optional: true)])
/// struct EMAccount {
///     init(_ context: ComponentContext) throws { … }   // optional
///     func stop() { … }                                // optional
/// }
/// ```
///
/// The type conforms to ``ComponentKit/Component``. The first sentence of its documentation becomes the default
/// summary.
///
/// - Parameters:
///   - name: The component's name; defaults to the name of the type.
///   - version: The component's version, `MAJOR.MINOR.PATCH` with an optional `-PRERELEASE` (Semantic Versioning 2.0).
///   - layer: The component's layer, for display and `hslink layers`; hosts do not enforce an order.
///   - summary: A human-readable description of the component's purpose.
///   - requires: The component's requirements.
///   - posts: The types of the events that the component posts. Hosts and tools show them; posting others is not
///     prevented.
///   - starts: When the component is loaded.
///   - priority: The order among components that start with the host: those with the highest priority start first,
///     except that required components start before those that require them.
///   - configuration: The model that the component reads from its configuration; see ``ComponentConfiguration``.
@attached(member, conformances: Component, names: named(init), arbitrary)
@attached(extension, conformances: Component)
@attached(peer, names: named(`a module can have only one @Component; move the other into a target of its own`))
public macro Component(
    _ name: StaticString? = nil, version: StaticString, layer: ComponentLayer? = nil, summary: StaticString? = nil,
    requires: [ComponentRequirement] = [], posts: [Any.Type] = [],
    starts: ComponentStart = .onDemand, priority: Int = 0, configuration: Any.Type? = nil
) = #externalMacro(module: "ComponentMacros", type: "ComponentMacro")

/// Makes the methods of a final class or an actor callable by name.
///
/// ```swift
/// @LinkClass("VideoLink")
/// final class Video {
///     @Selector func probe(path: String) async throws -> VideoInfo { … }
///     @Selector(.quick) static func formats() -> [String] { … }
/// }
/// ```
///
/// The macro generates the method table, decodes parameters by name (including defaults and optionals), encodes
/// results, and records all of this in the manifest. The class conforms to ``ComponentKit/LinkClass``. Hosts create
/// instances with `init(_ context: ComponentContext) throws`, or with `init()` if the class has only that.
///
/// Methods that read the payload themselves, or reply later, are listed in a static property named `rows`:
///
/// ```swift
///     static let rows: [LinkMethod<Video>] = [.deferredMethod("play") { video, payload, reply in … }]
/// ```
///
/// The compiler warns about a class that no component can call: one without selectors, or one that conforms to a
/// service that `provides` does not name. An empty list of rows says that instances are only passed on.
///
/// - Parameters:
///   - name: The name under which callers find the class; defaults to the name of the type.
///   - provides: The services whose protocols the class conforms to, as in `(any AccountService).self`.
///   - instances: Whether instances are shared, created per call, or created per consumer.
///   - summary: A description of the class's purpose; defaults to the first sentence of its documentation.
@attached(member, conformances: LinkClass, names: named(methods), named(services), named(init), arbitrary)
@attached(extension, conformances: LinkClass)
public macro LinkClass(
    _ name: StaticString? = nil, provides: Any.Type..., instances: InstancePolicy = .shared,
    summary: StaticString? = nil
) = #externalMacro(module: "ComponentMacros", type: "LinkClassMacro")

/// Makes a function of a class marked ``LinkClass(_:provides:instances:summary:)`` callable by name.
///
/// Parameters and results must be types that can travel: types that conform to ``PayloadConvertible`` (numbers,
/// strings, `Data`, dates, optionals, arrays, dictionaries, models), `Codable` types, `@Sendable` closures that are
/// asynchronous and throwing, asynchronous sequences (as results only), and instances of link classes. The function
/// can't be private, because every component can call it.
///
/// - Parameters:
///   - name: The name of the selector.
///   - traits: Properties of the method that hosts can rely on.
@attached(peer)
public macro Selector(_ name: StaticString, _ traits: SelectorTrait...) =
    #externalMacro(module: "ComponentMacros", type: "SelectorMacro")

/// Makes a function of a class marked ``LinkClass(_:provides:instances:summary:)`` callable by its own name.
///
/// - Parameter traits: Properties of the method that hosts can rely on.
@attached(peer)
public macro Selector(_ traits: SelectorTrait...) =
    #externalMacro(module: "ComponentMacros", type: "SelectorMacro")

/// Gives a function routes: opening a URL that matches one of the patterns calls the function.
///
/// ```swift
/// @LinkClass("VideoLink")
/// final class Video {
///     @Route("studio://video/:id", "/watch/:id", public: true)
///     func open(id: Int, autoplay: Bool = false) async throws -> VideoInfo { … }
///
///     @Route("studio://files/*path", tags: ["signed-in"])
///     func file(path: [String]) throws -> FileInfo { … }
/// }
/// ```
///
/// The placeholders of a pattern are parameters of the function, and the values of the other parameters come from the
/// query of the URL. Strings are converted to the types of the parameters: numbers, `Bool`, `String`, `UUID`, `URL`,
/// dates in RFC 3339 format, enums with raw values, and arrays of these, for which a key is repeated in the query. A
/// parameter of any other type must be optional or have a default value, except closures, services and instances, which
/// a caller passes beside the URL. All of this is checked where the function is declared.
///
/// | pattern | matches |
/// |---|---|
/// | `studio://video/list` | this URL; scheme and host without regard to case |
/// | `/video/:id` | any scheme, and web addresses that the host accepts |
/// | `:id<int>`, `<int:id>` | a component that is a number; also `uint`, `float`, `bool`, `uuid`, `string` |
/// | `:id.html` | a component with this ending |
/// | `*path` | any number of components, at the end; the parameter is an array |
/// | `:path<path>` | all components that are left, at least one, as one string |
/// | `/video/:id(/comments(/:page))` | also without the parts in parentheses |
/// | `/user#/view/:id` | a path within the fragment |
///
/// The function is a selector, even without ``Selector(_:)``, and callers may still call it by name. It throws
/// ``RouteDeclined`` to pass a URL on to the route that fits next best. A function may have several of these
/// attributes, if they differ in their access, tags or priority. In a protocol marked
/// ``LinkService(_:arguments:kind:)``, every class that provides the service has the routes, and functions that make the
/// URLs are generated.
///
/// - Parameters:
///   - patterns: The patterns.
///   - access: Whether the routes can be opened from outside the process, such as by a web link: `true` for every source
///     that the host allows, or the names of the only sources that may, as in `["browser"]`.
///   - tags: Words by which interceptors select routes.
///   - priority: The order among routes that match the same URL. The one with the highest priority is tried first;
///     otherwise the most specific one is.
@attached(peer)
public macro Route(
    _ patterns: StaticString..., public access: RouteAccess = false, tags: [StaticString] = [], priority: Int = 0
) = #externalMacro(module: "ComponentMacros", type: "RouteMacro")

/// Makes a function of a class marked ``LinkClass(_:provides:instances:summary:)`` an interceptor, which hosts ask
/// before they open a route.
///
/// ```swift
/// @Intercepts(priority: 100, tags: ["signed-in"])
/// func requireSignIn(request: RouteRequest) async throws -> RouteDecision {
///     try await accounts.currentUser() == nil ? .openFirst(url: "studio://sign-in") : .pass
/// }
/// ```
///
/// The function takes one ``RouteRequest`` and returns a ``RouteDecision``. It is a selector, even without
/// ``Selector(_:)``. If it throws, the route is not opened.
///
/// - Parameters:
///   - priority: The order among interceptors: the one with the highest priority is asked first.
///   - tags: The interceptor is asked about routes that have at least one of these tags; about all routes if empty.
@attached(peer)
public macro Intercepts(priority: Int = 0, tags: [StaticString] = []) =
    #externalMacro(module: "ComponentMacros", type: "InterceptsMacro")

/// Makes a function a handler of an event: of a class marked ``LinkClass(_:provides:instances:summary:)``, or of the type
/// marked ``Component(_:version:layer:summary:requires:posts:starts:priority:configuration:)``, which then also has a link
/// class with its name.
///
/// ```swift
/// @On func signedIn(_ event: SignedIn) async throws { … }
/// @On(.loads, priority: 10) func addressChanged(_ event: AddressChanged) { … }
/// @Selector(.quick) @On func signedOut(_ event: SignedOut) { … }
/// ```
///
/// The function takes one parameter, the event, and returns nothing. It is a selector, even without ``Selector(_:)``.
/// An event does not load a component, unless the handler has the trait `loads`. The function receives the events in
/// the order in which they were posted, each once it is done with the one before, unless it has the trait
/// `concurrent`. If it throws, or takes longer than the host allows, the host reports that, and the other handlers are
/// still called.
///
/// - Parameters:
///   - traits: Whether the event loads the component, and whether the function may run for several events at a time.
///   - priority: The order among handlers of the same event: the one with the highest priority is called first.
@attached(peer)
public macro On(_ traits: HandlerTrait..., priority: Int = 0) =
    #externalMacro(module: "ComponentMacros", type: "OnMacro")

/// Makes a function of a link class, or of the component's own type, a handler of the event with this name, for events of components whose contract is not at hand. The parameter can be of any type that the event's
/// value fits, such as ``Payload``. See ``On(_:priority:)``.
@attached(peer)
public macro On(_ event: StaticString, _ traits: HandlerTrait..., priority: Int = 0) =
    #externalMacro(module: "ComponentMacros", type: "OnMacro")

/// A property of an event handler, as in `@On(.loads)`.
public struct HandlerTrait: Sendable, Hashable {
    /// The event loads the component if it is not loaded yet.
    public static let loads = HandlerTrait()
    /// The handler may be called for several events at a time, in any order.
    public static let concurrent = HandlerTrait()
}

/// A property of a method that hosts can rely on, as in `@Selector(.quick)`.
public struct SelectorTrait: Sendable, Hashable {
    /// The method never blocks and takes microseconds, so hosts run it on the caller's thread, even for callers that
    /// await it or set a deadline. An asynchronous method can't be quick.
    public static let quick = SelectorTrait()
    /// A call fails if its payload has a key that is not the name of a parameter. Without the trait such keys are
    /// ignored, so that newer callers may send more; use it where a misspelt key would mean something else.
    public static let strict = SelectorTrait()
}

/// When a component is loaded, in `@Component(starts:)`.
public enum ComponentStart: String, Sendable, Hashable, CaseIterable {
    /// When it is first needed: by a call, an event with a `loads` handler, or a component that requires it.
    case onDemand
    /// When its host starts.
    case withHost
}

/// The layer of a component, lowest first. A component uses only contracts of components with the same or a lower
/// layer. `hslink layers` checks this; hosts display the layer but do not enforce it.
public enum ComponentLayer: String, Sendable, Hashable, CaseIterable {
    /// Code that every component shares.
    case base
    /// Wrappers around third-party libraries, and common services.
    case common
    /// Business components that others depend on, such as accounts.
    case weakBusiness
    /// Independent business components, which should not depend on each other.
    case business
    /// The program itself.
    case host
}

/// A requirement of a component, in `@Component(requires:)`. Hosts read it from the manifest. An unmet requirement
/// prevents the component from being loaded, and the reason is reported; an unmet optional one is only reported.
public struct ComponentRequirement: Sendable {
    /// Another component.
    ///
    /// - Parameters:
    ///   - name: The name of the component.
    ///   - versions: A range such as ">=1.0.0 <2.0.0"; an empty string, the default, allows any version.
    ///   - optional: Whether the component also works without it.
    public static func component(
        _ name: StaticString, _ versions: StaticString = "", optional: Bool = false
    ) -> ComponentRequirement { ComponentRequirement() }

    /// A link class, provided by any component or by the host.
    ///
    /// - Parameters:
    ///   - name: The name of the class.
    ///   - selectors: The selectors that the component calls, with a `+` prefix for those called on the class itself.
    ///   - optional: Whether the component also works without it.
    public static func `class`(
        _ name: StaticString, selectors: [StaticString] = [], optional: Bool = false
    ) -> ComponentRequirement { ComponentRequirement() }

    /// A service, as declared by the contract that the component was compiled against.
    ///
    /// - Parameters:
    ///   - type: The protocol of the service, as in `(any AccountService).self`.
    ///   - optional: Whether the component also works without it.
    public static func service(_ type: Any.Type, optional: Bool = false) -> ComponentRequirement {
        ComponentRequirement()
    }

    /// A service, identified by its name, as in "com.example.account/1".
    public static func service(_ name: StaticString, optional: Bool = false) -> ComponentRequirement {
        ComponentRequirement()
    }
}
