import Foundation
import TestSupport
import Testing

@Suite(
    "The sign-in of the command line",
    .enabled(if: ComponentTests.isBuilt("ComponentPages") && ComponentTests.isBuilt("EMAccount")))
struct PageSignInTests {
    @Test("is kept from command to command, and is the same in a running host with the same data")
    func kept() async throws {
        let data = try TemporaryDirectory()
        try await withPlugins("ComponentPages", "EMAccount") { plugins async throws in
            // Passwords are hashed at full cost, beside other tests.
            let local = [
                "--plugins", plugins.path, "--data", data.path, "--set", "ComponentPages.timeout=300",
            ]
            func greeting(_ options: [String]) async throws -> String? {
                let run = try await hslink(["page", "account", "--no-actions", "--deadline", "300"] + options)
                #expect(run.status == 0, "\(run)")
                return run.standardOutput.split(separator: "\n").first { $0.contains("Welcome") }.map(String.init)
            }
            #expect(try await greeting(local) == "Welcome, guest")
            let values = ["name=Ada", "password=correct horse"]
            let signUp = try await hslink(
                ["page", "account", "--perform", "account.entry/signUp"] + local + values)
            #expect(signUp.status == 0, "\(signUp)")
            // Who signs up is signed in.
            #expect(try await greeting(local) == "Welcome, Ada")
            let out = try await hslink(["page", "account", "--perform", "account.card/signOut"] + local)
            #expect(out.status == 0, "\(out)")
            let signIn = try await hslink(["page", "account", "--perform", "account.entry/signIn"] + local + values)
            #expect(signIn.status == 0 && signIn.standardOutput.contains("Welcome, "), "\(signIn)")
            #expect(try await greeting(local) == "Welcome, Ada")
            #expect(try await hslink(["open", "studio://account"] + local).standardOutput.contains("Ada"))

            let host = try await RunningHost.start(local)
            let remote = ["--host", host.socket]
            #expect(try await greeting(remote) == "Welcome, Ada")
            #expect(try await hslink(["open", "studio://account"] + remote).standardOutput.contains("Ada"))
            let signOut = try await hslink(["page", "account", "--perform", "account.card/signOut"] + remote)
            #expect(signOut == printed(), "\(signOut)")
            #expect(try await greeting(remote) == "Welcome, guest")
            #expect(try await hslink(["open", "studio://account"] + remote).status == 1)
            #expect(await host.end() == 0)
            #expect(try await greeting(local) == "Welcome, guest")
        }
    }
}
