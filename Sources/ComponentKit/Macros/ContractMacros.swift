/// Makes a protocol a service that components provide and others use without knowing each other.
///
/// ```swift
/// @LinkService("com.example.account/1")
/// public protocol AccountService: Sendable {
///     func signIn(name: String, password: String) async throws -> Session
///     func currentUser() async throws -> User?
/// }
/// ```
///
/// It stands in a target of its own, the contract, which provider and consumers compile in. The macro writes
/// `AccountServiceClient`, a struct that conforms to the protocol and calls whoever provides it, and
/// `AccountServiceTable`, the method table of any class that conforms. Every function throws: the provider may be missing.
/// Functions that are not `async` run on the caller's thread.
///
/// - Parameters:
///   - name: a name that is the same for all, a slash, and the number of its revision.
///   - arguments: a type that instances are made with, by `makeService(_:with:)`; the macro then writes
///     `AccountServiceMaking`, the protocol of such providers.
@attached(peer, names: suffixed(Client), suffixed(Table), suffixed(Making))
public macro LinkService(_ name: StaticString, arguments: (any PayloadConvertible.Type)? = nil) =
    #externalMacro(module: "ComponentMacros", type: "LinkServiceMacro")

/// Makes a struct or an enum travel, as a map of its stored properties, or as the name of its case.
///
/// ```swift
/// @Model public struct User: Sendable {
///     public var name: String
///     public var nick: String?
///     public var limit: Int = 10
/// }
/// ```
///
/// The type conforms to ``PayloadConvertible``, and a description of it goes into the file, by which providers and
/// consumers that were compiled apart are compared. Properties have written types that conform to ``PayloadConvertible``
/// themselves. A missing key stands for nil, or for the default. An enum with a raw type travels as the raw value; other
/// cases as their name, with associated values as a map from it. A model that is an `Error` arrives as itself. A struct that
/// is public, and says nothing of how it is made, gets a public initialiser of its properties.
@attached(member, names: named(init), arbitrary)
@attached(extension, conformances: PayloadConvertible, ModelError, names: named(payload), named(init), named(modelName))
public macro Model() = #externalMacro(module: "ComponentMacros", type: "ModelMacro")
