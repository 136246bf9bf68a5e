import ArgumentParser
import ComponentKit
import HostContract
import ManifestRules
import SystemSupport

/// `hslink config`: shows the configuration of components, and where each value comes from.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Shows the configuration of components and where each value comes from.",
        discussion: """
            EXAMPLES:
              hslink config --plugins plugins --config host.yaml
              hslink config ComponentImage --plugins plugins
              hslink config --host hslink.sock --json

            Only manifests and the configuration are read: no code from a component runs. The table has the keys that \
            components declare, with their types and default values, and those in files that none declares. \
            Values of --secrets, and those that a component declares as Secret, are not shown. Neither are those of \
            keys that are not declared, which may be secrets, too: look in the file that the table names.

            With --json, prints one object: {"environment", "sources": […], "sections": [{"component", "keys": \
            [{"key", "type", "value", "from", "secret"}], "errors": […], "warnings": […]}], "warnings": […], \
            "error"}. Keys that do not apply are left out.

            STATUS: 0; 1 when a component cannot start with its configuration, a file cannot be read, a directory given \
            with --plugins cannot be searched, or the host cannot be reached; 64 for a wrong command line.
            """)

    @Argument(help: ArgumentHelp("Only the section of this component.", valueName: "component"))
    var component: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var settings: ConfigurationOptions

    @OptionGroup var host: RunningHostOptions

    @OptionGroup var components: ComponentOptions

    func validate() throws { try host.refuse(components, configuration: settings) }

    func run() async throws {
        var rejected: [RejectionRow] = []
        var answer = try await components.ask(
            host, className: "hslink.Configuration", selector: "sections", payload: .null, rejected: &rejected,
            configure: settings.apply)
        if let component, answer["error"] == nil { answer = try Self.reduced(answer, to: component) }
        // As it was received: a newer host may say more.
        if json { try Output.json(answer.json()) }
        let report: ConfigurationReport = try answer.value()
        if !json { try Output.result(Self.text(report, on: Terminal())) }
        let isIncomplete = components.report(rejected)
        for text in report.sections.flatMap(\.warnings) + report.warnings {
            Output.note("Warning: \(text.escapedMessage)")
        }
        let errors = report.sections.flatMap(\.errors) + (report.error.map { [$0] } ?? [])
        for text in errors { Output.error(text.escapedMessage) }
        if !errors.isEmpty || isIncomplete { throw ExitCode.failure }
    }

    private static func reduced(_ answer: Payload, to component: String) throws -> Payload {
        let sections = try answer.value("sections").items()
        guard let section = try sections.first(where: { try $0.string("component").isExactly(component) }) else {
            let similar = SimilarName.nearest(to: component, in: try sections.map { try $0.string("component") })
            Output.error(
                "\(component.escaped) has no configuration: there is no such component, or it declares none and no file "
                    + "has a section for it" + (similar.map { "; did you mean \($0.escaped)?" } ?? ""))
            throw ExitCode.failure
        }
        return [
            "environment": try answer.value("environment"), "sources": try answer.value("sources"),
            "sections": [section],
        ]
    }

    /// Returns a table with a row for each key.
    private static func text(_ report: ConfigurationReport, on terminal: Terminal) -> String {
        var table = ListingTable(["COMPONENT", "KEY", "VALUE", "FROM", "TYPE"])
        for section in report.sections {
            for (index, row) in section.keys.enumerated() {
                table.rows.append([
                    .init(text: index == 0 ? section.component : ""),
                    .init(text: row.key, color: row.type == nil ? .faint : .none), .init(text: value(of: row)),
                    .init(text: row.from ?? "-", color: .faint),
                    .init(text: row.type ?? "not declared", color: row.type == nil ? .bad : .faint),
                ])
            }
        }
        let head = "environment: \(report.environment)"
        guard !table.rows.isEmpty else {
            return report.error == nil ? "\(head)\nno component declares or has a configuration" : head
        }
        return head + "\n\n" + table.text(on: terminal)
    }

    private static func value(of row: ConfigurationKeyRow) -> String {
        if row.secret { return row.from == nil ? "-" : "<secret>" }
        // A component that declares nothing may still read it.
        guard let value = row.value else { return row.type == nil && row.from != nil ? "<hidden>" : "-" }
        if let text = try? value.string() { return text }
        return (try? value.json()) ?? "?"
    }
}
