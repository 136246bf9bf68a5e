/// Declares the component that this module is.
///
/// Write it once a module, on a type for the component's life:
///
/// ```swift
/// @Component(version: "1.2.0", layer: .weakBusiness, requires: [.component("Store", ">=1.0.0", optional: true)])
/// struct EMAccount {
///     init(_ context: ComponentContext) throws { … }   // may be left out
///     func stop() { … }                                // may be left out
/// }
/// ```
///
/// The type conforms to ``ComponentKit/Component``. The first sentence of its documentation becomes the summary.
///
/// - Parameters:
///   - name: of the component; the type's name unless said.
///   - version: `MAJOR.MINOR.PATCH` with an optional `-PRERELEASE` (Semantic Versioning 2.0.0).
///   - layer: where it stands among the others.
///   - summary: what it is for, for people.
///   - requires: what it needs of others.
@attached(member, conformances: Component, names: named(init), arbitrary)
@attached(extension, conformances: Component)
@attached(peer, names: named(AModuleHasOneComponent))
public macro Component(
    _ name: StaticString? = nil, version: StaticString, layer: ComponentLayer? = nil, summary: StaticString? = nil,
    requires: [ComponentRequirement] = []
) = #externalMacro(module: "ComponentMacros", type: "ComponentMacro")

/// Makes a final class, or an actor, one whose methods others may call by name.
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
/// `init(_ context: ComponentContext) throws`; a class that has it not, but `init()`, is made with that.
///
/// Methods that read the payload themselves, or reply later, stand in a list of rows beside the functions:
///
/// ```swift
///     static let rows: [LinkMethod<Video>] = [.deferredMethod("play") { video, payload, reply in … }]
/// ```
///
/// - Parameters:
///   - name: under which callers find the class; the type's name unless said.
///   - provides: the services whose protocols the class conforms to, as in `(any AccountService).self`.
///   - instances: how hosts keep its instances.
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
