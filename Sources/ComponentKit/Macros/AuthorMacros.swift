/// Declares this module as a component.
///
/// Use it once per module, on a type that represents the component's lifetime:
///
/// ```swift
/// @Component(version: "1.2.0", layer: .weakBusiness, requires: [.component("Store", ">=1.0.0", optional: true)])
/// struct EMAccount {
///     init(_ context: ComponentContext) throws { … }   // optional
///     func stop() { … }                                // optional
/// }
/// ```
///
/// The type conforms to ``ComponentKit/Component``. The first sentence of its documentation becomes the summary.
///
/// - Parameters:
///   - name: of the component; the type's name unless said.
///   - version: `MAJOR.MINOR.PATCH` with an optional `-PRERELEASE` (Semantic Versioning 2.0.0).
///   - layer: the component's layer, for people and tools; hosts do not enforce an order.
///   - summary: what it is for, for people.
///   - requires: the component's requirements.
@attached(member, conformances: Component, names: named(init), arbitrary)
@attached(extension, conformances: Component)
@attached(peer, names: named(__OnlyOneComponentPerModule))
public macro Component(
    _ name: StaticString? = nil, version: StaticString, layer: ComponentLayer? = nil, summary: StaticString? = nil,
    requires: [ComponentRequirement] = []
) = #externalMacro(module: "ComponentMacros", type: "ComponentMacro")

/// Lets others call the methods of a final class or an actor by name.
///
/// ```swift
/// @LinkClass("VideoLink")
/// final class Video {
///     @Selector func probe(path: String) async throws -> VideoInfo { … }
///     @Selector(.quick) static func formats() -> [String] { … }
/// }
/// ```
///
/// It writes the method table, decodes parameters by their names, with defaults and optionals, encodes results, and
/// puts all of it into the manifest. The class conforms to ``ComponentKit/LinkClass``. Hosts make instances with
/// `init(_ context: ComponentContext) throws`; if a class has only `init()`, instances are made with that.
///
/// Methods that read the payload themselves, or reply later, go into a static list named `rows`:
///
/// ```swift
///     static let rows: [LinkMethod<Video>] = [.deferredMethod("play") { video, payload, reply in … }]
/// ```
///
/// - Parameters:
///   - name: under which callers find the class; the type's name unless said.
///   - provides: the services whose protocols the class conforms to, as in `(any AccountService).self`.
///   - instances: whether instances are shared, made per call, or made per consumer.
///   - summary: what it is for; else the first sentence of its documentation.
@attached(member, conformances: LinkClass, names: named(methods), named(services), named(init), arbitrary)
@attached(extension, conformances: LinkClass)
public macro LinkClass(
    _ name: StaticString? = nil, provides: Any.Type..., instances: InstancePolicy = .shared,
    summary: StaticString? = nil
) = #externalMacro(module: "ComponentMacros", type: "LinkClassMacro")

/// Lets a function of a class marked ``LinkClass(_:provides:instances:summary:)`` be called by name.
///
/// Parameters and result have to travel: values that conform to ``PayloadConvertible`` (numbers, strings, `Data`,
/// dates, optionals, arrays, dictionaries, models), `Codable` types, `@Sendable` closures that are asynchronous and
/// throwing, asynchronous sequences as results, instances of link classes.
///
/// - Parameters:
///   - name: of the selector; the function's name unless said.
///   - traits: what hosts may know about it.
@attached(peer)
public macro Selector(_ name: StaticString, _ traits: SelectorTrait...) =
    #externalMacro(module: "ComponentMacros", type: "SelectorMacro")

/// Lets a function of a class marked ``LinkClass(_:provides:instances:summary:)`` be called by its own name.
///
/// - Parameter traits: what hosts may know about it.
@attached(peer)
public macro Selector(_ traits: SelectorTrait...) =
    #externalMacro(module: "ComponentMacros", type: "SelectorMacro")

/// What hosts may know about a method, in `@Selector(.quick)`.
public struct SelectorTrait: Sendable, Hashable {
    /// It never blocks and takes microseconds, so that every caller runs it in place, also one that awaits it or has a
    /// deadline.
    public static let quick = SelectorTrait()
}

/// The layer of a component, lowest first. By convention a component depends on lower layers only; hosts show the layer and
/// do not enforce it.
public enum ComponentLayer: String, Sendable, Hashable, CaseIterable {
    /// Code that every component shares.
    case base
    /// Wrappers around libraries of third parties, and common services.
    case common
    /// Business components that others depend on, such as accounts.
    case weakBusiness
    /// Independent business components, which should not depend on each other.
    case business
    /// The program itself.
    case host
}

/// A requirement of a component, in `@Component(requires:)`. Hosts read it from the manifest: an unmet one keeps
/// the component from being loaded, with the reason; an optional one is shown.
public struct ComponentRequirement: Sendable {
    /// Another component.
    ///
    /// - Parameters:
    ///   - name: of the component.
    ///   - versions: a range as in ">=1.0.0 <2.0.0"; none, or an empty text, for any.
    ///   - optional: whether the component also works without.
    public static func component(
        _ name: StaticString, _ versions: StaticString = "", optional: Bool = false
    ) -> ComponentRequirement { ComponentRequirement() }

    /// A link class, of any component or of the host.
    ///
    /// - Parameters:
    ///   - name: of the class.
    ///   - selectors: those that are called; with a `+` before them those of the class.
    ///   - optional: whether the component also works without.
    public static func `class`(
        _ name: StaticString, selectors: [StaticString] = [], optional: Bool = false
    ) -> ComponentRequirement { ComponentRequirement() }

    /// A service, in the form that the component was compiled against.
    ///
    /// - Parameters:
    ///   - type: its protocol, as in `(any AccountService).self`.
    ///   - optional: whether the component also works without.
    public static func service(_ type: Any.Type, optional: Bool = false) -> ComponentRequirement {
        ComponentRequirement()
    }

    /// A service by its name, as in "com.example.account/1".
    public static func service(_ name: StaticString, optional: Bool = false) -> ComponentRequirement {
        ComponentRequirement()
    }
}
