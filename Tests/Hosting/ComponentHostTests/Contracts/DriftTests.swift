import ComponentHost
import ComponentKit
import TestSupport
import Testing

@Suite("A consumer's contract is compared with the provider's")
struct DriftTests {
    @Test(
        "the same contract, and one with optional additions, are compatible",
        arguments: [("LedgerOld", 7), ("LedgerNew", 700)])
    func compatible(provider: String, expected: Int) async throws {
        try await withPlugins("LedgerUser", provider) { (directory: PluginDirectory) async throws in
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            #expect(try await host.call("LedgerUserLink", "isThere").bool())
            #expect(try await host.call("LedgerUserLink", "book", ["amount": 7]).int() == expected)
            await host.stop()
        }
    }

    @Test("a contract that drifted is an error when the service is requested, with both sides")
    func drifted() async throws {
        try await withPlugins("LedgerUser", "LedgerDrifted") { (directory: PluginDirectory) async throws in
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let error = await #expect(throws: LinkError.self) {
                try await host.call("LedgerUserLink", "book", ["amount": 7])
            }
            let text = error?.description ?? ""
            for part in [
                "org.hslink.ledger/1", "LedgerDrifted", "Entry.amount", "Int", "Double", "Entry.currency", "total",
            ] {
                #expect(text.contains(part), "\(part) in \(text)")
            }
            #expect(!host.isLoaded("LedgerDriftedLink"))
            await host.stop()
        }
    }

    @Test("the highest compatible version is used, or the provider that is named")
    func choice() async throws {
        try await withPlugins("LedgerUser", "LedgerOld", "LedgerNew") { (directory: PluginDirectory) async throws in
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            #expect(try await host.call("LedgerUserLink", "book", ["amount": 7]).int() == 700)
            #expect(try await host.call("LedgerUserLink", "book", ["amount": 7, "from": "LedgerOld"]).int() == 7)
            let error = await #expect(throws: LinkError.self) {
                try await host.call("LedgerUserLink", "book", ["amount": 7, "from": "Nobody"])
            }
            #expect(error?.description.contains("Nobody") == true)
            await host.stop()
        }
    }
}
