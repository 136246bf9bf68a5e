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
///   - layer: The component's layer, for display and tools; hosts do not enforce an order.
///   - summary: A human-readable description of the component's purpose.
///   - requires: The component's requirements.
@attached(member, conformances: Component, names: named(init), arbitrary)
@attached(extension, conformances: Component)
@attached(peer, names: named(__OnlyOneComponentPerModule))
public macro Component(
    _ name: StaticString? = nil, version: StaticString, layer: ComponentLayer? = nil, summary: StaticString? = nil,
    requires: [ComponentRequirement] = []
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
/// asynchronous and throwing, asynchronous sequences (as results only), and instances of link classes.
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

/// A property of a method that hosts can rely on, as in `@Selector(.quick)`.
public struct SelectorTrait: Sendable, Hashable {
    /// The method never blocks and takes microseconds, so hosts run it on the caller's thread, even for callers that
    /// await it or set a deadline.
    public static let quick = SelectorTrait()
}

/// The layer of a component, lowest first. By convention a component depends only on lower layers; hosts display the
/// layer but do not enforce it.
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
