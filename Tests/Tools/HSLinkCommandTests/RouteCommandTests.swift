import Foundation
import TestSupport
import Testing

@Suite("hslink open and hslink routes")
struct RouteCommandTests {
    @Test("open prints what the selector of the route returns")
    func opens() async throws {
        try await withPlugins("FixtureComponent") { plugins async throws in
            for (arguments, expected) in [
                (["fixture://item/7?loud=true"], "\"7!\""), (["fixture://item/7", "loud=true"], "\"7!\""),
                (["fixture://item/7", "tags=[\"a b\", \"c\"]"], "\"7 a b+c\""),
                (["fixture://item/7?tags=x", "loud=1"], "\"7! x\""),
                (["https://example.com/watch/7", "--remote", "browser"], "\"7\""),
                ([" fixture://item/7\n", "loud=true"], "\"7!\""),
                (["fixture://mail", "--remote", "letter"], "\"mail\""), (["fixture://mail"], "\"mail\""),
            ] {
                let run = try await hslink(["open"] + arguments + ["--plugins", plugins.path])
                #expect(run.status == 0, "\(arguments): \(run.standardError)")
                #expect(run.standardOutput.trimmingCharacters(in: .newlines) == expected)
            }
        }
    }

    private static let misspelt = "item of RoutedLink has no parameter 'lodu'; did you mean loud?"

    @Test("open says why a URL is not opened")
    func refuses() async throws {
        try await withPlugins("FixtureComponent") { plugins async throws in
            let cases: [([String], Int32, String)] = [
                (["fixture://nothing"], 1, "no route matches \"fixture://nothing\""),
                (["fixture://itme/7"], 1, "did you mean fixture://item/:id"),
                (["fixture://item/7", "loud=maybe"], 1, "expected true or false, found \"maybe\""),
                (["fixture://item/new", "--remote", "browser"], 1, "no route matches the URL"),
                (["fixture://mail", "--remote", "browser"], 1, "no route matches the URL"),
                (["fixture://secret/7"], 1, "not signed in"), (["fixture://unguarded"], 1, "fixture-nobody"),
                (["fixture://numbers", "small=300"], 1, "\"300\" is out of range for Int8, which is -128 to 127"),
                (
                    ["fixture://item/99999999999999999999"], 1,
                    "no route matches \"fixture://item/99999999999999999999\""
                ),
                (["fixture://item/7", "lodu=true"], 64, Self.misspelt),
                (["fixture://item/7", "x=@?"], 64, "item of RoutedLink has no parameter 'x'; it has id, loud"),
                (["/watch/7", "lodu=1", "--remote", "browser"], 64, "did you mean loud?"),
                (["fixture://item/7", "loud"], 64, "expected key=value after the URL, found \"loud\""),
                ([""], 64, "URL"),
            ]
            for (arguments, status, words) in cases {
                let run = try await hslink(["open"] + arguments + ["--plugins", plugins.path])
                #expect(run.status == status, "\(arguments)")
                #expect(run.standardError.contains(words), "\(arguments): \(run.standardError)")
                #expect(run.standardOutput.isEmpty)
            }
            let running = try await RunningHost.start(["--plugins", plugins.path])
            let refused = try await hslink("open", "fixture://item/7", "lodu=true", "--host", running.socket)
            #expect(refused == failed("Error: \(Self.misspelt)", status: 64))
            let opened = try await hslink("open", "fixture://item/7?lodu=true", "loud=1", "--host", running.socket)
            #expect(opened == printed("\"7!\""))
            let unmatched = try await hslink("open", "fixture://nothing", "--host", running.socket)
            #expect(unmatched.standardError.contains("no route matches \"fixture://nothing\""), "\(unmatched)")
            #expect(unmatched.standardError.contains("shows the closest routes"), "\(unmatched)")
            #expect(await running.end() == 0)
            let answer = try await hslink("open", "fixture://nothing", "--json", "--plugins", plugins.path)
            #expect(answer.standardOutput.contains("\"code\":\"routeNotFound\""))
        }
    }

    @Test("routes lists the routes, and explains where a URL leads")
    func lists() async throws {
        try await withPlugins("FixtureComponent") { plugins async throws in
            let list = try await hslink("routes", "--plugins", plugins.path)
            #expect(list.status == 0)
            #expect(list.standardOutput.contains("fixture://item/:id"))
            #expect(list.standardOutput.contains("fixture-signed-in"))
            let json = try await hslink("routes", "--json", "--plugins", plugins.path)
            let routes = try JSONDecoder().decode(Routes.self, from: Data(json.standardOutput.utf8)).routes
            #expect(routes.contains { $0.pattern == "/watch/:id" && $0.selector == "item" })
            let match = try await hslink("routes", "--match", "fixture://item/new", "--plugins", plugins.path)
            #expect(match.status == 0)
            #expect(match.standardOutput.contains("→  fixture://item/new"))
            let guarded = try await hslink("routes", "--match", "fixture://secret/7", "--plugins", plugins.path)
            #expect(guarded.standardOutput.contains("Asked before it is opened: RoutedLink.guardSecrets"))
            let failing = try await hslink("routes", "--match", "fixture://numbers", "--plugins", plugins.path)
            #expect(failing.standardOutput.contains("the parameter \"small\" is missing"))
            let none = try await hslink("routes", "--match", "fixture://absent", "--plugins", plugins.path)
            #expect(none.status == 1)
            #expect(none.standardOutput.hasPrefix("No route matches."))
        }
    }

