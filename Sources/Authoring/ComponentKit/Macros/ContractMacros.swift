/// Turns a protocol into a service that components can provide and use without knowing each other.
///
/// ```swift
/// @LinkService("com.example.account/1")
/// public protocol AccountService: Sendable {
///     func signIn(name: String, password: String) async throws -> Session
///     func currentUser() async throws -> User?
/// }
/// ```
///
/// Declare the protocol in a target of its own, the contract, which the provider and its consumers all link. The macro
/// generates `AccountServiceClient`, a struct that conforms to the protocol and calls the provider, and
/// `AccountServiceTable`, the method table for any conforming class. Every function must throw because the provider may
/// be missing. Functions that are not `async` run on the caller's thread.
///
/// If functions have a ``Route(_:public:tags:priority:)``, the macro also generates `AccountServiceRoutes`, an enum with
/// one function for each of them, which makes a ``TypedRoute`` from the arguments. It uses the first pattern that has a
/// scheme.
///
/// - Parameters:
///   - name: The service's name and revision number, separated by a slash; the provider and all consumers share it.
///   - arguments: The type of the argument for creating instances with `makeService(_:with:)`; if given, the macro also
///     generates `AccountServiceMaking`, the protocol for providers that create instances this way.
///   - kind: Whether callers call the functions on an instance or on the class. With `.class` they are class methods for
///     all who call them by name, each call makes an instance of the provider with its `init(_:)`, and no instance can
///     be passed on.
@attached(peer, names: suffixed(Client), suffixed(Table), suffixed(Making), suffixed(Routes))
public macro LinkService(
    _ name: StaticString, arguments: (any PayloadConvertible.Type)? = nil, kind: SelectorKind = .object
) = #externalMacro(module: "ComponentMacros", type: "LinkServiceMacro")

/// Lets a struct or an enum travel in payloads, as a map of its stored properties or as the name of its case.
///
/// ```swift
/// @Model public struct User: Sendable {
///     public var name: String
///     public var nick: String?
///     public var limit: Int = 10
/// }
/// ```
///
/// The type conforms to ``PayloadConvertible``, and a description of it is stored in the file, so that providers and
/// consumers compiled separately can be checked for compatibility. Properties need explicit types that conform to
/// ``PayloadConvertible`` themselves. A missing key is read as nil or as the property's default. Private properties do
/// not travel: they need a default, which a copy has. An enum with a raw
/// type travels as its raw value; other enums travel as the name of the case, with associated values as a map under
/// that name. A model that conforms to `Error` keeps its type when it is thrown across the boundary. A public struct
/// without an explicit initialiser gets a public memberwise one.
///
/// - Parameter traits: How a struct is written.
@attached(member, names: named(init), arbitrary)
@attached(extension, conformances: PayloadConvertible, ModelError, names: named(payload), named(init), named(modelName))
public macro Model(_ traits: ModelTrait...) = #externalMacro(module: "ComponentMacros", type: "ModelMacro")

/// How a model is written, as in `@Model(.sparse)`.
public struct ModelTrait: Sendable, Hashable {
    /// The map of a struct has no key for a property that is equal to its default, nor for an optional one that is nil
    /// and has no other default: nothing that is read when the key is missing. Lists of many small models become
    /// shorter. All who read them need the same defaults.
    ///
    /// Each side evaluates its own defaults, and a host compares them as they are written. So the value of one that is
    /// no literal, as in `= Limits.standard`, must stay the same in all versions: the host does not notice another
    /// value, and readers take it for what was left out.
    public static let sparse = ModelTrait()
}

/// Makes a model an event, which components post and handle by its type.
///
/// ```swift
/// @Model @Event("com.example.account/signedIn")
/// public struct SignedIn: Sendable {
///     public var user: User
/// }
/// ```
///
/// The type conforms to ``LinkEvent``. Declare it in a contract that the component that posts it and those that handle it
/// all link, as services are.
///
/// - Parameter name: The name that posters and handlers share, in any language: letters, digits, dots and hyphens,
///   then a slash and a name.
@attached(extension, conformances: LinkEvent, names: named(eventName))
public macro Event(_ name: StaticString) = #externalMacro(module: "ComponentMacros", type: "EventMacro")
