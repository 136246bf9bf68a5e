import ArgumentParser

/// Which host is asked: one that stays up, or one that is made for the command.
struct RunningHostOptions: ParsableArguments {
    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "Ask the host that listens at this socket ('hslink run' says where).",
            discussion: "Where its components come from and keep their data was said when it was started.",
            valueName: "socket"),
        completion: .file())
    var socket: String?

    func validate() throws {
        if socket?.isEmpty == true { throw ValidationError("--host: expected a socket, the text is empty") }
    }

    /// Refuses options that mean nothing to a host that runs already.
    func refuse(_ components: ComponentOptions, _ data: DataOptions? = nil) throws {
        guard socket != nil else { return }
        let given = [
            ("--plugins", !components.directories.isEmpty), ("--trust-any", components.trustsAny),
            ("--allow-other-compilers", components.allowsOtherCompilers),
            ("--log-level", components.logThreshold != nil), ("--data", data?.directory != nil),
        ]
        if let option = given.first(where: \.1)?.0 {
            throw ValidationError(
                "--host asks a host that runs already: \(option) was said, or not, when it was started")
        }
    }
}
