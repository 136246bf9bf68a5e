extension Scaffold {
    /// Returns a program that hosts components and provides them with a link class of its own.
    static func host(_ name: ScaffoldName, _ source: PackageSource, pins: String?) -> Scaffold {
        let home = "\(name.text)Home"
        var files: [(path: String, content: Content)] = [
            ("Package.swift", .text(hostManifest(name, source))),
            ("Sources/\(name.text)/\(name.text).swift", .text(hostProgram(name, home))),
            ("Sources/\(name.text)/\(home).swift", .text(hostClass(name, home))),
            ("Tests/\(name.text)Tests/\(name.text)Tests.swift", .text(hostTests(name, home))),
            ("components/.gitignore", .text("*.so\n")),
            (".gitignore", .text("/.build/\n/.swiftpm/\n")),
            ("README.md", .text(hostReadme(name, home))),
        ]
        if let pins { files.append(("Package.resolved", .text(pins))) }
        return Scaffold(files: files)
    }

    private static func hostManifest(_ name: ScaffoldName, _ source: PackageSource) -> String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(name.text)",
            dependencies: [
                \(source.declaration)
            ],
            targets: [
                .executableTarget(
                    name: "\(name.text)",
                    dependencies: [
                        \(source.product("ComponentHost")),
                        \(source.product("ComponentKit")),
                    ]),
                .testTarget(
                    name: "\(name.text)Tests",
                    dependencies: [
                        "\(name.text)", \(source.product("ComponentHost")),
                        \(source.product("ComponentKit")),
                    ]),
            ]
        )

        """
    }

    private static func hostProgram(_ name: ScaffoldName, _ home: String) -> String {
        """
        import ComponentHost
        import ComponentKit

        /// Lists the components in a directory and makes a call: `\(name.text) [DIRECTORY [CLASS SELECTOR [JSON]]]`.
        @main
        struct \(name.text) {
            static func main() async {
                let words = Array(CommandLine.arguments.dropFirst())
                let host = makeHost(components: words.first ?? "components")
                for component in host.components {
                    print(component.name, component.manifest.version, component.state, component.reason)
                }
                for file in host.catalog.rejectedFiles { print(file.path, "is not used:", file.reason) }
                if words.count > 2 {
                    do {
                        let payload = words.count > 3 ? try Payload(json: words[3]) : .null
                        print(try await host.call(words[1], words[2], payload, timeout: .seconds(10)))
                    } catch {
                        // A component may be missing or broken, and the program continues without it.
                        print("no answer:", error)
                    }
                }
                await host.stop()
            }

            /// Creates a host over the directory. Its components may call `\(home)`.
            static func makeHost(components directory: String) -> LinkHost {
                LinkHost(components: [directory], provides: [ProvidedClass(\(home).self)])
            }
        }

        """
    }

    private static func hostClass(_ name: ScaffoldName, _ home: String) -> String {
        """
        import ComponentKit

        /// The class that this program offers to its components, which call it like any other link class.
        @LinkClass
        final class \(home) {
            /// The name of the program.
            @Selector(.quick) func name() -> String { "\(name.text)" }
        }

        """
    }

    private static func hostTests(_ name: ScaffoldName, _ home: String) -> String {
        """
        import ComponentHost
        import ComponentKit
        import Testing

        @testable import \(name.text)

        @Suite("\(name.text)")
        struct \(name.text)Tests {
            @Test("starts without components and answers calls to its own class")
            func own() async throws {
                let host = \(name.text).makeHost(components: "/nowhere")
                #expect(host.components.isEmpty)
                #expect(try await host.call("\(home)", "name") == "\(name.text)")
                await host.stop()
            }
        }

        """
    }

    private static func hostReadme(_ name: ScaffoldName, _ home: String) -> String {
        """
        # \(name.text)

        A program that hosts HSLink components.

            swift build
            .build/debug/\(name.text) components \(home) name

        It lists the components in the folder `components` and calls a selector. Put a component's `.so` there, or let
        `hslink dev --components components` do so while you develop one. `swift test` runs the tests.

        Building requires the headers of libffi (`libffi-dev` on Debian), which hosts use to call described C libraries.

        """
    }
}
