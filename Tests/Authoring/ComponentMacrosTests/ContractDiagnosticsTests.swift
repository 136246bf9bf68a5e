import Testing

@Suite("Errors of the macros for contracts")
struct ContractDiagnosticsTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        let source: String
        let diagnostics: [String]
        var fixIts: [String] = []

        var testDescription: String { diagnostics.joined(separator: "; ") }
    }

    /// A service `P` with these members.
    static func service(_ members: String, _ diagnostics: String..., fixIts: [String] = []) -> Bad {
        Bad(
            source: "@LinkService(\"a/1\") protocol P: Sendable {\n\(members)\n}", diagnostics: diagnostics,
            fixIts: fixIts)
    }

    private func check(_ bad: Bad) {
        let expansion = Expansion(of: bad.source)
        #expect(expansion.diagnostics == bad.diagnostics)
        #expect(expansion.fixIts == bad.fixIts)
    }

    @Test(
        "services",
        arguments: [
            service(
                "func signIn(name: String) async -> Int",
                "2:6 the provider may be missing or fail: add `throws` after the parameters",
                fixIts: ["add `throws`: (name: String) async throws -> Int"]),
            service(
                "func signIn()", "2:6 the provider may be missing or fail: add `throws` after the parameters",
                fixIts: ["add `throws`: () throws"]),
            service(
                "func signIn() throws(SignInError)",
                "2:22 the call itself may fail with LinkError: write `throws`; errors marked @Model keep their type",
                fixIts: ["throw any error: () throws"]),
            service(
                "func watch(_ told: @Sendable (Int) async throws -> Void) throws",
                "2:20 another component may call the closure after the function has returned: write @escaping",
                fixIts: ["add @escaping: @escaping @Sendable (Int) async throws -> Void"]),
            service(
                "static func signIn() throws",
                "2:1 a service is called on an instance: remove `static`, or mark the protocol with kind: .class"),
            Bad(
                source: "@LinkService(\"a/1\", arguments: Options.self, kind: .class) protocol P: Sendable {}",
                diagnostics: [
                    "1:32 a service of class methods has no instances that could be made with arguments: remove one of "
                        + "both"
                ]),
            Bad(
                source: "@LinkService(\"a/1\", kind: .both) protocol P: Sendable {}",
                diagnostics: ["1:27 expected one of .object, .class, found .both"]),
            service(
                "func films(limit: Int = 3) throws",
                "2:23 a protocol can't have default values: remove this one, and write a function without \"limit\" in "
                    + "an extension of the protocol, which calls films with it"),
            service(
                "@Selector(.quick) func films() async throws",
                "2:11 a quick method runs on the thread of the caller, and films is async: remove .quick"),
            service("var name: String { get }", "2:1 a service can only have functions: make this a function"),
            service(
                "func a() throws\nfunc a(b: Int) throws",
                "3:6 duplicate selector \"a\": callers find a selector by its name alone, so it can't be "
                    + "overloaded; rename one of the functions, or change its selector with @Selector(\"…\")"),
            Bad(
                source: "@LinkService(\"a/1\") protocol P {}",
                diagnostics: ["1:30 a service is used from any thread: make the protocol inherit from Sendable"],
                fixIts: ["inherit from Sendable: P: Sendable"]),
            Bad(
                source: "@LinkService(\"a/1\") protocol P: Sendable, Hashable {}",
                diagnostics: [
                    "1:43 a service can inherit only from Sendable: the macro can't see the functions of other "
                        + "protocols"
                ]),
            Bad(
                source: "@LinkService(\"a\") protocol P: Sendable {}",
                diagnostics: [
                    "1:14 the service \"a\" is invalid: expected letters, digits, dots and hyphens, then a slash and a "
                        + "revision number, such as \"com.example.account/1\""
                ]),
            Bad(
                source: "@LinkService(\"a/1\") struct P {}",
                diagnostics: ["1:1 @LinkService can only be attached to a protocol"]),
        ])
    func services(_ bad: Bad) { check(bad) }

    @Test(
        "models",
        arguments: [
            Bad(
                source: "@Model class User {}",
                diagnostics: [
                    "1:1 @Model can only be attached to a struct or an enum, because models are copied: use @LinkClass "
                        + "for a class, whose instances are passed by reference"
                ]),
            Bad(
                source: "@Model(.sparse) enum Shape { case a }",
                diagnostics: ["1:1 an enum has no properties to leave out: remove .sparse"]),
            Bad(
                source: "@Model(.spars) struct User {}", diagnostics: ["1:8 expected .sparse, found .spars"]),
            Bad(
                source: "@Model struct User<T> {}",
                diagnostics: [
                    "1:19 a generic type can't be described in the manifest: write a model for each type that is used"
                ]),
            Bad(
                source: "@Model struct User { var age = 3 }",
                diagnostics: [
                    "1:26 property \"age\" needs an explicit type: the macro writes it into the manifest and can't "
                        + "infer it"
                ]),
            Bad(
                source: "@Model struct User { @State var age: Int }",
                diagnostics: [
                    "1:22 an attribute can move the storage of a property: a model supports only plain properties"
                ]),
            Bad(
                source: "@Model struct User { private var age: Int }",
                diagnostics: [
                    "1:34 the private property \"age\" does not travel, so it needs a default value: add one, or "
                        + "remove private"
                ]),
            Bad(
                source: "@Model struct User { var reason: any Error }",
                diagnostics: [
                    "1:34 any Error does not tell which errors there are: use a @Model that conforms to Error"
                ]),
            Bad(
                source: "@Model struct User { var payload: Int }",
                diagnostics: [
                    "1:26 a model can't declare a property \"payload\": rename it, because @Model generates \"payload\""
                ]),
            Bad(
                source: "@Model struct User {\n#if DEBUG\nvar age: Int\n#endif\n}",
                diagnostics: [
                    "2:1 properties can't be declared inside #if, because the macro can't tell which branch is active: "
                        + "put the #if around the whole type, or inside functions"
                ]),
            Bad(
                source: "@Model enum Shape { case a(x: Int), a(y: Int) }",
                diagnostics: ["1:37 a case is identified by its name alone: rename one of the cases \"a\""]),
            Bad(
                source: "@Model struct User { lazy var age: Int = 3 }",
                diagnostics: ["1:22 a model can't have a lazy property: make it computed"]),
            Bad(
                source: "@Model struct User { var done: @Sendable () async throws -> Void }",
                diagnostics: ["1:32 a model can't contain a closure: pass it as a separate parameter"]),
            Bad(
                source: "@Model struct User { var account: any AccountService }",
                diagnostics: ["1:35 a model can't contain a service: pass it as a separate parameter"]),
            Bad(
                source: "func f() { @Model struct User {} }",
                diagnostics: [
                    "1:26 @Model can't be used on a type inside a function: move the type out of the function"
                ]),
        ])
    func models(_ bad: Bad) { check(bad) }
}
