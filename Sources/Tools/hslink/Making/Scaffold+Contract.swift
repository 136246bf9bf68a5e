// The texts of a contract, of its providers and of its consumers.
extension Scaffold {
    /// Returns a contract in its own package, which a provider and its consumers depend on.
    ///
    /// - Parameters:
    ///   - source: the source from which the package takes HSLink.
    ///   - pins: the text of the initial Package.resolved; nil for none.
    static func contract(_ service: ServiceNames, _ source: PackageSource, pins: String?) -> Scaffold {
        let name = service.contract
        var files: [(path: String, content: Content)] = [
            ("Package.swift", .text(contractManifest(name, source))),
            ("Sources/\(name)/\(service.type).swift", .text(Scaffold.service(service))),
            ("Tests/\(name)Tests/\(name)Tests.swift", .text(contractTests(service))),
            (".gitignore", .text("/.build/\n/.swiftpm/\n")),
            ("README.md", .text(contractReadme(service))),
        ]
        if let pins { files.append(("Package.resolved", .text(pins))) }
        return Scaffold(files: files)
    }

    private static func contractManifest(_ name: String, _ source: PackageSource) -> String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(name)",
            products: [
                // Whoever provides or uses the service compiles it in.
                .library(name: "\(name)", targets: ["\(name)"])
            ],
            dependencies: [
                \(source.declaration)
            ],
            targets: [
                .target(name: "\(name)", dependencies: [\(source.product("ComponentKit"))]),
                .testTarget(
                    name: "\(name)Tests",
                    dependencies: [
                        "\(name)", \(source.product("ComponentHost")),
                        \(source.product("ComponentKit")),
                    ]),
            ]
        )

        """
    }

    static func service(_ service: ServiceNames) -> String {
        """
        import ComponentKit

        /// The service of \(service.subject). Increase the number in the name when a change breaks existing consumers.
        @LinkService("com.example.\(service.subject)/1")
        public protocol \(service.type): Sendable {
            /// Greets by name, also when the URL \(service.scheme)://greet/Ada is opened.
            @Route("\(service.scheme)://greet/:name")
            func greet(name: String) async throws -> \(service.model)
        }

        /// A greeting.
        @Model public struct \(service.model): Hashable, Sendable {
            /// The whole sentence.
            public var text: String

            /// Creates a greeting.
            public init(text: String) { self.text = text }
        }

        """
    }

    private static func contractTests(_ service: ServiceNames) -> String {
        """
        import ComponentHost
        import ComponentKit
        import Testing
        import \(service.contract)

        \(testProvider(service))

        @Suite("\(service.contract)")
        struct \(service.contract)Tests {
            @Test("whoever provides the service is called through it")
            func greet() async throws {
                let host = LinkHost(components: [], provides: [ProvidedClass(TestProvider.self)])
                let service = try host.service(\(service.type)Client.self)
                #expect(try await service.greet(name: "Ada").text == "Hello, Ada!")
            }
        }

        """
    }

    /// A class of a test program that provides the service.
    private static func testProvider(_ service: ServiceNames) -> String {
        """
        /// The provider of these tests, in place of a component.
        @LinkClass(provides: (any \(service.type)).self)
        final class TestProvider: \(service.type) {
            func greet(name: String) async -> \(service.model) { \(service.model)(text: "Hello, \\(name)!") }
        }
        """
    }

    private static func contractReadme(_ service: ServiceNames) -> String {
        """
        # \(service.contract)

        The contract of a service: the protocol and its models. Its provider and its consumers depend on this package, and not
        on each other.

            swift test
            hslink new component \(service.subject) --provides . --path ..
            hslink new component Travel --uses . --path ..

        All of them take HSLink from the same place, since SwiftPM refuses two in one build: a tag
        (`--url URL --from VERSION`), or a checkout that lies beside all of them.

        """
    }

    // MARK: - Providers

    static func providingComponent(_ name: ScaffoldName, _ service: ServiceNames) -> String {
        """
        import ComponentKit
        import \(service.contract)

        \(component(name))

        /// The class that others call through the service.
        @LinkClass(provides: (any \(service.type)).self)
        final class \(name.linkClass): \(service.type) {
            func greet(name: String) async -> \(service.model) { \(service.model)(text: "Hello, \\(name)!") }
        }

        """
    }

    static func providingTests(_ name: ScaffoldName, _ service: ServiceNames) -> String {
        let body = """
                    let service = try host.service(\(service.type)Client.self)
                    #expect(try await service.greet(name: "Ada").text == "Hello, Ada!")
                    #expect(try await host.open(\(service.type)Routes.greet(name: "Ada")).text == "Hello, Ada!")
            """
        return componentTests(name, contract: service.contract, body: body)
    }

    /// A paragraph for the README of a component with a contract in its own package.
    static func consumers(_ service: ServiceNames) -> String {
        """

        Consumers compile in `\(service.contract)`: their package depends on this package's product with that name, and they
        call `context.link.service(\(service.type)Client.self)`. If others are to build without this package, put the
        contract into one of its own: `hslink new contract`.

        """
    }

    /// A paragraph for the README of a provider.
    static func providing(_ contract: ContractPackage) -> String {
        """

        The component provides `\(contract.service.type)`. Consumers depend on the package of `\(contract.service.contract)`
        only.

        """
    }

    // MARK: - Consumers

    static func usingComponent(_ name: ScaffoldName, _ service: ServiceNames) -> String {
        let argument = name.lifeType == name.text ? "" : "\"\(name.text)\", "
        return """
            import ComponentKit
            import \(service.contract)

            /// Greets, and asks a question. Without a provider of the service, it is not loaded.
            @Component(\(argument)version: "0.1.0", requires: [.service((any \(service.type)).self)])
            struct \(name.lifeType) {}

            /// The class that others call, by the names of its functions and their parameters.
            @LinkClass
            final class \(name.linkClass) {
                private let link: Link

                init(_ context: ComponentContext) { link = context.link }

                /// Greets by name, also when the URL \(name.scheme)://greet/Ada is opened.
                @Route("\(name.scheme)://greet/:name")
                @Selector func greet(name: String) async throws -> String {
                    let service = try link.service(\(service.type)Client.self)
                    return try await service.greet(name: name).text + " How are you?"
                }
            }

            """
    }

    static func usingTests(_ name: ScaffoldName, _ service: ServiceNames) -> String {
        """
        import ComponentHost
        import ComponentKit
        import Testing
        import \(name.text)
        import \(service.contract)

        \(testProvider(service))

        @Suite("\(name.text)")
        struct \(name.text)Tests {
            @Test("greets with the service, by name and by URL")
            func greet() async throws {
                // It finds the component, which is linked into the tests.
                let host = LinkHost(components: [], provides: [ProvidedClass(TestProvider.self)])
                let greeting = "Hello, Ada! How are you?"
                #expect(try await host.call("\(name.linkClass)", "greet", ["name": "Ada"]) == .string(greeting))
                #expect(try await host.open("\(name.scheme)://greet/Ada") == .string(greeting))
            }

            @Test("is not loaded without a provider")
            func alone() async {
                let host = LinkHost(components: [])
                await #expect(throws: LinkError.self) {
                    try await host.call("\(name.linkClass)", "greet", ["name": "Ada"])
                }
            }
        }

        """
    }

    /// A paragraph for the README of a consumer.
    static func using(_ contract: ContractPackage) -> String {
        """

        The component uses `\(contract.service.type)`, whoever provides it, and is loaded only with a provider: put the
        provider's `.so` into the same directory before you call it.

        """
    }
}
