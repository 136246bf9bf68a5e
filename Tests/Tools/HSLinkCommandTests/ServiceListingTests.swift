import Foundation
import TestSupport
import Testing

@Suite("Services on the command line")
struct ServiceListingTests {
    @Test("hslink list shows the providers of each service, and which are not used")
    func table() async throws {
        try await withPlugins("AccountsOld", "AccountsNew") { plugins in
            let run = try await hslink("list", "--plugins", plugins.path)
            #expect(run.status == 0)
            let tables = run.standardOutput.components(separatedBy: "\n\n")
            #expect(
                tables.last == """
                    SERVICE                PROVIDER  CLASS         VERSION  NOT USED
                    com.example.account/1  Accounts  AccountsLink  1.1.0
                    com.example.account/1  Accounts  AccountsLink  1.0.0    \
                    \(plugins.file("libAccountsNew.so")) provides the component in the same version or a higher one

                    """)
        }
    }

    @Test("the JSON object has the services too")
    func json() async throws {
        try await withPlugins("AccountsOld") { plugins in
            let run = try await hslink("list", "--plugins", plugins.path, "--json")
            #expect(
                run.standardOutput.contains(
                    #""services":[{"service":"com.example.account/1","component":"Accounts","class":"AccountsLink","#
                        + #""version":"1.0.0","isChosen":true,"state":"available","reason":null}],"#))
        }
    }

    @Test("hslink inspect shows what a file provides, uses and requires")
    func inspect() async throws {
        try await withPlugins("AccountsOld", "NeedsAccounts", "PerConsumer") { plugins in
            let provider = try await hslink("inspect", plugins.file("libAccountsOld.so"))
            #expect(
                provider.standardOutput.contains(
                    """

                    Class AccountsLink (one shared instance)
                      provides com.example.account/1
                      class method version() -> String
                      class method signIn(name: String, limit: Int = 10) -> User?

                    Service com.example.account/1 (provided; AccountContract.AccountService)
                      class method signIn(name: String, limit: Int = 10) -> User?

                    Model User (AccountContract)
                      name: String
                      nick: String?

                    """), "\(provider)")
            let consumer = try await hslink("inspect", plugins.file("libNeedsAccounts.so"))
            #expect(
                consumer.standardOutput.contains(
                    "\nRequires   service com.example.account/1\n           class CGoodLink with +sum, count\n"
                        + "           service com.example.none/1 (optional)\n"), "\(consumer)")
            #expect(
                consumer.standardOutput.contains(
                    "\nService com.example.account/1 (used; AccountContract.AccountService)\n"))
            let perConsumer = try await hslink("inspect", plugins.file("libPerConsumer.so"))
            #expect(perConsumer.standardOutput.contains("\nClass PerConsumerLink (an instance per consumer)\n"))
            // A raw value that equals the name of the case is not shown.
            #expect(
                perConsumer.standardOutput.hasSuffix(
                    "\nModel Kind (PerConsumer, an enum of String)\n  case first\n  case second = 2nd\n  case third\n"),
                "\(perConsumer)")
        }
    }

    @Test("hslink list shows missing optional requirements, and all that are not met")
    func requirements() async throws {
        try await withPlugins("NeedsAccounts") { plugins in
            let run = try await hslink("list", "--plugins", plugins.path)
            #expect(
                run.standardOutput.contains(
                    "NeedsAccounts → com.example.account/1: neither the host nor a component provides the service "
                        + "com.example.account/1; NeedsAccounts → CGoodLink: neither the host nor a component has the class"
                ),
                "\(run)")
        }
        try await withPlugins("NeedsAccounts", "AccountsOld", "CGood") { plugins in
            let run = try await hslink("list", "--plugins", plugins.path)
            #expect(run.standardOutput.contains("lacks service com.example.none/1: "), "\(run)")
        }
    }
}
