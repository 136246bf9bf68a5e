package import ComponentKit

/// What one side knows of the services that it provides or uses: read from the notes of its own file, so that it
/// says what the file was compiled with.
package struct Contract: Hashable, Sendable {
    /// Each name once.
    package var services: [ServiceDeclaration]
    /// Each name once in a module.
    package var models: [ModelDeclaration]

    /// Nothing at all.
    package static let empty = Contract(services: [], models: [])

    /// - Parameters:
    ///   - services: each name once.
    ///   - models: each name once in a module.
    package init(services: [ServiceDeclaration], models: [ModelDeclaration]) {
        self.services = services
        self.models = models
    }

    /// The service of this name; nil when this side was not compiled with it.
    package func service(_ name: String) -> ServiceDeclaration? { services.first { $0.name == name } }
}

extension Manifest {
    /// What the component's file was compiled with.
    package var contract: Contract { Contract(services: services, models: models) }
}

/// A service: a protocol that classes of several components may provide, known by its own name.
package struct ServiceDeclaration: Hashable, Sendable {
    /// The name that consumers and providers agree on, as in "com.example.account/1".
    package let name: String
    /// The Swift module that the protocol stands in.
    package let module: String
    /// The protocol, as in "AccountService"; of one inside another type `Outer.Inner`.
    package let protocolName: String
    /// What every provider answers to, in the order of the note.
    package let selectors: [SelectorDeclaration]
    /// The type of what the service is made with; nil when it is made without anything.
    package let arguments: String?
    /// A map of the keys that this version of the host does not read; null when there are none.
    package let extra: Payload

    /// The selector of this name and kind; nil when the service has none.
    package func selector(_ name: String, _ kind: SelectorKind) -> SelectorDeclaration? {
        selectors.first { $0.name == name && $0.kind == kind }
    }
}

/// A type whose values travel in payloads.
package struct ModelDeclaration: Hashable, Sendable {
    /// A key of the map that a value travels as, and the type behind it.
    package typealias Field = SelectorDeclaration.Parameter

    /// One of an enum's cases.
    package struct Case: Hashable, Sendable {
        /// Its name.
        package let name: String
        /// What comes with it; unlabelled values are called `_0`, `_1`, …
        package let values: [Field]
        /// What a raw enum's case travels as, numbers in decimal; nil in others, and where the note does not say.
        package let rawValue: String?

        /// - Parameters:
        ///   - name: as written.
        ///   - values: what comes with it.
        ///   - rawValue: of a raw enum's case; nil when it is not known.
        package init(name: String, values: [Field] = [], rawValue: String? = nil) {
            self.name = name
            self.values = values
            self.rawValue = rawValue
        }
    }

    /// What the type consists of.
    package enum Content: Hashable, Sendable {
        /// A struct: a map of its fields.
        case fields([Field])
        /// An enum; `raw` is the type of its raw values, nil when it has none.
        case cases([Case], raw: String?)
    }

    /// The Swift module that it stands in.
    package let module: String
    /// As in "User"; of a type inside another `Outer.Inner`.
    package let name: String
    /// What it consists of.
    package let content: Content
    /// Whether it is an error that methods throw.
    package let isError: Bool
    /// A map of the keys that this version of the host does not read; null when there are none.
    package let extra: Payload

    package init(module: String, name: String, content: Content, isError: Bool, extra: Payload = .null) {
        self.module = module
        self.name = name
        self.content = content
        self.isError = isError
        self.extra = extra
    }
}
