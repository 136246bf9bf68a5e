extension Scaffold {
    /// Returns one package with a contract, a component that provides it, one that uses it, and a host program, so that
    /// the macros and the libraries are compiled once for all.
    ///
    /// - Parameters:
    ///   - source: the source from which the package takes HSLink.
    ///   - pins: the text of the initial Package.resolved; nil for none.
    static func workspace(_ name: ScaffoldName, _ source: PackageSource, pins: String?) -> Scaffold {
        let service = ServiceNames(contract: "\(name.text)Contract", subject: name.text)
        let (provider, consumer) = (name.part("Greeter"), name.part("Guest"))
        func path(_ name: ScaffoldName) -> String { "Sources/\(name.text)/\(name.text).swift" }
        var files: [(path: String, content: Content)] = [
            ("Package.swift", .text(workspaceManifest(name, source))),
            ("Sources/\(service.contract)/\(service.type).swift", .text(Scaffold.service(service))),
            (path(provider), .text(providingComponent(provider, service))),
            (path(consumer), .text(usingComponent(consumer, service))),
            (path(name), .text(workspaceProgram(name, consumer))),
            ("Tests/\(name.text)Tests/\(name.text)Tests.swift", .text(workspaceTests(name, service))),
            ("component.map", .text(symbolMap)),
            (".gitignore", .text("/.build/\n/.swiftpm/\n")),
            ("README.md", .text(workspaceReadme(name, consumer))),
        ]
        if let pins { files.append(("Package.resolved", .text(pins))) }
        return Scaffold(files: files)
    }

    private static func workspaceManifest(_ name: ScaffoldName, _ source: PackageSource) -> String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let kit = Target.Dependency.\(source.product("ComponentKit").dropFirst())
        let host = Target.Dependency.\(source.product("ComponentHost").dropFirst())

        /// The components. Each is a folder in Sources, and becomes a file libNAME.so.
        let components = ["\(name.text)Greeter", "\(name.text)Guest"]

        /// Returns the target of a component. hslink_component is the only symbol that its file exports.
        func component(_ name: String) -> Target {
            .target(
                name: name, dependencies: ["\(name.text)Contract", kit],
                linkerSettings: [
                    .unsafeFlags(["-Xlinker", "--version-script=\\(Context.packageDirectory)/component.map"])
                ])
        }

        let package = Package(
            name: "\(name.text)",
            products: components.map { .library(name: $0, type: .dynamic, targets: [$0]) },
            dependencies: [
                \(source.declaration)
            ],
            targets: components.map(component) + [
                // What components share: each compiles it in, and none depends on another.
                .target(name: "\(name.text)Contract", dependencies: [kit]),
                // The program, which finds the components when it runs.
                .executableTarget(name: "\(name.text)", dependencies: ["\(name.text)Contract", host, kit]),
                .testTarget(
                    name: "\(name.text)Tests",
                    dependencies: components.map { .init(stringLiteral: $0) } + ["\(name.text)Contract", host, kit]),
            ]
        )

        """
    }

    private static func workspaceProgram(_ name: ScaffoldName, _ consumer: ScaffoldName) -> String {
        """
        import ComponentHost
        import ComponentKit

        /// Lists the components in directories, and calls one: `\(name.text) DIRECTORY…`.
        @main
        struct \(name.text) {
            static func main() async {
                let host = LinkHost(components: Array(CommandLine.arguments.dropFirst()))
                for component in host.components { print(component.name, component.manifest.version, component.state) }
                do {
                    print(try await host.call("\(consumer.linkClass)", "greet", ["name": "Ada"], timeout: .seconds(10)))
                } catch {
                    // A component may be missing or broken, and the program continues without it.
                    print("no answer:", error)
                }
                await host.stop()
            }
        }

        """
    }

    private static func workspaceTests(_ name: ScaffoldName, _ service: ServiceNames) -> String {
        let (provider, consumer) = (name.part("Greeter"), name.part("Guest"))
        return """
            import ComponentHost
            import ComponentKit
            import Testing
            import \(service.contract)
            import \(provider.text)
            import \(consumer.text)

            @Suite("\(name.text)")
            struct \(name.text)Tests {
                /// A host without directories. It finds the components, which are linked into the tests.
                let host = LinkHost(components: [])

                @Test("the provider greets through the contract")
                func provider() async throws {
                    let service = try host.service(\(service.type)Client.self)
                    #expect(try await service.greet(name: "Ada").text == "Hello, Ada!")
                }

                @Test("the consumer is greeted by the provider")
                func consumer() async throws {
                    let greeting = try await host.call("\(consumer.linkClass)", "greet", ["name": "Ada"])
                    #expect(greeting == "Hello, Ada! How are you?")
                }
            }

            """
    }

    private static func workspaceReadme(_ name: ScaffoldName, _ consumer: ScaffoldName) -> String {
        """
        # \(name.text)

        Components for HSLink hosts, the contract between them, and a program that hosts them, in one package: the libraries
        and macros of HSLink, and swift-syntax, are compiled once for all.

            swift build
            hslink call \(consumer.linkClass) greet name=Ada --plugins .build/debug
            .build/debug/\(name.text) .build/debug

        `swift test` runs the tests. `hslink dev --call '\(consumer.linkClass) greet name=Ada'` rebuilds the components and makes
        the call whenever a source changes.

        | folder in Sources | contents |
        |---|---|
        | `\(name.text)Contract` | a service and its model; components depend on it, and not on each other |
        | `\(name.text)Greeter` | a component that provides the service |
        | `\(consumer.text)` | a component that uses it |
        | `\(name.text)` | the program |

        For another component, make a folder in Sources and add its name to `components` in `Package.swift`. Building requires
        the headers of libffi (`libffi-dev` on Debian), which hosts use to call described C libraries.

        """
    }
}
