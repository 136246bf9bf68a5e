import Foundation
import TestSupport
import Testing

@Suite("Completions for the shell")
struct CompletionTests {
    @Test("there is a script for each shell", arguments: ["bash", "zsh", "fish"])
    func script(shell: String) async throws {
        let run = try await hslink("--generate-completion-script", shell)
        #expect(run.status == 0)
        #expect(run.standardError == "")
        #expect(run.standardOutput.contains("--class-method") || run.standardOutput.contains("class-method"))
    }

    @Test(
        "classes, selectors and keys come from the components",
        arguments: [
            (0, ["call", ""], ["FixtureFailing", "FixtureLink", "FixturePerCall", "FixtureSubclass"]),
            (1, ["call", "FixturePerCall", ""], ["count", "sum"]),
            (2, ["call", "FixtureLink", "length", ""], ["text="]),
            (2, ["call", "FixtureLink", "length", "text=@"], ["text=@?", "text=@-", "text=@env:"]),
        ])
    func names(position: Int, words: [String], completions: [String]) async throws {
        try await withPlugins("FixtureComponent") { plugins in
            let line = ["hslink", "--plugins", plugins.path] + words
            let run = try await ProgramRun.of(
                BuiltProducts.hslink,
                ["---completion", "call", "--", "positional@\(position)", "\(line.count - 1)", "0"] + line,
                environment: ["SAP_SHELL": "bash"])
            #expect(run.status == 0, "\(run)")
            let found = run.standardOutput.split(separator: "\n").map(String.init)
            #expect(found.filter { completions.contains($0) } == completions, "\(run)")
            #expect(found.allSatisfy { !$0.contains(" ") })
        }
    }
}
