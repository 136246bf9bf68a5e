import ArgumentParser
import ComponentHost
import HostControl
import Logging

/// `hslink run`: runs a host until it is stopped.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a host that watches its directories and takes calls from other programs.",
        discussion: """
            EXAMPLES:
              hslink run --plugins plugins
              hslink run --plugins plugins --control /run/user/1000/hslink.sock --log-format json
              hslink call --host /run/user/1000/hslink.sock VideoLink probe path=clip.mp4

            Shows the table of 'hslink list', then logs to standard error which components are added and removed. A \
            component can be called as soon as its file is added to a directory; no restart is needed. When the file \
            is removed, the component can no longer be called, unless it is already loaded: then it keeps running \
            until the host stops. A different version of a loaded component waits for a restart. Add files with \
            mv(1) on the same file system or with install(1): overwriting a loaded file crashes the host.

            A directory that does not exist or cannot be trusted is logged, and searched as soon as it can be; with \
            --strict, it ends the host at startup.

            Components are loaded at the first call to them, except those that start with the host. One of these that \
            cannot be loaded is logged; with --strict, it ends the host.

            Without --control, the host listens at hslink.sock in RUNTIME_DIRECTORY (systemd), else in \
            XDG_RUNTIME_DIR, or, when run as root, at /run/hslink.sock. The socket accepts calls from its owner and \
            from root.

            A data directory belongs to one host at a time. A directory named by --data or HSLINK_DATA is locked at \
            startup; the default one is locked when a component first asks for it, so hosts whose components keep no \
            data can run side by side without --data.

            With --config, a file that changes is read again. Components whose values have changed receive the event \
            hslink.host/configurationChanged. If the file is malformed, the previous values remain. With --strict, \
            a component that cannot start with its configuration ends the host at startup.

            SIGNALS: on SIGINT or SIGTERM, the host refuses new calls, lets calls in flight finish or cancels them \
            after the grace period, and destroys the components. A second signal ends the process at once (status 130 \
            or 143). On SIGHUP, the host rescans its directories and reads its \
            configuration again. With NOTIFY_SOCKET, systemd is notified when the host is ready and when it stops, and, \
            with WATCHDOG_USEC, that it is alive.

            CRASHES: a component that crashes ends the host, by the signal. The log then has a last line at level critical \
            with the component, the method, the signal and the thread. With a data directory that was named, or that a \
            component has asked for, the next start logs the crash too, 'hslink list' shows it, and a component that \
            has crashed the host three times within an hour is not loaded, until the host has stopped in order.

            STATUS: 0 after an orderly stop, 1 when the host could not be started, failed, or did not stop in time, 64 \
            for a wrong command line.
            """)

    @OptionGroup var components: ComponentOptions

    @OptionGroup var data: DataOptions

    @OptionGroup var settings: ConfigurationOptions

    @Option(
        help: ArgumentHelp("Listen at this socket, or 'none'.", valueName: "socket"), completion: .file())
    var control: String?

    @Option(
        help: ArgumentHelp(
            "How long calls in flight may continue after the first signal. (default: 5)", valueName: "seconds"),
        transform: { $0 == "0" ? .zero : try Seconds($0).duration })
    var grace = Duration.seconds(5)

    @Option(
        name: .customLong("remote"),
        help: ArgumentHelp(
            "A source outside the program that may open URLs of public routes. May be repeated.",
            discussion: "'hslink open --remote SOURCE --host SOCKET' opens a URL as that source.", valueName: "source"))
    var remoteSources: [String] = []

    @Option(help: ArgumentHelp("The format of log lines: text or json.", valueName: "format"))
    var logFormat = RunLog.Format.text

    @Flag(
        help: """
            End with status 1 if a directory cannot be searched, or if a component cannot start with the host, or with \
            its configuration.
            """)
    var strict = false

    @Flag(help: "Record how long components take to start, handle events and stop, and show a table at the end.")
    var profile = false

    @Option(
        name: .customLong("slow"),
        help: ArgumentHelp("Log calls that take longer than this while they are running.", valueName: "seconds"),
        transform: { try Seconds($0).duration })
    var slowCallThreshold: Duration?

    func validate() throws {
        guard control?.isEmpty != true else {
            throw ValidationError("--control: expected a socket or 'none', found an empty string")
        }
        if remoteSources.contains("") { throw ValidationError("--remote: expected the name of a source") }
    }

    func run() async throws {
        let (format, level) = (logFormat, (components.logThreshold ?? .info).level)
        let writer = LogWriter()
        let logger = Logger(label: "hslink") { _ in RunLog(format, logLevel: level, writer: writer) }
        let session = RunSession(
            host: components.makeHost(data: data, logger: logger) {
                [remoteSources, settings, profile, slowCallThreshold] options in
                options.crashReports = format == .json ? .json : .text
                options.routes.remoteSources = Set(remoteSources)
                settings.apply(to: &options)
                options.recordsTimes = profile
                options.slowCallThreshold = slowCallThreshold
            }, logger: logger, writer: writer, grace: grace,
            format: format, isStrict: strict)
        try await session.run(control: ControlSocketChoice(control), claimsData: data.isNamed)
    }
}

extension RunLog.Format: ExpressibleByArgument {}
