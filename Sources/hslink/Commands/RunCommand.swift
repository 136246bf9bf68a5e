import ArgumentParser
import ComponentHost
import HostControl
import Logging

/// `hslink run`: a host that stays up.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Keeps a host up: watches its directories, and takes calls from other programs.",
        discussion: """
            EXAMPLES:
              hslink run --plugins plugins
              hslink run --plugins plugins --control /run/user/1000/hslink.sock --log-format json
              hslink call --host /run/user/1000/hslink.sock VideoLink probe path=clip.mp4

            Shows the table of 'hslink list', then writes to standard error what comes and goes. A file that is put into a \
            directory can be called without a restart; one that is taken out cannot be called any more, unless it is in \
            memory: then it goes on until the end. Another version of what is in memory waits for a restart. \
            Put files in by renaming, as install(1) and mv(1) do: writing over a file that is in memory ends the host.

            Without --control, it listens at hslink.sock in RUNTIME_DIRECTORY (systemd), else in XDG_RUNTIME_DIR, else, for \
            root, at /run/hslink.sock. The socket takes calls of its owner and of root.

            A data directory belongs to one host at a time. One that --data or HSLINK_DATA names is taken at the start; the \
            usual one when a component first asks for it, so that hosts whose components keep no data run beside each \
            other without --data.

            SIGNALS: SIGINT and SIGTERM refuse new calls, let those that have begun end or cancel them after the grace, \
            and end the components; a second one ends the process at once (status 130 or 143). SIGHUP looks through the \
            directories. With NOTIFY_SOCKET, systemd is told when the host is ready and when it stops.

            STATUS: 0 after an orderly end, 1 when the host could not be started, 64 for a wrong command line.
            """)

    @OptionGroup var components: ComponentOptions

    @OptionGroup var data: DataOptions

    @Option(
        help: ArgumentHelp("Listen at this socket, or 'none'.", valueName: "socket"), completion: .file())
    var control: String?

    @Option(
        help: ArgumentHelp(
            "How long calls may take after the first signal to end. (default: 5)", valueName: "seconds"),
        transform: { $0 == "0" ? .zero : try Seconds($0).duration })
    var grace = Duration.seconds(5)

    @Option(help: ArgumentHelp("How lines of the log look: text or json.", valueName: "format"))
    var logFormat = RunLog.Format.text

    func validate() throws {
        guard control?.isEmpty != true else {
            throw ValidationError("--control: expected a socket or 'none', the text is empty")
        }
    }

    func run() async throws {
        let (format, level) = (logFormat, (components.logThreshold ?? .info).level)
        let writer = LogWriter()
        let logger = Logger(label: "hslink") { _ in RunLog(format, level, writer) }
        let session = RunSession(
            host: components.makeHost(data: data, logger: logger), logger: logger, writer: writer, grace: grace,
            format: format)
        try await session.run(control: ControlSocketChoice(control), claimsData: data.isNamed)
    }
}

extension RunLog.Format: ExpressibleByArgument {}
