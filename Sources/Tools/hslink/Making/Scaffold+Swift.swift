extension Scaffold {
    /// How others call a component in Swift.
    enum SwiftInterface {
        /// By the names of a class and its selectors.
        case names
        /// Through a contract that the component provides, in a module of its package with this name.
        case contract(String)
        /// Through a contract that the component provides, in a package of its own.
        case provides(ContractPackage)
        /// By names; the component uses the service of a contract in a package of its own.
        case uses(ContractPackage)
        /// By names, through a subclass of HSLinkClass on each side.
        case bridge
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
            ("Package.swift", .text(manifest(name, package, interface: interface))),
            ("component.map", .text(symbolMap)),
            (".gitignore", .text("/.build/\n/.swiftpm/\n")),
        ]
        var scheme = name.scheme
        let more: String
        switch interface {
        case .names:
            files += [(source, .text(plainComponent(name))), (tests, .text(Scaffold.tests(name)))]
            more = ""
        case .contract(let contract):
            let service = ServiceNames(contract: contract, subject: name.text)
            files += [
                (source, .text(providingComponent(name, service))),
                ("Sources/\(contract)/\(service.type).swift", .text(Scaffold.service(service))),
                (tests, .text(providingTests(name, service))),
            ]
            more = consumers(service)
        case .provides(let contract):
            files += [
                (source, .text(providingComponent(name, contract.service))),
                (tests, .text(providingTests(name, contract.service))),
            ]
            more = providing(contract)
            // The route is the contract's.
            scheme = contract.service.scheme
        case .uses(let contract):
            files += [
                (source, .text(usingComponent(name, contract.service))),
                (tests, .text(usingTests(name, contract.service))),
            ]
            more = using(contract)
        case .bridge:
            files += [
                (source, .text("import ComponentKit\n\n\(component(name))\n")),
                ("Sources/\(name.text)/Providing.swift", .text(providingMethods(name))),
                ("Sources/\(name.text)/Requiring.swift", .text(requiringMethods(name))),
                (tests, .text(bridgeTests(name))),
            ]
            more = otherSide(name)
        }
        files.append(("README.md", .text(readme(name, scheme: scheme, call: call, more: more))))
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

    private static func manifest(
        _ name: ScaffoldName, _ source: PackageSource, interface: SwiftInterface
    ) -> String {
        let kit = source.product("ComponentKit")
        var (product, target, package, contract, contractInTests) = ("", "", "", "", "")
        switch interface {
        case .names, .bridge: break
        case .contract(let module):
            product = "\n        .library(name: \"\(module)\", targets: [\"\(module)\"]),"
            target = """

                        // Consumers compile this in, so it is separate from the component that provides it.
                        .target(name: "\(module)", dependencies: [\(kit)]),
                """
            contract = "\"\(module)\", "
            contractInTests = contract
        case .provides(let other), .uses(let other):
            package = "\n        \(other.declaration),"
            contract = "\n                \(other.product),\n                "
            contractInTests = "\(other.product),\n                "
        }
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "\(name.text)",
                products: [
                    .library(name: "\(name.text)", type: .dynamic, targets: ["\(name.text)"]),\(product)
                ],
                dependencies: [\(package)
                    \(source.declaration)
                ],
                targets: [\(target)
                    .target(
                        name: "\(name.text)",
                        dependencies: [\(contract)\(kit)],
                        // hslink_component is the only symbol that lib\(name.text).so exports.
                        linkerSettings: [
                            .unsafeFlags(["-Xlinker", "--version-script=\\(Context.packageDirectory)/component.map"])
                        ]),
                    .testTarget(
                        name: "\(name.text)Tests",
                        dependencies: [
                            "\(name.text)", \(contractInTests)\(source.product("ComponentHost")),
                            \(kit),
                        ]),
                ]
            )

            """
    }

    static func component(_ name: ScaffoldName) -> String {
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

    private static func tests(_ name: ScaffoldName) -> String {
        let body = """
                    #expect(try await host.call("\(name.linkClass)", "greet", ["name": "Ada"]) == "Hello, Ada!")
                    #expect(try await host.open("\(name.scheme)://greet/Ada") == "Hello, Ada!")
            """
        return componentTests(name, body: body)
    }

    /// Returns tests of a component that greets.
    ///
    /// - Parameters:
    ///   - contract: the module of the contract that the tests use; nil for none.
    ///   - body: the statements of the first test.
    static func componentTests(_ name: ScaffoldName, contract: String? = nil, body: String) -> String {
        """
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

    /// - Parameters:
    ///   - scheme: the scheme of a URL that greets.
    ///   - more: paragraphs at the end, each after an empty line.
    private static func readme(_ name: ScaffoldName, scheme: String, call: String, more: String) -> String {
        """
        # \(name.text)

        A component for HSLink hosts.

            swift build
            \(call)
            hslink open \(scheme)://greet/Ada --plugins .build/debug

        `swift test` runs the tests. `hslink dev --call '\(name.linkClass) greet name=Ada'` rebuilds and calls the component
        whenever a source changes. `swift build -c release` builds the file to distribute,
        `.build/release/lib\(name.text).so`, and `hslink copy .build/release --components DIR` copies it into a directory that
        a host scans, with its resources, which are in `\(name.text).resources`. `component.map` ensures that its entry point is
        the only exported symbol.
        \(more)
        """
    }
}
