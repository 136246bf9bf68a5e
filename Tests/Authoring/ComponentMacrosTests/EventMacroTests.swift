import Testing

@Suite("Macros for events")
struct EventMacroTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        let source: String
        let diagnostics: [String]

        var testDescription: String { diagnostics.joined(separator: "; ") }

        init(_ source: String, _ diagnostics: String...) { self.init(source, diagnostics) }

        init(_ source: String, _ diagnostics: [String]) { (self.source, self.diagnostics) = (source, diagnostics) }
    }

    /// A class with this member.
    private static func handler(_ member: String, _ diagnostics: String...) -> Bad {
        Bad("@LinkClass final class Video {\n\(member)\n}", diagnostics)
    }

    @Test(
        "handlers that cannot be one",
        arguments: [
            handler("@On func a() {}", "2:11 an event handler takes one parameter, the event"),
            handler("@On func a(b: B, c: C) {}", "2:11 an event handler takes one parameter, the event"),
            handler(
                "@On func a(b: @escaping @Sendable () async throws -> Void) {}",
                "2:11 an event handler takes one parameter, the event"),
            handler(
                "@On func a(b: B) -> Int { 1 }", "2:18 an event handler returns nothing: no caller waits for a result"),
            handler("@On(.quick) func a(b: B) {}", "2:5 expected .loads or .concurrent, found .quick"),
            handler(
                "@On func a(b: String) {}",
                "2:15 String is not an event: write the type of an event, which is marked @Model and @Event, or name "
                    + "the event, as in @On(\"com.example.account/signedIn\")"),
            handler(
                "@On private func a(b: B) {}",
                "2:5 a private function can't be a selector, because every component can call selectors: remove "
                    + "private, or the attribute that makes it one"),
            handler(
                "@On(name) func a(b: B) {}", "2:5 expected .loads or .concurrent, found name"),
            handler(
                "@On(\"nothing\") func a(b: B) {}",
                "2:5 the event \"nothing\" is invalid: expected letters, digits, dots and hyphens, then a slash and a "
                    + "name, such as \"com.example.account/signedIn\""),
            handler(
                "@On(priority: 2_000_000) func a(b: B) {}",
                "2:15 the priority 2000000 is invalid: expected an integer from -1000000 to 1000000"),
            handler(
                "@On @Route(\"/a\") func a(b: String) {}",
                "2:5 an event handler can't have @Route: use a function of its own"),
        ])
    func handlers(bad: Bad) { #expect(Expansion(of: bad.source).diagnostics == bad.diagnostics) }

    @Test(
        "misplaced attributes and invalid events",
        arguments: [
            Bad(
                "struct S { @On func a(b: B) {} }",
                "1:12 @On has no effect outside a class marked @LinkClass or a type marked @Component"),
            Bad(
                "@Component(version: \"1.0.0\") struct S { @On static func a(b: B) {} }",
                "1:45 an event handler of a component can't be static"),
            Bad(
                "@Event(\"a.b/c\") struct S { var a: Int }", "1:1 an event is a model: add @Model"),
            Bad(
                "@Model @Event(\"a\") struct S { var a: Int }",
                "1:15 the event \"a\" is invalid: expected letters, digits, dots and hyphens, then a slash and a "
                    + "name, such as \"com.example.account/signedIn\""),
            Bad(
                "@Model @Event(\"hslink.host/x\") struct S { var a: Int }",
                "1:15 names that begin with \"hslink.\" belong to hosts: choose another one"),
            Bad(
                "@Component(version: \"1.0.0\", posts: S.self) struct C {}",
                "1:37 expected an array literal such as [SignedIn.self]"),
            Bad(
                "@Component(version: \"1.0.0\", posts: [S.self, S.self]) struct C {}",
                "1:46 duplicate event S: remove it"),
            Bad(
                "@Component(version: \"1.0.0\", priority: 3) struct C {}",
                "1:40 the priority has no effect on a component that is loaded at the first call: add starts: .withHost"
            ),
        ])
    func misplaced(bad: Bad) { #expect(Expansion(of: bad.source).diagnostics == bad.diagnostics) }

    @Test("handlers of a component's own type are selectors of a link class with its name")
    func ofComponent() {
        let expansion = Expansion(
            of: """
                @Component(version: "1.0.0") actor Film {
                    @On(priority: 2) func signedIn(_ event: Account.SignedIn) {}
                    func other() {}
                }
                """)
        #expect(expansion.diagnostics == [])
        for words in [
            "final class __Handlers: ComponentKit.LinkClass", "await _target.component.signedIn(_argument0)",
            "type: Film.__Handlers.self", "link class Film in module Video",
        ] {
            #expect(expansion.source.contains(words), "\(words)")
        }
        #expect(!expansion.source.contains("other()\n"), "\(expansion.source)")
    }

    @Test("a handler is a selector whose note names the event, and which knows its delivery")
    func expansion() {
        let expansion = Expansion(
            of: """
                @LinkClass final class Video {
                    @On func signedIn(_ event: Account.SignedIn) async throws {}
                    @On("a.b/c", .loads, priority: -5) func named(value: Payload) {}
                }
                """)
        #expect(expansion.diagnostics == [])
        for line in [
            "ComponentKit.__CurrentDelivery.requireEvent((Account.SignedIn).self)",
            "try await ComponentKit.__CurrentDelivery.handling(_payload) { try await _target.signedIn(_argument0) }",
            "ComponentKit.__CurrentDelivery.handling(_payload) { _target.named(value: _argument0) }",
        ] {
            #expect(expansion.code.contains(line), "\(expansion.code)")
        }
    }
}
