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

            STATUS: 0 when it was performed and printed, 1 when not, 64 for a wrong command line.
            """)

    @Argument(help: ArgumentHelp("The class.", valueName: "class"), completion: .custom(NameCompletion.classes))
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

    @OptionGroup var host: RunningHostOptions

    @OptionGroup var components: ComponentOptions

    @OptionGroup var data: DataOptions

    func validate() throws {
        try host.refuse(components, data)
    }

    func run() async throws {
        guard let selector else { return try await listSelectors() }
        do {
            let call = DeclaredCall(
                className: className, selector: selector, arguments: try PayloadArguments(payload),
                kind: isClassMethod ? .class : nil, timeout: deadline?.duration)
            try await perform(call)
        } catch let error as UsageError {
            // The command line as a whole is right: its usage would only hide what is not.
            Output.error(error.message)
            throw ExitCode.validationFailure
        }
    }

    private func perform(_ call: DeclaredCall) async throws {
        if let socket = host.socket {
            let status = printReport(try await progress { try await RemoteCall(call: call, socket: socket).perform() })
            if status != 0 { throw ExitCode(status) }
            return
        }
        let host = components.makeHost(data: data)
        if !components.directories.isEmpty {
            components.report(HostListing(host).rejectedDirectories, as: "Warning")
        }
        let description = try call.description(in: host.catalog)
        let report = await progress { await LocalCall(call: description, host: host).perform() }
        let status = printReport(report)
        let stop = await host.stop(timeout: .seconds(1))
        // With a thread still inside of a component, what runs at an orderly exit would pull the ground from
        // under it, or wait for it. All output has been written.
        if !stop.stillRunning.isEmpty || report.isEndedFromOutside { _exit(status) }
        if status != 0 { throw ExitCode(status) }
    }

    private func progress(_ work: () async throws -> CallReport) async rethrows -> CallReport {
        try await Progress.during("\(selector ?? "") of \(className)", work)
    }

    private func listSelectors() async throws {
        let catalog: Catalog
        do {
            catalog =
                if let socket = host.socket {
                    try await ControlClient.connected(to: socket) { try await $0.catalog() }
                } else {
                    components.makeHost().catalog
                }
        } catch let error as ControlError {
            Output.error(error.message.escaped)
            throw ExitCode.failure
        }
        guard let listing = ClassListing(className, in: catalog) else {
            Output.error("\(className): no component has this class".escaped)
            let code = "\(LinkError.Code.classNotFound)"
            if let hint = CallHint(for: code, className, "", .object, in: catalog) { Output.note(hint.text.escaped) }
            throw ExitCode.failure
        }
        try Output.result(json ? listing.json() : listing.text(on: Terminal()))
    }

    /// - Returns: the exit status.
    private func printReport(_ report: CallReport) -> Int32 {
        do throws(OutputError) {
            if json { try Output.result(report.json) } else { try printForPeople(report) }
            return report.status
        } catch {
            Output.error(error.message)
            return ExitCode.failure.rawValue
        }
    }

    private func printForPeople(_ report: CallReport) throws(OutputError) {
        if let text = report.text { return try Output.result(text) }
        guard let error = report.error else { return }
        Output.error(error.text)
        if let details = error.details { Output.note("details: \(details.description.escaped)") }
        if let hint = report.hint { Output.note(hint.escaped) }
    }
}
