import ArgumentParser
import ComponentHost
import ComponentKit
import Glibc
import HostControl
import SystemSupport

/// `hslink call`: calls a component.
struct CallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Calls a selector of a class and prints the result; without a selector, lists the class's selectors.",
        discussion: """
            EXAMPLES:
              hslink call VideoLink --plugins plugins
              hslink call VideoLink probe path=clip.mp4 --plugins plugins
              hslink call VideoLink probe '{"path": "clip.mp4"}' --deadline 2
              hslink call VideoLink probe @request.json --json
              echo '[1, 2]' | hslink call MathLink sum @-
              hslink call MathLink negate -- -5
              hslink call VideoLink probe path=clip.mp4 --host /run/user/1000/hslink.sock
              hslink call AccountLink signIn name=ada 'password=@?'
              pass show ada | hslink call AccountLink signIn name=ada password=@-
              hslink call WeatherLink temperatures city=Oslo --plugins plugins | head -3
              hslink call VideoLink convert path=clip.mp4 progress=@print --plugins plugins
              hslink call - --plugins plugins <calls

            With a class alone, lists its selectors and their parameters from the manifest; nothing is loaded. The \
            classes that every host has, such as hslink.Host, are listed too. \
            With --json, the list is {"class", "component", "summary", "selectors": [{"name", "kind", "parameters": \
            [{"name", "type"}], "result", "summary"}]}.

            The payload is a JSON text, the JSON text in a file (@FILE; @- for standard input), or a map of \
            key=value pairs. A value is a string if the parameter's type is a string; otherwise it is JSON if it \
            parses as JSON, else a string. Keys are used literally, including dots. If the selector declares \
            parameters, any other key is refused. Without a payload, null is sent. Put -- before JSON that begins \
            with a minus sign.

            Every user of the machine can read command lines. Pass a secret in another way: key=@? asks at the \
            terminal without showing the input; key=@- reads standard input to its end and key=@FILE reads a file, \
            both without their last line break; key=@env:NAME reads an environment variable. Such values are always \
            strings, even if they look like JSON. For text that begins with an @, write key=@@text.

            Where the parameter is a date, an array or a map of dates, a time is text, as in 2026-01-31T12:30:00Z. Where \
            it is a closure without a result, key=@print gives one that prints the arguments of each of its calls on one \
            line, as a JSON array; with --json, as {"closure": KEY, "arguments": […]}. A running host takes no closures.

            The result is printed as JSON: text in quotes, and null for a method that returns nothing. Bytes are \
            {"$bytes": "<base64>"}; dates are text in RFC 3339, and {"$date": "<RFC 3339>"} with --json.

            A stream is printed as it comes, each value as JSON on one line, until it ends or Ctrl-C ends the command \
            with status 130. With --json, each line is {"value": VALUE}, and the last one the object below. A running \
            host keeps its streams.

            With --json, prints one object instead: {"returnValue", "performSuccess", "classIsLoad"}, and if the \
            call failed, "error" with "code", "message", "class", "selector", "component" (null if unknown) and, \
            where they apply, "domain" with "number", "details" and "cause". If JSON cannot represent the result (an \
            object, or a kind of value unknown to this program), "performSuccess" is true, "returnValue" is null, and \
            the error is "notPrintable". \
            The error of a wrong value, key or line of a script is "usageError".

            A call may take 60 seconds, including loading, if --deadline does not say otherwise. A stream may go on for \
            any time after its call. Calls of objects in scripts have no limit without --deadline.

            SCRIPTS: with - as the class, calls are read from standard input, one per line, and performed in order by \
            one process; at a terminal, press Ctrl-D to finish. A line takes the arguments of 'hslink call': class, \
            selector, payload, and --class-method or --deadline if needed. Words are split and quoted as in a shell; a \
            # begins a comment. Later lines can use earlier results: $1 is the result of the first call, $2 that of \
            the second, $1.key an entry of a map, $1.0 an item of an array. A reference must be the whole value, as in \
            stream=$1; inside single quotes, a dollar sign is literal. In place of a class, $1 is an object that the \
            first call returned:

              WeatherLink temperatures city=Oslo
              $1 next
              $1 cancel

            A stream is an object with the selectors next and cancel; a closure is an object with the selector ''. \
            Each result is printed as JSON on one line. A result that contains an object is printed as <object NAME> \
            and is not a failure in a script. With --json, each line is the object described above, with "line" as its \
            first key. The script ends at the first call that fails, with the status that this call would have on \
            its own; with --keep-going, all calls are performed, and the status is that of the first failed call. \
            Ctrl-C cancels the call in flight and ends the script with status 130.

            STATUS: 0 when the call was performed and its result printed, 1 when not, 64 for a wrong command line or a \
            wrong line in a script, 130 or 143 when SIGINT or SIGTERM has ended a stream or a script.
            """)

    @Argument(
        help: ArgumentHelp("The class, or - to read calls from standard input.", valueName: "class"),
        completion: .custom(NameCompletion.classes))
    var className: String

    @Argument(
        help: "The selector; without it, the class's selectors are listed.",
        completion: .custom(NameCompletion.selectors))
    var selector: String?

    @Argument(
        help: ArgumentHelp(
            "JSON, @FILE, or key=value pairs (values: JSON, text, @?, @-, @FILE, @env:NAME).", valueName: "payload"),
        completion: .custom(NameCompletion.parameters))
    var payload: [String] = []

    @Flag(
        name: .customLong("class-method"),
        help: "Call the class method if the class also has an object method with that name.")
    var isClassMethod = false

    @Option(
        name: [.customLong("deadline"), .customLong("timeout")],
        help: ArgumentHelp(
            "Fail the call if it takes longer than this many seconds, including loading; 'none' for no limit. (default: 60)",
            valueName: "seconds"),
        transform: { try CallLimit($0) })
    var limit = CallLimit.standard

    @Flag(help: "Print the complete answer as one JSON object.")
    var json = false

    @Flag(help: "With -, continue after a call that failed.")
    var keepGoing = false

    @OptionGroup var host: RunningHostOptions

    @OptionGroup var components: ComponentOptions

    @OptionGroup var data: DataOptions

    @OptionGroup var settings: ConfigurationOptions

    /// Whether the calls are read from standard input.
    var isScript: Bool { className == "-" }

    func validate() throws {
        try host.refuse(components, data, configuration: settings)
        if isScript {
            guard selector == nil else {
                throw ValidationError("- reads calls from standard input: put selectors and payloads on its lines")
            }
            guard !isClassMethod else {
                throw ValidationError("- reads calls from standard input: put --class-method on the line of its call")
            }
        } else if keepGoing {
            throw ValidationError("--keep-going applies to scripts only; use - as the class")
        }
    }

    func run() async throws {
        do {
            if isScript { return try await runScript() }
            guard let selector else { return try await listSelectors() }
            let call = DeclaredCall(
                className: className, selector: selector, arguments: try PayloadArguments(payload),
                kind: isClassMethod ? .class : nil, limit: limit)
            try await perform(call)
        } catch let error as UsageError {
            // The shape of the command line is correct, so printing the usage would only bury the actual problem.
            if hasAnswer { try Output.json(CallReport(refused: error).json()) } else { Output.error(error.message) }
            throw ExitCode.validationFailure
        } catch let error as ControlError {
            throw ExitCode(try CallReport(notAsked: error).print(asJSON: hasAnswer))
        }
    }

    /// Whether the outcome is printed as a JSON object. The JSON form of a listing has no key for an error.
    private var hasAnswer: Bool { json && (isScript || selector != nil) }

    private func perform(_ call: DeclaredCall) async throws {
        if let socket = host.socket {
            let report = try await progress(call) {
                try await RemoteHost.connected(to: socket) { try await $0.perform(call) }
            }
            let status = report.printed(asJSON: json)
            if status != 0 { throw ExitCode(status) }
            return
        }
        let local = try LocalHost(components, data: data, configuration: settings, isJSON: json)
        let report = try await progress(call) { try await local.perform(call) }
        if let stream = PrintedStream(report.value, isJSON: json) {
            return try await local.end(printing: stream, of: report)
        }
        try await local.end(report.printed(asJSON: json), mayBeAtWork: report.isEndedFromOutside)
    }

    private func progress(
        _ call: DeclaredCall, _ work: () async throws -> CallReport
    ) async rethrows -> CallReport {
        try await Progress.during("\(call.selector) of \(call.className)", work)
    }

    /// The location of the host that performs the calls.
    private var place: HostPlace { host.socket.map { .socket($0) } ?? .directories(components.directories) }

    private func listSelectors() async throws {
        let catalog =
            if let socket = host.socket {
                try await ControlClient.connected(to: socket) { try await $0.catalog() }
            } else {
                try localCatalog()
            }
        guard let listing = ClassListing(className, in: catalog) else {
            let disabled = catalog.disabledEntries.first { $0.manifest.classDeclaration(className) != nil }
            if let disabled, let setting = disabled.disabledBy {
                Output.error("\(className): the component \(disabled.manifest.name) is disabled by \(setting)".escaped)
                throw ExitCode.failure
            }
            Output.error("\(className): \(LinkError(.classNotFound).message)".escaped)
            if let hint = CallHint(
                for: .classNotFound, className: className, selector: "", kind: .object, in: catalog, at: place)
            {
                Output.note(hint.text.escaped)
            }
            throw ExitCode.failure
        }
        if json { try Output.json(listing.json()) } else { try Output.result(listing.text(on: Terminal())) }
    }

    private func localCatalog() throws -> Catalog {
        let host = components.makeHost(settings.apply)
        try settings.verify(host)
        settings.warn(of: host)
        return host.catalog
    }

    /// Performs the calls read from standard input.
    private func runScript() async throws {
        if isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 {
            Output.note("Reading calls from this terminal, one per line; press Ctrl-D to finish.")
        }
        let script = CallScript(isJSON: json, keepsGoing: keepGoing, limit: limit)
        let interruption = try CommandInterruption()
        if let socket = host.socket {
            let end = try await interruption.during {
                try await RemoteHost.connected(to: socket) { try await script.run(on: .remote($0)) }
            }
            let status = interruption.status ?? end.status
            if status != 0 { throw ExitCode(status) }
            return
        }
        let local = try LocalHost(components, data: data, configuration: settings, isJSON: json)
        let end = try await interruption.during { try await script.run(on: .local(local)) }
        try await local.end(interruption.status ?? end.status, mayBeAtWork: end.mayBeAtWork)
    }
}
