import CHSLink
import ComponentHost
import ComponentKit
import Configuration
import Foundation
import TestSupport
import Testing

@Suite("The configuration of components")
struct ConfigurationTests {
    /// Makes a host whose configuration is this text in a file.
    private static func withHost<Result>(
        _ depth: Depth, _ text: String, as name: String = "host.json",
        configure: (inout HostConfiguration, TemporaryDirectory) throws -> Void = { _, _ in },
        _ body: (LinkHost, TemporaryDirectory) async throws -> Result
    ) async throws -> Result {
        let directory = try TemporaryDirectory()
        var options = HostOptions.quiet
        options.environment = .stage
        var configuration = HostConfiguration(files: [try directory.write(text, to: name)], environmentPrefix: nil)
        try configure(&configuration, directory)
        options.configuration = configuration
        let host = try depth.host(options: options)
        let result = try await body(host, directory)
        await host.stop()
        return result
    }

    /// The values that the component reads, as JSON.
    private static func options(_ host: LinkHost) async throws -> Payload {
        try await host.call("ConfiguredLink", "options")
    }

    static let json = """
        {"FixtureComponent": {"timeout": 2, "retries": 7, "verbose": true, "mirrors": ["x", "y"], "weights": [1, 2.5],
         "level": "high", "key": "AAEC", "token": "s3cret", "proxy": {"host": "p"}, "cache": {"size": 3}},
         "Another": {"timeout": "not ours"}}
        """
    static let yaml = """
        FixtureComponent:
          timeout: 2
          retries: 7
          verbose: true
          mirrors: [x, "y"]
          weights: [1, 2.5]
          level: high
          key: AAEC
          token: s3cret
          proxy:
            host: p
          cache: {size: 3}
        Another: {timeout: not ours}
        """

    @Test("a component reads its section as its model, from JSON and YAML", arguments: Depth.allCases)
    func section(depth: Depth) async throws {
        for (text, name) in [(Self.json, "host.json"), (Self.yaml, "host.yaml"), (Self.yaml, "host.yml")] {
            try await Self.withHost(depth, text, as: name) { (host: LinkHost, _: TemporaryDirectory) async throws in
                let options = try await Self.options(host)
                #expect(try options["timeout"]?.double() == 2)
                #expect(try options["retries"]?.int() == 7)
                #expect(try options["verbose"]?.bool() == true)
                #expect(options["mirrors"] == ["x", "y"])
                #expect(options["weights"] == [1.0, 2.5])
                #expect(options["level"] == "high")
                #expect(options["key"] == Payload([UInt8]([0, 1, 2])))
                #expect(options["token"] == "s3cret")
                #expect(options["proxy"] == ["host": "p", "port": 8080])
                #expect(options["cache"] == ["size": 3, "names": ["a"]])
                #expect(try await host.call("ConfiguredLink", "environment") == "stage")
                #expect(try await host.call("ConfiguredLink", "string", ["key": "proxy.host"]) == "p")
                #expect(try await host.call("ConfiguredLink", "int", ["key": "cache.size"]) == 3)
                #expect(try await host.call("ConfiguredLink", "strings", ["key": "mirrors"]) == ["x", "y"])
                #expect(try await host.call("ConfiguredLink", "string", ["key": "nothing"]) == .null)
            }
        }
    }

    @Test("without a configuration, the default values hold", arguments: Depth.allCases)
    func defaults(depth: Depth) async throws {
        let host = try depth.host()
        let options = try await Self.options(host)
        #expect(try options["timeout"]?.double() == 30)
        #expect(options["cache"] == ["size": 10, "names": ["a"]])
        #expect(options["proxy"]?.isNull != false)
        #expect(try await host.call("ConfiguredLink", "environment") == "prod")
        await host.stop()
    }

