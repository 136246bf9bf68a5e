import Testing

@Suite("What the macros for authors refuse")
struct AuthorDiagnosticsTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        let source: String
        let diagnostics: [String]
        var fixIts: [String] = []

        var testDescription: String { diagnostics.joined(separator: "; ") }
    }

    /// A class `Video` with these members.
    static func linkClass(_ members: String, _ diagnostics: String..., fixIts: [String] = []) -> Bad {
        Bad(source: "@LinkClass final class Video {\n\(members)\n}", diagnostics: diagnostics, fixIts: fixIts)
    }

    private func check(_ bad: Bad) {
        let expansion = Expansion(of: bad.source)
        #expect(expansion.diagnostics == bad.diagnostics)
        #expect(expansion.fixIts == bad.fixIts)
    }

    @Test(
        "selectors",
        arguments: [
            linkClass(
                "@Selector func probe(path: String) {}\n@Selector func probe(url: String) {}",
                "3:16 there is a selector \"probe\" already: a selector is found by its name alone, so it can't be "
                    + "overloaded; rename one of the functions, or give one another name by @Selector(\"…\")"),
            linkClass(
                "@Selector func probe() {}\n@Selector(\"probe\") func other() {}",
                "3:25 there is a selector \"probe\" already: a selector is found by its name alone, so it can't be "
                    + "overloaded; rename one of the functions, or give one another name by @Selector(\"…\")"),
            linkClass(
                "@Selector func probe() {}\n@Selector func proBe() {}",
                "3:16 the selectors \"probe\" and \"proBe\" differ by case only: rename one of them"),
            linkClass(
                "@Selector func probe<T>(path: T) {}",
                "2:21 a generic function can't be called by name: write it for the types that callers use"),
            linkClass(
                "@Selector func probe(path: some Hashable) {}",
                "2:28 a generic parameter can't be called by name: write a type, or `any` and a protocol marked "
                    + "@LinkService"),
            linkClass(
                "@Selector func probe(path: inout String) {}",
                "2:28 an inout parameter can't change a variable on the other side: return the new value instead"),
            linkClass(
                "@Selector func probe(_: String) {}",
                "2:22 a parameter needs a name: it is the key under which callers pass it"),
            linkClass(
                "@Selector func probe(a x: Int, a y: Int) {}",
                "2:32 two parameters have the key \"a\": give one of them another label"),
            linkClass(
                "@Selector func probe(paths: String...) {}",
                "2:22 a list of arguments can't be passed by name: take an array instead"),
            linkClass(
                "@Selector(\"+a\") func probe() {}",
                "2:11 selector \"+a\": expected 1 to 255 bytes without control characters, no leading \"+\""),
            linkClass(
                "@Selector static func + (a: Int, b: Int) -> Int { 0 }",
                "2:23 an operator can't be called by name: give the function a name"),
            linkClass(
                "@Selector func probe() -> some Sequence { [1] }",
                "2:27 callers can't know what `some` stands for: write the type, as in "
                    + "AsyncThrowingStream<Int, any Error>"),
            linkClass(
                "@Selector func probe() -> any AsyncSequence<Int, any Error> { stream }",
                "2:27 a stream is read on another thread than it is made on: return a type that is Sendable too",
                fixIts: ["add & Sendable: any AsyncSequence<Int, any Error> & Sendable"]),
            linkClass(
                "@Selector func probe() -> () -> Int { { 1 } }",
                "2:27 a closure is called from another component, from any thread, and the call may fail: write it as "
                    + "@Sendable () async throws -> Int",
                fixIts: ["make it @Sendable, async and throwing: @escaping @Sendable () async throws -> Int"]),
            linkClass(
                "@Selector func probe(done: @escaping (Int) -> Void) {}",
                "2:28 a closure is called from another component, from any thread, and the call may fail: write it as "
                    + "@Sendable (Int) async throws -> Void",
                fixIts: ["make it @Sendable, async and throwing: @escaping @Sendable (Int) async throws -> Void"]),
            linkClass(
                "@Selector func probe(done: (() -> Void)?) {}",
                "2:28 a closure is called from another component, from any thread, and the call may fail: write it as "
                    + "(@Sendable () async throws -> Void)?",
                fixIts: ["make it @Sendable, async and throwing: (@Sendable () async throws -> Void)?"]),
            linkClass(
                "@Selector var length: Int { 1 }",
                "2:1 @Selector belongs on a function: only functions are called by name"),
        ])
    func selectors(_ bad: Bad) { check(bad) }

    @Test(
        "link classes",
        arguments: [
            Bad(
                source: "@LinkClass class Video {}",
                diagnostics: [
                    "1:12 a link class has to be final: its methods are in a table, which a subclass could not override"
                ],
                fixIts: ["make it final: final class"]),
            Bad(
                source: "@LinkClass public class Video {}",
                diagnostics: [
                    "1:19 a link class has to be final: its methods are in a table, which a subclass could not override"
                ],
                fixIts: ["make it final: final class"]),
            Bad(
                source: "enum Media { @LinkClass private final class Video {} }",
                diagnostics: [
                    "1:25 @LinkClass writes an extension, which can't see a private type inside another: make it "
                        + "fileprivate"
                ],
                fixIts: ["make it fileprivate: fileprivate"]),
            Bad(
                source: "enum Media {\n@Model private struct Video { var a: Int } }",
                diagnostics: [
                    "2:8 @Model writes an extension, which can't see a private type inside another: make it fileprivate"
                ],
                fixIts: ["make it fileprivate: fileprivate"]),
            Bad(
                source: "@LinkClass struct Video {}",
                diagnostics: [
                    "1:1 @LinkClass belongs on a final class or an actor: instances are passed by reference"
                ]),
            Bad(
                source: "@LinkClass final class Video<T> {}",
                diagnostics: [
                    "1:29 a generic class can't be called by name: write one class for each type that callers use"
                ]),
            Bad(
                source: "@LinkClass(\"\") final class Video {}",
                diagnostics: ["1:12 class \"\": expected 1 to 255 bytes without control characters"]),
            Bad(
                source: "@LinkClass final class Video { init(name: String) {} }",
                diagnostics: [
                    "1:32 hosts make instances with init(_ context: ComponentContext): add one, or a default for each "
                        + "parameter here"
                ]),
            Bad(
                source: "@LinkClass(instances: .some) final class Video {}",
                diagnostics: ["1:23 expected one of .shared, .perCall, .perConsumer, found .some"]),
            Bad(
                source: "@LinkClass(provides: \"P\") final class Video {}",
                diagnostics: ["1:22 expected a type, as in (any AccountService).self, found \"P\""]),
            Bad(
                source: "@LinkClass final class Video {\n#if DEBUG\n@Selector func a() {}\n#endif\n}",
                diagnostics: [
                    "2:1 selectors and initialisers can't stand inside #if, since the macro does not know which branch "
                        + "counts: put the #if around the whole type, or inside of functions"
                ]),
            Bad(
                source: "@LinkClass @MainActor final class Video {}",
                diagnostics: [
                    "1:12 hosts make instances on the thread of the first call: mark the methods @MainActor, not the class"
                ]),
            Bad(
                source: "@LinkClass final class Video {}\nextension Video { @Selector func probe() {} }",
                diagnostics: [
                    "2:19 @Selector has no effect in an extension, which the macro on the class doesn't see: move the "
                        + "function into the class"
                ]),
            Bad(
                source: "final class Video { @Selector func probe() {} }",
                diagnostics: ["1:21 @Selector has an effect only in a class marked @LinkClass"]),
        ])
    func linkClasses(_ bad: Bad) { check(bad) }

    @Test(
        "components",
        arguments: [
            Bad(
                source: "@Component(version: \"1.0\") struct Video {}",
                diagnostics: ["1:21 version \"1.0\": expected a version such as \"1.0.0\" or \"1.0.0-beta.1\""],
                fixIts: ["write \"1.0.0\": \"1.0.0\""]),
            Bad(
                source: "@Component(version: \"1.0.0\") struct Video { init(name: String) {} }",
                diagnostics: ["1:45 hosts start the component with init(_ context: ComponentContext): add one"]),
            Bad(
                source: "@Component(\"a b\", version: \"1.0.0\") struct Video {}",
                diagnostics: [
                    "1:12 component \"a b\": expected a letter A-Z or a-z, then letters, digits, \"_\", \".\" or \"-\" only"
                ]),
            Bad(
                source: "let version = \"1.0.0\"\n@Component(version: version) struct Video {}",
                diagnostics: [
                    "2:21 expected a plain string literal here: a macro sees the source of its argument, not its value"
                ]),
            Bad(
                source: "@Component(version: \"1.0.0\") enum Video {}",
                diagnostics: ["1:1 @Component belongs on a struct, a class or an actor: the component's life"]),
            Bad(
                source: "@Component(version: \"1.0.0\", requires: [.host]) struct Video {}",
                diagnostics: ["1:41 expected .component(…), .class(…) or .service(…), found .host"]),
            Bad(
                source: "@Component(version: \"1.0.0\", requires: [.class(\"A\", optional: isTrue)]) struct Video {}",
                diagnostics: ["1:63 write true or false: a macro sees the source only"]),
        ])
    func components(_ bad: Bad) { check(bad) }
}
