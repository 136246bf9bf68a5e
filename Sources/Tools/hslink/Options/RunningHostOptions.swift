import ArgumentParser

/// The choice between a running host and a host created for the command.
struct RunningHostOptions: ParsableArguments {
    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "Use the running host at this socket, which 'hslink run' prints at startup.",
            discussion: "Its component and data directories were set when it was started.",
            valueName: "socket"),
        completion: .file())
    var socket: String?

    func validate() throws {
        if socket?.isEmpty == true { throw ValidationError("--host: expected a socket, found an empty string") }
    }

    /// Rejects options that have no effect on a host that is already running.
    func refuse(
        _ components: ComponentOptions, _ data: DataOptions? = nil, configuration: ConfigurationOptions? = nil
    ) throws {
        guard socket != nil else { return }
        let given = [
            ("--plugins", !components.directories.isEmpty), ("--trust-any", components.trustsAny),
            ("--allow-other-compilers", components.allowsOtherCompilers),
            ("--log-level", components.logThreshold != nil), ("--data", data?.directory != nil),
            ("--cache", data?.cacheDirectory != nil),
        ]
        if let option = given.first(where: \.1)?.0 ?? configuration?.given {
            throw ValidationError(
                "--host and \(option) cannot be combined: \(option) can be set only when a host is started")
        }
    }
}
