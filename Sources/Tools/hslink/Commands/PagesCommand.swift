import ArgumentParser
import ComponentKit
import PageKit
import SystemSupport

/// `hslink pages`: lists the pages of a host, or the page modules that pages can name.
struct PagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pages",
        abstract: "Lists the pages of a host and their problems; with --modules, the page modules.",
        discussion: """
            EXAMPLES:
              hslink pages --plugins plugins
              hslink pages --modules --plugins plugins
              hslink pages --host hslink.sock --json

            Below the table are the problems of the pages, as SOURCE:LINE:COLUMN: MESSAGE, or of the modules. \
            The problems of a page do not change the status of the command.

            With --json, prints one object: {"pages": [{"id", "title", "source", "modules", "problems": [{"line", \
            "column", "message"}], "values"}]}; with --modules: {"modules": [{"name", "component", "isCondition", "data", \
            "pages", "problem"}]}.

            STATUS: 0, also if there are problems; 1 when no component provides pages or the host cannot be reached; \
            64 for a wrong command line.
            """)

    @Flag(help: "List the page modules instead, with their data and the pages that name them.")
    var modules = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var options: PageOptions

    func run() async throws {
        let (modules, json) = (modules, json)
        try await options.withClient { client in
            if modules {
                let listing = ModuleListing(modules: try await client.modules())
                try json ? Output.json(listing.json()) : Output.result(listing.text(on: Terminal()))
            } else {
                let listing = PageListing(pages: try await client.pages())
                try json ? Output.json(listing.json()) : Output.result(listing.text(on: Terminal()))
            }
            return 0
        }
    }
}
