import Testing

@Suite("Errors of the macros for authors")
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
                "3:16 duplicate selector \"probe\": callers find a selector by its name alone, so it can't be "
                    + "overloaded; rename one of the functions, or change its selector with @Selector(\"…\")"),
            linkClass(
                "@Selector func probe() {}\n@Selector(\"probe\") func other() {}",
                "3:25 duplicate selector \"probe\": callers find a selector by its name alone, so it can't be "
                    + "overloaded; rename one of the functions, or change its selector with @Selector(\"…\")"),
            linkClass(
                "@Selector func probe() {}\n@Selector func proBe() {}",
                "3:16 the selectors \"probe\" and \"proBe\" differ only in case: rename one of them"),
            linkClass(
                "@Selector func probe<T>(path: T) {}",
                "2:21 a generic function can't be called by name: replace the generic parameters with concrete types"),
            linkClass(
                "@Selector func probe(path: some Hashable) {}",
                "2:28 an opaque type can't be passed: use a concrete type, or `any` with a protocol marked "
                    + "@LinkService"),
            linkClass(
                "@Selector func probe(path: inout String) {}",
                "2:28 an inout parameter can't change the caller's variable: return the new value instead"),
            linkClass(
                "@Selector func probe(_: String) {}",
                "2:22 a parameter needs a name: callers pass the argument under this name"),
            linkClass(
                "@Selector func probe(a x: Int, a y: Int) {}",
                "2:32 two parameters have the key \"a\": change the label of one of them"),
            linkClass(
                "@Selector func probe(paths: String...) {}",
                "2:22 a variadic parameter can't be passed by name: use an array instead"),
            linkClass(
                "@Selector(\"+a\") func probe() {}",
                "2:11 the selector \"+a\" is invalid: expected 1 to 255 bytes without control characters, no leading "
                    + "\"+\""),
            linkClass(
                "@Selector static func + (a: Int, b: Int) -> Int { 0 }",
                "2:23 an operator can't be a selector: use a named function"),
            linkClass(
                "@Selector func probe() -> some Sequence { [1] }",
                "2:27 callers can't see the type behind `some`: write the type, such as "
                    + "AsyncThrowingStream<Int, any Error>"),
            linkClass(
                "@Selector func probe() -> any AsyncSequence<Int, any Error> { stream }",
                "2:27 a stream is created and read on different threads: add & Sendable to the result type",
                fixIts: ["add & Sendable: any AsyncSequence<Int, any Error> & Sendable"]),
            linkClass(
                "@Selector func probe() -> () -> Int { { 1 } }",
                "2:27 another component may call this closure from any thread, and the call may fail: write its type "
                    + "as @Sendable () async throws -> Int",
                fixIts: ["make it @Sendable, async and throwing: @escaping @Sendable () async throws -> Int"]),
            linkClass(
                "@Selector func probe(done: @escaping (Int) -> Void) {}",
                "2:28 another component may call this closure from any thread, and the call may fail: write its type "
                    + "as @Sendable (Int) async throws -> Void",
                fixIts: ["make it @Sendable, async and throwing: @escaping @Sendable (Int) async throws -> Void"]),
            linkClass(
                "@Selector func probe(done: (() -> Void)?) {}",
                "2:28 another component may call this closure from any thread, and the call may fail: write its type "
                    + "as (@Sendable () async throws -> Void)?",
                fixIts: ["make it @Sendable, async and throwing: (@Sendable () async throws -> Void)?"]),
            linkClass(
                "@Selector(.quick) func probe() async {}",
                "2:11 a quick method runs on the thread of the caller, and probe is async: remove .quick"),
            linkClass(
                "@Selector(.quick) @MainActor func show() {}",
                "2:11 a quick method runs on the thread of the caller, and show runs on the main thread: remove "
                    + ".quick"),
            Bad(
                source: "@LinkClass actor Video { @Selector(.quick) func probe() {} }",
                diagnostics: [
                    "1:36 a quick method runs on the thread of the caller, and probe waits for its actor: remove "
                        + ".quick, or mark the function nonisolated"
                ]),
            linkClass(
                "@Selector private func probe() {}",
                "2:11 a private function can't be a selector, because every component can call selectors: remove "
                    + "private, or the attribute that makes it one"),
            linkClass(
                "@Route(\"/a\") fileprivate func open() {}",
                "2:14 a fileprivate function can't be a selector, because every component can call selectors: remove "
                    + "fileprivate, or the attribute that makes it one"),
            linkClass(
                "@Selector func probe(at: (Int, Int)) {}",
                "2:26 a tuple can't be passed: declare a struct with these values, and mark it @Model"),
            linkClass(
                "@Selector func probe(path: [String: Any]) {}",
                "2:28 Any does not tell what is passed: use Payload for any value, or a @Model"),
            linkClass(
                "@Selector func probe(path: any Error) {}",
                "2:28 any Error does not tell which errors there are: use a @Model that conforms to Error"),
            linkClass(
                "@Selector func probe(path: (any Swift.Error)?) {}",
                "2:28 any Error does not tell which errors there are: use a @Model that conforms to Error"),
            linkClass(
                "@Selector func probe() -> [any Hashable] { [] }",
                "2:27 any Hashable can't be passed, because Hashable is no contract: use a concrete type, or `any` "
                    + "with a protocol marked @LinkService"),
            linkClass(
                "@Selector var length: Int { 1 }",
                "2:1 @Selector can only be attached to a function"),
        ])
    func selectors(_ bad: Bad) { check(bad) }

    @Test(
        "link classes",
        arguments: [
            Bad(
                source: "@LinkClass class Video {}",
                diagnostics: [
                    "1:12 a link class must be final: callers use its method table, which a subclass could not override"
                ],
                fixIts: ["make it final: final class"]),
            Bad(
                source: "@LinkClass public class Video {}",
                diagnostics: [
                    "1:19 a link class must be final: callers use its method table, which a subclass could not override"
                ],
                fixIts: ["make it final: final class"]),
            Bad(
                source: "enum Media { @LinkClass private final class Video {} }",
                diagnostics: [
                    "1:25 @LinkClass generates an extension, which can't access a private nested type: make the type "
                        + "fileprivate"
                ],
                fixIts: ["make it fileprivate: fileprivate"]),
            Bad(
                source: "enum Media {\n@Model private struct Video { var a: Int } }",
                diagnostics: [
                    "2:8 @Model generates an extension, which can't access a private nested type: make the type "
                        + "fileprivate"
                ],
                fixIts: ["make it fileprivate: fileprivate"]),
            Bad(
                source: "@LinkClass struct Video {}",
                diagnostics: [
                    "1:1 @LinkClass can only be attached to a final class or an actor: instances are passed by "
                        + "reference"
                ]),
            Bad(
                source: "@LinkClass final class Video<T> {}",
                diagnostics: [
                    "1:29 a generic class can't be called by name: write a class for each type that callers use"
                ]),
            Bad(
                source: "@LinkClass(\"\") final class Video {}",
                diagnostics: ["1:12 the class \"\" is invalid: expected 1 to 255 bytes without control characters"]),
            Bad(
                source: "@LinkClass final class Video { init(name: String) {}\n@Selector func a() {} }",
                diagnostics: [
                    "1:32 hosts create instances with init(_ context: ComponentContext): add this initialiser, or give "
                        + "each parameter here a default value"
                ]),
            Bad(
                source: "@LinkClass(instances: .some) final class Video {}",
                diagnostics: ["1:23 expected one of .shared, .perCall, .perConsumer, found .some"]),
            Bad(
                source: "@LinkClass(provides: (any A).self, A.self) final class Video {}",
                diagnostics: ["1:36 duplicate type A: remove it"]),
            Bad(
                source: "@LinkClass(provides: \"P\") final class Video {}",
                diagnostics: ["1:22 expected a type such as (any AccountService).self, found \"P\""]),
            Bad(
                source: "@LinkClass final class Video {\n#if DEBUG\n@Selector func a() {}\n#endif\n}",
                diagnostics: [
                    "2:1 selectors and initialisers can't be declared inside #if, because the macro can't tell which "
                        + "branch is active: put the #if around the whole type, or inside functions"
                ]),
            Bad(
                source: "@LinkClass @MainActor final class Video {}",
                diagnostics: [
                    "1:12 hosts create instances on the thread of the first call: mark the methods @MainActor, not the "
                        + "class"
                ]),
            Bad(
                source: "@LinkClass final class Video { @Selector func a() {} }\n"
                    + "extension Video { @Selector func probe() {} }",
                diagnostics: [
                    "2:19 @Selector has no effect in an extension, because @LinkClass can't see extensions: move the "
                        + "function into the class"
                ]),
            Bad(
                source: "final class Video { @Selector func probe() {} }",
                diagnostics: [
                    "1:21 @Selector has no effect outside a class marked @LinkClass or a protocol marked @LinkService"
                ]),
        ])
    func linkClasses(_ bad: Bad) { check(bad) }

    @Test(
        "link classes that no component can call as meant",
        arguments: [
            Bad(
                source: "@LinkClass final class Video {}",
                diagnostics: [
                    "1:24 warning: Video has no selectors, so no component can call it: mark its functions with "
                        + "@Selector; if instances are only passed on, declare static let rows: "
                        + "[LinkMethod<Video>] = []"
                ]),
            Bad(
                source: "@LinkClass final class Video { let arrows = 1; func probe() throws {} }",
                diagnostics: [
                    "1:24 warning: Video has no selectors, so no component can call it: mark its functions with "
                        + "@Selector; if instances are only passed on, declare static let rows: "
                        + "[LinkMethod<Video>] = []"
                ]),
            Bad(
                source: "@LinkClass(\"V\", instances: .perCall) final class Video: Sendable, Greeter {}",
                diagnostics: [
                    "1:50 warning: Video has no selectors, so no component can call it: if Greeter is a contract, add "
                        + "provides: (any Greeter).self; otherwise mark its functions with @Selector; if instances are "
                        + "only passed on, declare static let rows: [LinkMethod<Video>] = []"
                ],
                fixIts: ["provide Greeter: @LinkClass(\"V\", provides: (any Greeter).self, instances: .perCall)"]),
            Bad(
                source: "@LinkClass(provides: (any A).self) final class Video: A, AccountService {}",
                diagnostics: [
                    "1:58 warning: Video conforms to AccountService without providing it, so no component finds it: "
                        + "add provides: (any AccountService).self, or conform to AccountService in an extension if it "
                        + "is not a contract"
                ],
                fixIts: [
                    "provide AccountService: @LinkClass(provides: (any A).self, (any AccountService).self)"
                ]),
            Bad(
                source: "@LinkClass final class Video: Contract.AccountService { @Selector func a() {} }",
                diagnostics: [
                    "1:31 warning: Video conforms to Contract.AccountService without providing it, so no component "
                        + "finds it: add provides: (any Contract.AccountService).self, or conform to "
                        + "Contract.AccountService in an extension if it is not a contract"
                ],
                fixIts: ["provide Contract.AccountService: @LinkClass(provides: (any Contract.AccountService).self)"]),
            Bad(
                source: "@LinkClass final class Video { static let rows: [LinkMethod<Video>] = [] }", diagnostics: []),
            Bad(
                source: "@LinkClass(provides: (any A.FilmService).self)\n"
                    + "final class Video: FilmServiceMaking, Codable, HSLinkClass {}", diagnostics: []),
        ])
    func unreachable(_ bad: Bad) { check(bad) }

    @Test(
        "components",
        arguments: [
            Bad(
                source: "@Component(version: \"1.0\") struct Video {}",
                diagnostics: [
                    "1:21 the version \"1.0\" is invalid: expected a version such as \"1.0.0\" or \"1.0.0-beta.1\""
                ],
                fixIts: ["write \"1.0.0\": \"1.0.0\""]),
            Bad(
                source: "@Component(version: \"1.0.0\") struct Video { init(name: String) {} }",
                diagnostics: [
                    "1:45 hosts create the component with init(_ context: ComponentContext): add this initialiser"
                ]),
            Bad(
                source: "@Component(\"a b\", version: \"1.0.0\") struct Video {}",
                diagnostics: [
                    "1:12 the component \"a b\" is invalid: expected a letter A-Z or a-z, then letters, digits, "
                        + "\"_\", \".\" or \"-\" only, and not \"host\", the host's own name"
                ]),
            Bad(
                source: "let version = \"1.0.0\"\n@Component(version: version) struct Video {}",
                diagnostics: [
                    "2:21 expected a plain string literal: a macro reads source code, not values"
                ]),
            Bad(
                source: "@Component(version: \"1.0.0\", configuration: String.self) struct Video {}",
                diagnostics: [
                    "1:45 the configuration can't be String: declare a struct with a property for each key, and mark "
                        + "it @Model"
                ]),
            Bad(
                source: "@Component(version: \"1.0.0\") @LinkClass final class Video { @Selector func a() {} }",
                diagnostics: [
                    "1:30 @Component and @LinkClass would both declare how the type is created: move the selectors "
                        + "into a class of their own"
                ]),
            Bad(
                source: "@Component(version: \"1.0.0\") enum Video {}",
                diagnostics: ["1:1 @Component can only be attached to a struct, a class or an actor"]),
            Bad(
                source: "@Component(version: \"1.0.0\", requires: [.host]) struct Video {}",
                diagnostics: ["1:41 expected .component(…), .class(…) or .service(…), found .host"]),
            Bad(
                source: "@Component(version: \"1.0.0\", requires: [.class(\"A\", optional: isTrue)]) struct Video {}",
                diagnostics: ["1:63 expected true or false: a macro reads source code, not values"]),
        ])
    func components(_ bad: Bad) { check(bad) }
}
