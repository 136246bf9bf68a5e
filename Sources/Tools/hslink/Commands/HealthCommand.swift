import ArgumentParser
import ComponentKit
import HostContract
import HostControl

/// `hslink health`: says whether a running host answers, or can take calls.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Says whether a running host answers, or with --ready, whether it can take calls.",
        discussion: """
            EXAMPLES:
              hslink health
              hslink health --host /run/hslink.sock --ready

            For the health checks of containers and load balancers. Without --host, the host that 'hslink run' has \
            started without --control is asked. A host answers as soon as it listens. It is ready once the components \
            that start with it are loaded and have been told that it has started; not while one of them has failed, \
            and not from the signal on that stops it.

            Prints 'alive' or 'ready', or on standard error why not.

            STATUS: 0 if the host answers, or with --ready, is ready; 1 if not; 64 for a wrong command line.
            """)

    @Flag(help: "Fail unless the host can take calls.")
    var ready = false

    @Option(
        help: ArgumentHelp("How long the answer may take. (default: 5)", valueName: "seconds"),
        transform: { try Seconds($0).duration })
    var timeout = Duration.seconds(5)

    @OptionGroup var host: RunningHostOptions

    func validate() throws { _ = try socket() }

    func run() async throws {
        let (socket, timeout) = (try socket(), timeout)
        let outcome = try await ControlClient.connected(to: socket) { client in
            try await client.call(CallDescription("hslink.Host", "health", timeout: timeout))
        }
        if ready, let problem = HealthCommand.problem(outcome) {
            Output.error("not ready: \(problem)".escaped)
            throw ExitCode.failure
        }
        // A host that refuses the call answers, too.
        try Output.result(ready ? "ready" : "alive")
    }

    /// Returns why a host is not ready; nil if it is.
    private static func problem(_ outcome: ControlClient.Outcome) -> String? {
        switch outcome {
        case .failed(let error): return error.message
        case .notSendable(let error): return "\(error)"
        case .returned(let answer):
            guard let health = try? answer.value(as: HostHealth.self) else { return "the answer cannot be understood" }
            if health.isReady { return nil }
            guard health.phase == "running" else { return "the host is \(health.phase)" }
            return "\(health.failures.joined(separator: ", ")) cannot start; 'hslink list --host SOCKET' says why"
        }
    }

    private func socket() throws -> String {
        if let socket = host.socket ?? StatsCommand.defaultSocket { return socket }
        throw ValidationError("no host: neither RUNTIME_DIRECTORY nor XDG_RUNTIME_DIR is set; add --host SOCKET")
    }
}
