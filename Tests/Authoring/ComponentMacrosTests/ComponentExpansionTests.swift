import Testing

@Suite("What @Component expands to")
struct ComponentExpansionTests {
    @Test("a note with everything in the attribute, and a name that a second component would repeat")
    func note() {
        let expansion = Expansion(
            of: """
                /// Accounts. More.
                @Component(
                    "com.example.Account", version: "1.2.0-beta.1", layer: .weakBusiness,
                    requires: [
                        .component("Store", ">=1.0.0 <2.0.0", optional: true), .component("Other"),
                        .class("HostLink", selectors: ["log", "+open"]), .service((any A).self, optional: false),
                        .service("com.example.mail/2"),
                    ])
                struct Account {}
                """)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.notes == [
                #"{"module":"Video","name":"com.example.Account","version":"1.2.0-beta.1","layer":"weakBusiness","#
                    + #""summary":"Accounts.","requires":[{"component":"Store","version":">=1.0.0 <2.0.0","#
                    + #""optional":true},{"component":"Other"},{"class":"HostLink","selectors":["log","+open"]},"#
                    + #"{"protocol":"A"},{"service":"com.example.mail/2"}]}"#
            ])
        #expect(expansion.source.contains("enum `a module can have only one @Component; "))
        #expect(expansion.source.contains("extension Account: ComponentKit.Component {}"))
        #expect(expansion.source.contains("init(_ context: ComponentKit.ComponentContext) {}"))
        #expect(
            expansion.source.contains(
                "ComponentKit.__LinkRecord.component(module: \"Video\", name: \"com.example.Account\", "
                    + "version: \"1.2.0-beta.1\", type: Account.self)"))
    }

    @Test("the compiler checks the types of events and of the configuration, where they are named")
    func types() {
        let expansion = Expansion(
            of: """
                @Component(
                    version: "1.0.0", posts: [SignedIn.self],
                    configuration: Settings.self)
                struct Account {}
                """)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.authorLines == [
                "2: ComponentKit.__CurrentDelivery.requireEvent((SignedIn).self)",
                "3: ComponentKit.__ModelCoding.requireConfiguration((Settings).self)",
            ])
    }

    @Test("a custom life cycle is kept")
    func lifeCycle() {
        let expansion = Expansion(
            of: "@Component(version: \"1.0.0\") final class Account { init(_ context: ComponentContext) throws {} }")
        #expect(expansion.diagnostics == [])
        #expect(!expansion.source.contains("init(_ context: ComponentKit.ComponentContext) {}"))
    }
}
