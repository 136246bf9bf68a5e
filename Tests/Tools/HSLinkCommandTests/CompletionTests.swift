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

/// Tests the completion of URLs, and of what is passed with them.
@Suite("Completions of URLs")
struct RouteCompletionTests {
    private static let item = ["fixture://item/", "fixture://item/new"]

    @Test("names that a shell would run are not offered")
    func hostileNames() async throws {
        try await withPlugins { plugins in
            let manifest = #"""
                HSLINK_MANIFEST("{\"name\": \"Hostile\", \"version\": \"1.0.0\", \"classes\": [{\"name\": \"HostileLink\", "
                    "\"selectors\": [{\"name\": \"run\", \"parameters\": {\"id\": \"Int\", \"$(touch${IFS}x)\": \"Int\", "
                    "\"`id`\": \"Int\", \"a b\": \"Int\", \"safe\": \"Int\"}, \"routes\": [{\"pattern\": \"app://x/:id\"}, "
                    "{\"pattern\": \"~/y\"}]}]}]}")
                HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return NULL; }
                """#
            try plugins.write("#include <hslink.h>\n#include <stddef.h>\n\(manifest)\n", to: "hostile.c")
            let headers = BuiltProducts.packageDirectory.appending(path: "Sources/Boundary/CHSLink/include").path
            let library = plugins.file("libHostile.so")
            let compiled = try await ProgramRun.of(
                URL(filePath: "/usr/bin/env"),
                ["clang", "-shared", "-fPIC", "-I", headers, "-o", library, plugins.file("hostile.c")])
            try #require(compiled.status == 0, "\(compiled)")
            try plugins.setMode(0o755, of: library)
            for (argument, words, completions) in [
                ("positional@1", ["open", "app://x/7", ""], ["safe="]), ("positional@0", ["open", ""], ["app://x/"]),
                ("positional@2", ["call", "HostileLink", "run", ""], ["id=", "safe="]),
            ] {
                let line = ["hslink", "--plugins", plugins.path] + words
                let run = try await ProgramRun.of(
                    BuiltProducts.hslink,
                    ["---completion", words[0], "--", argument, "\(line.count - 1)", "0"] + line,
                    environment: ["SAP_SHELL": "bash"])
                #expect(run.standardOutput.split(separator: "\n").map(String.init) == completions, "\(run)")
            }
        }
    }

    @Test(
        "URLs up to their first placeholder, and then the keys of their selector, come from the routes",
        arguments: [
            ("open", "positional@0", ["open", ""], "fish", item + ["/watch/", "fixture://files/"]),
            ("open", "positional@0", ["open", "fix"], "bash", item),
            ("open", "positional@0", ["open", ""], "zsh", [#"fixture\://item/"#, "/watch/"]),
            ("routes", "--match", ["routes", "--match", ""], "fish", item),
            // Bash splits words at colons, so it takes the rest of a URL for another argument.
            ("open", "positional@1", ["open", "fixture", ":"], "bash", ["//item/", "//item/new"]),
            ("open", "positional@1", ["open", "fixture", ":", "//it"], "bash", ["//item/", "//item/new"]),
            ("open", "positional@1", ["open", "fixture", ":", "//item/7", ""], "bash", ["loud=", "tags="]),
            ("open", "positional@1", ["open", "fixture://item/7", ""], "fish", ["loud=", "tags="]),
            ("open", "positional@1", ["open", "--json", "--remote", "/watch/7", "/watch/7", "l"], "fish", ["loud="]),
            ("open", "positional@1", ["open", "--timeout", "5", "/watch/7", "l"], "fish", ["loud="]),
            ("open", "positional@1", ["open", "--set", "A.b=1", "/watch/7", "l"], "fish", ["loud="]),
            ("open", "positional@1", ["open", "'fixture://item/7?loud=1'", ""], "bash", ["tags="]),
            ("open", "positional@1", ["open", "fixture://sign-in", "as=@"], "fish", ["as=@?", "as=@env:"]),
        ])
    func urls(
        command: String, argument: String, words: [String], shell: String, completions: [String]
    ) async throws {
        let found = try await self.completions(command, argument, words, shell)
        #expect(Set(found).isSuperset(of: completions), "\(found)")
        #expect(found.allSatisfy { !$0.contains("<") && !$0.contains("*") && !$0.contains(" ") })
    }

    @Test(
        "nothing is completed for a URL that no route matches, a placeholder, or a key that is not declared",
        arguments: [
            ["open", "fixture://nothing", ""], ["open", "fixture://item/7", "id=@"],
            ["open", "fixture://item/7", "x=@"],
            ["open", "--plugins", "/watch/7", ""], ["open", "other", ":", "//"],
        ])
    func nothing(words: [String]) async throws {
        #expect(try await completions("open", "positional@1", words, "fish") == [])
    }

    private func completions(
        _ command: String, _ argument: String, _ words: [String], _ shell: String
    ) async throws -> [String] {
        var found: [String] = []
        try await withPlugins("FixtureComponent") { plugins async throws in
            let line = ["hslink", "--plugins", plugins.path] + words
            let run = try await ProgramRun.of(
                BuiltProducts.hslink, ["---completion", command, "--", argument, "\(line.count - 1)", "0"] + line,
                environment: ["SAP_SHELL": shell])
            #expect(run.status == 0, "\(run)")
            found = run.standardOutput.split(separator: "\n").map(String.init).filter { $0 != " " }
        }
        return found
    }

    @Test("bash completes a URL in steps")
    func bash() async throws {
        try await withPlugins("FixtureComponent") { plugins in
            let script = #"""
                source <("$1" --generate-completion-script bash)
                program=$1 plugins=$2
                complete_line() {
                    COMP_WORDS=("$program" open --plugins "$plugins" "$@")
                    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                    COMP_LINE="${COMP_WORDS[*]}"
                    COMP_POINT=${#COMP_LINE}
                    COMPREPLY=()
                    local cur=${COMP_WORDS[COMP_CWORD]}
                    [[ $cur == : ]] && cur=
                    _hslink hslink "$cur" "${COMP_WORDS[COMP_CWORD-1]}"
                    printf '%s|' "${COMPREPLY[@]}"
                    echo
                }
                complete_line fixture://ite
                complete_line fixture : //ite
                complete_line fixture : //item/7 lo
                complete_line /wa
                """#
            let run = try await ProgramRun.of(
                URL(filePath: "/bin/bash"), ["-c", script, "bash", BuiltProducts.hslink.path, plugins.path])
            #expect(
                run
                    == printed(
                        "fixture://item/|fixture://item/new|", "//item/|//item/new|", "loud=|", "/watch/|"))
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
