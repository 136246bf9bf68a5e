import Testing

@Suite("Errors of the macros for routes")
struct RouteDiagnosticsTests {
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
        "patterns",
        arguments: [
            linkClass(
                "@Route(\"studio://video/<\") func open() {}",
                "2:8 the pattern \"studio://video/<\" is invalid at byte 16: expected a name after \"<\""),
            linkClass("@Route func open() {}", "2:1 a route needs a pattern, as in @Route(\"studio://video/:id\")"),
            linkClass(
                "@Route(public: true) func open() {}",
                "2:1 a route needs a pattern, as in @Route(\"studio://video/:id\")"),
            linkClass(
                "@Route(pattern) func open() {}",
                "2:8 expected a plain string literal: a macro reads source code, not values"),
            linkClass(
                "@Route(\"/a\", \"/b/\\(c)\") func open() {}",
                "2:14 expected a plain string literal: a macro reads source code, not values"),
            linkClass(
                "@Route(\"/a\", public: isPublic) func open() {}",
                "2:22 expected true, false or the names of sources such as [\"browser\"]: a macro reads source code, "
                    + "not values"),
            linkClass(
                "@Route(\"/a\", public: []) func open() {}",
                "2:22 expected at least one source: write false for a route without one"),
            linkClass(
                "@Route(\"/a\", public: [\"a\", \"a\"]) func open() {}", "2:28 duplicate source \"a\": remove it"),
            linkClass(
                "@Route(\"/a\", tags: tags) func open() {}", "2:20 expected an array literal such as [\"signed-in\"]"),
            linkClass(
                "@Route(\"/a\", tags: [tag]) func open() {}",
                "2:21 expected a plain string literal: a macro reads source code, not values"),
            linkClass(
                "@Route(\"/a\", tags: [\"a\", \"a\"]) func open() {}", "2:26 duplicate tag \"a\": remove it"),
            linkClass(
                "@Route(\"/a\", priority: high) func open() {}",
                "2:24 expected an integer such as 10: a macro reads source code, not values"),
            linkClass(
                "@Route(\"/a\", priority: -1_000_001) func open() {}",
                "2:24 the priority -1000001 is invalid: expected an integer from -1000000 to 1000000"),
            linkClass(
                "@Route(\"/a\") @Route(\"/b\", public: false) func open() {}",
                "2:14 another @Route of this function has the same access, tags and priority: write all patterns in "
                    + "one @Route"),
        ])
    func patterns(_ bad: Bad) { check(bad) }

    @Test(
        "placeholders",
        arguments: [
            linkClass(
                "@Route(\"/video/:naem/name\") func open(id: Int?, name: String) {}",
                "2:8 the placeholder \"naem\" is not a parameter of open: did you mean \"name\"?",
                fixIts: ["write \"name\": \"/video/:name/name\""]),
            linkClass(
                "@Route(\"/video/:id\") func open() {}",
                "2:8 the placeholder \"id\" is not a parameter of open: add the parameter id: String",
                fixIts: ["add the parameter: id: String"]),
            linkClass(
                "@Route(\"/video(/:page<int>)\") func open(name: String) {}",
                "2:8 the placeholder \"page\" is not a parameter of open: add the parameter page: Int?",
                fixIts: ["add the parameter: name: String, page: Int?"]),
            linkClass(
                "@Route(\"/video/*path\") func open(path: String) {}",
                "2:40 the placeholder \"*path\" takes any number of components: make the parameter an array, such as "
                    + "[String]",
                fixIts: ["make it an array: [String]"]),
            linkClass(
                "@Route(\"/video/:ids\") func open(ids: [Int]) {}",
                "2:8 the placeholder \":ids\" takes one component, but the parameter is an array: write \"*ids\" at the "
                    + "end of the pattern, or leave it to the query"),
            linkClass(
                "@Route(\"/video(/:id)\") func open(id: Int) {}",
                "2:38 the placeholder \"id\" is in an optional group of \"/video(/:id)\", so a URL may lack it: make the "
                    + "parameter optional, or give it a default value", fixIts: ["make it optional: Int?"]),
            linkClass(
                "@Route(\"/video/:id<int>\") func open(id: String) {}",
                "2:8 the placeholder \"id\" has the type int, but the parameter is String: change one of them",
                fixIts: ["remove the type: \"/video/:id\""]),
            linkClass(
                "@Route(\"/video/<uuid:id>\") func open(id: Int?) {}",
                "2:8 the placeholder \"id\" has the type uuid, but the parameter is Int?: change one of them",
                fixIts: ["remove the type: \"/video/:id\""]),
            linkClass(
                "@Route(\"/video/:id<path>\") func open(id: [String]) {}",
                "2:8 the placeholder \"id\" has the type path, but the parameter is [String]: change one of them"),
            linkClass(
                "@Route(\"/video/:done\") func open(done: @escaping @Sendable () async throws -> Void) {}",
                "2:40 the placeholder \"done\" is text in the URL, which can't carry "
                    + "\"@Sendable () async throws -> Void\""),
            linkClass(
                "@Route(\"/video/:data\") func open(data: Data?) {}",
                "2:40 the placeholder \"data\" is text in the URL, which can't carry \"Data?\""),
        ])
    func placeholders(_ bad: Bad) { check(bad) }

    @Test(
        "parameters that a URL can't carry",
        arguments: ["Data", "[String: Int]", "[[Int]]", "Set<Int>", "Payload", "[Data]", "Dictionary<String, Int>"])
    func parameters(type: String) {
        let expansion = Expansion(
            of: "@LinkClass final class Video {\n@Route(\"/a\") func open(value: \(type), more: \(type)? = nil) {}\n}")
        #expect(
            expansion.diagnostics == [
                "2:31 a URL can't carry \"\(type)\": make the parameter \"value\" optional, or give it a default value"
            ])
        #expect(expansion.fixIts == ["make it optional: \(type)?"])
    }

    @Test(
        "two routes that are one",
        arguments: [
            linkClass(
                "@Route(\"/video/:id\") func open(id: Int) {}\n@Route(\"/video/:key\") func show(key: Int) {}",
                "3:8 the route \"/video/:key\" matches the same URLs as \"/video/:id\" of open: change one of the "
                    + "patterns, or give one a priority"),
            linkClass(
                "@Route(\"/a/\", \"/a\") func open() {}",
                "2:15 the route \"/a\" matches the same URLs as \"/a/\" of open: change one of the patterns, or give one "
                    + "a priority"),
            Bad(
                source: "@LinkService(\"a/1\") protocol P: Sendable {\n@Route(\"/a\") func a() throws\n"
                    + "@Route(\"/a\") func b() throws\n}",
                diagnostics: [
                    "3:8 the route \"/a\" matches the same URLs as \"/a\" of a: change one of the patterns, or give one "
                        + "a priority"
                ]),
        ])
    func duplicates(_ bad: Bad) { check(bad) }

    @Test(
        "routes that differ in priority, or in the types of their parameters, are different",
        arguments: [
            "@Route(\"/video/:id\") func open(id: Int) {}\n@Route(\"/video/:name\") func show(name: String) {}",
            "@Route(\"/video/:id\") func open(id: Int) {}\n@Route(\"/video/:id\", priority: 1) func show(id: Int) {}",
            "@Route(\"/a\") @Route(\"/b\", public: true) @Route(\"/c\", tags: [\"t\"]) func open() {}",
        ])
    func different(members: String) {
        #expect(Expansion(of: "@LinkClass final class Video {\n\(members)\n}").diagnostics == [])
    }

    @Test(
        "places",
        arguments: [
            Bad(
                source: "final class Video { @Route(\"/a\") func open() {} }",
                diagnostics: [
                    "1:21 @Route has no effect outside a class marked @LinkClass or a protocol marked @LinkService"
                ]),
            Bad(
                source: "@LinkClass final class Video { @Selector func a() {} }\n"
                    + "extension Video { @Route(\"/a\") func open() {} }",
                diagnostics: [
                    "2:19 @Route has no effect in an extension, because @LinkClass can't see extensions: move the "
                        + "function into the class"
                ]),
            linkClass(
                "@Route(\"/a\") init(_ context: ComponentContext) {}",
                "2:1 @Route can only be attached to a function"),
            linkClass("@Route(\"/a\") var length: Int { 1 }", "2:1 @Route can only be attached to a function"),
            Bad(
                source: "@LinkService(\"a/1\") protocol P: Sendable {\n@Route(\"/a\") static func a() throws\n}",
                diagnostics: [
                    "2:14 a service is called on an instance: remove `static`, or mark the protocol with kind: .class"
                ]),
            Bad(
                source: "@LinkService(\"a/1\") protocol P: Sendable {\n@Route(\"/a/:\") func a() throws\n}",
                diagnostics: [
                    "2:8 a URL can't be made from \"/a/:\", because a placeholder has no name: name it, as in \":id\""
                ]),
            Bad(
                source: "@LinkClass final class Video {\n#if DEBUG\n@Route(\"/a\") func a() {}\n#endif\n}",
                diagnostics: [
                    "2:1 selectors and initialisers can't be declared inside #if, because the macro can't tell which "
                        + "branch is active: put the #if around the whole type, or inside functions"
                ]),
        ])
    func places(_ bad: Bad) { check(bad) }

    @Test(
        "interceptors",
        arguments: [
            linkClass(
                "@Intercepts func check(id: Int) -> RouteDecision { .pass }",
                "2:23 an interceptor takes one parameter of type RouteRequest",
                fixIts: ["write (id: RouteRequest): (id: RouteRequest)"]),
            linkClass(
                "@Intercepts func check() async -> RouteDecision { .pass }",
                "2:23 an interceptor takes one parameter of type RouteRequest",
                fixIts: ["write (request: RouteRequest): (request: RouteRequest)"]),
            linkClass(
                "@Intercepts func check(_ request: RouteRequest) async throws -> Bool { true }",
                "2:18 an interceptor returns a RouteDecision",
                fixIts: ["return a RouteDecision: (_ request: RouteRequest) async throws -> RouteDecision"]),
            linkClass(
                "@Intercepts func check(request: RouteRequest) {}", "2:18 an interceptor returns a RouteDecision",
                fixIts: ["return a RouteDecision: (request: RouteRequest) -> RouteDecision"]),
            linkClass(
                "@Intercepts @Route(\"/a\") func check(request: RouteRequest) -> RouteDecision { .pass }",
                "2:13 an interceptor can't have a route: move the route to another function"),
            linkClass(
                "@Intercepts(tags: [\"a b\"]) func check(request: RouteRequest) -> RouteDecision { .pass }",
                "2:20 the tag \"a b\" is invalid: expected 1 to 64 letters, digits, \"_\", \".\" or \"-\""),
            Bad(
                source: "final class Video { @Intercepts func check() {} }",
                diagnostics: [
                    "1:21 @Intercepts has no effect outside a class marked @LinkClass or a protocol marked @LinkService"
                ]),
            Bad(
                source: "@LinkService(\"a/1\") protocol P: Sendable {\n"
                    + "@Intercepts func a(request: RouteRequest) throws -> RouteDecision\n}",
                diagnostics: [
                    "2:1 @Intercepts has no effect in the protocol P: attach it to a function of a class marked "
                        + "@LinkClass"
                ]),
        ])
    func interceptors(_ bad: Bad) { check(bad) }
}
