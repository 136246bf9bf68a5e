import CHSLink
import ComponentKit
import Foundation
import HostContract
import TestSupport
import Testing

@testable import ComponentHost

@Suite("What the configuration says of components as a whole")
struct HostSectionTests {
    /// Makes a host of fixtures whose configuration is this text in a file.
    private static func withHost<Result>(
        _ fixtures: [String], _ text: String, as name: String = "host.json",
        configure: (inout HostConfiguration, TemporaryDirectory) throws -> Void = { _, _ in },
        log: CollectedLog = CollectedLog(), _ body: (LinkHost, String, PluginDirectory) async throws -> Result
    ) async throws -> Result {
        let directory = try TemporaryDirectory()
        let file = try directory.write(text, to: name)
        return try await withPlugins { (plugins: PluginDirectory) async throws in
            for fixture in fixtures { try plugins.add(fixture) }
            var options = log.options
            options.reportsMemoryPressure = false
            var configuration = HostConfiguration(files: [file], environmentPrefix: nil)
            try configure(&configuration, directory)
            options.configuration = configuration
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: options)
            let result = try await body(host, file, plugins)
            await host.stop()
            return result
        }
    }

    @Test(
        "a disabled component is listed, and not there for calls, routes, pages, events and services",
        arguments: Depth.allCases)
    func disabled(depth: Depth) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            #"{"host": {"components": {"FixtureComponent": {"enabled": false}}}, "FixtureComponent": {"timeout": "x"}}"#,
            to: "host.json")
        var options = HostOptions.quiet
        options.configuration = HostConfiguration(files: [file], environmentPrefix: nil)
        let host = try depth.host(options: options)
        let setting = "host.components.FixtureComponent.enabled in \(file)"
        let info = try #require(host.components.first { $0.name == "FixtureComponent" })
        #expect("\(info.state)" == "disabled" && info.reason == "disabled by \(setting)")
        #expect((info.path == nil) == (depth == .builtIn))
        guard case .disabled(by: setting)? = host.state(of: "FixtureComponent") else {
            Issue.record("the state is \(String(describing: host.state(of: "FixtureComponent")))")
            return
        }
        for form in ["await", "deadline", "bind", "perform", "load", "url"] {
            let error = await #expect(throws: LinkError.self) {
                switch form {
                case "await": _ = try await host.call("ConfiguredLink", "options")
                case "deadline": _ = try await host.call("ConfiguredLink", "options", timeout: .seconds(60))
                case "perform": _ = try await host.perform(target: "Configured", action: "options")
                case "load": try host.load("FixtureComponent")
                case "url": _ = try host.routes.url(for: "RoutedLink", "item")
                default: _ = try host.bind("ConfiguredLink", "options")
                }
            }
            #expect(error?.code == .classNotFound && error?.component == "FixtureComponent")
            #expect(error?.message == "the component is disabled by \(setting)")
        }
        let unopened = await #expect(throws: LinkError.self) { try await host.open("fixture://item/5") }
        #expect(unopened?.code == .routeNotFound)
        #expect(
            unopened?.message
                == "no route matches \"fixture://item/5\", because FixtureComponent is disabled by \(setting)")
        let parts = Collected<String>()
        host.call("ConfiguredLink", "options") { value, isPerformed, isLoaded in
            parts.add("\(value == nil) \(isPerformed) \(isLoaded)")
        }
        #expect(parts.all == ["true false false"])
        #expect(!host.isAvailable("ConfiguredLink") && !host.isLoaded("ConfiguredLink"))
        #expect(!host.retry("FixtureComponent"))
        #expect(
            !host.routes.all.contains { $0.component == "FixtureComponent" }
                && !host.pageModules.contains { $0.component == "FixtureComponent" })
        #expect(await host.events.deliver(URLOpened(url: "a:b")).failures.isEmpty)
        #expect(!host.services.contains { $0.component == "FixtureComponent" })
        // Nor is its own section checked, or taken for that of a component that does not exist.
        #expect(try host.configurationProblems() == [])
        let report = try await host.service(HostConfigurationServiceClient.self).sections()
        // The program of the tests has further components.
        #expect(!report.sections.contains { $0.component == "FixtureComponent" } && report.warnings == [])
        let section = try #require(report.sections.first { $0.component == "host" })
        #expect(section.keys.map(\.key) == ["components.FixtureComponent.enabled"])
        #expect(section.keys.first?.value == false)
        let details = try await host.service(HostServiceClient.self).component(name: "FixtureComponent")
        #expect(details.component.state == "disabled" && details.resources.isEmpty)
        #expect(
            details.component.recovery
                == "to enable FixtureComponent, remove \(setting), then restart the host")
        await host.stop()
    }

    @Test("what requires a disabled component, or asks for its service, is told why")
    func dependents() async throws {
        let text =
            #"{"host.components.Configured.enabled": false, "host": {"components": {"Accounts.enabled": false}}}"#
        try await Self.withHost(["Configured", "NeedsConfigured", "AccountsOld", "Shop", "CGood"], text) {
            (host: LinkHost, file: String, plugins: PluginDirectory) async throws in
            let states = host.components.map { "\($0.name) \($0.state)" }
            #expect(
                states == [
                    "CGood available", "Shop available", "NeedsConfigured failed", "Accounts disabled",
                    "Configured disabled",
                ])
            let error = await #expect(throws: LinkError.self) {
                try await host.call("NeedsConfiguredLink", "run", kind: .class)
            }
            let setting = "host.components.Configured.enabled in \(file)"
            #expect(
                error?.cause?.message
                    == "NeedsConfigured → Configured: the component Configured is disabled by \(setting)")
            let contents = try await host.service(HostServiceClient.self).contents()
            #expect(
                contents.components.first { $0.name == "NeedsConfigured" }?.recovery
                    == "to enable Configured, remove \(setting), then restart the host")
            #expect(contents.services.isEmpty)
            let missing = await #expect(throws: LinkError.self) {
                try await host.call("ShopLink", "find", ["service": "com.example.account/1"], kind: .class)
            }
            #expect(missing?.code == .classNotFound)
            #expect(
                missing?.message
                    == "neither the host nor a component provides the service com.example.account/1; "
                    + "Accounts 1.0.0 is disabled by host.components.Accounts.enabled in \(file)")
            // A newer file of a disabled component is not used either, and the change says so.
            try plugins.add("AccountsNew")
            let changes = host.rescan()
            #expect(changes.map { "\($0.kind) \($0.component ?? "")" } == ["disabled Accounts"])
            #expect(changes.first?.reason == "disabled by host.components.Accounts.enabled in \(file)")
            #expect(
                host.components.filter { $0.name == "Accounts" }.map(\.state.description) == ["disabled", "disabled"])
        }
    }

    /// Where the setting is, and the words that name it.
    static let places: [(place: String, name: String)] = [
        ("json", "FILE"), ("yaml", "FILE"), ("values", "the command line"),
        ("secrets", "secrets/host.components.CGood.enabled"),
    ]

    @Test(
        "a component can be disabled wherever the configuration comes from, and the first place decides",
        arguments: places)
    func origins(place: String, name: String) async throws {
        let texts = [
            "json": #"{"host": {"components": {"CGood": {"enabled": false}}}}"#,
            "yaml": "host:\n  components:\n    CGood: {enabled: false}\n",
        ]
        let others = #"{"host": {"components": {"CGood": {"enabled": true}}}}"#
        try await Self.withHost(["CGood"], texts[place] ?? others, as: place == "yaml" ? "host.yaml" : "host.json") {
            configuration, directory in
            switch place {
            case "values": configuration.values = ["host.components.CGood.enabled": "false"]
            case "secrets":
                try directory.makeDirectory("secrets")
                try directory.write("false", to: "secrets/host.components.CGood.enabled")
                configuration.secrets = [directory.path(of: "secrets")]
            default: break
            }
        } _: { (host: LinkHost, file: String, _: PluginDirectory) async throws in
            #expect(host.components.map(\.state.description) == ["disabled"])
            let shown = name == "FILE" ? file : name
            #expect(host.components.first?.reason.hasSuffix(shown) == true, "\(host.components.first?.reason ?? "")")
        }
    }

    /// A configuration, what is wrong with it, and whether CGood can be loaded.
    static let mistakes: [(json: String, errors: [String], warnings: [String], isLoaded: Bool)] = [
        (#"{"host": {"components": {"CGood": {"enabled": true, "priority": null}}}}"#, [], [], true),
        (
            #"{"host": {"components": {"CGood": {"enabled": "no"}}}}"#,
            ["host.components.CGood.enabled in FILE: expected true or false (Bool = true), found a string"], [], false
        ),
        (
            #"{"host": {"components": {"CGood": {"priority": 1.5}}}}"#,
            [
                "host.components.CGood.priority in FILE: expected an integer (Int), "
                    + "found a number with a point or an exponent"
            ], [], false
        ),
        (
            #"{"host": {"components": {"CGood": {"priority": 1000001}}}}"#,
            ["host.components.CGood.priority in FILE: expected an integer from -1000000 to 1000000"], [], false
        ),
        (
            #"{"host": {"components": {"CGood": false}}}"#,
            ["host.components.CGood in FILE: expected a section, found a boolean"], [], false
        ),
        (
            #"{"host": {"components": {"CGood": {"enabled": {"x": 1}}}}}"#,
            ["host.components.CGood.enabled in FILE: expected true or false (Bool = true), found a section"],
            [
                "host.components.CGood.enabled.x in FILE has no effect: expected enabled or priority; "
                    + "did you mean enabled?"
            ], false
        ),
        (
            #"{"host": {"components": {"CGood": {"enabeld": false}}}}"#, [],
            [
                "host.components.CGood.enabeld in FILE has no effect: expected enabled or priority; did you mean enabled?"
            ],
            true
        ),
        (
            #"{"host": {"components": {"CGood": {"priority": 3}}}}"#, [],
            ["host.components.CGood.priority in FILE has no effect: the component does not start with its host"], true
        ),
        (
            #"{"host": {"component": {"CGood": {"enabled": false}}}}"#, [],
            [
                "host.component.CGood.enabled in FILE has no effect: expected components; did you mean components?"
            ], true
        ),
        (
            #"{"host": {"components": {"CGod": {"enabled": false}}}}"#, [],
            ["host.components.CGod in FILE: there is no such component; did you mean CGood?"], true
        ),
        (
            #"{"host": {"components": {"com.example.Video": {"enabled": false}}}}"#, [],
            ["host.components.com.example.Video in FILE: there is no such component"], true
        ),
        (
            #"{"host": {"components": {"host": {"enabled": "no"}}}}"#, [],
            ["host.components.host in FILE: there is no such component"], true
        ),
        // The file may be another program's, too.
        (#"{"host": "0.0.0.0"}"#, [], ["host in FILE: expected a section, found a string"], true),
        (#"{"host": {"components": [1]}}"#, [], ["host.components in FILE: expected a section, found a list"], true),
    ]

    @Test(
        "mistakes are reported, and a setting that cannot be read keeps its component from starting",
        arguments: mistakes)
    func mistake(json: String, errors: [String], warnings: [String], isLoaded: Bool) async throws {
        let log = CollectedLog()
        try await Self.withHost(["CGood"], json, log: log) {
            (host: LinkHost, file: String, _: PluginDirectory) async throws in
            func named(_ texts: [String]) -> [String] { texts.map { $0.replacing("FILE", with: file) } }
            #expect(try host.configurationProblems() == named(errors))
            let report = try await host.service(HostConfigurationServiceClient.self).sections()
            #expect(report.sections.flatMap(\.warnings) + report.warnings == named(warnings))
            _ = await host.start()
            for text in named(errors + warnings) {
                #expect(log.lines.all.contains(text), "\(log.lines.all)")
            }
            do throws(LinkError) {
                try host.load("CGood")
                #expect(isLoaded)
            } catch {
                #expect(!isLoaded && error.number == Int32(HSLINK_CONFIGURATION_INVALID))
                #expect(error.message == "the host's configuration is not valid: \(named(errors)[0])")
            }
        }
    }

    @Test("names are compared by their bytes, and a key that is written in two ways is refused")
    func spellings() async throws {
        // The Kelvin sign is canonically equivalent to the letter K.
        let kelvin = #"{"host": {"components": {"\#u{212A}eepsData": {"enabled": false}}}}"#
        try await Self.withHost(["KeepsData"], kelvin) {
            (host: LinkHost, file: String, _: PluginDirectory) async throws in
            #expect(host.components.map(\.state.description) == ["available"])
            let report = try await host.service(HostConfigurationServiceClient.self).sections()
            #expect(
                report.warnings == [
                    "host.components.\u{212A}eepsData in \(file): there is no such component; did you mean KeepsData?"
                ])
        }
        let twice = #"{"host": {"components": {"CGood": {"enabled": false}}}, "host.components.CGood.enabled": true}"#
        try await Self.withHost(["CGood"], twice) { (host: LinkHost, file: String, _: PluginDirectory) async throws in
            let error = #expect(throws: LinkError.self) { try host.configurationProblems() }
            #expect(error?.message.contains("host.components.CGood.enabled occurs twice") == true)
        }
    }

    @Test("a priority in the configuration replaces that of the manifest")
    func priority() async throws {
        for (json, started) in [
            ("{}", ["StartsFirst", "StartsWell"]),
            (#"{"host.components.StartsWell.priority": 6}"#, ["StartsWell", "StartsFirst"]),
            (#"{"host.components.StartsFirst.priority": -1}"#, ["StartsWell", "StartsFirst"]),
            (#"{"host.components.StartsFirst.enabled": false}"#, ["StartsWell"]),
        ] {
            try await Self.withHost(["StartsWell", "StartsFirst"], json) {
                (host: LinkHost, _: String, _: PluginDirectory) async throws in
                #expect(await host.start().started == started, "\(json)")
                #expect(try host.configurationProblems() == [])
            }
        }
    }

    @Test("a changed setting waits for a restart, and a mended one lets the component start")
    func changes() async throws {
        let log = CollectedLog()
        try await Self.withHost(["CGood", "Configured"], "{}", log: log) {
            (host: LinkHost, file: String, _: PluginDirectory) async throws in
            #expect(try await host.call("CGoodLink", "sum", ["a": 1, "b": 2], kind: .class) == 3)
            func write(_ json: String) throws { try Data(json.utf8).write(to: URL(filePath: file)) }
            try write(#"{"host.components.CGood.enabled": false, "host.components.Configured.priority": "x"}"#)
            #expect(try host.reloadConfiguration() == [])
            let text = "host.components.CGood.enabled has changed: restart the host for it to take effect"
            #expect(log.lines.all.filter { $0 == text }.count == 1)
            host.rescan()
            #expect(try await host.call("CGoodLink", "sum", ["a": 1, "b": 2], kind: .class) == 3)
            #expect(host.components.map(\.state.description).contains("disabled") == false)
            #expect(throws: LinkError.self) { try host.load("Configured") }
            try write(#"{"Configured": {"address": "a:1"}}"#)
            #expect(try host.reloadConfiguration() == ["Configured"])
            try host.load("Configured")
            #expect(log.lines.all.filter { $0 == text }.count == 1)
        }
    }
}
