// The texts of a component that has a subclass of HSLinkClass.
extension Scaffold {
    /// The class by which the program provides what the component requires.
    private static func programClass(_ name: ScaffoldName) -> String { "\(name.text)Host" }

    static func providingMethods(_ name: ScaffoldName) -> String {
        """
        import ComponentKit

        /// The component's side of the bridge. The program calls its providing methods, which are here, by the names of the
        /// functions and their parameters. Its requiring methods, in Requiring.swift, call the program.
        @LinkClass
        // Unchecked: adds no state to its superclass.
        final class \(name.linkClass): HSLinkClass, @unchecked Sendable {
            /// Greets by name, also when the URL \(name.scheme)://greet/Ada is opened.
            @Route("\(name.scheme)://greet/:name")
            @Selector func greet(name: String) async -> String {
                let greeting = await programGreeting() ?? "Hello"
                return "\\(greeting), \\(name)!"
            }
        }

        """
    }

    static func requiringMethods(_ name: ScaffoldName) -> String {
        """
        import ComponentKit

        // What the component requires, the program provides in its own subclass of HSLinkClass.
        extension \(name.linkClass) {
            /// Returns the greeting that the program uses; nil if it does not provide one.
            func programGreeting() async -> String? {
                await withCheckedContinuation { greeting in
                    hsObjectMethod(className: "\(programClass(name))", performSelectorStr: "greeting") {
                        returnValue, performSuccess, classIsLoad in
                        greeting.resume(returning: try? returnValue?.string())
                    }
                }
            }
        }

        """
    }

    static func bridgeTests(_ name: ScaffoldName) -> String {
        """
        import ComponentHost
        import ComponentKit
        import Testing
        import \(name.text)

        /// The program's side of the bridge. A program that uses the component has such a class.
        @LinkClass
        // Unchecked: adds no state to its superclass.
        final class \(programClass(name)): HSLinkClass, @unchecked Sendable {
            /// Provides what the component requires.
            @Selector func greeting() -> String { "Welcome" }

            /// Requires what the component provides; nil if it is missing or has failed.
            func greet(name: String) async -> String? {
                await withCheckedContinuation { answer in
                    hsObjectMethod(
                        className: "\(name.linkClass)", performSelectorStr: "greet", param: ["name": .string(name)]
                    ) { returnValue, performSuccess, classIsLoad in
                        answer.resume(returning: try? returnValue?.string())
                    }
                }
            }
        }

        @Suite("\(name.text)")
        struct \(name.text)Tests {
            /// A host without directories, for a program with this class. It finds the component, which is linked into the
            /// tests.
            let host = LinkHost(components: [], provides: [ProvidedClass(\(programClass(name)).self)])

            @Test("greets as the program does, by name and by URL")
            func greet() async throws {
                let program = \(programClass(name)).shareObject(host.link)
                #expect(program.isAvailable(className: "\(name.linkClass)", selector: "greet"))
                #expect(await program.greet(name: "Ada") == "Welcome, Ada!")
                #expect(try await host.open("\(name.scheme)://greet/Ada") == "Welcome, Ada!")
            }

            @Test("greets in a program that provides nothing")
            func alone() async throws {
                let host = LinkHost(components: [])
                #expect(try await host.call("\(name.linkClass)", "greet", ["name": "Ada"]) == "Hello, Ada!")
            }

            @Test("a payload without a name is refused")
            func missing() async {
                await #expect(throws: LinkError.self) { try await host.call("\(name.linkClass)", "greet", [:]) }
            }
        }

        """
    }

    /// A paragraph for the README.
    static func otherSide(_ name: ScaffoldName) -> String {
        """

        A program calls the methods in `Sources/\(name.text)/Providing.swift`, and provides those in `Requiring.swift` with a
        class `\(programClass(name))`, of which the tests have an example. Each side works without the other.

        """
    }
}
