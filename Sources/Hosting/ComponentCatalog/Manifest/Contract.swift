package import ComponentKit
import SystemSupport

/// The services and models that a program or a component was compiled with, read from the notes in its own file.
package struct Contract: Hashable, Sendable {
    /// The services; each name occurs once.
    package var services: [ServiceDeclaration]
    /// The models; each name occurs once per module.
    package var models: [ModelDeclaration]

    /// A contract without services or models.
    package static let empty = Contract(services: [], models: [])

    /// Returns the service with this name; nil when the program or component was not compiled with it.
    package func service(_ name: String) -> ServiceDeclaration? { services.first { $0.name == name } }
}

extension Manifest {
    /// The contract that the component's file was compiled with.
    package var contract: Contract { Contract(services: services, models: models) }
}

/// A service: a protocol that classes of several components may provide, identified by a name of its own.
package struct ServiceDeclaration: Hashable, Sendable {
    /// The name that consumers and providers agree on, as in "com.example.account/1".
    package let name: String
    /// The Swift module that declares the protocol.
    package let module: String
    /// The protocol's name, as in "AccountService", or "Outer.Inner" when it is nested in another type.
    package let protocolName: String
    /// The selectors that every provider has, in the order in which the service's note lists them.
    package let selectors: [SelectorDeclaration]
    /// The type of the arguments for creating an instance of the service; nil when it takes none.
    package let arguments: String?
    /// The keys that this version of the host does not read, as a map; null when there are none.
    package let extra: Payload

    /// Returns the selector with this name and kind; nil when the service has none.
    package func selector(_ name: String, _ kind: SelectorKind) -> SelectorDeclaration? {
        selectors.first { $0.kind == kind && $0.name.isExactly(name) }
    }
}

/// A type whose values travel in payloads.
package struct ModelDeclaration: Hashable, Sendable {
    /// A key of the map that a value of the model travels as, and the type of the entry.
    package typealias Field = SelectorDeclaration.Parameter

    /// One of an enum's cases.
    package struct Case: Hashable, Sendable {
        /// The name of the case.
        package let name: String
        /// The associated values; unlabelled ones are named `_0`, `_1`, …
        package private(set) var values: [Field] = []
        /// The text form of the raw value in a payload, with numbers in decimal; nil when the enum has no raw values or
        /// the note does not specify it.
        package private(set) var rawValue: String?
    }

    /// The structure of a type.
    package enum Content: Hashable, Sendable {
        /// A struct, which travels as a map of its fields.
        case fields([Field])
        /// An enum; `raw` is the type of its raw values, or nil when it has none.
        case cases([Case], raw: String?)
    }

    /// The Swift module that declares the type.
    package let module: String
    /// The type's name, as in "User", or "Outer.Inner" when it is nested in another type.
    package let name: String
    /// The structure of the type.
    package let content: Content
    /// Whether the type is an error that methods throw.
    package let isError: Bool
    /// Whether its maps leave out what is equal to its default.
    package internal(set) var isSparse = false
    /// The name of the event that values of the type are; nil if it is not an event.
    package internal(set) var event: String?
    /// The keys that this version of the host does not read, as a map; null when there are none.
    package internal(set) var extra = Payload.null
}
