import ArgumentParser
import ComponentHost
import ComponentKit
import Glibc
import HostContract
import SystemSupport

/// `hslink routes`: lists the routes of a host, or explains where a URL leads.
struct RoutesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "Lists the routes of components; with --match, says which of them a URL leads to.",
        discussion: """
            EXAMPLES:
              hslink routes --plugins plugins
              hslink routes --match studio://film/clip.mp4 --plugins plugins
              hslink routes --match studio://film/clip.mp4 --remote browser --plugins plugins
              hslink routes --host hslink.sock --json
              hslink routes --table routes.json --match app://user/7

            Only manifests are read: no code from a component runs.

            Routes that the host does not use are listed with the reason: an invalid pattern, or the route of another \
            component that is the same pattern.

            With --match, the routes that match the URL are listed in the order in which they are tried, with the \
            parameters of the URL, then those that come closest, each with the reason why it does not match or is not \
            the first. Below the table are the interceptors that are asked before the first one is opened, and what \
            makes it fail.

            With --remote, the URL counts as one from outside the program, from the source with this name: only \
            routes that are marked public match, and only sources that the host allows may open anything. A host that \
            this command starts allows the source.

            With --table, the routes come from a file instead of components, to try out patterns: {"routes": \
            ["app://user/:id", {"pattern": "app://user/new", "priority": 10}], "options": "urlNavigator"}. The options \
            are "default", "mgjRouter", "jlRoutes", "urlNavigator", "hhRouter", "crossroad" or \
            "ctMediator".

            With --json, prints one object: {"routes": [{"pattern", "class", "selector", "kind", "component", \
            "public", "sources", "tags", "priority", "available"}], "refused": [{"pattern", "component", "class", "selector", \
            "reason"}]}; with --match: {"url", "candidates": [{"outcome", "reason", "parameters", "route"}], \
            "omitted", "redirects", "interceptors", "problems", "problem"}, where the outcome is "chosen", "outranked" \
            or "mismatch". Keys whose value would be empty, 0 or false are left out.

            STATUS: 0; 1 when nothing matches the URL given with --match, when a directory given with --plugins cannot \
            be searched, the host cannot be reached or a file cannot be read; 64 for a wrong command line.
            """)

    @Option(
        help: ArgumentHelp("Say which routes match this URL.", valueName: "url"),
        completion: .custom(RouteCompletion.urls))
    var match: String?

    @Option(
        help: ArgumentHelp(
            "With --match, show what this source outside the program would open.", valueName: "source"))
    var remote: String?

    @Option(
        help: ArgumentHelp("Read the routes from a JSON file instead of components.", valueName: "file"),
        completion: .file())
    var table: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var settings: ConfigurationOptions

    @OptionGroup var host: RunningHostOptions

    @OptionGroup var components: ComponentOptions

    func validate() throws {
        try host.refuse(components, configuration: settings)
        if let remote {
            guard !remote.isEmpty else { throw ValidationError("--remote: expected the name of a source") }
            if match == nil { throw ValidationError("--remote needs a URL: add --match") }
            if table != nil { throw ValidationError("--table and --remote cannot be combined") }
        }
        guard table != nil else { return }
        if host.socket != nil { throw ValidationError("--table and --host cannot be combined") }
        if !components.directories.isEmpty { throw ValidationError("--table and --plugins cannot be combined") }
    }

    func run() async throws {
        do {
            try await print()
        } catch let error as RouteTableError {
            Output.error(error.message.escapedMessage)
            throw ExitCode.failure
        }
    }

    private func print() async throws {
        var rejected: [RejectionRow] = []
        var request: [(String, Payload)] = []
        if let match { request.append(("url", .string(match))) }
        if let remote { request.append(("source", .string(remote))) }
        let answer = try await answer(match == nil ? "routes" : "explain", .map(request), rejected: &rejected)
        let explanation = match == nil ? nil : RouteExplanationReport(answer: answer)
        if json {
            // As it was received: a newer host may say more.
            try Output.json(answer.json())
        } else {
            let text = try explanation?.text(on: Terminal()) ?? RouteListing(list: answer.value()).text(on: Terminal())
            try Output.result(text)
        }
        if components.report(rejected) || explanation?.hasMatch == false { throw ExitCode.failure }
    }

    /// Asks the host, or the file.
    ///
    /// - Parameter rejected: receives the directories that a host in this process does not search.
    private func answer(
        _ selector: String, _ payload: Payload, rejected: inout [RejectionRow]
    ) async throws -> Payload {
        if let table {
            let table = try RouteTableFile(path: table)
            return selector == "routes" ? table.listing : table.explanation(of: match ?? "")
        }
        return try await components.ask(
            host, className: Link.routesClass, selector: selector, payload: payload, rejected: &rejected,
            settings: settings
        ) { options in
            if let remote { options.routes.remoteSources = [remote] }
        }
    }
}
