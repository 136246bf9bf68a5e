import Testing

@Suite("What the macros for contracts refuse")
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
                "2:6 the provider may be missing or fail: write `throws` after the parameters",
                fixIts: ["let it throw: (name: String) async throws -> Int"]),
            service(
                "func signIn()", "2:6 the provider may be missing or fail: write `throws` after the parameters",
                fixIts: ["let it throw: () throws"]),
            service(
                "func signIn() throws(SignInError)",
                "2:22 the call itself may fail, with LinkError: write `throws`; errors that are models arrive as themselves",
                fixIts: ["throw any error: () throws"]),
            service(
                "func watch(_ told: @Sendable (Int) async throws -> Void) throws",
                "2:20 a closure is called from another component, also after the call: write @escaping",
                fixIts: ["add @escaping: @escaping @Sendable (Int) async throws -> Void"]),
            service(
                "static func signIn() throws",
                "2:1 a service is an instance: take `static` away, or offer the function on a class of its own"),
            service("var name: String { get }", "2:1 a service has functions only: write this as a function"),
            service(
                "func a() throws\nfunc a(b: Int) throws",
                "3:6 there is a selector \"a\" already: a selector is found by its name alone, so it can't be "
                    + "overloaded; rename one of the functions, or give one another name by @Selector(\"…\")"),
            Bad(
                source: "@LinkService(\"a/1\") protocol P {}",
                diagnostics: ["1:30 a service is used from any thread: let the protocol inherit from Sendable"],
                fixIts: ["inherit from Sendable: P: Sendable"]),
            Bad(
                source: "@LinkService(\"a/1\") protocol P: Sendable, Hashable {}",
                diagnostics: [
                    "1:43 a service inherits from Sendable only: the macro doesn't see the functions of other protocols"
                ]),
            Bad(
                source: "@LinkService(\"a\") protocol P: Sendable {}",
                diagnostics: [
                    "1:14 service \"a\": expected letters, digits, dots and hyphens, then a slash and a "
                        + "revision number, such as \"com.example.account/1\""
                ]),
            Bad(
                source: "@LinkService(\"a/1\") struct P {}",
                diagnostics: ["1:1 @LinkService belongs on a protocol: its functions are the service"]),
        ])
    func services(_ bad: Bad) { check(bad) }

    @Test(
        "models",
        arguments: [
            Bad(
                source: "@Model class User {}",
                diagnostics: [
                    "1:1 @Model belongs on a struct or an enum: a model is copied; instances of classes travel by "
                        + "reference, as @LinkClass"
                ]),
            Bad(
                source: "@Model struct User<T> {}",
                diagnostics: [
                    "1:19 a generic type can't be described to hosts: write one model for each type that is used"
                ]),
            Bad(
                source: "@Model struct User { var age = 3 }",
                diagnostics: [
                    "1:26 write the type of \"age\": the macro sees the source only, and hosts are told the type"
                ]),
            Bad(
                source: "@Model struct User { @State var age: Int }",
                diagnostics: [
                    "1:22 a property with an attribute may be stored elsewhere: a model has plain properties only"
                ]),
            Bad(
                source: "@Model struct User { var payload: Int }",
                diagnostics: [
                    "1:26 a model has a property \"payload\" by its conformance: give this one another name"
                ]),
            Bad(
                source: "@Model struct User {\n#if DEBUG\nvar age: Int\n#endif\n}",
                diagnostics: [
                    "2:1 properties can't stand inside #if, since the macro does not know which branch counts: put the #if "
                        + "around the whole type, or inside of functions"
                ]),
            Bad(
                source: "@Model enum Shape { case a(x: Int), a(y: Int) }",
                diagnostics: ["1:37 cases travel by their names alone: give one of the cases \"a\" another name"]),
            Bad(
                source: "@Model struct User { lazy var age: Int = 3 }",
                diagnostics: ["1:22 a lazy property is no value of a model: make it computed"]),
            Bad(
                source: "@Model struct User { var done: @Sendable () async throws -> Void }",
                diagnostics: ["1:32 a model holds values: pass the closure as a parameter of its own"]),
            Bad(
                source: "@Model struct User { var account: any AccountService }",
                diagnostics: ["1:35 a model holds values: pass the service as a parameter of its own"]),
            Bad(
                source: "func f() { @Model struct User {} }",
                diagnostics: [
                    "1:26 @Model can't describe a type that stands in a function: move it out of the function"
                ]),
        ])
    func models(_ bad: Bad) { check(bad) }
}
