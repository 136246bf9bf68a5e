import ArgumentParser
import ComponentHost
import ComponentKit
import Glibc
import SystemSupport

/// The options for what components read from their configuration.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help: ArgumentHelp(
            "A file with the configuration of components, in JSON or YAML. May be repeated; later files win.",
            discussion: """
                Each component has a section with its name, and 'host.components.NAME.enabled: false' disables a \
                component. Default: HSLINK_CONFIG. Environment variables replace values of files: \
                HSLINK_COMPONENT_IMAGE_TIMEOUT is the timeout of ComponentImage.
                """,
            valueName: "file"),
        completion: .file(extensions: ["json", "yaml", "yml"]))
    var files: [String] = []

    @Option(
        name: .customLong("secrets"),
        help: ArgumentHelp(
            "A file like those of --config, or a directory with a file per key. Its values are not shown.",
            discussion: """
                A file in the directory is named after its key, such as ComponentImage.token. A dot in the name of a \
                component is written twice, also with --set. May be repeated. Default: CREDENTIALS_DIRECTORY (systemd).
                """,
            valueName: "path"),
        completion: .file())
    var secrets: [String] = []

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "A value that replaces all others, such as ComponentImage.timeout=10. May be repeated.",
            valueName: "key=value"))
    var values: [String] = []

    @Option(
        name: .customLong("environment"),
        help: ArgumentHelp(
            "Where the host runs: dev, test, stage or prod. (default: HSLINK_ENVIRONMENT, else prod)",
            valueName: "name"),
        transform: { text in
            guard let name = DeploymentEnvironment(rawValue: text) else {
                throw ValidationError("expected dev, test, stage or prod, found '\(text.escaped)'")
            }
            return name
        })
    var environmentName: DeploymentEnvironment?

    func validate() throws {
        for (option, texts) in [("--config", files), ("--secrets", secrets)] where texts.contains("") {
            throw ValidationError("\(option): expected a path, found an empty string")
        }
        // Without the text, which may be a secret.
        guard values.allSatisfy({ ConfigurationOptions.assignment($0) != nil }) else {
            throw ValidationError("--set: expected COMPONENT.KEY=VALUE")
        }
        if environmentName == nil, let name = ConfigurationOptions.variable("HSLINK_ENVIRONMENT"),
            DeploymentEnvironment(rawValue: name) == nil
        {
            throw ValidationError("HSLINK_ENVIRONMENT: expected dev, test, stage or prod, found '\(name.escaped)'")
        }
    }

    /// Splits `COMPONENT.KEY=VALUE`.
    private static func assignment(_ text: String) -> (key: String, value: String)? {
        // By bytes: the value may begin with a combining mark, and may be a secret, which no message shows.
        guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let key = String(decoding: text.utf8[..<sign], as: UTF8.self)
        guard ConfigurationKey(text: key).isComplete else { return nil }
        return (key, String(decoding: text.utf8[sign...].dropFirst(), as: UTF8.self))
    }

    /// The option that was given first; nil if there is none.
    var given: String? {
        if !files.isEmpty { return "--config" }
        if !secrets.isEmpty { return "--secrets" }
        if !values.isEmpty { return "--set" }
        return environmentName == nil ? nil : "--environment"
    }

    /// Changes the options of a host.
    func apply(to options: inout HostOptions) {
        var configuration = HostConfiguration(files: files)
        if files.isEmpty, let file = ConfigurationOptions.variable("HSLINK_CONFIG") { configuration.files = [file] }
        configuration.secrets = secrets
        if secrets.isEmpty, let directory = ConfigurationOptions.variable("CREDENTIALS_DIRECTORY") {
            configuration.secrets = [directory]
        }
        configuration.values = Dictionary(values.compactMap(ConfigurationOptions.assignment)) { _, last in last }
        options.configuration = configuration
        let name = environmentName?.rawValue ?? ConfigurationOptions.variable("HSLINK_ENVIRONMENT")
        options.environment = name.flatMap(DeploymentEnvironment.init) ?? .prod
    }

    /// Ends the command if a file of the configuration cannot be used.
    ///
    /// - Returns: What is wrong with the sections of components.
    @discardableResult
    func verify(_ host: LinkHost) throws -> [String] {
        do throws(LinkError) {
            return try host.configurationProblems()
        } catch {
            Output.error(error.message.escapedMessage)
            throw ExitCode.failure
        }
    }

    /// Writes to standard error what is probably a mistake in the configuration.
    func warn(of host: LinkHost) {
        for text in host.configurationWarnings() { Output.note("Warning: \(text.escapedMessage)") }
    }

    /// Returns what tells for each component which setting disables it; nil for a component that is enabled.
    ///
    /// - Throws: an `ExitCode` if a file of the configuration cannot be used.
    func disabling() throws -> (_ component: String) -> String? {
        var options = HostOptions()
        apply(to: &options)
        let host = LinkHost(components: [], includesBuiltIn: false, options: options)
        try verify(host)
        return host.settingDisabling
    }

    private static func variable(_ name: String) -> String? {
        RunningProgram.variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
