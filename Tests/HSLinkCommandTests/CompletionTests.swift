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

/// Tests the completion of the value in `key=value`.
@Suite("Completions of values")
struct ValueCompletionTests {
    /// Files in a separate folder, some with names that are special to a shell.
    private static let files = [
        "clip.mp4", "clip two.mp4", "clip'3.mp4", "clip$(touch pwned).mp4", "clip:4.mp4", ".clip", "other", "clips/a",
        "clip\u{202E}.mp4", "clip\n.mp4",
    ]

    /// Calls `body` with that folder, and fixtures next to it.
    private func withFiles(_ body: (PluginDirectory, String) async throws -> Void) async throws {
        try await withPlugins("FixtureComponent") { plugins in
            let place = try TemporaryDirectory()
            try place.makeDirectory("clips")
            for file in Self.files { try place.write("", to: file) }
            try await body(plugins, place.path)
        }
    }

    private func completions(_ words: [String], shell: String, in plugins: PluginDirectory) async throws -> [String] {
        let line = ["hslink", "call", "--plugins", plugins.path] + words
        let run = try await ProgramRun.of(
            BuiltProducts.hslink,
            ["---completion", "call", "--", "positional@2", "\(line.count - 1)", "0"] + line,
            environment: ["SAP_SHELL": shell])
        #expect(run.status == 0, "\(run)")
        return run.standardOutput.split(separator: "\n").map(String.init).filter { $0 != " " }
    }

    @Test("files are completed after keys of string parameters and after an @, and nowhere else")
    func files() async throws {
        try await withFiles { plugins, path async throws in
            let names = ["clip two.mp4", "clip$(touch pwned).mp4", "clip'3.mp4", "clip.mp4", "clip:4.mp4", "clips/"]
            let all = names.map { "\(path)/\($0)" }
            func found(_ words: String..., shell: String = "fish") async throws -> [String] {
                try await completions(["FixtureLink"] + words, shell: shell, in: plugins)
            }
            #expect(try await found("length", "text=\(path)/cl") == all.map { "text=\($0)" })
            #expect(try await found("length", "text=\(path)/clips/") == ["text=\(path)/clips/a"])
            #expect(try await found("length", "text=\(path)/.c") == ["text=\(path)/.clip"])
            #expect(try await found("length", "text=\(path)/none/") == [])
            #expect(try await found("length", "text=@\(path)/o") == ["text=@\(path)/other"])
            #expect(try await found("sum", "a=@\(path)/o") == ["a=@\(path)/other"])
            #expect(try await found("sum", "a=\(path)/o") == [])
            #expect(try await found("length", "text=@e") == ["text=@env:"])
            // The typed text may be in quotes. zsh treats text after a colon as a description.
            #expect(try await found("length", #"text="\#(path)/clip t"#) == ["text=\(path)/clip two.mp4"])
            #expect(
                try await found("length", "text=\(path)/clip:", shell: "zsh") == [#"text=\#(path)/clip\:4.mp4"#])
        }
    }

    @Test("bash completes them by its own word breaks, and executes nothing in a name")
    func bash() async throws {
        try await withFiles { plugins, path async throws in
            let script = #"""
                cd "$3"
                source <("$1" --generate-completion-script bash)
                program=$1 plugins=$2
                complete_line() {
                    COMP_WORDS=("$program" call --plugins "$plugins" FixtureLink length "$@")
                    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                    COMP_LINE="${COMP_WORDS[*]}"
                    COMP_POINT=${#COMP_LINE}
                    COMPREPLY=()
                    local cur=${COMP_WORDS[COMP_CWORD]}
                    [[ $cur == = || $cur == =@ ]] && cur=
                    _hslink hslink "$cur" "${COMP_WORDS[COMP_CWORD-1]}"
                    printf '%s|' "${COMPREPLY[@]}"
                    echo
                }
                complete_line te
                complete_line text =
                complete_line text = clip
                complete_line text = 'clip\ t'
                complete_line text =@
                complete_line text =@ ot
                complete_line text =@ env
                """#
            let run = try await ProgramRun.of(
                URL(filePath: "/bin/bash"), ["-c", script, "bash", BuiltProducts.hslink.path, plugins.path, path])
            let clips = "clip two.mp4|clip$(touch pwned).mp4|clip'3.mp4|clip.mp4|clip:4.mp4|clips/|"
            #expect(
                run
                    == printed(
                        "text=|", "@?|@-|@env:|\(clips)other|", clips, "clip two.mp4|", "?|-|env:|\(clips)other|",
                        "other|", "env:|"))
            #expect(!FileManager.default.fileExists(atPath: "\(path)/pwned"))
        }
    }
}
