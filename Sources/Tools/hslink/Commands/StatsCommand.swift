import ArgumentParser
import ComponentHost
import ComponentKit
import HostControl
import SystemSupport

/// `hslink stats`: shows what a running host has counted of calls.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Shows how often the methods of a running host were called, how long they took, and what failed.",
        discussion: """
            EXAMPLES:
              hslink stats
              hslink stats --host hslink.sock
              hslink stats ComponentVideo OwnerLink --host hslink.sock --watch
              hslink stats --host hslink.sock --json
              hslink stats --host hslink.sock --prometheus

            Without --host, the host that 'hslink run' has started without --control is asked. With names of \
            components or classes, only their methods are shown. Methods that have not been called are left out. Those \
            with the most calls come first.

            FAILED counts calls that ended with an error; the errors are below the table. IN FLIGHT are calls that \
            have begun and not ended; STUCK those that have ended, as by a deadline, while their method is still \
            running. LATE counts replies that came after that. P50, P90 and P99 are times that this share of the \
            calls did not exceed, rounded up to 1, 2 or 5 of a power of ten. Calls that a busy thread makes are \
            sampled: one in 64 is timed. The other numbers are exact.

            A row without a selector has the calls to selectors that its class does not have, the row without a class \
            those to classes that no component has. The row 'closure' has the calls of a component's closures, the row \
            'object' those of its objects whose class is not in its manifest, such as streams. Calls of closures and \
            objects are not IN FLIGHT while they run on the thread of their caller. The command's own call is counted \
            too.

            With --watch, the table is shown again each second: on a terminal in the place of the previous one, else \
            below it, after an empty line. It then has the calls and failures of the last second, and the times of \
            the calls that ended in it. Ctrl-C ends the command with status 0.

            With --json, prints one object: {"counters": [{"component", "class", "selector", "kind", "calls", \
            "failures", "inFlight", "stuck", "lateReplies", "durations": {"calls", "sum", "p50", "p90", "p99", \
            "buckets": [{"upTo", "calls"}]}}]}, with times in seconds; with --watch, one on a line for each second. \
            "kind" is left out unless it is "class". With --prometheus, prints the text that Prometheus reads.

            STATUS: 0; 1 when the host cannot be reached or was lost; 64 for a wrong command line.
            """)

    @Argument(
        help: ArgumentHelp("The names of components or classes; all by default.", valueName: "name"),
        completion: .custom(NameCompletion.countedNames))
    var names: [String] = []

    @Flag(help: "Show the table again each second, with rates, until Ctrl-C.")
    var watch = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Print the text format of Prometheus.")
    var prometheus = false

    @OptionGroup var host: RunningHostOptions

    func validate() throws {
        if json && prometheus { throw ValidationError("--json and --prometheus cannot be combined") }
        if prometheus && watch { throw ValidationError("--prometheus and --watch cannot be combined") }
        if prometheus && !names.isEmpty {
            throw ValidationError("--prometheus prints all methods; leave out '\(names[0].escaped)'")
        }
        _ = try socket()
    }

    func run() async throws {
        let socket = try socket()
        let session = StatsSession(names: names, isJSON: json)
        guard !prometheus else {
            return try await ControlClient.connected(to: socket) { try await session.printPrometheusText(of: $0) }
        }
        guard watch else {
            return try await ControlClient.connected(to: socket) { try await session.show(on: $0) }
        }
        do {
            let interruption = try CommandInterruption()
            let status = try await ControlClient.connected(to: socket) { client in
                try await interruption.watching { try await session.watch(on: client) }
            }
            if status != 0 { throw ExitCode(status) }
        } catch let error as PageFailure {
            Output.error(error.message.escapedMessage)
            throw ExitCode.failure
        }
    }

    /// The socket of the host, or the one at which `hslink run` listens unless it is told otherwise.
    private func socket() throws -> String {
        if let socket = host.socket ?? StatsCommand.defaultSocket { return socket }
        throw ValidationError("no host: neither RUNTIME_DIRECTORY nor XDG_RUNTIME_DIR is set; add --host SOCKET")
    }

    static var defaultSocket: String? {
        if case .path(let path) = ControlSocketChoice(nil) { path } else { nil }
    }
}
