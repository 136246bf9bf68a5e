import Foundation
import TestSupport
import Testing

@Suite("Components that the configuration disables, on the command line")
struct DisabledComponentTests {
    private static let json = #"{"host": {"components": {"FixtureComponent": {"enabled": false}}}}"#

    @Test("list, inspect, check, call and config say so, and by which setting")
    func told() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Self.json, to: "host.json")
        try await withPlugins("FixtureComponent", "CGood") { plugins async throws in
            let setting = "host.components.FixtureComponent.enabled in \(file)"
            let path = plugins.file("libFixtureComponent.so")
            let place = ["--plugins", plugins.path, "--config", file]
            for (arguments, status, texts) in [
                (["list"] + place, 0, ["disabled by \(setting)", " available "]),
                (["list", "--json"] + place, 0, [#""state":"disabled""#, #""reason":"disabled by \#(setting)""#]),
                (["inspect", path, "--config", file], 0, ["Disabled   by \(setting)\n"]),
                (["inspect", path, "--config", file, "--json"], 0, [#""disabledBy":"\#(setting)""#]),
                (["check", path, "--config", file], 0, ["\(path): no problems", "\(path): disabled by \(setting)"]),
                (["check", plugins.path, "--config", file, "--json"], 0, [#""disabledBy":"\#(setting)""#]),
                (
                    ["call", "ConfiguredLink", "options"] + place, 1,
                    ["options of ConfiguredLink in FixtureComponent: the component is disabled by \(setting)"]
                ),
                (
                    ["call", "ConfiguredLink"] + place, 1,
                    ["ConfiguredLink: the component FixtureComponent is disabled by \(setting)"]
                ),
                (["call", "CGoodLink", "sum", "a=1", "b=2", "--class-method"] + place, 0, ["3"]),
                (["config"] + place, 0, ["components.FixtureComponent.enabled"]),
                (["config", "host", "--json"] + place, 0, [#""from":"\#(file)""#]),
                (["list", "--plugins", plugins.path, "--config", "/nonexistent"], 1, ["/nonexistent"]),
                (["call", "CGoodLink", "--plugins", plugins.path, "--config", "/nonexistent"], 1, ["/nonexistent"]),
                (["inspect", path, "--config", "/nonexistent"], 1, ["/nonexistent"]),
                (["check", path, "--config", "/nonexistent"], 1, ["/nonexistent"]),
                (["list", "--host", "x", "--config", file], 64, ["--host and --config cannot be combined"]),
            ] {
                let run = try await hslink(arguments)
                let output = (run.standardOutput + run.standardError).replacing("\": ", with: "\":")
                #expect(run.status == Int32(status), "\(arguments): \(output)")
                for text in texts { #expect(output.contains(text), "\(arguments): \(output)") }
                #expect(!output.contains("Did you mean") && !output.contains("Warning"), "\(arguments): \(output)")
            }
        }
    }

    @Test("routes and events do not have what they declare, and completions do not offer it")
    func missing() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Self.json, to: "host.json")
        try await withPlugins("FixtureComponent") { plugins async throws in
            let place = ["--plugins", plugins.path, "--config", file]
            for command in ["routes", "events"] {
                let run = try await hslink([command, "--json"] + place)
                #expect(run.status == 0 && !run.standardOutput.contains("FixtureComponent"), "\(run)")
                let other = try await hslink(command, "--json", "--plugins", plugins.path)
                #expect(other.standardOutput.contains("FixtureComponent"), "\(other)")
            }
            let line = ["hslink"] + place + ["call", ""]
            let run = try await ProgramRun.of(
                BuiltProducts.hslink,
                ["---completion", "call", "--", "positional@0", "\(line.count - 1)", "0"] + line,
                environment: ["SAP_SHELL": "bash"])
            #expect(run.status == 0 && !run.standardOutput.contains("FixtureLink"), "\(run)")
        }
    }

    @Test("the environment disables, too, and a running host says that a change needs a restart")
    func running() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("{}", to: "host.json")
        try await withPlugins("FixtureComponent", "CGood") { plugins async throws in
            let running = try await RunningHost.start(
                ["--plugins", plugins.path, "--config", file],
                environment: ["HSLINK_HOST_COMPONENTS_CGOOD_ENABLED": "false"])
            let setting = "host.components.CGood.enabled in HSLINK_HOST_COMPONENTS_CGOOD_ENABLED"
            #expect(try await running.list().standardOutput.contains("disabled by \(setting)"))
            let call = try await running.call("CGoodLink", "sum", "a=1", "b=2", "--class-method")
            #expect(call.status == 1 && call.standardError.contains("disabled by \(setting)"), "\(call)")
            try directory.write(Self.json, to: "host.json")
            #expect(
                await running.logs(
                    "host.components.FixtureComponent.enabled has changed: restart the host for it to take effect"))
            #expect(try await running.call("ConfiguredLink", "environment").status == 0)
            #expect(await running.end() == 0)
        }
    }
}
