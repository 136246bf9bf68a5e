import TestSupport
import Testing

@Suite("Mistakes of a service's consumer are compile-time errors")
struct ConsumerSnippetTests {
    /// A contract, and a consumer's function from line 13 on.
    private func source(_ statements: String) -> String {
        """
        public import ComponentKit

        @Model public struct User: Sendable {
            public var name: String
        }

        @LinkService("com.example.account/1")
        public protocol AccountService: Sendable {
            func user(id: Int, verbose: Bool) async throws -> User?
        }

        func use(_ account: AccountServiceClient, _ link: Link) async throws {
            \(statements)
        }
        """
    }

    @Test("a correct call compiles")
    func good() async throws {
        let diagnostics = try await Snippet.diagnostics(
            of: source("let name: String? = try await account.user(id: 1, verbose: true)?.name; _ = name"))
        #expect(diagnostics == [])
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let statements: String
        let message: String
        /// If the compiler finds two errors at once, it reports one or the other.
        var otherMessage: String?
        var testDescription: String { statements }
    }

    @Test(
        "in names and types",
        arguments: [
            Mistake(
                statements: "_ = try await account.usr(id: 1, verbose: true)",
                message: "value of type 'AccountServiceClient' has no member 'usr'"),
            Mistake(
                statements: "_ = try await account.user(ident: 1, verbose: true)",
                message: "incorrect argument label in call (have 'ident:verbose:', expected 'id:verbose:')"),
            Mistake(
                statements: "_ = try await account.user(id: \"1\", verbose: true)",
                message: "cannot convert value of type 'String' to expected argument type 'Int'"),
            Mistake(
                statements: "_ = try await account.user(id: 1)",
                message: "missing argument for parameter 'verbose' in call"),
            Mistake(
                statements: "let user: User = try await account.user(id: 1, verbose: true); _ = user",
                message: "value of optional type 'User?' must be unwrapped to a value of type 'User'"),
            Mistake(
                statements: "_ = try await account.user(id: 1, verbose: true)?.nick",
                message: "value of type 'User' has no member 'nick'"),
            Mistake(
                statements: "_ = await account.user(id: 1, verbose: true)",
                message: "call can throw but is not marked with 'try'"),
            Mistake(
                statements: "_ = try link.service(User.self)",
                message: "instance method 'service(_:from:through:)' requires that 'User' conform to 'ServiceClient'"),
            Mistake(
                statements: "_ = try link.makeService(AccountServiceClient.self, with: 1)",
                message: "cannot convert value of type 'Int' to expected argument type "
                    + "'AccountServiceClient.ServiceArguments'",
                otherMessage: "instance method 'makeService(_:with:from:)' requires that 'AccountServiceClient' "
                    + "conform to 'ConfigurableServiceClient'"),
        ])
    func mistakes(_ mistake: Mistake) async throws {
        let diagnostics = try await Snippet.diagnostics(of: source(mistake.statements))
        let expected = [mistake.message, mistake.otherMessage].compactMap(\.self)
        #expect(diagnostics.first.map { expected.contains($0.message) } == true, "\(diagnostics)")
        #expect(diagnostics.first?.line == 13)
    }
}
