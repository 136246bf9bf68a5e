import ArgumentParser
import ComponentHost
import ComponentKit
import Glibc
import HostControl
import PageKit
import SystemSupport

/// `hslink open`: opens a URL.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Opens a URL: calls the selector that has the route, and prints the result.",
        discussion: """
            EXAMPLES:
              hslink open studio://owner --plugins plugins
              hslink open 'studio://picture?path=picture.png' --plugins plugins
              hslink open studio://picture path='my picture.png' --plugins plugins
              hslink open studio://film/clip.mp4 --remote browser
              hslink open studio://owner/addresses --host hslink.sock

            Put a URL that contains ? or & in single quotes.

            'hslink routes' lists the routes, and 'hslink routes --match URL' says which of them a URL leads to.

            Each key=value becomes an item of the URL's query, percent-encoded, so that the host converts it to the \
            type of the parameter. JSON arrays and maps, and values from elsewhere (key=@?, key=@-, key=@FILE, \
            key=@env:NAME; see 'hslink call --help') are passed beside the URL and are not shown in logs. If the selector \
            declares parameters, any other key is refused; items of the URL itself that it does not declare are ignored.

            Without --host, each command starts a host of its own. What components store, such as who is signed in, is \
            kept in the data directory; see --data.

            With --remote, the URL counts as one from outside the program, from the source with this name: only \
            routes that are marked public are found, and only sources that the host allows may open anything. \
            A host that this command starts allows the source.

            The result and its form with --json are those of 'hslink call'. Without --json, a result that is a page, \
            or leads to one, is shown as 'hslink page' shows that page.

            STATUS: 0 when the URL was opened and the result printed, 1 when not, 64 for a wrong command line.
            """)

    @Argument(
        help: ArgumentHelp("The URL.", valueName: "url"), completion: .custom(RouteCompletion.urls))
    var url: String

    @Argument(
        help: ArgumentHelp("key=value pairs (values: text, JSON, @?, @-, @FILE, @env:NAME).", valueName: "parameter"),
        completion: .custom(RouteCompletion.parameters))
    var parameters: [String] = []

    @Option(
        help: ArgumentHelp("Open the URL as this source outside the program would.", valueName: "source"))
    var remote: String?

    @Option(
        name: [.customLong("deadline"), .customLong("timeout")],
        help: ArgumentHelp(
            "Fail if it takes longer than this many seconds, including loading; 'none' for no limit. (default: 60)",
            valueName: "seconds"),
        transform: { try CallLimit($0) })
    var limit = CallLimit.standard

    @Flag(help: "Print the complete answer as one JSON object.")
    var json = false

    @OptionGroup var host: RunningHostOptions

    @OptionGroup var components: ComponentOptions

    @OptionGroup var data: DataOptions

    @OptionGroup var settings: ConfigurationOptions

    func validate() throws {
        try host.refuse(components, data, configuration: settings)
        if url.isEmpty { throw ValidationError("expected a URL, found an empty string") }
        if remote?.isEmpty == true { throw ValidationError("--remote: expected the name of a source") }
    }

    func run() async throws {
        do {
            try await perform(try URLArguments(url, parameters))
        } catch let error as UsageError {
            if json { try Output.json(CallReport(refused: error).json()) } else { Output.error(error.message) }
            throw ExitCode.validationFailure
        } catch let error as ControlError {
            throw ExitCode(try CallReport(notAsked: error).print(asJSON: json))
        }
    }

    private func perform(_ arguments: URLArguments) async throws {
        let limit = limit
        if let socket = host.socket {
            let (url, remote, result) = (url, remote, self.result)
            let status = try await RemoteHost.connected(to: socket) { host in
                try await host.refuseKeys(of: arguments, remote: remote, timeout: limit.duration)
                let call = try arguments.call(remote: remote, limit: limit)
                let report = try await Progress.during(url) { try await host.perform(call) }
                return try await result.print(report, from: .remote(host.client))
            }
            if status != 0 { throw ExitCode(status) }
            return
        }
        let local = try LocalHost(components, data: data, configuration: settings, isJSON: json) { options in
            if let remote { options.routes.remoteSources = [remote] }
        }
        try arguments.refuseKeys(of: await local.route(of: arguments, remote: remote), in: local.host.catalog)
        let call = try arguments.call(remote: remote, limit: limit)
        let report = try await Progress.during(url) { try await local.perform(call) }
        if let stream = PrintedStream(report.value, isJSON: json) {
            return try await local.end(printing: stream, of: report)
        }
        let status = try await result.print(report, from: .local(local.host))
        try await local.end(status, mayBeAtWork: report.isEndedFromOutside)
    }

    private var result: OpenedResult {
        OpenedResult(
            isJSON: json, options: PageOptions.words(host, components, data: data, settings: settings),
            timeout: limit.isStandard ? nil : limit.duration)
    }
}

/// How the result of a URL is printed.
private struct OpenedResult: Sendable {
    let isJSON: Bool
    /// The options for the commands of a page.
    let options: [String]
    let timeout: Duration?

    /// Prints the result: as a page if it is one, or leads to one.
    ///
    /// - Returns: the exit status.
    /// - Throws: `ControlError` if the host has disappeared.
    func print(_ report: CallReport, from place: PageClient.Place) async throws -> Int32 {
        do {
            guard !isJSON, let outcome = report.value.flatMap({ ActionOutcome(answer: $0) }), let page = outcome.page
            else { return try report.print(asJSON: isJSON) }
            let client = try await PageClient(place)
            if let text = outcome.value.isNull ? nil : try? outcome.value.json(pretty: true) { try Output.json(text) }
            let session = PageSession(
                page: page, isJSON: false, watches: false, unfolds: false, options: options, timeout: timeout,
                request: nil)
            return try await session.run(on: client)
        } catch let failure as PageFailure {
            Output.error(failure.message.escapedMessage)
        } catch let error as OutputError {
            Output.error(error.message)
        }
        return ExitCode.failure.rawValue
    }
}