    @Test("the command line wins over secrets, secrets over files, later files over earlier ones, files over providers")
    func precedence() async throws {
        try await Self.withHost(.file, #"{"FixtureComponent": {"timeout": 1, "retries": 1, "mirrors": ["1"]}}"#) {
            configuration, directory in
            configuration.files.append(
                try directory.write(#"{"FixtureComponent": {"retries": 2, "mirrors": ["2"]}}"#, to: "later.json"))
            try directory.makeDirectory("secrets")
            try directory.write("3\n", to: "secrets/FixtureComponent.mirrors")
            try directory.write("ignored", to: "secrets/README")
            configuration.secrets = [directory.path(of: "secrets")]
            configuration.values = ["FixtureComponent.level": "high"]
            configuration.providers = [
                InMemoryProvider(values: [
                    ["FixtureComponent", "timeout"]: 9, ["FixtureComponent", "token"]: "from the provider",
                ])
            ]
        } _: { (host: LinkHost, _: TemporaryDirectory) async throws in
            let options = try await Self.options(host)
            #expect(try options["timeout"]?.double() == 1)
            #expect(try options["retries"]?.int() == 2)
            #expect(options["mirrors"] == ["3"])
            #expect(options["level"] == "high")
            #expect(options["token"] == "from the provider")
        }
    }

    static let invalid: [(json: String, problem: String)] = [
        (#"{"timeout": "soon"}"#, "FixtureComponent.timeout in FILE: expected a number (Double = 30), found a string"),
        (
            #"{"retries": 1.5}"#,
            "FixtureComponent.retries in FILE: expected an integer (Int = 3), "
                + "found a number with a point or an exponent"
        ),
        (
            #"{"mirrors": "x"}"#,
            "FixtureComponent.mirrors in FILE: expected a list of strings ([String] = []), found a string"
        ),
        (#"{"level": "middle"}"#, #"FixtureComponent.level in FILE: expected one of low, high, found "middle""#),
        (#"{"key": "no base64"}"#, "FixtureComponent.key in FILE: expected bytes in Base64 ([UInt8]?), found a string"),
        (#"{"token": 5}"#, "FixtureComponent.token in FILE: expected a string (Secret?), found an integer"),
        (
            #"{"proxy": {"host": "p", "port": 70000}}"#,
            "FixtureComponent.proxy.port in FILE: expected 0 to 65535 (UInt16 = 8080)"
        ),
        (#"{"proxy": {"port": 1}}"#, "FixtureComponent.proxy.host is missing: expected a string (String)"),
    ]

    @Test("a wrong value keeps the component from starting, with file, key and type", arguments: Depth.allCases)
    func refusals(depth: Depth) async throws {
        for (json, problem) in Self.invalid {
            try await Self.withHost(depth, #"{"FixtureComponent": \#(json)}"#) {
                (host: LinkHost, directory: TemporaryDirectory) async throws in
                let expected = problem.replacing("FILE", with: directory.path(of: "host.json"))
                #expect(try host.configurationProblems() == [expected])
                let error = await #expect(throws: LinkError.self) { try await Self.options(host) }
                #expect(error?.code == .notLoaded)
                #expect(error?.cause?.domain == HSLINK_CONFIGURATION_DOMAIN)
                #expect(error?.cause?.message == "its configuration is not valid: \(expected)")
                guard case .failed = host.state(of: "FixtureComponent") else {
                    Issue.record("it has not failed")
                    return
                }
            }
        }
    }

    @Test("a text in the place of a section keeps the component from starting", arguments: Depth.allCases)
    func textForSection(depth: Depth) async throws {
        try await Self.withHost(depth, "{}") { configuration, _ in
            configuration.values = ["FixtureComponent.proxy": #"{"host": "p"}"#]
        } _: { (host: LinkHost, _: TemporaryDirectory) async throws in
            let problem = "FixtureComponent.proxy in the command line: expected a section, found a string"
            #expect(try host.configurationProblems() == [problem])
            let error = await #expect(throws: LinkError.self) { try await Self.options(host) }
            #expect(error?.cause?.message == "its configuration is not valid: \(problem)")
        }
    }

    @Test("after a reload, components receive what has changed, and failed ones start", arguments: Depth.allCases)
    func reload(depth: Depth) async throws {
        try await Self.withHost(depth, #"{"FixtureComponent": {"timeout": 1}}"#) {
            (host: LinkHost, directory: TemporaryDirectory) async throws in
            #expect(try await Self.options(host)["timeout"] == 1.0)
            #expect(try host.reloadConfiguration() == [])
            try directory.write(#"{"FixtureComponent": {"timeout": 2}}"#, to: "host.json")
            #expect(try host.reloadConfiguration() == ["FixtureComponent"])
            #expect(try await Self.options(host)["timeout"] == 2.0)
            #expect(try await host.call("ConfiguredLink", "changed") == [["FixtureComponent"]])
            // Other sections do not concern it.
            try directory.write(#"{"FixtureComponent": {"timeout": 2}, "Other": {"x": 1}}"#, to: "host.json")
            #expect(try host.reloadConfiguration() == [])
            // A file that cannot be read changes nothing.
            try directory.write("{", to: "host.json")
            let error = #expect(throws: LinkError.self) { try host.reloadConfiguration() }
            #expect(error?.number == Int32(HSLINK_CONFIGURATION_SOURCE))
            #expect(try await Self.options(host)["timeout"] == 2.0)
        }
        try await Self.withHost(depth, #"{"FixtureComponent": {"timeout": "soon"}}"#) {
            (host: LinkHost, directory: TemporaryDirectory) async throws in
            await #expect(throws: LinkError.self) { try await Self.options(host) }
            try directory.write(#"{"FixtureComponent": {"timeout": 4}}"#, to: "host.json")
            #expect(try host.reloadConfiguration() == ["FixtureComponent"])
            #expect(try await Self.options(host)["timeout"] == 4.0)
        }
    }

    @Test("a component in C declares and reads its configuration in the same way")
    func inC() async throws {
        try await withPlugins("Configured") { (plugins: PluginDirectory) async throws in
            let directory = try TemporaryDirectory()
            let file = try directory.write(#"{"Configured": {"address": "a:1", "other": [1, 2]}}"#, to: "host.json")
            var options = HostOptions.quiet
            options.environment = .dev
            options.configuration = HostConfiguration(files: [file], environmentPrefix: nil)
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: options)
            func call(_ selector: String, _ payload: Payload = .null) async throws -> Payload {
                try await host.call("ConfiguredInC", selector, payload, kind: .class)
            }
            #expect(try await call("values") == ["address": "a:1"])
            #expect(try await call("environment") == "dev")
            #expect(try await call("value", ["key": "address", "type": 0]) == "a:1")
            #expect(try await call("value", ["key": "other", "type": 17]) == [1, 2])
            #expect(try await call("value", ["key": "missing", "type": 0]) == "none")
            for payload: Payload in [
                ["key": "address", "type": 1], ["key": "address", "type": 9], ["key": "a..b", "type": 0],
                ["key": "", "type": 0],
            ] {
                await #expect(throws: LinkError.self) { try await call("value", payload) }
            }
            // It is running, so what is not valid changes nothing for it; a new host could not load it.
            try directory.write(#"{"Configured": {"adress": "b:2"}}"#, to: "host.json")
            #expect(try host.reloadConfiguration() == [])
            #expect(try await call("values") == ["address": "a:1"])
            #expect(try await call("value", ["key": "address", "type": 0]) == "a:1")
            let problem =
                "Configured.address is missing: expected a string (String); "
                + "Configured.adress in \(file) may be a misspelling of it"
            #expect(try host.configurationProblems() == [problem])
            let next = LinkHost(components: [plugins.path], includesBuiltIn: false, options: options)
            let error = await #expect(throws: LinkError.self) {
                try await next.call("ConfiguredInC", "values", kind: .class)
            }
            #expect(error?.cause?.message == "its configuration is not valid: \(problem)")
            await next.stop()
            try directory.write(#"{"Configured": {"address": "b:2"}}"#, to: "host.json")
            #expect(try host.reloadConfiguration() == ["Configured"])
            #expect(try await call("values") == ["address": "b:2"])
            await host.stop()
        }
    }

    @Test("files that cannot be used are refused with the reason")
    func files() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("{\"a\": 1,\n \"a\": 2}", to: "twice.json")
        try directory.write("[1]", to: "list.json")
        try directory.write("a: [", to: "broken.yaml")
        try directory.write("{}", to: "open.json")
        try directory.setMode(0o666, of: "open.json")
        try directory.write(String(repeating: " ", count: 2 << 20), to: "large.json")
        for (name, reason) in [
            ("missing.json", "No such file"), ("twice.json", #""a" twice"#),
            ("list.json", "a section for each"),
            ("broken.yaml", "line 2, column 1: "), ("open.json", "writable by everyone"), ("large.json", "1 MB"),
        ] {
            var options = HostOptions.quiet
            options.configuration = HostConfiguration(files: [directory.path(of: name)], environmentPrefix: nil)
            let host = try Depth.file.host(options: options)
            let error = #expect(throws: LinkError.self, "\(name)") { try host.configurationProblems() }
            #expect(error?.message.contains(reason) == true, "\(name): \(error?.message ?? "")")
            #expect(error?.message.contains(name) == true)
            // The component declares what it reads, so it cannot run without the file.
            await #expect(throws: LinkError.self) { try await Self.options(host) }
            await host.stop()
        }
    }

    @Test("no message shows a value from secrets, or the line of a malformed file")
    func hidden() async throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("secrets")
        try directory.write("hunter2", to: "secrets/FixtureComponent.level")
        try directory.write("FixtureComponent:\n  token: hunter2: x\n", to: "broken.yaml")
        try directory.write("FixtureComponent: {retries: hunter2}", to: "wrong.yaml")
        for name in ["secrets", "broken.yaml", "wrong.yaml"] {
            var options = HostOptions.quiet
            var configuration = HostConfiguration(environmentPrefix: nil)
            configuration.secrets = [directory.path(of: name)]
            options.configuration = configuration
            let host = try Depth.file.host(options: options)
            let error = await #expect(throws: LinkError.self) { try await Self.options(host) }
            #expect(error?.message.contains(directory.path(of: name)) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("hunter2") == false, "\(error?.message ?? "")")
            await host.stop()
        }
    }

    @Test("null, a section without keys and a file of comments are nothing in YAML")
    func nothing() async throws {
        for text in [
            "# nothing\n", "", "---\n", "FixtureComponent:\n  timeout: ~\n  token: null\n  retries:\n  proxy:\n",
        ] {
            try await Self.withHost(.file, text, as: "host.yaml") {
                (host: LinkHost, _: TemporaryDirectory) async throws in
                let options = try await Self.options(host)
                #expect(options["timeout"] == 30.0 && options["retries"] == 3)
                #expect(options["token"]?.isNull != false && options["proxy"]?.isNull != false)
            }
        }
    }

    @Test("what the program's own provider has at a reload counts", arguments: Depth.allCases)
    func provider(depth: Depth) async throws {
        let own = MutableInMemoryProvider(initialValues: [["FixtureComponent", "retries"]: 5])
        try await Self.withHost(depth, "{}") { configuration, _ in
            configuration.providers = [own]
        } _: { (host: LinkHost, _: TemporaryDirectory) async throws in
            #expect(try await Self.options(host)["retries"] == 5)
            own.setValue(6, forKey: ["FixtureComponent", "retries"])
            #expect(try await host.call("ConfiguredLink", "int", ["key": "retries"]) == 5)
            #expect(try host.reloadConfiguration() == ["FixtureComponent"])
            #expect(try await Self.options(host)["retries"] == 6)
        }
    }

    @Test("a component whose requirement has a mended configuration is tried again, too")
    func dependents() async throws {
        try await withPlugins("Configured", "NeedsConfigured") { (plugins: PluginDirectory) async throws in
            let directory = try TemporaryDirectory()
            var options = HostOptions.quiet
            options.configuration = HostConfiguration(
                files: [try directory.write("{}", to: "host.json")], environmentPrefix: nil)
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: options)
            await #expect(throws: LinkError.self) { try await host.call("NeedsConfiguredLink", "run", kind: .class) }
            try directory.write(#"{"Configured": {"address": "a"}}"#, to: "host.json")
            #expect(try host.reloadConfiguration() == ["Configured"])
            #expect(try await host.call("NeedsConfiguredLink", "run", kind: .class) == true)
            await host.stop()
        }
    }

    @Test("a component that replaces another one in a rescan has a section of its own")
    func replaced() async throws {
        try await withPlugins("Configured") { (plugins: PluginDirectory) async throws in
            let directory = try TemporaryDirectory()
            var options = HostOptions.quiet
            options.configuration = HostConfiguration(
                files: [try directory.write(#"{"Configured": {"address": "a"}}"#, to: "host.json")],
                environmentPrefix: nil)
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: options)
            for _ in 1...20 {
                #expect(try host.configurationProblems() == [])
                try FileManager.default.removeItem(atPath: plugins.file("libConfigured.so"))
                host.rescan()
                try plugins.add("VersionedOld")
                host.rescan()
                #expect(try host.configurationProblems() == [])
                try FileManager.default.removeItem(atPath: plugins.file("libVersionedOld.so"))
                try plugins.add("Configured")
                host.rescan()
            }
            #expect(
                try await host.call("ConfiguredInC", "values", kind: .class) == ["address": "a"])
            await host.stop()
        }
    }

    @Test("a secret is shown by none of its descriptions")
    func secret() throws {
        let secret = Secret("s3cret")
        #expect("\(secret) \(String(reflecting: secret)) \([secret])".contains("s3cret") == false)
        var dumped = ""
        dump(["key": secret], to: &dumped)
        #expect(!dumped.contains("s3cret"))
        #expect(secret.text == "s3cret" && secret.payload == "s3cret")
        #expect(try Payload("x").value(as: Secret.self) == "x")
    }

    @Test("a component that an event could not load receives the event once it is loaded", arguments: Depth.allCases)
    func missed(depth: Depth) async throws {
        try await Self.withHost(depth, #"{"FixtureComponent": {"timeout": "x"}}"#) {
            (host: LinkHost, directory: TemporaryDirectory) async throws in
            let outcome = await host.events.deliver(URLOpened(url: "a:b"))
            #expect(outcome.failures.count == 1)
            _ = try directory.write(#"{"FixtureComponent": {"timeout": 1}}"#, to: "host.json")
            #expect(try host.reloadConfiguration() == ["FixtureComponent"])
            let told: [String] = try await host.call("EventLink", "told").value()
            #expect(told == ["opened a:b"])
        }
    }
}
