import Foundation
import TestSupport
import Testing

@Suite("hslink config, and the options for a configuration")
struct ConfigurationCommandTests {
    private static let json = """
        {"FixtureComponent": {"timeout": 2, "tiemout": 3, "token": "s3cret"}, "FixtureComponet": {"x": 1}}
        """

    @Test("config shows keys, values, their origins and mistakes, but no secret")
    func listing() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Self.json, to: "host.json")
        let secrets = try directory.write(#"{"FixtureComponent": {"cache": {"size": 987654321}}}"#, to: "secrets.json")
        try await withPlugins("FixtureComponent") { plugins async throws in
            let options = ["--config", file, "--secrets", secrets, "--set", "FixtureComponent.retries=9"]
            let environment = ["HSLINK_FIXTURE_COMPONENT_LEVEL": "high"]
            let run = try await hslink(
                ["config", "--plugins", plugins.path] + options, environment: environment)
            #expect(run.status == 0, "\(run.standardError)")
            let rows = run.standardOutput.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            for row in [
                ["environment:", "prod"], ["COMPONENT", "KEY", "VALUE", "FROM", "TYPE"],
                ["FixtureComponent", "timeout", "2.0", file, "Double", "=", "30"],
                ["retries", "9", "the", "command", "line", "Int", "=", "3"],
                ["level", "high", "HSLINK_FIXTURE_COMPONENT_LEVEL", "Level", "=", ".low"],
                ["token", "<secret>", file, "Secret?"], ["cache.size", "<secret>", secrets, "Int", "=", "10"],
                ["mirrors", "-", "-", "[String]", "=", "[]"], ["tiemout", "<hidden>", file, "not", "declared"],
            ] {
                #expect(rows.contains(row), "\(row) in \(run.standardOutput)")
            }
            #expect(!run.standardOutput.contains("s3cret") && !run.standardOutput.contains("987654321"))
            for warning in [
                "Warning: FixtureComponent.tiemout in \(file) has no effect: the component does not read it; "
                    + "did you mean timeout?",
                "Warning: FixtureComponet in \(file): there is no such component; did you mean FixtureComponent?",
            ] {
                #expect(run.standardError.contains(warning), "\(run.standardError)")
            }
            let running = try await RunningHost.start(
                ["--plugins", plugins.path] + options, environment: environment.mapValues { $0 })
            let asked = try await hslink("config", "--host", running.socket, "--json")
            let own = try await hslink(
                ["config", "--json", "--plugins", plugins.path] + options, environment: environment)
            #expect(asked.standardOutput == own.standardOutput && !asked.standardOutput.contains("s3cret"))
            #expect(running.log.contains("did you mean timeout?"))
            #expect(await running.end() == 0)
        }
    }

    @Test("a running host reads a file again when it changes, or on SIGHUP")
    func reload() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(#"{"FixtureComponent": {"timeout": 1}}"#, to: "host.json")
        try await withPlugins("FixtureComponent") { plugins async throws in
            let running = try await RunningHost.start(["--plugins", plugins.path, "--config", file])
            func timeout() async throws -> String {
                try await hslink("call", "--host", running.socket, "ConfiguredLink", "options").standardOutput
            }
            #expect(try await timeout().contains(#""timeout": 1"#))
            // As editors and configuration managers replace files.
            try directory.write(#"{"FixtureComponent": {"timeout": 2}}"#, to: "host.json.new")
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.moveItem(atPath: file + ".new", toPath: file)
            #expect(await running.logs("the configuration of FixtureComponent has changed"))
            #expect(try await timeout().contains(#""timeout": 2"#))
            try directory.write("{", to: "host.json")
            #expect(await running.logs("the previous configuration stays in effect: "))
            #expect(try await timeout().contains(#""timeout": 2"#))
            running.signal(SIGHUP)
            #expect(await running.logs("SIGHUP: rescanning the directories and reading the configuration"))
            #expect(await running.end() == 0)
        }
    }

    @Test("what cannot be used ends the command, and in strict mode also a component that cannot start")
    func failures() async throws {
        let directory = try TemporaryDirectory()
        let wrong = try directory.write(#"{"FixtureComponent": {"timeout": "soon"}}"#, to: "wrong.yaml")
        try await withPlugins("FixtureComponent") { plugins async throws in
            let place = ["--plugins", plugins.path]
            let problem = "FixtureComponent.timeout in \(wrong): expected a number (Double = 30), found a string"
            for (arguments, status, text) in [
                (["config", "--config", wrong] + place, 1, problem),
                (["run", "--strict", "--control", "none", "--config", wrong] + place, 1, problem),
                (["run", "--control", "none", "--config", "/nonexistent"] + place, 1, "/nonexistent"),
                (["call", "--config", wrong, "ConfiguredLink", "options"] + place, 1, problem),
                (["call", "--config", "/nonexistent", "FixtureLink", "sum"] + place, 1, "/nonexistent"),
                (["call", "--set", "nothing", "ConfiguredLink", "options"] + place, 64, "COMPONENT.KEY=VALUE"),
                (["config", "--environment", "production"] + place, 64, "expected dev, test, stage or prod"),
                (["config", "--host", "x", "--config", wrong], 64, "--host and --config cannot be combined"),
                (["config", "Nothing"] + place, 1, "Nothing has no configuration: there is no such component, or it"),
                (["config", "FixtureComponnt"] + place, 1, "; did you mean FixtureComponent?"),
            ] {
                let run = try await hslink(arguments)
                #expect(run.status == Int32(status), "\(arguments)")
                #expect(run.standardError.contains(text), "\(arguments): \(run.standardError)")
            }
            let misspelt = try directory.write(#"{"FixtureComponent": {"tiemout": 3}}"#, to: "misspelt.json")
            let variable = "HSLINK_FIXTURE_COMPONENT_RETRYS"
            for command in [["config"] + place, ["call", "FixtureLink"] + place, ["check", plugins.path]] {
                let run = try await hslink(command + ["--config", misspelt], environment: [variable: "1"])
                for advice in ["did you mean timeout?", "did you mean HSLINK_FIXTURE_COMPONENT_RETRIES?"] {
                    #expect(run.status == 0 && run.standardError.contains(advice), "\(command): \(run)")
                }
            }
            let unreadable = try await hslink(["config", "--config", "/nonexistent"] + place)
            #expect(unreadable.status == 1 && !unreadable.standardOutput.contains("no component"), "\(unreadable)")
            let named = try await hslink(
                ["call", "ConfiguredLink", "environment"] + place, environment: ["HSLINK_ENVIRONMENT": "test"])
            #expect(named.standardOutput == "\"test\"\n", "\(named)")
            // A section has a variable for each of its keys.
            let proxy = "HSLINK_FIXTURE_COMPONENT_PROXY"
            let section = try await hslink(["config"] + place, environment: [proxy: #"{"host": "p"}"#])
            let reason = "FixtureComponent.proxy in \(proxy): expected a section, found a string"
            #expect(section.status == 1 && section.standardError.contains(reason), "\(section)")
        }
    }
}
