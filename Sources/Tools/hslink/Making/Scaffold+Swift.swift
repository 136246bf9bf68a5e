extension Scaffold {
    /// How others call a component in Swift.
    enum SwiftInterface {
        /// By the names of a class and its selectors.
        case names
        /// Through a contract that the component provides, in a module with this name.
        case contract(String)
        /// By names, through a subclass of HSLinkClass on each side.
        case bridge

        var contract: String? {
            if case .contract(let name) = self { name } else { nil }
        }
    }

    /// Returns a component in Swift, in its own package.
    ///
    /// - Parameters:
    ///   - name: the component's name.
    ///   - package: the source from which the package takes HSLink.
    ///   - interface: how others call the component.
    ///   - pins: the text of the initial Package.resolved; nil for none.
    ///   - call: the command that calls the component, for the README.
    static func swiftComponent(
        _ name: ScaffoldName, _ package: PackageSource, interface: SwiftInterface, pins: String?, call: String
    ) -> Scaffold {
        let source = "Sources/\(name.text)/\(name.text).swift"
        let tests = "Tests/\(name.text)Tests/\(name.text)Tests.swift"
        var files: [(path: String, content: Content)] = [
            ("Package.swift", .text(manifest(name, package, contract: interface.contract))),
            ("component.map", .text(symbolMap)),
            (".gitignore", .text("/.build/\n/.swiftpm/\n")),
        ]
        let more: String
        switch interface {
        case .names:
            files += [(source, .text(plainComponent(name))), (tests, .text(Scaffold.tests(name, contract: nil)))]
            more = ""
        case .contract(let contract):
            files += [
                (source, .text(providingComponent(name, contract))),
                ("Sources/\(contract)/\(name.text)Service.swift", .text(service(name))),
                (tests, .text(Scaffold.tests(name, contract: contract))),
            ]
            more = consumers(name, contract)
        case .bridge:
            files += [
                (source, .text("import ComponentKit\n\n\(component(name))\n")),
                ("Sources/\(name.text)/Providing.swift", .text(providingMethods(name))),
                ("Sources/\(name.text)/Requiring.swift", .text(requiringMethods(name))),
                (tests, .text(bridgeTests(name))),
            ]
            more = otherSide(name)
        }
        files.append(("README.md", .text(readme(name, call: call, more: more))))
        if let pins { files.append(("Package.resolved", .text(pins))) }
        return Scaffold(files: files)
    }

    /// The version script for the linker, which restricts the exported symbols of a component.
    static let symbolMap = """
        {
            global: hslink_component;
            local: *;
        };

        """

    private static func manifest(_ name: ScaffoldName, _ source: PackageSource, contract: String?) -> String {
        let product = contract.map { "\n        .library(name: \"\($0)\", targets: [\"\($0)\"])," } ?? ""
        let own = contract.map { "\"\($0)\", " } ?? ""
        let target =
            contract.map {
                """

                        // Consumers compile this in, so it is separate from the component that provides it.
                        .target(name: "\($0)", dependencies: [\(source.product("ComponentKit"))]),
                """
            } ?? ""
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "\(name.text)",
                products: [
                    .library(name: "\(name.text)", type: .dynamic, targets: ["\(name.text)"]),\(product)
                ],
                dependencies: [
                    \(source.declaration)
                ],
                targets: [\(target)
                    .target(
                        name: "\(name.text)",
                        dependencies: [\(own)\(source.product("ComponentKit"))],
                        // hslink_component is the only symbol that lib\(name.text).so exports.
                        linkerSettings: [
                            .unsafeFlags(["-Xlinker", "--version-script=\\(Context.packageDirectory)/component.map"])
                        ]),
                    .testTarget(
                        name: "\(name.text)Tests",
                        dependencies: [
                            "\(name.text)", \(own)\(source.product("ComponentHost")),
                            \(source.product("ComponentKit")),
                        ]),
                ]
            )

            """
    }

    private static func component(_ name: ScaffoldName) -> String {
        let argument = name.lifeType == name.text ? "" : "\"\(name.text)\", "
        return """
            /// Says hello.
            @Component(\(argument)version: "0.1.0")
            struct \(name.lifeType) {}
            """
    }

    private static func plainComponent(_ name: ScaffoldName) -> String {
        """
        import ComponentKit

        \(component(name))

        /// The class that others call, by the names of its functions and their parameters.
        @LinkClass
        final class \(name.linkClass) {
            /// Greets by name, also when the URL \(name.scheme)://greet/Ada is opened.
            @Route("\(name.scheme)://greet/:name")
            @Selector func greet(name: String) -> String { "Hello, \\(name)!" }
        }

        """
    }

    private static func providingComponent(_ name: ScaffoldName, _ contract: String) -> String {
        """
        import ComponentKit
        import \(contract)

        \(component(name))

        /// The class that others call through the service.
        @LinkClass(provides: (any \(name.text)Service).self)
        final class \(name.linkClass): \(name.text)Service {
            func greet(name: String) -> \(name.text)Greeting { \(name.text)Greeting(text: "Hello, \\(name)!") }
        }

        """
    }

    private static func service(_ name: ScaffoldName) -> String {
        """
        import ComponentKit

        /// The service of \(name.text). Increase the number in the name when a change breaks existing consumers.
        @LinkService("com.example.\(name.text)/1")
        public protocol \(name.text)Service: Sendable {
            /// Greets by name, also when the URL \(name.scheme)://greet/Ada is opened.
            @Route("\(name.scheme)://greet/:name")
            func greet(name: String) throws -> \(name.text)Greeting
        }

        /// A greeting.
        @Model public struct \(name.text)Greeting: Hashable, Sendable {
            /// The whole sentence.
            public var text: String

            /// Creates a greeting.
            public init(text: String) { self.text = text }
        }

        """
    }

    private static func tests(_ name: ScaffoldName, contract: String?) -> String {
        let body =
            contract == nil
            ? """
            #expect(try await host.call("\(name.linkClass)", "greet", ["name": "Ada"]) == "Hello, Ada!")
                    #expect(try await host.open("\(name.scheme)://greet/Ada") == "Hello, Ada!")
            """
            : """
            let service = try host.service(\(name.text)ServiceClient.self)
                    #expect(try await service.greet(name: "Ada").text == "Hello, Ada!")
                    #expect(try await host.open(\(name.text)ServiceRoutes.greet(name: "Ada")).text == "Hello, Ada!")
            """
        return """
            import ComponentHost
            import ComponentKit
            import Testing
            import \(name.text)
            \(contract.map { "import \($0)\n" } ?? "")
            @Suite("\(name.text)")
            struct \(name.text)Tests {
                /// A host without directories. It finds the component, which is linked into the tests.
                let host = LinkHost(components: [])

                @Test("greets by name and by URL")
                func greet() async throws {
                    \(body)
                }

                @Test("a payload without a name is refused")
                func missing() async {
                    await #expect(throws: LinkError.self) { try await host.call("\(name.linkClass)", "greet", [:]) }
                }
            }

            """
    }

    /// - Parameter more: paragraphs at the end, each after an empty line.
    private static func readme(_ name: ScaffoldName, call: String, more: String) -> String {
        """
        # \(name.text)

        A component for HSLink hosts.

            swift build
            \(call)
            hslink open \(name.scheme)://greet/Ada --plugins .build/debug

        `swift test` runs the tests. `hslink dev --call '\(name.linkClass) greet name=Ada'` rebuilds and calls the component
        whenever a source changes. `swift build -c release` builds the file to distribute,
        `.build/release/lib\(name.text).so`, and `hslink copy .build/release --components DIR` copies it into a directory that
        a host scans, with its resources, which are in `\(name.text).resources`. `component.map` ensures that its entry point is
        the only exported symbol.
        \(more)
        """
    }

    private static func consumers(_ name: ScaffoldName, _ contract: String) -> String {
        """

        Consumers compile in `\(contract)`: their package depends on this package's product with that name, and they call
        `context.link.service(\(name.text)ServiceClient.self)`.

        """
    }
}
