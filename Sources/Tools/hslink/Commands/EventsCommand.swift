import ArgumentParser
import ComponentKit
import HostContract
import SystemSupport

/// `hslink events`: lists the events of components, who posts them and who handles them.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Lists the events that components post and handle.",
        discussion: """
            EXAMPLES:
              hslink events --plugins plugins
              hslink events --host hslink.sock --json

            Only manifests are read: no code from a component runs. The handlers of an event are in the order in \
            which they are called. Events without a declared poster, and those that components declare differently, \
            are marked with the reason.

            With --json, prints one object: {"events": [{"name", "posters": […], "handlers": [{"component", "class", \
            "selector", "loads", "concurrent", "priority"}], "problems": […]}]}. Keys whose value would be empty, 0 or \
            false are left out of handlers, and "problems" if there are none.

            STATUS: 0; 1 when a directory given with --plugins cannot be searched, a file of the configuration cannot be \
            used or the host cannot be reached; 64 for a wrong command line.
            """)

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var settings: ConfigurationOptions

    @OptionGroup var host: RunningHostOptions

    @OptionGroup var components: ComponentOptions

    func validate() throws { try host.refuse(components, configuration: settings) }

    func run() async throws {
        var rejected: [RejectionRow] = []
        let answer = try await components.ask(
            host, className: Events.className, selector: "events", payload: .null, rejected: &rejected,
            settings: settings)
        if json {
            // As it was received: a newer host may say more.
            try Output.json(answer.json())
        } else {
            try Output.result(Self.text(answer.value(as: DeclaredEvents.self).events, on: Terminal()))
        }
        if components.report(rejected) { throw ExitCode.failure }
    }

    /// Returns a table with a row for each handler.
    private static func text(_ events: [EventRow], on terminal: Terminal) -> String {
        var table = ListingTable(["EVENT", "POSTED BY", "HANDLED BY", "COMPONENT", "LOADS", "PRIORITY"])
        var problems: [String] = []
        for event in events {
            problems += event.problems.map { "\(event.name): \($0)".escaped }
            let color: ListingTable.Color = event.problems.isEmpty ? .none : .bad
            let posters = event.posters.isEmpty ? "-" : event.posters.joined(separator: ", ")
            let handlers: [EventHandlerRow?] = event.handlers.isEmpty ? [nil] : event.handlers
            for (index, handler) in handlers.enumerated() {
                table.rows.append([
                    .init(text: index == 0 ? event.name : "", color: color), .init(text: index == 0 ? posters : ""),
                    .init(text: handler.map { "\($0.class).\($0.selector)" } ?? "-"),
                    .init(text: handler?.component ?? "-"), .init(text: handler?.loads == true ? "yes" : ""),
                    .init(text: handler.map { "\($0.priority)" } ?? "", color: .faint),
                ])
            }
        }
        let lines = table.text(on: terminal)
        return problems.isEmpty ? lines : lines + "\n\n" + problems.joined(separator: "\n")
    }
}
