import ArgumentParser
import ComponentHost
import ComponentKit
import Glibc
import HostControl
import SystemSupport

/// `hslink call`: one call to a component.
struct CallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Calls a selector of a class and prints what it returns; without a selector, lists those there are.",
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
              hslink call - --plugins plugins <calls

            With a class alone, its selectors and their parameters are listed from the manifest; nothing is loaded. \
            With --json that is {"class", "component", "summary", "selectors": [{"name", "kind", "parameters": \
            [{"name", "type"}], "result", "summary"}]}.

            The payload is one JSON text, the JSON text in a file (@FILE; @- for standard input), or a map of \
            key=value pairs, where a value is a string if its parameter is one, else JSON if it can be read as JSON, \
            else a string. Keys are taken as they are, dots too; one that the selector does not declare is refused, \
            where it declares any. Without any, the payload is null. Put -- before JSON that begins with a minus.

            What stands on a command line can be read by every user of the machine. A secret comes from elsewhere: \
            key=@? asks at the terminal and does not show what is typed; key=@- takes standard input to its end, \
            key=@FILE a file, both without their last line break; key=@env:NAME takes a variable of the environment. \
            Such values are strings, also where they look like JSON. For text that begins with an @ write key=@@text.

            The value that comes back is printed as JSON, text in quotes and null for a method that returns \
            nothing. Bytes are {"$bytes": "<base64>"}, dates {"$date": "<RFC 3339>"}.

            With --json, one object instead: {"returnValue", "performSuccess", "classIsLoad"}, and where the \
            call failed "error" with "code", "message", "class", "selector", "component" (null when it is not \
            known) and, where there are such, "domain" with "number", "details" and "cause". A value that came \
            back and that JSON cannot hold (an object, or a kind of value that is not known here) leaves \
            "performSuccess" true, "returnValue" null, and is the error "notPrintable".

            SCRIPTS: with - for the class, standard input holds calls, one a line, which one process performs one after \
            the other; a terminal is ended with Ctrl-D. A line is the words behind 'hslink call': class, selector, payload, \
            and --class-method or --deadline where one is needed. Words are split and quoted as in a shell; a # begins a \
            comment. Later lines can use what earlier calls have returned: $1 is the result of the first call, $2 that of \
            the second, $1.key an entry of a map, $1.0 an item of an array. Such a value stands alone, as in stream=$1; \
            in single quotes a dollar sign is one. In place of a class, $1 is an object that the first call has returned:

              WeatherLink temperatures city=Oslo
              $1 next
              $1 cancel

            A stream is an object with the selectors next and cancel, a closure one with the selector ''. Each result is \
            printed as JSON on one line, one with an object in it as <object NAME>; that is no failure here. With \
            --json, each line is the object above, with "line" in front. The first call that fails ends the script, with \
            the status that it would have alone; with --keep-going, all calls are performed, and the status is that of the \
            first that has failed. Ctrl-C cancels the call that is under way, and ends the script with status 130.

            STATUS: 0 when it was performed and printed, 1 when not, 64 for a wrong command line or line of a script.
            """)

    @Argument(
        help: ArgumentHelp("The class, or - to read calls from standard input.", valueName: "class"),
        completion: .custom(NameCompletion.classes))
    var className: String

    @Argument(
        help: "The selector; without it, those of the class are listed.",
        completion: .custom(NameCompletion.selectors))
    var selector: String?

    @Argument(
        help: ArgumentHelp(
            "JSON, @FILE, or key=value pairs (values: JSON, text, @?, @-, @FILE, @env:NAME).", valueName: "payload"),
        completion: .custom(NameCompletion.parameters))
    var payload: [String] = []

    @Flag(
        name: .customLong("class-method"),
        help: "Call the class method where there is an object method of that name too.")
    var isClassMethod = false

    @Option(
        help: ArgumentHelp(
            "End the call as failed when it takes longer than that many seconds, loading included.",
            valueName: "seconds"),
        transform: { try Seconds($0) })
    var deadline: Seconds?

    @Flag(help: "Print one JSON object with the whole answer.")
    var json = false

    @Flag(help: "With -, go on behind a call that has failed.")
    var keepGoing = false

    @OptionGroup var host: RunningHostOptions

    @OptionGroup var components: ComponentOptions

    @OptionGroup var data: DataOptions

    /// Whether standard input holds the calls.
    var isScript: Bool { className == "-" }

    func validate() throws {
        try host.refuse(components, data)
        if isScript {
            guard selector == nil else {
                throw ValidationError("- reads calls from standard input: selectors and payloads stand there")
            }
            guard !isClassMethod else {
                throw ValidationError("--class-method stands on the line of its call where - reads standard input")
            }
        } else if keepGoing {
            throw ValidationError("--keep-going is for the calls of a script; it needs - in place of the class")
        }
    }

    func run() async throws {
        do {
            if isScript { return try await runScript() }
            guard let selector else { return try await listSelectors() }
            let call = DeclaredCall(
                className: className, selector: selector, arguments: try PayloadArguments(payload),
                kind: isClassMethod ? .class : nil, timeout: deadline?.duration)
            try await perform(call)
        } catch let error as UsageError {
            // The command line as a whole is right: its usage would only hide what is not.
            Output.error(error.message)
            throw ExitCode.validationFailure
        } catch let error as ControlError {
            // A listing has no form for it.
            let hasAnswer = json && (isScript || selector != nil)
            throw ExitCode(try CallReport(notAsked: error).print(asJSON: hasAnswer))
        }
    }

    private func perform(_ call: DeclaredCall) async throws {
        if let socket = host.socket {
            let report = try await progress(call) {
                try await RemoteHost.connected(to: socket) { try await $0.perform(call) }
            }
            let status = self.status(ofPrinting: report)
            if status != 0 { throw ExitCode(status) }
            return
        }
        let local = makeHost()
        let report = try await progress(call) { try await local.perform(call) }
        let status = self.status(ofPrinting: report)
        try await end(local, status, mayBeAtWork: report.isEndedFromOutside)
    }

    private func progress(
        _ call: DeclaredCall, _ work: () async throws -> CallReport
    ) async rethrows -> CallReport {
        try await Progress.during("\(call.selector) of \(call.className)", work)
    }

    private func status(ofPrinting report: CallReport) -> Int32 {
        do throws(OutputError) {
            return try report.print(asJSON: json)
        } catch {
            Output.error(error.message)
            return ExitCode.failure.rawValue
        }
    }

    /// A host in this process.
    func makeHost() -> LocalHost {
        let host = components.makeHost(data: data)
        if !components.directories.isEmpty {
            components.report(HostListing(host).rejectedDirectories, as: "Warning")
        }
        return LocalHost(host: host, place: place)
    }

    /// Where the host is that is asked.
    private var place: HostPlace { host.socket.map { .socket($0) } ?? .directories(components.directories) }

    /// Ends a host of this process, and the process with it where that is needed. All output has been written.
    ///
    /// - Throws: the status as an ``ExitCode`` where it is not 0.
    func end(_ local: LocalHost, _ status: Int32, mayBeAtWork: Bool) async throws {
        let stop = await local.host.stop(timeout: .seconds(1))
        // With a thread still inside of a component, what runs at an orderly exit would pull the ground from
        // under it, or wait for it.
        if !stop.stillRunning.isEmpty || mayBeAtWork { _exit(status) }
        if status != 0 { throw ExitCode(status) }
    }

    private func listSelectors() async throws {
        let catalog =
            if let socket = host.socket {
                try await ControlClient.connected(to: socket) { try await $0.catalog() }
            } else {
                components.makeHost().catalog
            }
        guard let listing = ClassListing(className, in: catalog) else {
            Output.error("\(className): no component has this class".escaped)
            let code = "\(LinkError.Code.classNotFound)"
            if let hint = CallHint(for: code, className, "", .object, in: catalog, at: place) {
                Output.note(hint.text.escaped)
            }
            throw ExitCode.failure
        }
        if json { try Output.json(listing.json()) } else { try Output.result(listing.text(on: Terminal())) }
    }
}