    @Test("routes shows what a URL from outside would open")
    func remote() async throws {
        try await withPlugins("FixtureComponent") { plugins async throws in
            let match = ["routes", "--plugins", plugins.path, "--match"]
            let reached = try await hslink(match + ["fixture://item/7", "--remote", "browser"])
            #expect(reached.status == 0)
            #expect(reached.standardOutput.contains("→  fixture://item/:id"), "\(reached)")
            let hidden = try await hslink(match + ["fixture://item/new", "--remote", "browser"])
            #expect(hidden.status == 1)
            #expect(hidden.standardOutput.hasPrefix("No route matches."), "\(hidden)")
            #expect(
                hidden.standardOutput.split(separator: "\n").contains {
                    $0.hasPrefix("-  fixture://item/new") && $0.hasSuffix("  the route is not public")
                }, "\(hidden)")
            let guarded = try await hslink(match + ["fixture://secret/7", "--remote", "browser", "--json"])
            #expect(guarded.status == 0)
            #expect(guarded.standardOutput.contains(#""interceptors":["RoutedLink.guardSecrets"]"#), "\(guarded)")

            let mail = try await hslink(match + ["fixture://mail", "--remote", "mail"])
            #expect(mail.status == 0 && mail.standardOutput.contains("mail, letter"), "\(mail)")
            let other = try await hslink(match + ["fixture://mail", "--remote", "browser"])
            #expect(other.status == 1)
            #expect(other.standardOutput.contains("the route is public for mail and letter only"), "\(other)")
            let listed = try await hslink("routes", "--json", "--plugins", plugins.path)
            #expect(listed.standardOutput.contains(#""public":true,"sources":["mail","letter"]"#), "\(listed)")

            let running = try await RunningHost.start(["--plugins", plugins.path, "--remote", "browser"])
            for source in ["browser", "mail"] {
                let run = try await hslink(
                    "routes", "--match", "fixture://item/7", "--remote", source, "--host", running.socket)
                #expect(run.standardOutput.contains("→  fixture://item/:id"), "\(run)")
                let problem = "It would fail: the host does not allow the source \"\(source)\""
                #expect(run.standardOutput.contains(problem) == (source == "mail"), "\(run)")
            }
            #expect(await running.end() == 0)
        }
        for (arguments, words) in [
            (["--remote", "browser"], "add --match"), (["--remote", "", "--match", "a://b"], "the name of a source"),
            (["--remote", "x", "--match", "a://b", "--table", "routes.json"], "cannot be combined"),
        ] {
            let run = try await hslink(["routes"] + arguments)
            #expect(run.status == 64)
            #expect(run.standardError.contains(words), "\(run)")
        }
    }

    @Test("a missing directory of --plugins is an error; the routes of the others are still shown")
    func missingDirectory() async throws {
        try await withPlugins("FixtureComponent") { plugins async throws in
            let missing = plugins.file("none")
            let error = "\(missing): the system could not find it: No such file or directory\n"
            for match in [[], ["--match", "fixture://item/7"]] {
                let run = try await hslink(["routes", "--plugins", missing, "--plugins", plugins.path] + match)
                #expect(run.status == 1)
                #expect(run.standardOutput.contains("fixture://item/:id"))
                #expect(run.standardError == "Error: \(error)")
                let asDefault = try await ProgramRun.of(
                    BuiltProducts.hslink, ["routes"] + match,
                    environment: ["HSLINK_PATH": "\(missing):\(plugins.path)"])
                #expect(asDefault.status == 0)
                #expect(asDefault.standardOutput == run.standardOutput)
                #expect(asDefault.standardError == "Warning: \(error)")
            }
        }
    }

    @Test(
        "a table of routes comes from a file",
        arguments: [
            (#"{"routes": ["a://:x", {"pattern": "a://b", "priority": -1}]}"#, 0, "x=\"b\""),
            (#"{"routes": ["a://:x"], "options": "mgjRouter"}"#, 0, "x=\"b\""),
            (#"{"routes": ["a://:x?y=:z"], "options": "mgjRouter"}"#, 0, "x=\"b\""),
            (#"{"routes": ["a://"], "options": "mgjRouter"}"#, 0, "→  a://"),
            (#"{"routes": ["a://c"]}"#, 1, "No route matches."), (#"{"route": []}"#, 1, "the key \"route\""),
            (#"{"routes": [{"pattern": "a://b", "prio": 1}]}"#, 1, "the key \"prio\""),
            (#"{"routes": ["a//b"]}"#, 1, "routes[0]"), (#"{"routes": ["a", "a"]}"#, 1, "routes[1]"),
            (#"{"routes": [], "options": "none"}"#, 1, "found \"none\""), ("[]", 1, "expected"),
            ("", 1, "the end of the text"),
        ] as [(String, Int32, String)])
    func table(_ text: String, _ status: Int32, _ words: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        let run = try await hslink("routes", "--table", file.path, "--match", "a://b")
        #expect(run.status == status, "\(run.standardError)")
        #expect((run.standardOutput + run.standardError).contains(words), "\(run.standardOutput)\(run.standardError)")
    }

    private struct Routes: Decodable {
        struct Route: Decodable {
            let pattern: String
            let selector: String
        }

        let routes: [Route]
    }

    @Test("parameters whose names differ in their bytes only have their own values")
    func spellings() async throws {
        let directory = try TemporaryDirectory()
        let table = try directory.write("{\"routes\": [\"a://:\u{E9}/:e\u{301}\"]}", to: "routes.json")
        let run = try await hslink("routes", "--table", table, "--match", "a://1/2", "--json")
        let expected = "\"parameters\":{\"e\u{301}\":\"2\",\"\u{E9}\":\"1\"}"
        #expect(Array(run.standardOutput.utf8).contains(Array(expected.utf8)), "\(run)")
    }
}
